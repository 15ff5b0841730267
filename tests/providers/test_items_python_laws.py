"""What holds for the Items of every Python source: one made at random, and those of the interpreter's library."""

from __future__ import annotations

import ast
import io
import itertools
import tokenize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev_provider_python.items import Found, find_items
from chidev_provider_python.source_text import SourceError
from tests.providers.found import modules_of_the_interpreter, text_of

NAMES = st.sampled_from(["a", "b", "total", "_c", "__init__", "__all__"])
SIMPLE = st.sampled_from(
    [
        "{n} = 1",
        "{n}: int",
        "{n}, b = (\n1,\n2)",
        "{n} = '''\n'''",
        "import {n}",
        "{n} += 1",
        "__all__ = ['{n}']",
        "__all__ += ['{n}']",
        "def {n}(\n): ...",
        "@{n}.setter\ndef {n}(): ...",
        "@(\n{n})\nclass {n}(\n): ...",
    ]
)
COMPOUND = st.sampled_from(
    [
        ["class {n}:"],
        ["def {n}():"],
        ["if {n}:", "else:"],
        ["try:", "except {n}:", "else:", "finally:"],
        ["with {n}:"],
        ["for {n} in b:"],
        ["match {n}:\n case a:", " case _:"],
        ["if __name__ == '__main__':", "else:"],
    ]
)


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))


def _compound(headers: list[str], name: str, bodies: list[str]) -> str:
    return "\n".join(f"{header}\n{_indented(body)}" for header, body in zip(headers, bodies, strict=False)).replace(
        "{n}", name
    )


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    bodies = st.lists(inner, min_size=1, max_size=4).map("\n".join)
    return st.builds(_compound, COMPOUND, NAMES, st.lists(bodies, min_size=4, max_size=4))


STATEMENTS = st.recursive(
    st.builds(lambda text, name: text.replace("{n}", name), SIMPLE, NAMES), _blocks, max_leaves=25
)
SOURCES = st.lists(STATEMENTS, max_size=6).map(lambda parts: "".join(part + "\n" for part in parts))
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


def assert_lines_are_in(source: str, found: Found) -> None:
    count = source.count("\n") + (source[-1:] not in {"", "\n"})
    assert all(1 <= item.first <= item.last <= count for item in found.items)


@given(SOURCES)
def test_no_two_items_have_one_key(source: str) -> None:
    found = [item.key for item in find_items(source).items]

    assert len(found) == len(set(found))


@given(SOURCES)
def test_items_are_in_the_order_of_the_source(source: str) -> None:
    firsts = [item.first for item in find_items(source).items]

    assert firsts == sorted(firsts)


@given(SOURCES)
def test_the_same_source_has_the_same_items(source: str) -> None:
    assert find_items(source) == find_items(source)


@given(SOURCES)
def test_carriage_returns_before_line_feeds_change_nothing(source: str) -> None:
    assert find_items(source.replace("\n", "\r\n")) == find_items(source)


@given(SOURCES, st.lists(LINE_ENDS, min_size=1, max_size=7))
def test_any_line_ends_leave_the_keys_and_move_the_lines_as_they_join_them(source: str, ends: list[str]) -> None:
    plain = find_items(source)
    texts = source.split("\n")
    mixed = "".join(text + end for text, end in zip(texts[:-1], itertools.cycle(ends), strict=False)) + texts[-1]
    starts = [1]
    for _, end in zip(texts[:-1], itertools.cycle(ends), strict=False):
        starts.append(starts[-1] + ("\n" in end))

    found = find_items(mixed)

    assert found.left_out == plain.left_out
    assert found.items == tuple((i.key, starts[i.first - 1], starts[i.last - 1]) for i in plain.items)


@given(st.text(alphabet="ab_=:(),'\"@#\\\n\r\f \ufeff\0ü", max_size=30))
def test_any_text_has_items_or_is_refused(source: str) -> None:
    try:
        found = find_items(source)
    except SourceError:
        return

    assert_lines_are_in(source, found)


MODULES = modules_of_the_interpreter()
SAMPLE = MODULES[:: max(1, len(MODULES) // 60)]


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.rpartition("/lib/")[2])
def test_a_module_of_the_library_is_read(path: str) -> None:
    source = text_of(path)

    found = find_items(source)

    assert_lines_are_in(source, found)
    assert len({item.key for item in found.items}) == len(found.items)


def headers_by_tokens(source: str) -> set[tuple[int, int]]:
    """The lines from `def` or `class` to the colon of each header, as the tokenizer sees them."""
    found = set()
    first = depth = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.string in {"def", "class"} and token.type == tokenize.NAME:
            first = token.start[0]
        elif token.type == tokenize.OP and token.string in {"(", "[", "{", ")", "]", "}"}:
            depth += 1 if token.string in "([{" else -1
        elif token.string == ":" and token.type == tokenize.OP and first and not depth:
            found.add((first, token.start[0]))
            first = 0
    return found


@pytest.mark.parametrize("path", SAMPLE[::3], ids=lambda path: path.rpartition("/lib/")[2])
def test_a_header_ends_where_the_tokenizer_sees_its_colon(path: str) -> None:
    source = text_of(path).replace("\r\n", "\n")
    tree = ast.parse(source)
    plain = {n.name for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and not n.decorator_list}

    found = {(i.first, i.last) for i in find_items(source).items if i.key in plain}

    assert found <= headers_by_tokens(source)
