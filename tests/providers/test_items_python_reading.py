"""Which texts the finder of Python Items reads: all that Python does, in silence; the rest fails and says where."""

from __future__ import annotations

import warnings

import pytest

from chidev_provider_python.items import find_items
from chidev_provider_python.source_text import SourceError
from tests.providers.found import lines

SURROGATE = chr(0xD800)


@pytest.mark.cites("items-python::Item.first", "items-python::Item.last", "items-python::find_items")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("", {}, id="nothing"),
        pytest.param("\n\n", {}, id="empty lines"),
        pytest.param("# nothing else", {}, id="a comment"),
        pytest.param("a = 1", {"a": (1, 1)}, id="no line end at the end"),
        pytest.param("\ufeffdef f(\n): ...", {"f": (1, 2)}, id="a byte order mark"),
        pytest.param("\ufeff@f\ndef f(): ...", {"f": (1, 2)}, id="a byte order mark before a decorator"),
        pytest.param("# -*- coding: latin-1 -*-\nö = 'ü'", {"ö": (2, 2)}, id="a coding line"),
        pytest.param("# coding: no-such-codec\na = 1", {"a": (2, 2)}, id="a coding line that names nothing"),
        pytest.param("async with a:\n  b = await c", {"b": (2, 2)}, id="await at the level of the module"),
        pytest.param("return 1\na = 1", {"a": (2, 2)}, id="what only the compiler refuses"),
    ],
)
def test_a_text_that_python_parses_is_read(source: str, expected: dict[str, tuple[int, int]]) -> None:
    assert lines(source) == expected


@pytest.mark.parametrize("source", [r"x = '\d'", "x = 1 is 1", "x = 1if y else 2", "assert (x, 'y')"])
def test_what_python_would_warn_of_is_read_in_silence(source: str) -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        find_items(source)

    assert not told


def test_a_warning_that_is_an_error_elsewhere_is_none_here() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert lines(r"x = '\d'") == {"x": (1, 1)}


@pytest.mark.cites("items-python#C3", "items-python::find_items")
@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        pytest.param("a = 1\nb = = 2\n", 2, "invalid syntax", id="a line"),
        pytest.param("a = 1\rb = 2\r\nc = = 3", 2, "invalid syntax", id="a line after a lone CR"),
        pytest.param("def f(:\n", 1, "", id="the first line"),
        pytest.param("if a:\n", 1, "expected an indented block", id="past the last line"),
        pytest.param("a = 1\n  b = 2\n", 2, "unexpected indent", id="indentation"),
        pytest.param("a = 1\nb = '''\n", 2, "unterminated", id="a string without an end"),
        pytest.param("a = 1\nb = 'c\0'\n", 2, "null byte", id="a null byte"),
        pytest.param(f"a = 1\n# {SURROGATE}\n", 2, "surrogate", id="a lone surrogate"),
        pytest.param("\n" + "(" * 300, 2, "nested", id="too many parentheses"),
        pytest.param("\ufeff\ufeff", 1, "invalid", id="a second byte order mark"),
    ],
)
def test_a_text_that_does_not_parse_is_refused_with_its_line(source: str, line: int, words: str) -> None:
    with pytest.raises(SourceError, match=rf"^line {line}: .*{words}") as refused:
        find_items(source)

    assert refused.value.line == line


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "-" * 100_000 + "1", id="signs"),
        pytest.param("x = 1" + "+1" * 100_000, id="a sum"),
        pytest.param("x = a" + ".b" * 100_000, id="attributes"),
        pytest.param("if a: x = 1\n" + "elif a: x = 1\n" * 100_000, id="branches"),
    ],
)
def test_a_text_that_is_nested_too_deeply_is_refused(source: str) -> None:
    with pytest.raises(SourceError, match="nested too deeply"):
        find_items(source)


def test_classes_may_be_nested_as_deep_as_python_allows() -> None:
    depth = 99
    source = "".join(" " * level + f"class A{level}:\n" for level in range(depth)) + " " * depth + "x = 1\n"

    assert len(find_items(source).items) == depth + 1
