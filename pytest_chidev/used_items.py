"""Which Items the body of a test uses, by their names: what a test that cites none may be meant to cite.

Source: open-points 20.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pytest_chidev.collected import CollectedCase
from pytest_chidev.source_files import SourceFile


def used_items(source: SourceFile, case: CollectedCase, items: Mapping[str, Sequence[str]]) -> list[str]:
    """The Items whose names the body of a test uses, as citations, sorted.

    Args:
        items: citations by the last word of the key (`Targets.items`).
    """
    span = source.table.find(case.chain, case.function, case.code_line)
    if span is None:
        return []
    lines = source.text.split("\n")[span.first - 1 : span.last]
    words = {word for line in lines for word in _words(line)}
    return sorted(citation for word in words & items.keys() for citation in items[word])


def _words(line: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", line))


def likely(citations: Sequence[str]) -> str:
    """The Items that a test may be meant to cite, as the end of a sentence; nothing when there are none."""
    return f"; did you mean {', '.join(f'`{citation}`' for citation in citations)}?" if citations else ""
