"""Opening a change request.

Source: specification, "Change requests" and "Change-request addresses".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from chidev.app import inputs
from chidev.app.commit import edit
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import Address, Assumption, ChangeRequest, Expectation, Intent
from chidev.domain.identity import Id
from chidev.domain.project import Context
from chidev.domain.rule import Refused, Violation
from chidev.domain.rules.cr import TARGET_TWICE, TITLE_TAKEN
from chidev.domain.rules.input import INVALID
from chidev.domain.subject import asset_subject, change_request_subject, context_subject

# The order in which a request answers and keeps its targets: from the outside in.
_KINDS = ("project", "context", "contract", "interface", "harness", "clause", "item", "case")
_PARTS = {"clause": ("contract", "label"), "item": ("interface", "key"), "case": ("harness", "name")}


class ExpectAnswer(msgspec.Struct, frozen=True):
    """What the request recorded of one reference."""

    kind: str
    target: inputs.TargetRef
    recorded: int


class CrAnswer(msgspec.Struct, frozen=True):
    cr: Id
    expects: Sequence[ExpectAnswer]
    findings: Sequence[FindingAnswer]


class Target(msgspec.Struct, frozen=True):
    """What a reference names: its kind, its id and the revision it has."""

    kind: str
    id: Id
    revision: int


def open_request(operation: inputs.CrOpen, services: Services) -> CrAnswer:
    """Keep the request with the revisions that its targets have now.

    Raises:
        Refused: a reference that cannot be read, `input.unknown-name` for each name that is none, `cr.title-taken`,
            `cr.target-twice`.
    """
    malformed = list(_malformed(operation))
    if malformed:
        raise Refused(*malformed)
    kept: list[tuple[ChangeRequest, list[ExpectAnswer]]] = []

    def plan(draft: Draft) -> None:
        resolver = _Resolver(draft)
        expects = resolver.expects(operation)
        addresses = resolver.addresses(operation.addresses)
        parent = resolver.request(operation.parent, "parent") if operation.parent is not None else None
        if draft.store.change_request_titled(operation.title):
            draft.states.append(TITLE_TAKEN.broken(change_request_subject(operation.title), field="title"))
        draft.states.extend(_targets_twice(operation.title, expects))
        draft.refuse_problems()
        expects.sort(key=lambda expected: _KINDS.index(expected[2].kind))
        request = _request(services.new_id(), operation, expects, addresses, parent)
        draft.store.add_change_request(request)
        answers = [ExpectAnswer(kind, ref, target.revision) for kind, ref, target in expects]
        kept.append((request, answers))

    findings = edit(services, plan)
    request, answers = kept[-1]
    return CrAnswer(request.id, answers, findings)


def _request(
    id_: Id,
    operation: inputs.CrOpen,
    expects: Sequence[tuple[str, inputs.TargetRef, Target]],
    addresses: Sequence[Address],
    parent: Id | None,
) -> ChangeRequest:
    return ChangeRequest(
        id=id_,
        title=operation.title,
        intent=Intent(operation.intent),
        situation=operation.situation,
        issuer=operation.issuer,
        parent=parent,
        expects=tuple(Expectation(kind, target.kind, target.id, target.revision) for kind, _, target in expects),
        addresses=tuple(addresses),
        assumptions=tuple(
            Assumption(a.statement, a.reason, msgspec.to_builtins(a.evidence)) for a in operation.assumptions
        ),
    )


def _malformed(operation: inputs.CrOpen) -> Iterator[Violation]:
    """What the types do not say: one key in a reference, a path of evidence that stays in the repository."""
    for field in ("targets", "keep"):
        for n, ref in enumerate(getattr(operation, field)):
            yield from _one_key(ref, f"{field}[{n}]")
    for n, address in enumerate(operation.addresses):
        given = [key for key in ("subject", "item", "clause") if getattr(address, key) is not msgspec.UNSET]
        if len(given) > 1:
            yield INVALID.broken(field=f"addresses[{n}]", detail=f"the fields {_listed(given)} exclude one another")
        if isinstance(address.subject, inputs.SubjectRef):
            yield from _one_key(address.subject, f"addresses[{n}].subject")
    for n, assumption in enumerate(operation.assumptions):
        for k, evidence in enumerate(assumption.evidence):
            place = f"assumptions[{n}].evidence[{k}]"
            yield from _one_key(evidence, place)
            if isinstance(evidence.repo, inputs.RepoEvidence):
                yield from _bad_place(evidence.repo, f"{place}.repo")


def _bad_place(repo: inputs.RepoEvidence, at: str) -> Iterator[Violation]:
    if repo.path.startswith("/") or ".." in repo.path.split("/"):
        yield INVALID.broken(field=f"{at}.path", detail=f"the path `{repo.path}` does not stay in the repository")
    if repo.lines and repo.lines[0] > repo.lines[1]:
        yield INVALID.broken(field=f"{at}.lines", detail="the last line is before the first")


def _one_key(ref: msgspec.Struct, at: str) -> Iterator[Violation]:
    given = _given(ref)
    if len(given) != 1:
        what = f"the fields {_listed(given)} exclude one another" if given else "nothing is named"
        yield INVALID.broken(field=at, detail=what)


def _given(ref: msgspec.Struct) -> list[str]:
    return [field for field in ref.__struct_fields__ if getattr(ref, field) is not msgspec.UNSET]


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _targets_twice(title: str, expects: Sequence[tuple[str, inputs.TargetRef, Target]]) -> Iterator[Violation]:
    places: dict[Id, list[str]] = {}
    counts: Counter[str] = Counter()
    for kind, _, target in expects:
        field = "targets" if kind == "target" else "keep"
        places.setdefault(target.id, []).append(f"{field}[{counts[field]}]")
        counts[field] += 1
    named = {target.id: ref for _, ref, target in expects}
    for id_, where in places.items():
        if len(where) > 1:
            reference = msgspec.to_builtins(named[id_])
            yield TARGET_TWICE.broken(
                change_request_subject(title),
                field=where[1],
                target=reference,
                name=_described(reference),
                count=len(where),
            )


def _described(reference: dict[str, Any]) -> str:
    """A reference as a person would say it: the Clause `discount C1` of `pricing`."""
    ((kind, named),) = reference.items()
    if kind == "project":
        return "the Project"
    if isinstance(named, str):
        return f"the {kind} `{named}`"
    context, *words = named.values()
    return f"the {kind} `{' '.join(words)}` of `{context}`"


class _Resolver:
    """Finds what references name in the store; every name that is none is kept on the draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._store: StoreReader = draft.store

    def expects(self, operation: inputs.CrOpen) -> list[tuple[str, inputs.TargetRef, Target]]:
        found = []
        for kind, field in (("target", "targets"), ("keep", "keep")):
            for n, ref in enumerate(getattr(operation, field)):
                target = self._target(ref, f"{field}[{n}]")
                if target:
                    found.append((kind, ref, target))
        return found

    def addresses(self, addresses: Sequence[inputs.Address]) -> list[Address]:
        found = []
        for n, address in enumerate(addresses):
            ref, is_older = self._subject_of(address)
            if ref is None:
                found.append(Address(address.rule, None, None))
            elif target := self._target(ref, f"addresses[{n}]" if is_older else f"addresses[{n}].subject"):
                found.append(Address(address.rule, target.kind, target.id))
        return found

    @staticmethod
    def _subject_of(address: inputs.Address) -> tuple[Any, bool]:
        """The reference in an address, and whether it is of the older form: an Item or a Clause beside the rule."""
        if isinstance(address.item, inputs.ItemTarget):
            return inputs.SubjectRef(item=address.item), True
        if isinstance(address.clause, inputs.ClauseTarget):
            return inputs.SubjectRef(clause=address.clause), True
        return address.subject if isinstance(address.subject, inputs.SubjectRef) else None, False

    def request(self, title: str, field: str) -> Id | None:
        found = self._store.change_request_titled(title)
        if found is None:
            self._draft.names.append(unknown_name("change request", title, field, self._store.change_request_titles()))
        return found.id if found else None

    def _target(self, ref: Any, at: str) -> Target | None:
        (kind,) = _given(ref)
        named = getattr(ref, kind)
        if kind == "project":
            return Target(kind, self._draft.project.id, self._draft.project.revision)
        if kind == "change_request":
            id_ = self.request(named, f"{at}.change_request")
            return Target(kind, id_, 1) if id_ else None
        place = f"{at}.{kind}"
        context = self._context(named if kind == "context" else named.context, place, kind)
        if context is None:
            return None
        if kind == "context":
            return Target(kind, context.id, context.revision)
        holder = _PARTS[kind][0] if kind in _PARTS else kind
        name = getattr(named, holder)
        asset = self._store.asset_named(context.id, holder, name)
        if asset is None:
            names = self._store.asset_names(context.id, holder)
            subject = context_subject(context.name)
            self._draft.names.append(unknown_name(holder, name, f"{place}.{holder}", names, subject))
            return None
        if kind == holder:
            return Target(kind, asset.id, asset.revision)
        field = _PARTS[kind][1]
        parts = {part.name: part for part in self._store.parts(asset.id)}
        part_name = getattr(named, field)
        if part_name not in parts:
            subject = asset_subject(holder, context.name, name)
            self._draft.names.append(unknown_name(kind, part_name, f"{place}.{field}", parts, subject))
            return None
        return Target(kind, parts[part_name].id, parts[part_name].revision)

    def _context(self, name: str, place: str, kind: str) -> Context | None:
        context = self._store.context_named(name)
        if context is None:
            field = place if kind == "context" else f"{place}.context"
            self._draft.names.append(unknown_name("context", name, field, self._store.context_names()))
        return context
