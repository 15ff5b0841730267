"""Corrections: a text that must not stay, taken out of records that otherwise only grow.

Source: specification, "Correcting a record"; open-points 4.
"""

from __future__ import annotations

from collections.abc import Container
from itertools import count

import msgspec

from chidev.domain.change_request import By

LEAST_CHARACTERS = 4
_MARK = "[redacted]"
_NUMBERED = "[redacted {}]"


class Correction(msgspec.Struct, frozen=True):
    """What was corrected in a record, why, by whom, and when in milliseconds since 1970, UTC; never the text."""

    fields: tuple[str, ...]
    reason: str
    by: By
    at: int


def is_in_mark(text: str) -> bool:
    """Whether every mark would put the text back."""
    return text in _MARK or text in _NUMBERED.partition("{")[0]


def redacted(says: str, text: str, taken: Container[str] = ()) -> str:
    """What a field says with a mark for each occurrence of a text; one that makes none of the `taken`.

    Args:
        text: for which `is_in_mark` is false.
    """
    for number in count(1):
        mark = _MARK if number == 1 else _NUMBERED.format(number)
        if text in mark:
            continue
        marked = says
        while text in marked:  # what stands around a mark can make the text anew
            marked = marked.replace(text, mark)
        if marked not in taken:
            return marked
    raise AssertionError("a mark has as many numbers as there are")
