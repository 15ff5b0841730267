"""The checks of where the record of a request and its work disagree."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.change_request import Intent
from chidev.domain.identity import Id
from chidev.domain.named import target_facts, target_text
from chidev.domain.request_outline import Expected, RequestLine, RequestOutline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.cr.examples import CLAUSE, OPENED, WORK, opened, resolved
from chidev.domain.rules.examples import INIT, INTERFACE, MODEL
from chidev.domain.subject import change_request_subject

_STATE = (Moment.RESOLVE, Moment.CHECK)
_ITEM = {"item": {"context": "pricing", "interface": INTERFACE["name"], "key": "price"}}

RESOLVED_WITHOUT_WORK = Rule(
    id="cr.resolved-without-work",
    level=Level.WARNING,
    moments=_STATE,
    check_kind=CheckKind.STATE,
    summary="a change request resolved as done for which no change set, for it or its parts, moved anything",
    message="the change request `{subject}` was resolved as done, and no change set was applied for it",
    help="Either the work was done without saying what it was for, or it was not done. Open the request again and "
    "apply the change as a `change_set` with `for`, or resolve it as what it is.",
    example=Example(given=OPENED, breaks=resolved("Refuse big discounts")),
)

TARGETS_UNTOUCHED = Rule(
    id="cr.targets-untouched",
    level=Level.NOTE,
    moments=_STATE,
    check_kind=CheckKind.STATE,
    summary="a change request resolved as done, with work, one of whose targets no work touched",
    message="the change request `{subject}` was resolved as done, and no work touched {count} of its targets: "
    "{untouched}",
    help="The targets are what was asked. It may be right that one did not have to change; if not, open the request "
    "again and do the rest.",
    values={
        "count": "how many targets, 1 or more",
        "untouched": "the targets, as one text",
        "targets": "each target: kind, name and context",
    },
    example=Example(
        given=(*MODEL, opened("Refuse big discounts", targets=[CLAUSE, _ITEM]), WORK),
        breaks=resolved("Refuse big discounts"),
    ),
)

INTENT_MISMATCH = Rule(
    id="cr.intent-mismatch",
    level=Level.NOTE,
    moments=_STATE,
    check_kind=CheckKind.STATE,
    summary="a change request that is not resolved, whose intent and whose targets disagree",
    message="the change request `{subject}` is to {intent}, and {what}",
    help="A request that keeps the behavior seldom rewords a promise, and one that changes it names what changes. "
    "Look which of the two is wrong, the intent or the targets; if it is right, nothing has to be done.",
    values={
        "intent": "what the request is to do, as a text",
        "what": "what its targets say, as a text",
        "targets": "the Clauses it names: kind, name and context",
    },
    example=Example(given=(INIT,), breaks=opened("Refuse big discounts")),
)


def resolved_without_work(outline: RequestOutline) -> Iterator[Finding]:
    for request in outline.done:
        if not _worked(outline, request):
            yield RESOLVED_WITHOUT_WORK.found(
                change_request_subject(request.title),
                ("change_request", request.id),
                frozenset(),
                within=outline.contexts_of(request.id),
            )


def targets_untouched(outline: RequestOutline) -> Iterator[Finding]:
    """A target is touched when it moved, or something inside it did, or it was renamed."""
    for request in outline.done:
        worked = _worked(outline, request)
        untouched = [expected for expected in outline.expects_of.get(request.id, ()) if _is_untouched(expected, worked)]
        if worked and untouched:
            yield TARGETS_UNTOUCHED.found(
                change_request_subject(request.title),
                ("change_request", request.id),
                frozenset((expected.id, 0) for expected in untouched),
                within=outline.contexts_of(request.id),
                count=len(untouched),
                untouched=", ".join(target_text(expected.id, outline.names) for expected in untouched),
                targets=[target_facts(expected.id, outline.names) for expected in untouched],
            )


def _is_untouched(expected: Expected, worked: set[Id]) -> bool:
    return expected.kind == "target" and expected.id not in worked


def _worked(outline: RequestOutline, request: RequestLine) -> set[Id]:
    return {id_ for part in outline.with_parts(request.id) for id_ in outline.worked.get(part, ())}


def intent_mismatch(outline: RequestOutline) -> Iterator[Finding]:
    for request in outline.unresolved:
        own = [e for e in outline.expects_of.get(request.id, ()) if e.kind == "target" and e.is_own]
        clauses = [expected for expected in own if expected.target == "clause"]
        names = ", ".join(target_text(expected.id, outline.names) for expected in clauses)
        if request.intent is Intent.KEEP_BEHAVIOR and clauses:
            yield _mismatch(outline, request, "keep the behavior", f"names {names} to be changed", clauses)
        elif request.intent is Intent.CHANGE_BEHAVIOR and not own and request.id not in outline.parents:
            yield _mismatch(outline, request, "change the behavior", "names no target", [])


def _mismatch(outline: RequestOutline, request: RequestLine, intent: str, what: str, named: list[Expected]) -> Finding:
    return INTENT_MISMATCH.found(
        change_request_subject(request.title),
        ("change_request", request.id),
        frozenset(),
        within=outline.contexts_of(request.id),
        intent=intent,
        what=what,
        targets=[target_facts(expected.id, outline.names) for expected in named],
    )


CHECKS = (
    (RESOLVED_WITHOUT_WORK, resolved_without_work),
    (TARGETS_UNTOUCHED, targets_untouched),
    (INTENT_MISMATCH, intent_mismatch),
)
