"""Rules of a Harness and its Cases."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import HARNESS, MODEL, changed

_CASE = HARNESS["cases"][0]

LINES_OUTSIDE = Rule(
    id="harness.lines-outside",
    message="lines {first} to {last} of the Case `{name}` are not lines of the source, which has {count}",
    help="A Case points at its test by the first and the last line, counted from 1. The first is not after the last, "
    "and neither is past the end of the source that this put gives.",
    values={
        "first": "the first line that was given",
        "last": "the last line that was given",
        "name": "the name of the Case",
        "count": "how many lines the source has",
    },
    example=Example(given=MODEL, breaks=changed(HARNESS, cases=[changed(_CASE, lines=[1, 2])])),
)

CASE_TWICE = Rule(
    id="harness.case-twice",
    message="the Harness `{subject}` would have {count} Cases with the name `{name}`",
    help="A Case is known by its name in its Harness: its record follows the name. Give each Case a name of its own, "
    "such as the class and the function of the test.",
    values={"name": "the name", "count": "how many Cases would have it, 2 or more"},
    example=Example(given=MODEL, breaks=changed(HARNESS, cases=[_CASE, _CASE])),
)

RULES = (LINES_OUTSIDE, CASE_TWICE)
