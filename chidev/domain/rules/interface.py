"""Rules of an Interface and its Items."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import CONTEXT, INIT, INTERFACE, changed

_LINES = {"first": "the first line that was given", "last": "the last line that was given", "key": "the Item's key"}

KEY_TAKEN = Rule(
    id="interface.key-taken",
    message="{count} Items of the Interface `{subject}` would have the key `{key}`",
    help="A key is what a citation names an Item by, so an Interface has each once. Give the Items keys that tell "
    "them apart, such as the path from the module to the declaration.",
    values={"key": "the key", "count": "how many Items would have it, 2 or more"},
    example=Example(
        given=(INIT, CONTEXT),
        breaks=changed(INTERFACE, items=[{"key": "price", "lines": [1, 1]}, {"key": "price", "lines": [1, 1]}]),
    ),
)

LINES_OUTSIDE = Rule(
    id="interface.lines-outside",
    message="lines {first} to {last} of the Item `{key}` are not lines of the code, which has {count}",
    help="An Item points at its declaration by the first and the last line, counted from 1. The first is not after "
    "the last, and neither is past the end of the code that this put gives.",
    values={**_LINES, "count": "how many lines the code has"},
    example=Example(given=(INIT, CONTEXT), breaks=changed(INTERFACE, items=[{"key": "price", "lines": [2, 2]}])),
)

BLANK_ITEM = Rule(
    id="interface.blank-item",
    message="lines {first} to {last} of the Item `{key}` hold nothing",
    help="The text of an Item's lines is the declaration its callers rely on, so they cannot be blank. Point at the "
    "line on which the declaration stands.",
    values=_LINES,
    example=Example(
        given=(INIT, CONTEXT),
        breaks=changed(INTERFACE, source="\n\n", items=[{"key": "price", "lines": [1, 2]}]),
    ),
)

RULES = (KEY_TAKEN, LINES_OUTSIDE, BLANK_ITEM)
