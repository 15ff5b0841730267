"""What `__all__` does to the Items of a Python module: a literal one names exactly them, another says nothing."""

from __future__ import annotations

import pytest

from tests.providers.found import keys, left_out, lines

MODULE = "def a(): ...\ndef b(): ...\ndef _c(): ...\n"


@pytest.mark.parametrize(
    ("listing", "expected"),
    [
        pytest.param("__all__ = ['a', '_c']", "a _c", id="list"),
        pytest.param("__all__ = ('a', '_c')", "a _c", id="tuple"),
        pytest.param("__all__ = []", "", id="empty"),
        pytest.param("__all__: list[str] = ['a']", "a", id="annotated"),
        pytest.param("__all__ = names = ['a']", "a", id="chained"),
        pytest.param("__all__ = ['a'] + ['b'] + ['_c']", "a b _c", id="sum"),
        pytest.param("__all__ = ['a']\n__all__ += ['_c']", "a _c", id="augmented"),
        pytest.param("__all__ = ['a']\n__all__ += ('_c',)", "a _c", id="augmented by a tuple"),
        pytest.param("__all__ = ['a']\n__all__ = __all__ + ['_c']", "a _c", id="itself and more"),
        pytest.param("__all__ = ['a']\n__all__.extend(['_c'])", "a _c", id="extend"),
        pytest.param("__all__ = ['a']\n__all__.append('_c')", "a _c", id="append"),
        pytest.param("__all__ = ['a']\n__all__.sort()", "a", id="sorted"),
        pytest.param("__all__ = ['a']\n__all__ = ['b']", "b", id="assigned again"),
        pytest.param("__all__ = names()\n__all__ = ['b']", "b", id="assigned again, first not literally"),
        pytest.param("__all__ = ['a']\nif x:\n __all__ += ['_c']", "a _c", id="more in a branch"),
        pytest.param("if x:\n __all__ = ['a']\nelse:\n __all__ = ['b']", "a b", id="in each branch"),
        pytest.param("__all__ = ['a']\nif __name__ == '__main__':\n __all__ = ['b']", "a", id="changed by the program"),
        pytest.param("__all__ = ['a', 'nowhere']", "a", id="a name that nothing binds"),
    ],
)
def test_a_literal_list_names_exactly_the_items(listing: str, expected: str) -> None:
    assert keys(MODULE + listing).replace("names", "").strip() == expected


@pytest.mark.parametrize(
    "listing",
    [
        "__all__ = other.__all__",
        "__all__ = ['_c'] + other.__all__",
        "__all__ = [*other.__all__, '_c']",
        "__all__ = ['_c', NAME]",
        "__all__ = 'ab'",
        "__all__: list[str]",
        "__all__ = ['_c']\n__all__ += other.__all__",
        "__all__ = ['_c']\n__all__ *= 2",
        "__all__ = ['_c']\n__all__.extend(other)",
        "__all__ = ['_c']\n__all__.append(NAME)",
        "__all__ = ['_c']\n__all__.remove('a')",
        "__all__ = ['_c']\n__all__[:] = other",
        "__all__ = ['_c']\ndel __all__[0]",
        "__all__ = ['_c']\ndel __all__",
        "__all__, x.y = ['_c'], 1",
        "from other import __all__",
        "def f():\n __all__ = ['_c']",
        "class _A:\n __all__ = ['_c']",
    ],
)
def test_a_list_that_is_not_literal_is_ignored(listing: str) -> None:
    assert keys(MODULE + listing).removesuffix(" f") == "a b"


def test_what_the_list_does_not_name_is_left_out_and_counted() -> None:
    source = "__all__ = ['a']\n" + MODULE + "class B:\n  def total(self): ...\n"

    assert (keys(source), left_out(source)) == ("a", 5)


def test_the_members_of_a_named_private_class_follow_the_underscore_rule() -> None:
    source = "__all__ = ['_A']\nclass _A:\n  def f(self): ...\n  def _g(self): ...\n  def __init__(self): ...\n"

    assert keys(source) == "_A _A.f _A.__init__"


def test_a_dunder_name_is_an_item_when_it_is_named() -> None:
    assert keys("__all__ = ['__version__']\n__version__ = '1'") == "__version__"


@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("import a", "a"),
        ("import a.b.c", "a"),
        ("import b.c as a", "a"),
        ("from b import a", "a"),
        ("from .b import c as a", "a"),
    ],
)
def test_a_bound_import_that_the_list_names_is_an_item(statement: str, key: str) -> None:
    assert keys(f"__all__ = ['{key}']\n{statement}") == key


def test_the_lines_of_an_imported_item_are_those_of_the_import() -> None:
    assert lines("__all__ = ['a', 'c']\nfrom b import (\n    a,\n    c,\n)\n") == {"a": (2, 5), "c": (2, 5)}


def test_an_import_that_the_list_does_not_name_is_not_counted() -> None:
    assert left_out("__all__ = []\nimport os\nfrom b import *\n") == 1


def test_an_import_and_its_fallback_are_numbered() -> None:
    assert keys("__all__ = ['a']\ntry:\n from b import a\nexcept ImportError:\n def a(): ...") == "a a#2"


def test_an_import_in_a_class_is_not_found() -> None:
    assert keys("__all__ = ['A', 'os']\nclass A:\n  import os") == "A"
