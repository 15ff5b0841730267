"""Rules of raising a Crux: its options, and the decision it may replace."""

from __future__ import annotations

from chidev.domain.rule import Applicability, Example, Rule, Suggestion, Violation
from chidev.domain.rules.cr.examples import CLAUSE, CRUX, OPENED, OPTION, RAISE, decided, raised
from chidev.domain.rules.cr.request import deciding

NO_OPTION = Rule(
    id="cr.crux-no-option",
    message="the Crux has no option",
    help="A Crux is a choice, so it has one option at least; a decision can also be given in other words.",
    example=Example(given=OPENED, breaks=raised(options=[])),
)

OPTION_TWICE = Rule(
    id="cr.crux-option-twice",
    message="{count} options of the Crux have the choice `{option}`",
    help="People tell the options apart by their choice. Merge the two, or word one of them differently.",
    values={"option": "the choice", "count": "how many options have it, 2 or more"},
    example=Example(given=OPENED, breaks=raised(options=[{"choice": "yes"}, {"choice": "yes"}])),
)

RECOMMENDED_TWICE = Rule(
    id="cr.crux-recommended-twice",
    message="{count} options of the Crux are recommended",
    help="A recommendation names one option. Leave `recommended` at the one that is meant.",
    values={"count": "how many options are recommended, 2 or more", "options": "their choices"},
    example=Example(
        given=OPENED,
        breaks=raised(options=[{"choice": "yes", "recommended": {}}, {"choice": "no", "recommended": {}}]),
    ),
)

EXPECT_CONFLICT = Rule(
    id="cr.crux-expect-conflict",
    message="the option `{option}` asks {name} as a {asked}, and the change request asks it as a {standing}",
    help="A target is asked to move or asked to stay, not both: by the request itself, or by a decision taken in it "
    "that stands. Take the target out of the option, or supersede the decision that asks the other.",
    values={
        "option": "the choice of the option",
        "target": "the target, as a reference",
        "name": "the target, by kind and name",
        "asked": "what the option asks: target or keep",
        "standing": "what is asked already: target or keep",
    },
    example=Example(given=OPENED, breaks=raised(options=[{"choice": "freeze it", "keep": [CLAUSE]}])),
)

SUPERSEDES_UNANSWERED = Rule(
    id="cr.supersedes-unanswered",
    message="the Crux `{crux}` has no decision that could be replaced ({state})",
    help="A Crux supersedes a decision. Decide the one that is open; one that was withdrawn decided nothing, so raise "
    "the new Crux without `supersedes`.",
    values={"crux": "the id of the Crux", "state": "open or withdrawn", "question": "its question"},
    example=Example(given=(*OPENED, RAISE), breaks=raised(supersedes=CRUX)),
)

SUPERSEDES_SUPERSEDED = Rule(
    id="cr.supersedes-superseded",
    message="the decision of the Crux `{crux}` is replaced already, by the Crux `{by}`",
    help="One Crux replaces a decision, so that it is clear which one stands. Supersede the decision at the end of the "
    "chain; when that Crux is open, decide it.",
    values={"crux": "the id of the Crux", "by": "the id of the Crux that replaces its decision"},
    example=Example(
        given=(*OPENED, RAISE, decided(option=OPTION), raised(supersedes=CRUX)), breaks=raised(supersedes=CRUX)
    ),
)


def supersedes_unanswered(crux: str, question: str, *, is_withdrawn: bool) -> Violation:
    suggestions = () if is_withdrawn else (Suggestion(deciding(crux), Applicability.PLACEHOLDER),)
    return SUPERSEDES_UNANSWERED.broken(
        field="supersedes",
        suggestions=suggestions,
        crux=crux,
        state="withdrawn" if is_withdrawn else "open",
        question=question,
    )


RULES = (
    NO_OPTION,
    OPTION_TWICE,
    RECOMMENDED_TWICE,
    EXPECT_CONFLICT,
    SUPERSEDES_UNANSWERED,
    SUPERSEDES_SUPERSEDED,
)
