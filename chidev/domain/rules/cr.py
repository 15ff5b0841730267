"""Rules of a change request: how it may be opened."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import INIT

_OPEN = {"op": "cr_open", "title": "Refuse big discounts", "intent": "change_behavior"}

TITLE_TAKEN = Rule(
    id="cr.title-taken",
    message="there is a change request `{subject}` already",
    help="A request is known by its title, also after it was resolved. Give the new one another title.",
    example=Example(given=(INIT, _OPEN), breaks=_OPEN),
)

TARGET_TWICE = Rule(
    id="cr.target-twice",
    message="the change request `{subject}` names {name} {count} times",
    help="A target is asked to move or asked to stay, and that is said once. Leave it in one of the two lists, once.",
    values={
        "target": "the target, as a reference",
        "name": "the target, by kind and name",
        "count": "how often it is named, 2 or more",
    },
    example=Example(given=(INIT,), breaks={**_OPEN, "targets": [{"project": True}], "keep": [{"project": True}]}),
)

RULES = (TITLE_TAKEN, TARGET_TWICE)
