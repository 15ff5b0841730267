"""A source as lines: they end at a line feed and are counted from 1.

Source: specification, "Operations" (interface_put); design, "Libraries" (lines end at LF only).
"""

from __future__ import annotations

from collections.abc import Sequence


def split_lines(source: str) -> list[str]:
    """The lines of a source; one that ends with a line feed has no empty line after it, an empty one has none."""
    lines = source.split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def has_lines(lines: Sequence[str], first: int, last: int) -> bool:
    """Whether both are lines of the source, in order."""
    return 1 <= first <= last <= len(lines)


def lines_of(lines: Sequence[str], first: int, last: int) -> str:
    """The text of some lines, each without the white space at its end, joined by line feeds.

    Args:
        first, last: line numbers, from 1, both included; `has_lines` said that they are there.
    """
    return "\n".join(line.rstrip() for line in lines[first - 1 : last])
