"""The lines of a Python Item: from its first decorator or token to the line that ends the signature."""

from __future__ import annotations

import pytest

from tests.providers.found import SINCE_312, SINCE_313, lines, marked


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f(): return {1: 2}  #< f", id="on one line"),
        pytest.param("def f():  #< f\n    return 1", id="without its body"),
        pytest.param("async def f():  #< f\n    return 1", id="async"),
        pytest.param("def f(  #< f\n    a,\n    /,\n    b,\n    *,\n    c,\n):  #< f\n    ...", id="over many lines"),
        pytest.param("def f(  #< f\n    *args, **kw\n) -> dict[str,\n    int]:  #< f\n    x: int", id="a result"),
        pytest.param(
            "def f(  #< f\n    a={1: 2}, b=lambda: 1, c=x[1:2]\n):  #< f\n    x: int", id="colons in defaults"
        ),
        pytest.param("def f(  #< f\n    a=':', b=f'{x:>3}'\n):  #< f\n    ...", id="colons in strings"),
        pytest.param("def f(  #< f\n    a='''\n:\n''' ':'\n):  #< f\n    ...", id="a string over lines"),
        pytest.param(
            "def f(  #< f\n    a=(lambda: 1\n    # b: c\n    ),\n\n):  #< f\n    ...", id="a comment with a colon"
        ),
        pytest.param("def f(  #< f\n    a: 'größe' = 'ü', b='é'\n):  #< f\n    ...", id="letters of many bytes"),
        pytest.param("def f(ä, ö: 'ü:' = 'é'): return {'ß': 1}  #< f", id="letters of many bytes on one line"),
        pytest.param("def f[T: (int,  #< f\n    str)](\n):  #< f\n    ...", id="type parameters", marks=SINCE_312),
        pytest.param("def f[**P = [int]](  #< f\n):  #< f\n    ...", id="their defaults", marks=SINCE_313),
    ],
)
def test_a_function_ends_at_the_colon_of_its_header(source: str) -> None:
    plain, expected = marked(source)

    assert lines(plain) == expected


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("class A: x = {1: 2}  #< A A.x", id="on one line"),
        pytest.param("class A:  #< A\n    x = 1  #< A.x", id="without its members"),
        pytest.param("class A():  #< A\n    ...", id="empty parentheses"),
        pytest.param("class A(  #< A\n    B,\n    key={1: 2},\n    # a: b\n):  #< A\n    ...", id="bases and keywords"),
        pytest.param("class A(*b,  #< A\n    **{':': x}\n):  #< A\n    ...", id="starred"),
        pytest.param("class A[T,  #< A\n    U: int]:  #< A\n    ...", id="type parameters", marks=SINCE_312),
    ],
)
def test_a_class_ends_at_the_colon_of_its_header(source: str) -> None:
    plain, expected = marked(source)

    assert lines(plain) == expected


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("@a  #< f\n@b.c(\n    1\n)\n# why\ndef f():  #< f\n    ...", id="several"),
        pytest.param("x = 1  #< x\n@(  #< f\n    # @\n    (a)\n)\ndef f():  #< f\n    ...", id="in parentheses"),
        pytest.param(
            "@a  #< A\nclass A:  #< A\n    @b  #< A.f\n    def f(self):  #< A.f\n        ...", id="of a class"
        ),
        pytest.param("\f@a  #< f\ndef f():  #< f\n    ...", id="after a form feed"),
    ],
)
def test_an_item_begins_at_its_first_decorator(source: str) -> None:
    plain, expected = marked(source)

    assert lines(plain) == expected


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = [  #< x\n    1,\n]  #< x", id="a list"),
        pytest.param("x = (  #< x\n    1\n    # why\n)  #< x", id="parentheses"),
        pytest.param("x: dict[  #< x\n    str, int\n] = {}  #< x", id="an annotation"),
        pytest.param("(a,  #< a b\n    b) = 1, 2  #< a b", id="an unpacking"),
        pytest.param("type X[  #< X\n    T\n] = (\n    int\n)  #< X", id="a type statement", marks=SINCE_312),
    ],
)
def test_an_assignment_has_all_its_lines(source: str) -> None:
    plain, expected = marked(source)

    assert lines(plain) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("def f() \\\n    :\n    ...", {"f": (1, 2)}, id="before the colon"),
        pytest.param("async \\\n def f(): ...", {"f": (1, 2)}, id="in the first words"),
        pytest.param("@ \\\n\\\na @ b\ndef f(): ...", {"f": (1, 4)}, id="after the sign of a decorator"),
        pytest.param("x = \\\n  1\n", {"x": (1, 2)}, id="in an assignment"),
    ],
)
def test_a_backslash_carries_an_item_over_to_the_next_line(source: str, expected: dict[str, tuple[int, int]]) -> None:
    assert lines(source) == expected


def test_items_may_share_a_line() -> None:
    assert lines("a = 1; b = '''\n'''; c = 3") == {"a": (1, 1), "b": (1, 2), "c": (2, 2)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a = 1\r\nb = 2\r\n", {"a": (1, 1), "b": (2, 2)}, id="CR LF"),
        pytest.param("a = 1\rb = 2\r", {"a": (1, 1), "b": (1, 1)}, id="lone CRs only"),
        pytest.param("a = 1\rb = (\r\n2\n)\rc = 3", {"a": (1, 1), "b": (1, 3), "c": (3, 3)}, id="all of them"),
        pytest.param("def f(\r):\n    ...\ra = 1\n", {"f": (1, 1), "a": (2, 2)}, id="in a header"),
        pytest.param("x = '''\r\r\n\r'''\ny = 1", {"x": (1, 2), "y": (3, 3)}, id="in a string"),
        pytest.param("# a\r@a\n@b\rdef f(): ...", {"f": (1, 2)}, id="before a decorator"),
        pytest.param("\f\na = 1\n\fb = 2\n", {"a": (2, 2), "b": (3, 3)}, id="form feeds end no line"),
        pytest.param("x = '\v\x1c\x85\u2028'\ny = 1\n", {"x": (1, 1), "y": (2, 2)}, id="nor do Unicode's line ends"),
    ],
)
def test_a_line_ends_at_a_line_feed_only(source: str, expected: dict[str, tuple[int, int]]) -> None:
    assert lines(source) == expected
