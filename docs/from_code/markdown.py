"""Parts of Markdown that more than one page is made of."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_PATTERN_END = re.compile(r"[|\n]")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a `|` or a line end in a cell does not end it."""
    lines = [head, ["---"] * len(head), *([_PATTERN_END.sub(_escaped, cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _escaped(found: re.Match[str]) -> str:
    return "\\|" if found[0] == "|" else " "


def anchor(heading: str) -> str:
    """The anchor that the site gives a heading of one word."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def json_block(*values: Any, indent: int | None = None) -> str:
    """Values of JSON as a code block, one a line or indented; ids are not the same twice and stand as `<id>`."""
    texts = [
        value if isinstance(value, str) else json.dumps(value, indent=indent, ensure_ascii=False) for value in values
    ]
    return "```json\n" + "\n".join(_ID.sub("<id>", text) for text in texts) + "\n```\n"
