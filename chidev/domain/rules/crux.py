"""Checks of what decisions rest on."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.cr.examples import OPENED, OPTION, RAISE, decided
from chidev.domain.subject import change_request_subject, crux_subject

_LINE = {"op": "policy_put", "lines": [{"id": "P1", "text": "take the recommendation"}]}

POLICY_LINE_GONE = Rule(
    id="crux.policy-line-gone",
    level=Level.NOTE,
    moments=(Moment.EDIT, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="a decision rests on a Policy line that is gone or says something else now",
    message="the decision of the Crux `{question}` in the change request `{subject}` rests on the Policy line {line}, "
    "which {what}",
    help="The answer stands, but what it was derived from is no longer so. Look at it again; to decide otherwise, "
    "raise a Crux that supersedes it.",
    values={
        "crux": "the id of the Crux",
        "question": "its question",
        "line": "the line",
        "what": "what became of it, as a text",
        "old": "the text that the line had then",
        "new": "the text it has now, null when it is gone",
    },
    example=Example(
        given=(*OPENED, _LINE, RAISE, decided(option=OPTION, basis={"policy": "P1"})),
        breaks={"op": "policy_put", "lines": []},
    ),
)


def policy_line_gone(outline: RequestOutline) -> Iterator[Finding]:
    """One finding a decision; it ends when the line comes back with the text it had (open-points 13)."""
    for derived in outline.derived:
        if derived.now != derived.text:
            yield POLICY_LINE_GONE.found(
                change_request_subject(outline.requests[derived.request].title),
                ("crux", derived.crux),
                frozenset({("text", derived.now)}),
                within=outline.contexts_of(derived.request),
                beside=(crux_subject(derived.crux),),
                addressed_as=derived.request,
                crux=derived.crux,
                question=derived.question,
                line=derived.line,
                what="is gone" if derived.now is None else "says something else now",
                old=derived.text,
                new=derived.now,
            )


RULES = ()
CHECKS = ((POLICY_LINE_GONE, policy_line_gone),)
