"""What each put of a change makes of the model, planned on a draft.

Source: specification, "Operations" and "Change sets".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from chidev.app import inputs
from chidev.app.draft import Draft
from chidev.app.entries import PutEntry
from chidev.app.unknown import unknown_name
from chidev.domain import contract, harness, interface
from chidev.domain.contract import Contract
from chidev.domain.footprint import Place
from chidev.domain.harness import Case, CasePlace, Citation, Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface, ItemPlace
from chidev.domain.project import Basis, Context, circle_of_uses
from chidev.domain.rules.context import ALREADY_BASED, BASED_ON_NONE, NAME_TAKEN, USES_CIRCLE, USES_ITSELF
from chidev.domain.rules.project import ASSET_RETIRED, CITE_UNREACHABLE
from chidev.domain.subject import asset_subject, case_subject, context_subject, part_subject


def plan_puts(draft: Draft, entries: Iterable[PutEntry]) -> None:
    """Plan the puts in the order the rules need: Contexts, uses, Contracts and Interfaces, bases, Harnesses."""
    puts = list(entries)
    steps: tuple[tuple[Any, Any], ...] = (
        (inputs.ContextFields, _add_context),
        (inputs.ContextFields, _set_first_uses),
        (inputs.UsesFields, _set_uses),
        (inputs.ContractFields, _put_contract),
        (inputs.ClausesFields, _put_clauses),
        (inputs.InterfaceFields, _put_interface),
        (inputs.BasisFields, _base_on_contract),
        (inputs.HarnessFields, _put_harness),
    )
    for fields, step in steps:
        for entry in puts:
            if isinstance(entry.fields, fields):
                step(draft, entry, entry.fields)
    if any(isinstance(entry.fields, inputs.ContextFields | inputs.UsesFields) for entry in puts):
        _refuse_circles(draft)


def _add_context(draft: Draft, entry: PutEntry, fields: inputs.ContextFields) -> None:
    if draft.context(fields.name):
        draft.states.append(NAME_TAKEN.broken(context_subject(fields.name), field=f"{entry.at}name"))
    else:
        draft.add_context(fields.name)


def _set_first_uses(draft: Draft, entry: PutEntry, fields: inputs.ContextFields) -> None:
    _use(draft, draft.context(fields.name), fields.uses, entry.at)


def _set_uses(draft: Draft, entry: PutEntry, fields: inputs.UsesFields) -> None:
    _use(draft, known_context(draft, fields.context, f"{entry.at}context"), fields.uses, entry.at)


def _use(draft: Draft, context: Context | None, uses: Iterable[str], at: str) -> None:
    used: dict[Id, None] = {}
    for n, name in enumerate(uses):
        if context and name == context.name:
            draft.states.append(USES_ITSELF.broken(context_subject(name), field=f"{at}uses[{n}]"))
        elif other := known_context(draft, name, f"{at}uses[{n}]"):
            used[other.id] = None
    if context:
        draft.uses_written_at[context.id] = f"{at}uses"
        draft.change_context(context, uses=tuple(used))


def _refuse_circles(draft: Draft) -> None:
    contexts = {context.id: context for context in draft.contexts_as_left()}
    uses = {id_: context.uses for id_, context in contexts.items()}
    told: set[Id] = set()
    for start in (*draft.added_contexts.values(), *draft.changed_contexts.values()):
        circle = circle_of_uses(start.id, uses) if start.id not in told else ()
        if circle:
            told.update(circle)
            names = [contexts[id_].name for id_ in circle]
            subjects = [context_subject(name) for name in names]
            written_at = next((draft.uses_written_at[id_] for id_ in circle if id_ in draft.uses_written_at), None)
            draft.rules.append(USES_CIRCLE.broken(*subjects, field=written_at, circle=names))


def _base_on_contract(draft: Draft, entry: PutEntry, fields: inputs.BasisFields) -> None:
    context = known_context(draft, fields.context, f"{entry.at}context")
    if context is None:
        return
    if context.basis is Basis.CONTRACT:
        draft.states.append(ALREADY_BASED.broken(context_subject(context.name), field=f"{entry.at}context"))
    elif not draft.asset_names(context, "contract"):
        draft.rules.append(BASED_ON_NONE.broken(context_subject(context.name), field=f"{entry.at}context"))
    else:
        draft.change_context(context, basis=Basis.CONTRACT)


def _put_contract(draft: Draft, entry: PutEntry, fields: inputs.ContractFields) -> None:
    context = _context_to_put_into(draft, fields, "contract", entry.at)
    if context is None:
        return
    old = _stored(draft, context, Contract, "contract", fields.name)
    problems = list(contract.violations_of_put(context.name, fields.name, old, fields.clauses, None, entry.at))
    if problems:
        draft.refuse_asset(context, "contract", fields.name, problems, [c.label for c in fields.clauses])
        return
    new = contract.put_contract(old, context.id, fields.name, fields.title, fields.clauses, draft.new_id)
    draft.rules.extend(contract.labels_twice(context.name, new, entry.at))
    draft.put("contract", old, new)


def _put_clauses(draft: Draft, entry: PutEntry, fields: inputs.ClausesFields) -> None:
    context = known_context(draft, fields.context, f"{entry.at}context")
    old = _stored(draft, context, Contract, "contract", fields.contract) if context else None
    if context is None or old is None:
        if context:
            place = f"{entry.at}contract"
            draft.names.append(unknown_asset(draft, context, "contract", fields.contract, place))
        return
    problems = list(contract.violations_of_put(context.name, old.name, old, fields.clauses, fields.remove, entry.at))
    if problems:
        draft.refuse_asset(context, "contract", old.name, problems, [c.label for c in fields.clauses])
        return
    new = contract.put_clauses(old, fields.clauses, fields.remove, draft.new_id)
    draft.rules.extend(contract.labels_twice(context.name, new, entry.at))
    draft.put("contract", old, new)


def _put_interface(draft: Draft, entry: PutEntry, fields: inputs.InterfaceFields) -> None:
    context = _context_to_put_into(draft, fields, "interface", entry.at)
    if context is None:
        return
    old = _stored(draft, context, Interface, "interface", fields.name)
    renames = [(rename.from_, rename.to) for rename in fields.renames]
    places = _item_places(entry, fields, renames)
    if entry.found:
        keys = [item.key for item in entry.found.items]
        problems = list(interface.violations_of_renames(context.name, fields.name, old, keys, renames, entry.at))
        # A bad rename is told as one, not as a bad `replaces` of an Item that nobody wrote.
        places = places if not problems else _item_places(entry, fields, ())
    else:
        problems = []
    problems += interface.violations_of_put(context.name, fields.name, old, entry.text, places, entry.at)
    if problems:
        draft.refuse_asset(context, "interface", fields.name, problems, [place.key for place in places])
        return
    draft.put("interface", old, interface.put_interface(old, context.id, fields.name, entry.text, places, draft.new_id))


def _item_places(
    entry: PutEntry, fields: inputs.InterfaceFields, renames: Iterable[tuple[str, str]]
) -> list[ItemPlace]:
    """The Items as they are written, or as the provider found them with the renames applied."""
    if entry.found is None:
        return [ItemPlace(item.key, *item.lines, item.replaces) for item in fields.items or ()]
    had = {to: from_ for from_, to in renames}
    return [ItemPlace(item.key, item.first, item.last, had.get(item.key)) for item in entry.found.items]


def _put_harness(draft: Draft, entry: PutEntry, fields: inputs.HarnessFields) -> None:
    context = _context_to_put_into(draft, fields, "harness", entry.at)
    if context is None:
        return
    old = _stored(draft, context, Harness, "harness", fields.name)
    before = len(draft.names)
    had = {case.name: case for case in old.cases} if old and draft.frame else {}
    places = []
    for n, case in enumerate(fields.cases):
        at = f"{entry.at}cases[{n}]."
        cites = _citations(draft, context, fields.name, case, at)
        places.append(CasePlace(case.name, *case.lines, tuple(_recorded(draft, old, had.get(case.name), cites))))
    draft.names.extend(harness.violations_of_put(context.name, fields.name, entry.text, places, entry.at))
    if len(draft.names) == before:
        draft.put("harness", old, harness.put_harness(old, context.id, fields.name, entry.text, places, draft.new_id))


def _recorded(
    draft: Draft, harness: Harness | None, case: Case | None, cites: Iterable[tuple[Citation, Place]]
) -> Iterable[Citation]:
    """The citations of a Case at the revision that is recorded: the one its target has, unless the put is for a
    request whose frame holds neither the target nor the Case, and the Case cited it before.

    Source: specification, "Attribution and frame".
    """
    frame = draft.frame
    if frame is None or harness is None or case is None:
        return [cite for cite, _ in cites]
    if frame.holds(Place("case", case.id, harness.context, harness.id)):
        return [cite for cite, _ in cites]
    had = {cite.target: cite for cite in case.cites}
    return [cite if frame.holds(place) else had.get(cite.target, cite) for cite, place in cites]


def _citations(
    draft: Draft, context: Context, harness_name: str, case: inputs.CaseInput, at: str
) -> Iterable[tuple[Citation, Place]]:
    """What a Case cites, at the revision each has as the change leaves it, and where it is.

    One that cannot be named has no id.
    """
    named = [
        ("item", "interface", ref.interface, ref.key, ref.context, f"{at}items[{n}].")
        for n, ref in enumerate(case.items)
    ]
    named += [
        ("clause", "contract", ref.contract, ref.label, ref.context, f"{at}clauses[{n}].")
        for n, ref in enumerate(case.clauses)
    ]
    for kind, asset_kind, asset_name, part_name, context_name, place in named:
        holder = known_context(draft, context_name, f"{place}context") if context_name else context
        found = _part(draft, holder, asset_kind, asset_name, part_name, place) if holder else None
        if holder and found:
            asset = draft.citable_asset(holder, asset_kind, asset_name)
            yield Citation(found.id, kind, found.revision), Place(kind, found.id, holder.id, asset)
        else:
            yield Citation(Id(""), kind, 0), Place(kind, Id(""))
        if holder and found and holder.id != context.id and holder.id not in context.uses:
            draft.rules.append(
                CITE_UNREACHABLE.broken(
                    case_subject(context.name, harness_name, case.name),
                    part_subject(kind, holder.name, asset_name, part_name),
                    context_subject(context.name),
                    field=place.rstrip("."),
                    kind=kind,
                    name=f"{asset_name} {part_name}",
                    case=case.name,
                    harness=harness_name,
                    context=context.name,
                    target_context=holder.name,
                )
            )


def _part(draft: Draft, context: Context, asset_kind: str, asset_name: str, part_name: str, place: str) -> Any:
    """The Clause or the Item of this name as the change leaves it; None when there is none, and the problem is kept.

    What a put of the same change would make, but for problems of its own, is none.
    """
    would_make = draft.refused_parts(context, asset_kind, asset_name)
    asset = draft.citable(context, asset_kind, asset_name)
    if would_make is not None and (asset is None or part_name in would_make):
        return None
    if asset is None:
        draft.names.append(unknown_asset(draft, context, asset_kind, asset_name, f"{place}{asset_kind}"))
        return None
    if part_name not in asset:
        kind, field = ("clause", "label") if asset_kind == "contract" else ("item", "key")
        subject = asset_subject(asset_kind, context.name, asset_name)
        draft.names.append(unknown_name(kind, part_name, f"{place}{field}", asset, subject))
        return None
    return asset[part_name]


def known_context(draft: Draft, name: str, field: str) -> Context | None:
    """The Context of this name; None, and the problem is kept, when there is none."""
    context = draft.context(name)
    if context is None:
        draft.names.append(unknown_name("context", name, field, draft.context_names()))
    return context


def unknown_asset(draft: Draft, context: Context, kind: str, name: str, field: str) -> Any:
    """The violation that tells an asset of a Context that is not there."""
    return unknown_name(kind, name, field, draft.asset_names(context, kind), context_subject(context.name))


def _context_to_put_into(
    draft: Draft, fields: inputs.ContractFields | inputs.InterfaceFields | inputs.HarnessFields, kind: str, at: str
) -> Context | None:
    """The Context of a put; None, and the problem is kept, when there is none or the name is no longer given."""
    context = known_context(draft, fields.context, f"{at}context")
    if context and draft.store.is_retired_name(context.id, kind, fields.name):
        draft.states.append(
            ASSET_RETIRED.broken(
                asset_subject(kind, context.name, fields.name),
                context_subject(context.name),
                field=f"{at}name",
                kind=kind,
                name=fields.name,
                context=context.name,
            )
        )
        return None
    return context


_Kind = TypeVar("_Kind", Contract, Interface, Harness)


def _stored(draft: Draft, context: Context, kind: type[_Kind], word: str, name: str) -> _Kind | None:
    found = draft.stored_asset(context, word, name)
    return found if isinstance(found, kind) else None
