"""Rules and checks of what Cases cite."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.identity import Id
from chidev.domain.outline import Asset, Cite, Outline, Part
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.examples import CONTEXT, CONTRACT, HARNESS, INIT, INTERFACE, MODEL, REWORDED, changed

_UNFINISHED = (Moment.PIN, Moment.RESOLVE, Moment.CHECK)
_CASE = HARNESS["cases"][0]

NO_ITEM = Rule(
    id="cite.no-item",
    message="the Case `{name}` cites no Item",
    help="A test calls something: a Case of tests names the Item it goes through, besides any Clauses it stands for. "
    "Add an Item to its `items`; in pytest, mark the test, its class or its module with one.",
    values={"name": "the name of the Case"},
    example=Example(given=MODEL, breaks=changed(HARNESS, cases=[changed(_CASE, items=[])])),
)

STALE = Rule(
    id="cite.stale",
    level=Level.WARNING,
    moments=(Moment.EDIT, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="a Case cites an Item or a Clause that changed after the Case was put",
    message="the Case `{name}` of the Harness `{harness}` is behind {moved}",
    help="What the Case stands for has changed since somebody looked at it. Read the test beside the old and the new "
    "text, change it where it no longer fits, then put its Harness again (`pytest --chidev-update`).",
    values={
        "name": "the name of the Case",
        "harness": "its Harness",
        "context": "its Context",
        "moved": "what moved, as one text: each target with its two revisions",
        "targets": "each target that moved: kind, name, context, cited and now (revisions), old and new (texts)",
    },
    example=Example(given=MODEL, breaks=REWORDED),
)

UNCITED_CLAUSE = Rule(
    id="cite.uncited-clause",
    level=Level.WARNING,
    moments=_UNFINISHED,
    check_kind=CheckKind.STATE,
    summary="a Clause of a Contract that no Case cites",
    message="no Case cites the Clause `{label}` of the Contract `{contract}`",
    help="Nothing shows that this promise is kept. Mark the test that shows it, or write one.",
    values={
        "label": "the label of the Clause",
        "contract": "its Contract",
        "context": "its Context",
    },
    example=Example(given=(INIT, CONTEXT), breaks=CONTRACT),
)

UNCITED_ITEM = Rule(
    id="cite.uncited-item",
    level=Level.WARNING,
    moments=_UNFINISHED,
    check_kind=CheckKind.STATE,
    summary="an Item of an Interface that no Case cites",
    message="no Case cites the Item `{key}` of the Interface `{interface}`",
    help="Nothing shows what a caller of this declaration gets. Mark the test that goes through it, or write one.",
    values={"key": "the key of the Item", "interface": "its Interface", "context": "its Context"},
    example=Example(given=(INIT, CONTEXT), breaks=INTERFACE),
)


def stale(outline: Outline) -> Iterator[Finding]:
    """One finding a Case, with a ground for each target that moved. Source: "Operations" and "Change sets"."""
    parts = outline.parts
    behind: dict[Id, list[Cite]] = {}
    for cite in outline.cites:
        if parts[cite.target].revision != cite.revision:
            behind.setdefault(cite.case, []).append(cite)
    if behind:
        for case in [part for part in parts.values() if part.id in behind]:
            yield _stale(outline, case, behind[case.id])


def _stale(outline: Outline, case: Part, behind: list[Cite]) -> Finding:
    harness = outline.assets[case.asset]
    context = outline.context_name(harness)
    targets = [_target(outline, cite) for cite in behind]
    moved = ", ".join(f"the {t['kind']} `{t['name']}` (revision {t['cited']}, now {t['now']})" for t in targets)
    return STALE.found(
        outline.part_subject(case),
        ("case", case.id),
        frozenset((cite.target, outline.parts[cite.target].revision) for cite in behind),
        within=(context,),
        name=case.name,
        harness=harness.name,
        moved=moved,
        targets=targets,
        context=context,
    )


def _target(outline: Outline, cite: Cite) -> dict[str, object]:
    part = outline.parts[cite.target]
    subject = outline.part_subject(part)
    return {
        "kind": subject.kind,
        "name": subject.name,
        "context": subject.context,
        "cited": cite.revision,
        "now": part.revision,
        "old": outline.texts.get((part.id, cite.revision)),
        "new": outline.texts.get((part.id, part.revision)),
    }


def uncited_clause(outline: Outline) -> Iterator[Finding]:
    for part, contract, context in _uncited(outline, "contract"):
        yield UNCITED_CLAUSE.found(
            outline.part_subject(part),
            ("clause", part.id),
            frozenset(),
            within=(context,),
            label=part.name,
            contract=contract.name,
            context=context,
        )


def uncited_item(outline: Outline) -> Iterator[Finding]:
    for part, interface, context in _uncited(outline, "interface"):
        yield UNCITED_ITEM.found(
            outline.part_subject(part),
            ("item", part.id),
            frozenset(),
            within=(context,),
            key=part.name,
            interface=interface.name,
            context=context,
        )


def _uncited(outline: Outline, kind: str) -> Iterator[tuple[Part, Asset, str]]:
    cited = {cite.target for cite in outline.cites}
    for part in outline.parts.values():
        asset = outline.assets[part.asset]
        if asset.kind == kind and part.id not in cited:
            yield part, asset, outline.context_name(asset)


RULES = (NO_ITEM,)
CHECKS = ((STALE, stale), (UNCITED_CLAUSE, uncited_clause), (UNCITED_ITEM, uncited_item))
