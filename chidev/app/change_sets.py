"""Puts and retirements: a change of several things at once, and one alone as a set of one.

Source: specification, "Operations", "Change sets" and "Retiring".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.change_requests import frame_of, open_request_titled
from chidev.app.commit import edit
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.entries import PutEntry, PutFields, RetireEntry, RetireFields, read_puts
from chidev.app.footprints import record_footprint
from chidev.app.ports.services import Services
from chidev.app.puts import plan_puts
from chidev.app.retires import plan_retires, refuse_what_is_left_hanging
from chidev.domain.identity import Id
from chidev.domain.retirement import Retired
from chidev.domain.rule import Refused
from chidev.domain.rules.change_set import NAMED_TWICE
from chidev.domain.subject import asset_subject, context_subject


class RetiredAnswer(msgspec.Struct, frozen=True):
    """One thing that left the model, as `status` and the answer of a change list it."""

    kind: str
    context: str
    name: str
    last_revision: int
    at: int


class PutAnswer(msgspec.Struct, frozen=True):
    """What a put made. A `uses` and a `base_on_contract` have only the Context."""

    put: str
    context: str
    name: str | UnsetType = UNSET
    id: Id | UnsetType = UNSET
    revision: int | UnsetType = UNSET
    left_out: int | UnsetType = UNSET


class ChangeSetAnswer(msgspec.Struct, frozen=True):
    puts: Sequence[PutAnswer]
    retired: Sequence[RetiredAnswer]
    findings: Sequence[FindingAnswer]


class ContextAnswer(msgspec.Struct, frozen=True):
    context: Id
    findings: Sequence[FindingAnswer]


class AssetAnswer(msgspec.Struct, frozen=True):
    id: Id
    revision: int
    findings: Sequence[FindingAnswer]
    left_out: int | UnsetType = UNSET


class RetireAnswer(msgspec.Struct, frozen=True):
    retired: Sequence[RetiredAnswer]
    findings: Sequence[FindingAnswer]


class FindingsAnswer(msgspec.Struct, frozen=True):
    findings: Sequence[FindingAnswer]


def change_set(operation: inputs.ChangeSet, services: Services) -> ChangeSetAnswer:
    puts = [(put, f"puts[{n}].") for n, put in enumerate(operation.puts)]
    retires = [(retire, f"retires[{n}].") for n, retire in enumerate(operation.retires)]
    return change(puts, retires, services, request=operation.for_)


def add_context(operation: inputs.ContextAdd, services: Services) -> ContextAnswer:
    answer = change([(operation, "")], [], services)
    made = answer.puts[0].id
    return ContextAnswer(Id(str(made)), answer.findings)


def put_context_fields(operation: inputs.ContextUses | inputs.BaseOnContract, services: Services) -> FindingsAnswer:
    return FindingsAnswer(change([(operation, "")], [], services).findings)


def put_asset(
    operation: inputs.ContractPut | inputs.ClausesPut | inputs.InterfacePut | inputs.HarnessPut, services: Services
) -> AssetAnswer:
    answer = change([(operation, "")], [], services)
    made = answer.puts[0]
    return AssetAnswer(Id(str(made.id)), int(str(made.revision)), answer.findings, made.left_out)


def retire(
    operation: inputs.ContextRetire | inputs.ContractRetire | inputs.InterfaceRetire | inputs.HarnessRetire,
    services: Services,
) -> RetireAnswer:
    answer = change([], [(operation, "")], services)
    return RetireAnswer(answer.retired, answer.findings)


def change(
    puts: Sequence[tuple[PutFields, str]],
    retires: Sequence[tuple[RetireFields, str]],
    services: Services,
    computed_on: int | None = None,
    request: str | None = None,
) -> ChangeSetAnswer:
    """Apply a change, all of it or none. The one path of every put and every retirement.

    Args:
        puts, retires: each entry with the path it was written at (`puts[0].`), empty for an operation alone.
        computed_on: the revision of the store that the entries were made from, None when they are of no store.
        request: the title of the change request that the change is work for.

    Raises:
        Refused: every problem of the first stage that has any; nothing is kept.
    """
    _refuse_named_twice([*puts, *retires])
    entries = read_puts(puts, services)
    drafts: list[Draft] = []

    def plan(draft: Draft) -> None:
        drafts.append(draft)
        if request is not None and (found := open_request_titled(draft, request, "for")):
            draft.request, draft.frame = found, frame_of(found, draft.project.id)
        plan_puts(draft, entries)
        plan_retires(draft, [RetireEntry(fields, at) for fields, at in retires])
        draft.refuse_problems()
        refuse_what_is_left_hanging(draft)
        draft.refuse_problems()
        record_footprint(draft)

    findings = edit(services, plan, computed_on)
    draft = drafts[-1]
    records = [retired for _, some in draft.retired_records() for retired in some]
    return ChangeSetAnswer([_put_answer(draft, entry) for entry in entries], retired_answers(records), findings)


def retired_answers(records: Sequence[Retired]) -> list[RetiredAnswer]:
    return [RetiredAnswer(r.kind, r.context, r.name, r.last_revision, r.at) for r in records]


def _put_answer(draft: Draft, entry: PutEntry) -> PutAnswer:
    fields = entry.fields
    if isinstance(fields, inputs.ContextFields):
        context = draft.added_contexts[fields.name]
        return PutAnswer("context", context.name, UNSET, context.id, context.revision)
    if isinstance(fields, inputs.UsesFields):
        return PutAnswer("uses", fields.context)
    if isinstance(fields, inputs.BasisFields):
        return PutAnswer("base_on_contract", fields.context)
    word, kind, name = _asset_named(fields)
    holder = draft.context(fields.context)
    made = draft.puts[Id(holder.id if holder else ""), kind, name].new
    left_out = entry.found.left_out if entry.found else UNSET
    return PutAnswer(word, fields.context, name, made.id, made.revision, left_out)


def _asset_named(fields: Any) -> tuple[str, str, str]:
    """The word of a put, the kind of the asset and its name."""
    if isinstance(fields, inputs.ClausesFields):
        return "clauses", "contract", fields.contract
    if isinstance(fields, inputs.ContractFields):
        return "contract", "contract", fields.name
    if isinstance(fields, inputs.InterfaceFields):
        return "interface", "interface", fields.name
    return "harness", "harness", fields.name


def _refuse_named_twice(entries: Sequence[tuple[PutFields | RetireFields, str]]) -> None:
    """A thing is named once in a set, and nothing is put into a Context that the set retires (open-points 15)."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for fields, at in entries:
        for thing in _things(fields, is_retired=at.startswith("retires")):
            places.setdefault(thing, []).append(at.rstrip("."))
    for (kind, context, _), where in list(places.items()):
        if kind == "context" and any(place.startswith("retires") for place in where):
            inside = [place for thing, some in places.items() if thing[1] == context for place in some]
            puts = [place for place in inside if place.startswith("puts")]
            places["context", context, ""] = list(dict.fromkeys([*where, *puts]))
    twice = [(thing, where) for thing, where in places.items() if len(where) > 1]
    if twice:
        raise Refused(
            *(
                NAMED_TWICE.broken(
                    context_subject(context) if kind.startswith("context") else asset_subject(kind, context, name),
                    field=where[1],
                    kind=kind.partition(" ")[0],
                    name=name or context,
                    count=len(where),
                    places=where,
                )
                for (kind, context, name), where in twice
            )
        )


def _things(fields: Any, *, is_retired: bool) -> list[tuple[str, str, str]]:
    """What an entry names: kind, Context and asset. A Context that is added may have uses and a basis besides."""
    if isinstance(fields, inputs.ContextFields):
        return [("context", fields.name, "")]
    if isinstance(fields, inputs.UsesFields):
        return [("context uses", fields.context, "")]
    if isinstance(fields, inputs.ContractRetireFields):
        return [("contract", fields.context, fields.contract)]
    if isinstance(fields, inputs.InterfaceRetireFields):
        return [("interface", fields.context, fields.interface)]
    if isinstance(fields, inputs.HarnessRetireFields):
        return [("harness", fields.context, fields.harness)]
    if isinstance(fields, inputs.BasisFields):
        return [("context" if is_retired else "context basis", fields.context, "")]
    _, kind, name = _asset_named(fields)
    return [(kind, fields.context, name)]
