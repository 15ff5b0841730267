"""Rules of deciding a Crux: once, in one form, on a basis, and without widening the request it stops."""

from __future__ import annotations

from typing import Any

from chidev.domain.rule import Applicability, Example, Rule, Suggestion, Violation
from chidev.domain.rules.cr.examples import OPENED, OPTION, RAISE, decided, opened, raised
from chidev.domain.subject import change_request_subject

_TAX = {
    "op": "contract_put",
    "context": "pricing",
    "name": "tax",
    "title": "Tax",
    "clauses": [{"label": "C1", "text": "tax is added last"}],
}
_TAX_C1 = {"clause": {"context": "pricing", "contract": "tax", "label": "C1"}}
_OUTSIDE = (*OPENED, _TAX, raised(options=[{"choice": "tax first", "targets": [_TAX_C1]}]))
_BEYOND = {"declined": "tax waits"}

DECISION_FORM = Rule(
    id="cr.crux-decision-form",
    message="a decision gives exactly one of `option`, `wording`, `unspecified` and `withdrawn`, got {count}",
    help="A question is answered in one way: by one of its options, in other words, by leaving it free, or by taking "
    "the question back. Leave the others out; a `reason` goes with an option or a wording only, since the basis has "
    "the reason of the other two.",
    values={"given": "the fields that were given", "count": "how many of the four were given"},
    example=Example(given=(*OPENED, RAISE), breaks=decided()),
)

BEYOND_FORM = Rule(
    id="cr.crux-beyond-form",
    message="`beyond` is either `requests`, one at least and none twice, or `declined`: {detail}",
    help="What a decision adds outside its request is done by other requests, or it is not done and the reason is "
    "said. Give one of the two.",
    values={"detail": "what is wrong with it"},
    example=Example(given=_OUTSIDE, breaks=decided(option=OPTION, beyond={"requests": []})),
)

BEYOND_WITHDRAWN = Rule(
    id="cr.crux-beyond-withdrawn",
    message="a question that is withdrawn has nothing beyond it",
    help="A withdrawal asks nothing of any target. Leave `beyond` out.",
    example=Example(given=_OUTSIDE, breaks=decided(withdrawn=True, beyond=_BEYOND)),
)

BEYOND_ITSELF = Rule(
    id="cr.crux-beyond-itself",
    message="the change request `{subject}` cannot do what lies beyond itself",
    help="The frame of a request is what it was opened with. Name the request that was opened for what is outside, or "
    "decline it.",
    example=Example(
        given=(*_OUTSIDE, opened("Tax work", targets=[_TAX_C1])),
        breaks=decided(option=OPTION, beyond={"requests": ["Tax work", "Refuse big discounts"]}),
    ),
)

BEYOND_UNFRAMED = Rule(
    id="cr.crux-beyond-unframed",
    message="none of the requests beyond names {name}",
    help="Between them, the requests named in `beyond` have every target of the option that is outside in their "
    "frames. Open one that names it, and add its title.",
    values={"target": "the target, as a reference", "name": "the target, by kind and name"},
    example=Example(
        given=(*_OUTSIDE, opened("Another")), breaks=decided(option=OPTION, beyond={"requests": ["Another"]})
    ),
)

ANSWER_OUTSIDE = Rule(
    id="cr.crux-answer-outside",
    message="the option `{option}` asks of {count} target(s) outside the change request `{subject}`: {names}",
    help="A decision does not widen its request. Say in `beyond` which requests do what is outside (open them first), "
    "or why it is not done.",
    values={
        "option": "the choice of the option",
        "targets": "the targets outside, as references",
        "names": "the targets outside, as one text",
        "count": "how many they are, 1 or more",
    },
    example=Example(given=_OUTSIDE, breaks=decided(option=OPTION)),
)

ANSWERED = Rule(
    id="cr.crux-answered",
    message="the Crux `{crux}` has a decision",
    help="An answer is never rewritten. To decide otherwise, raise a new Crux that supersedes this one.",
    values={"crux": "the id of the Crux", "question": "its question", "decision": "how it was decided"},
    example=Example(given=(*OPENED, RAISE, decided(option=OPTION)), breaks=decided(withdrawn=True)),
)

UNKNOWN_OPTION = Rule(
    id="cr.crux-unknown-option",
    message="the Crux `{crux}` has no option `{option}`",
    help="A decision names an option by its id, as the answer of `cr_crux_raise` and `status` give it.",
    values={
        "crux": "the id of the Crux",
        "option": "what was given",
        "options": "the options it has: each its id and its choice",
    },
    example=Example(given=(*OPENED, RAISE), breaks=decided(option="new error")),
)

UNSPECIFIED_NOT_ALLOWED = Rule(
    id="cr.crux-unspecified-not-allowed",
    message="a Crux of kind {kind} cannot be left unspecified",
    help="Without the word, the model cannot be written. Choose an option, give the word, or withdraw the question.",
    values={"crux": "the id of the Crux", "kind": "its kind: model"},
    example=Example(given=(*OPENED, raised(kind="model")), breaks=decided(unspecified=[])),
)

POLICY_LINE_UNKNOWN = Rule(
    id="cr.policy-line-unknown",
    message="the Policy has no line {line}",
    help="A decision rests on a line that the Policy has now. Name one that it has, put the line with `policy_put` "
    "first, or say that the decision is arbitrary and why.",
    values={"line": "the line that was named", "lines": "the ids of the lines there are"},
    example=Example(given=(*OPENED, RAISE), breaks=decided(option=OPTION, basis={"policy": "P9"})),
)


def answered(crux: str, kind: str, question: str, decision: str, title: str, supersedes: str) -> Violation:
    """A second decision; the suggestion raises a Crux that replaces the decision that stands.

    Args:
        supersedes: the Crux at the end of the chain.
    """
    again = {
        "op": "cr_crux_raise",
        "in": title,
        "question": "<the question>",
        "kind": kind,
        "options": [{"choice": "<one way>"}, {"choice": "<another way>"}],
        "supersedes": supersedes,
    }
    suggestions = () if decision == "withdrawn" else (Suggestion(again, Applicability.PLACEHOLDER),)
    return ANSWERED.broken(
        change_request_subject(title),
        field="crux",
        suggestions=suggestions,
        crux=crux,
        question=question,
        decision=decision,
    )


def line_unknown(line: str, lines: list[dict[str, Any]]) -> Violation:
    """A basis that is no line; the suggestion puts the Policy with it. `lines` are those there are."""
    put = {"op": "policy_put", "lines": [*lines, {"id": line, "text": "<the line>"}]}
    return POLICY_LINE_UNKNOWN.broken(
        field="basis.policy",
        suggestions=(Suggestion(put, Applicability.PLACEHOLDER),),
        line=line,
        lines=[known["id"] for known in lines],
    )


RULES = (
    DECISION_FORM,
    BEYOND_FORM,
    BEYOND_WITHDRAWN,
    BEYOND_ITSELF,
    BEYOND_UNFRAMED,
    ANSWER_OUTSIDE,
    ANSWERED,
    UNKNOWN_OPTION,
    UNSPECIFIED_NOT_ALLOWED,
    POLICY_LINE_UNKNOWN,
)
