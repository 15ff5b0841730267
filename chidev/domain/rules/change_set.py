"""Rules of a change that touches several things at once."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import CONTEXT, CONTRACT, INIT, without

_ENTRY = {"put": "contract", **without(CONTRACT, "op")}

NAMED_TWICE = Rule(
    id="change-set.named-twice",
    message="the change set names the {kind} `{name}` {count} times",
    help="Each thing moves by one revision at most in a set, so it is put once or retired once, and nothing is put "
    "into a Context that goes. Merge the entries, or leave out the one that is not wanted.",
    values={
        "kind": "what kind of thing",
        "name": "its name",
        "count": "how often the set names it, 2 or more",
        "places": "the paths of the entries",
    },
    example=Example(given=(INIT, CONTEXT), breaks={"op": "change_set", "puts": [_ENTRY, _ENTRY]}),
)

RULES = (NAMED_TWICE,)
