"""The checks of what a request keeps as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from chidev.domain.identity import Id
from chidev.domain.named import target_facts, target_text
from chidev.domain.request_outline import Expected, RequestLine, RequestOutline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.cr.examples import CLAUSE, OPENED, opened
from chidev.domain.rules.examples import MODEL, REWORDED
from chidev.domain.subject import change_request_subject

_KEEPING = opened("Keep the promise", intent="keep_behavior", keep=[CLAUSE])

KEEP_MOVED = Rule(
    id="cr.keep-moved",
    level=Level.WARNING,
    moments=(Moment.EDIT, Moment.RESOLVE, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="a change request that is not resolved keeps a target as it is, and the target moved",
    message="the change request `{subject}` keeps {count} target(s) that moved: {moved}",
    help="Somebody asked for this to stay, and it did not, whoever moved it. Take the change back; or, if it is right, "
    "resolve the request and open one that keeps what is still to stay.",
    values={
        "count": "how many moved, 1 or more",
        "moved": "what moved, as one text: each target with its two revisions",
        "targets": "each target that moved: kind, name, context, recorded and now (revisions, null when it is gone)",
    },
    example=Example(given=(*MODEL, _KEEPING), breaks=REWORDED),
)

KEEP_TARGETED = Rule(
    id="cr.keep-targeted",
    level=Level.WARNING,
    moments=(Moment.EDIT, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="an open change request keeps a target that an open one names to revise or retire",
    message="the change request `{subject}` keeps what is to be changed: {meetings}",
    help="Both cannot be had: what is kept would move with the target for sure. Resolve the request that is wrong as "
    "superseded by a new one, which keeps only what has to stay (the Item, not its whole Interface).",
    values={
        "count": "how many targets meet what is kept, 1 or more",
        "meetings": "all of it as one text",
        "targets": "each meeting: request (the one that targets), target and kept (each kind, name and context)",
    },
    example=Example(given=OPENED, breaks=_KEEPING),
)


def keep_moved(outline: RequestOutline) -> Iterator[Finding]:
    """One finding a request, with a ground for each target it keeps and the revision that has now."""
    for request in outline.unresolved:
        moved = []
        for expected in outline.expects_of.get(request.id, ()):
            now = outline.revision_now(expected.id, expected.target)
            if expected.kind == "keep" and now != expected.recorded:
                moved.append((expected, now))
        if moved:
            yield _keep_moved(outline, request, moved)


def _keep_moved(outline: RequestOutline, request: RequestLine, moved: list[tuple[Expected, int | None]]) -> Finding:
    facts = [
        {**target_facts(expected.id, outline.names), "recorded": expected.recorded, "now": now}
        for expected, now in moved
    ]
    texts = [
        f"{target_text(expected.id, outline.names)} (revision {expected.recorded}, now {now or 'gone'})"
        for expected, now in moved
    ]
    return KEEP_MOVED.found(
        change_request_subject(request.title),
        ("change_request", request.id),
        frozenset((expected.id, now) for expected, now in moved),
        within=outline.contexts_of(request.id),
        count=len(moved),
        moved=", ".join(texts),
        targets=facts,
    )


def keep_targeted(outline: RequestOutline) -> Iterator[Finding]:
    """One finding a request that keeps, with a ground for each target of an open request that it meets."""
    targeting = _targeting(outline)
    for request in outline.unresolved:
        meetings = [
            (target, kept)
            for kept in outline.expects_of.get(request.id, ())
            if kept.kind == "keep"
            for target in targeting.get(kept.id, ())
        ]
        if request.resolution is None and meetings:
            yield _keep_targeted(outline, request, meetings)


def _targeting(outline: RequestOutline) -> Mapping[Id, Sequence[Expected]]:
    """By what would move for sure, the targets of open requests: the target itself, and the asset a part is in."""
    found: dict[Id, list[Expected]] = {}
    for expected in outline.expects:
        if expected.kind == "target" and outline.requests[expected.request].resolution is None:
            found.setdefault(expected.id, []).append(expected)
            if expected.asset:
                found.setdefault(expected.asset, []).append(expected)
    return found


def _keep_targeted(outline: RequestOutline, request: RequestLine, meetings: list[tuple[Expected, Expected]]) -> Finding:
    facts: list[dict[str, Any]] = [
        {
            "request": outline.requests[target.request].title,
            "target": target_facts(target.id, outline.names),
            "kept": target_facts(kept.id, outline.names),
        }
        for target, kept in meetings
    ]
    texts = [
        f"`{outline.requests[target.request].title}` names {target_text(target.id, outline.names)}, and "
        f"{target_text(kept.id, outline.names)} is kept"
        for target, kept in meetings
    ]
    return KEEP_TARGETED.found(
        change_request_subject(request.title),
        ("change_request", request.id),
        frozenset((target.id, (target.request, kept.id)) for target, kept in meetings),
        within=outline.contexts_of(request.id),
        count=len(meetings),
        meetings="; ".join(texts),
        targets=facts,
    )


CHECKS = ((KEEP_MOVED, keep_moved), (KEEP_TARGETED, keep_targeted))
