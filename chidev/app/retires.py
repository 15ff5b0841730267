"""What the retirements of a change take out of the model, and what stands in the way.

Source: specification, "Retiring" and "Change sets".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chidev.app import inputs
from chidev.app.draft import Draft
from chidev.app.entries import RetireEntry
from chidev.app.ports.store import Citing
from chidev.app.puts import known_context, unknown_asset
from chidev.domain.identity import Id
from chidev.domain.project import Basis, Context
from chidev.domain.rule import Applicability, Suggestion, Violation
from chidev.domain.rules.context import LAST_CONTRACT
from chidev.domain.rules.project import CITE_UNREACHABLE, RETIRE_CITED, RETIRE_USED
from chidev.domain.subject import asset_subject, case_subject, context_subject, part_subject


def plan_retires(draft: Draft, entries: Iterable[RetireEntry]) -> None:
    """Plan what goes; what stands in the way is told by `refuse_what_is_left_hanging`."""
    for entry in entries:
        fields = entry.fields
        context = known_context(draft, fields.context, f"{entry.at}context")
        if context is None:
            continue
        if isinstance(fields, inputs.ContractRetireFields):
            _retire_asset(draft, context, "contract", fields.contract, entry.at)
        elif isinstance(fields, inputs.InterfaceRetireFields):
            _retire_asset(draft, context, "interface", fields.interface, entry.at)
        elif isinstance(fields, inputs.HarnessRetireFields):
            _retire_asset(draft, context, "harness", fields.harness, entry.at)
        else:
            draft.context_retires[context.id] = context
            for asset in draft.store.assets(context.id):
                draft.retire(asset)


def _retire_asset(draft: Draft, context: Context, kind: str, name: str, at: str) -> None:
    asset = draft.store.asset_named(context.id, kind, name)
    if asset is None:
        draft.names.append(unknown_asset(draft, context, kind, name, f"{at}{kind}"))
    else:
        draft.retire(asset)


def refuse_what_is_left_hanging(draft: Draft) -> None:
    """Every Case that stays and would cite what goes or what it can no longer reach, and every other thing in the way.

    The problems are kept on the draft.
    """
    dropped = {id_ for put, _, id_, _, _ in draft.dropped_parts() if put.kind != "harness"}
    retired = {part.id for asset, parts in draft.retires.values() for part in parts if asset.kind != "harness"}
    if dropped or retired:
        staying = list(_staying(draft, draft.store.citing(dropped | retired)))
        draft.rules.extend(_unreachable(citing) for citing in staying if citing.target in dropped)
        draft.rules.extend(_retire_cited(draft, [citing for citing in staying if citing.target in retired]))
        draft.rules.extend(_put_cites_what_goes(draft, dropped | retired))
    for context in draft.changed_contexts.values():
        reached = {context.id, *context.uses}
        for citing in _staying(draft, draft.store.cited_from(context.id)):
            if citing.target_context not in reached:
                draft.rules.append(_unreachable(citing))
    if draft.context_retires:
        draft.rules.extend(_retire_used(draft))
    draft.rules.extend(_last_contract(draft))


def _staying(draft: Draft, citing: Iterable[Citing]) -> Iterator[Citing]:
    """The citations of Harnesses that the change neither puts nor retires."""
    gone = {asset.id for asset, _ in draft.retires.values()} | {put.new.id for put in draft.puts.values()}
    return (one for one in citing if one.harness not in gone)


def _unreachable(citing: Citing) -> Violation:
    name = f"{citing.target_asset_name} {citing.target_name}"
    return CITE_UNREACHABLE.broken(
        case_subject(citing.context_name, citing.harness_name, citing.case_name),
        part_subject(citing.target_kind, citing.target_context_name, citing.target_asset_name, citing.target_name),
        context_subject(citing.context_name),
        suggestions=(
            Suggestion(
                {
                    "op": "harness_put",
                    "context": citing.context_name,
                    "name": citing.harness_name,
                    "source": "<its source>",
                    "cases": [
                        {
                            "name": citing.case_name,
                            "lines": [1, 1],
                            "items": [{"interface": "<another Interface>", "key": "<a key of it>"}],
                        }
                    ],
                },
                Applicability.PLACEHOLDER,
            ),
        ),
        kind=citing.target_kind,
        name=name,
        case=citing.case_name,
        harness=citing.harness_name,
        context=citing.context_name,
        target_context=citing.target_context_name,
    )


def _retire_cited(draft: Draft, staying: list[Citing]) -> Iterator[Violation]:
    """One violation for each asset, or whole Context, that was to go and is cited."""
    by_thing: dict[tuple[str, str, str], list[Citing]] = {}
    for citing in staying:
        if citing.target_context in draft.context_retires:
            thing = ("context", citing.target_context_name, citing.target_context_name)
        else:
            kind = "interface" if citing.target_kind == "item" else "contract"
            thing = (kind, citing.target_context_name, citing.target_asset_name)
        by_thing.setdefault(thing, []).append(citing)
    for (kind, context, name), citings in by_thing.items():
        cases = {c.case: case_subject(c.context_name, c.harness_name, c.case_name) for c in citings}
        harnesses = dict.fromkeys((c.context_name, c.harness_name) for c in citings)
        yield RETIRE_CITED.broken(
            context_subject(name) if kind == "context" else asset_subject(kind, context, name),
            *cases.values(),
            suggestions=tuple(
                Suggestion({"op": "harness_retire", "context": where, "harness": harness}, Applicability.REVIEW)
                for where, harness in harnesses
            ),
            kind=kind,
            name=name,
            count=len(cases),
            cited=sorted({f"{c.target_asset_name} {c.target_name}" for c in citings}),
        )


def _put_cites_what_goes(draft: Draft, gone: set[Id]) -> Iterator[Violation]:
    """A Case of a Harness that the same set puts, and that cites what the set retires."""
    names = {part.id: (asset, part) for asset, parts in draft.retires.values() for part in parts if part.id in gone}
    contexts = {context.id: context.name for context in draft.contexts_as_left()}
    contexts.update({context.id: context.name for context in draft.context_retires.values()})
    for put in draft.puts.values():
        for case in put.new.parts if put.kind == "harness" else ():
            for cite in getattr(case, "cites", ()):
                if cite.target in names:
                    asset, part = names[cite.target]
                    name = f"{asset.name} {part.name}"
                    yield CITE_UNREACHABLE.broken(
                        case_subject(contexts[put.new.context], put.new.name, case.name),
                        part_subject(cite.kind, contexts[asset.context], asset.name, part.name),
                        context_subject(contexts[put.new.context]),
                        kind=cite.kind,
                        name=name,
                        case=case.name,
                        harness=put.new.name,
                        context=contexts[put.new.context],
                        target_context=contexts[asset.context],
                    )


def _retire_used(draft: Draft) -> Iterator[Violation]:
    left = list(draft.contexts_as_left())
    for context in draft.context_retires.values():
        users = [user for user in left if context.id in user.uses]
        if users:
            names = {other.id: other.name for other in left}
            yield RETIRE_USED.broken(
                context_subject(context.name),
                *(context_subject(user.name) for user in users),
                suggestions=tuple(
                    Suggestion(
                        {
                            "op": "context_uses",
                            "context": user.name,
                            "uses": [names[used] for used in user.uses if used in names],
                        },
                        Applicability.REVIEW,
                    )
                    for user in users
                ),
                count=len(users),
            )


def _last_contract(draft: Draft) -> Iterator[Violation]:
    losing: dict[Id, list[str]] = {}
    for asset, _ in draft.retires.values():
        if asset.kind == "contract" and asset.context not in draft.context_retires:
            losing.setdefault(asset.context, []).append(asset.name)
    for context in draft.contexts_as_left() if losing else ():
        if context.basis is Basis.CONTRACT and context.id in losing:
            left = set(draft.asset_names(context, "contract")) - set(losing[context.id])
            if not left:
                yield LAST_CONTRACT.broken(context_subject(context.name), contracts=losing[context.id])
