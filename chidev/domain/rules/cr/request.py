"""Rules of a change request: how it may be opened, worked for, resolved and opened again."""

from __future__ import annotations

from typing import Any

from chidev.domain.rule import Applicability, Example, Rule, Suggestion, Violation
from chidev.domain.rules.cr.examples import OPENED, RAISE, opened, reopened, resolved
from chidev.domain.rules.examples import INIT
from chidev.domain.subject import change_request_subject

_A, _B = opened("Refuse big discounts"), opened("Cap discounts")

TITLE_TAKEN = Rule(
    id="cr.title-taken",
    message="there is a change request `{subject}` already",
    help="A request is known by its title, also after it was resolved. Give the new one another title.",
    example=Example(given=(INIT, _A), breaks=_A),
)

TARGET_TWICE = Rule(
    id="cr.target-twice",
    message="{asker} names {name} {count} times",
    help="A target is asked to move or asked to stay, and that is said once. Leave it in one of the two lists, once.",
    values={
        "target": "the target, as a reference",
        "name": "the target, by kind and name",
        "count": "how often it is named, 2 or more",
        "option": "the choice of the option that names it, null for the request itself",
        "asker": "what names it, as a text",
    },
    example=Example(given=(INIT,), breaks={**_A, "targets": [{"project": True}], "keep": [{"project": True}]}),
)

PARENT_ITSELF = Rule(
    id="cr.parent-itself",
    message="the change request `{subject}` would be a part of itself",
    help="A parent is another request, opened before its parts. Leave `parent` out, or name the request that this one "
    "is a part of.",
    example=Example(given=(INIT,), breaks={**_A, "parent": "Refuse big discounts"}),
)

ALREADY_RESOLVED = Rule(
    id="cr.already-resolved",
    message="the change request `{subject}` is resolved already ({resolution})",
    help="A resolved request is a record: it takes no work, no Crux, no assumption and no second resolution. Open it "
    "again with `cr_reopen`, or open another request for what is new.",
    values={"resolution": "how it was resolved"},
    example=Example(given=(INIT, _A, resolved("Refuse big discounts")), breaks=resolved("Refuse big discounts")),
)

NOT_RESOLVED = Rule(
    id="cr.not-resolved",
    message="the change request `{subject}` is open",
    help="Only a request that was resolved can be opened again. There is nothing to do.",
    example=Example(given=(INIT, _A), breaks=reopened("Refuse big discounts")),
)

REFERENCE_ITSELF = Rule(
    id="cr.reference-itself",
    message="the change request `{subject}` would be resolved as {resolution} by itself",
    help="A duplicate and a superseded request point at the request that has their place. Name that one.",
    values={"resolution": "duplicate or superseded"},
    example=Example(given=(INIT, _A), breaks=resolved("Refuse big discounts", {"duplicate": "Refuse big discounts"})),
)

PARENT_OPEN = Rule(
    id="cr.parent-open",
    message="the change request `{subject}` has {count} part(s) that are not resolved: {others}",
    help="A part names this request as its `parent`, and a whole ends after its parts. Resolve each part, then this "
    "one.",
    values={"count": "how many parts are not resolved, 1 or more"},
    example=Example(
        given=(INIT, _A, opened("Part", parent="Refuse big discounts")), breaks=resolved("Refuse big discounts")
    ),
)

CRUX_UNANSWERED = Rule(
    id="cr.crux-unanswered",
    message="the change request `{subject}` waits for {count} decision(s)",
    help="A request ends when each Crux that was raised in it has a decision, whichever way it ends. Decide each with "
    "`cr_crux_decide`, or withdraw it when the question is not needed any more.",
    values={"count": "how many Cruxes have no decision, 1 or more", "cruxes": "each: its id and its question"},
    example=Example(
        given=(*OPENED, RAISE),
        breaks=resolved("Refuse big discounts", "wont_do"),
    ),
)

_WHO = {"person": "<who>"}


def already_resolved(title: str, resolution: str, field: str | None) -> Violation:
    """A request that takes nothing any more; the suggestion opens it again."""
    again = {"op": "cr_reopen", "title": title, "reason": "<why>", "by": _WHO}
    return ALREADY_RESOLVED.broken(
        change_request_subject(title),
        field=field,
        suggestions=(Suggestion(again, Applicability.PLACEHOLDER),),
        resolution=resolution,
    )


def parent_open(title: str, parts: list[str]) -> Violation:
    """A whole with parts that are open, by their titles; the suggestions resolve each."""
    return PARENT_OPEN.broken(
        change_request_subject(title),
        *map(change_request_subject, parts),
        suggestions=tuple(Suggestion(_resolving(part), Applicability.PLACEHOLDER) for part in parts),
        count=len(parts),
    )


def _resolving(title: str) -> dict[str, Any]:
    return {"op": "cr_resolve", "title": title, "resolution": "done", "reason": "<why>", "by": _WHO}


def crux_unanswered(title: str, cruxes: list[tuple[str, str]]) -> Violation:
    """A request whose Cruxes wait, by id and question; the suggestions decide each."""
    return CRUX_UNANSWERED.broken(
        change_request_subject(title),
        suggestions=tuple(Suggestion(deciding(crux), Applicability.PLACEHOLDER) for crux, _ in cruxes),
        count=len(cruxes),
        cruxes=[{"id": crux, "question": question} for crux, question in cruxes],
    )


def deciding(crux: str, option: str = "<the id of one of its options>") -> dict[str, Any]:
    """A decision to fill in."""
    return {"op": "cr_crux_decide", "crux": crux, "option": option, "basis": {"arbitrary": "<why>"}, "by": _WHO}


RULES = (
    TITLE_TAKEN,
    TARGET_TWICE,
    PARENT_ITSELF,
    ALREADY_RESOLVED,
    NOT_RESOLVED,
    CRUX_UNANSWERED,
    REFERENCE_ITSELF,
    PARENT_OPEN,
)
