"""The check of what waits for somebody to decide."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.cr.examples import OPENED, RAISE
from chidev.domain.subject import change_request_subject, crux_subject

AWAITING_DECISION = Rule(
    id="cr.awaiting-decision",
    level=Level.WARNING,
    moments=(Moment.RESOLVE, Moment.CHECK),
    check_kind=CheckKind.STATE,
    summary="a Crux that no decision maker has answered",
    message="the change request `{subject}` waits for a decision: {question}",
    help="What depends on the answer waits, and the request cannot be resolved. Decide the Crux with `cr_crux_decide`; "
    "`status` has its options and the one recommended.",
    values={"crux": "the id of the Crux", "question": "its question"},
    example=Example(given=OPENED, breaks=RAISE),
)


def awaiting_decision(outline: RequestOutline) -> Iterator[Finding]:
    """One finding a Crux, also of a request that was resolved."""
    for crux in outline.undecided:
        yield AWAITING_DECISION.found(
            change_request_subject(outline.requests[crux.request].title),
            ("crux", crux.id),
            frozenset(),
            within=outline.contexts_of(crux.request),
            beside=(crux_subject(crux.id),),
            addressed_as=crux.request,
            crux=crux.id,
            question=crux.question,
        )


CHECKS = ((AWAITING_DECISION, awaiting_decision),)
