"""Rules of the Policy."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import INIT

LINE_TWICE = Rule(
    id="policy.line-twice",
    message="the Policy would have {count} lines {line}",
    help="A decision names a line by its id, so each is given once. Number one of the lines differently.",
    values={"line": "the id of the line", "count": "how often it is given, 2 or more"},
    example=Example(
        given=(INIT,),
        breaks={
            "op": "policy_put",
            "lines": [{"id": "P1", "text": "keep what callers see"}, {"id": "P1", "text": "ask before breaking"}],
        },
    ),
)

RULES = (LINE_TWICE,)
