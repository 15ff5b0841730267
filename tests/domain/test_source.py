"""Lines of a source: counted from 1, and ended by line feeds alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.source import has_lines, lines_of, split_lines

TEXTS = st.text(alphabet="ab \n\r\t\u2028\x0c\x85", max_size=12)


@given(TEXTS)
def test_the_lines_of_a_text_are_the_text(text: str) -> None:
    lines = split_lines(text)

    assert "\n".join(lines) == text.removesuffix("\n")
    assert len(lines) == text.count("\n") + (text != "" and not text.endswith("\n"))


@pytest.mark.parametrize(("first", "last"), [(0, 1), (2, 1), (1, 3), (-1, 1), (3, 3)])
def test_lines_that_are_not_there(first: int, last: int) -> None:
    assert not has_lines(["a", "b"], first, last)


@given(TEXTS, st.integers(1, 5), st.integers(0, 3))
def test_the_text_of_lines_has_no_white_space_at_their_ends(text: str, first: int, more: int) -> None:
    lines = split_lines(text)
    if has_lines(lines, first, first + more):
        told = lines_of(lines, first, first + more)
        assert told.count("\n") == more
        assert told == "\n".join(line.rstrip() for line in told.split("\n"))
