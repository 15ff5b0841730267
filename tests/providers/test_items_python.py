"""Which declarations of a Python module are Items, and by which keys: what code outside the module can name."""

from __future__ import annotations

import pytest

from tests.providers.found import SINCE_312, keys, left_out


@pytest.mark.cites("items-python#C1", "items-python::Item", "items-python::Item.key", "items-python::Found.items")
@pytest.mark.cites("items-python::find_items")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("def price(): ...", "price", id="function"),
        pytest.param("async def price(): ...", "price", id="async function"),
        pytest.param("class Cart: ...", "Cart", id="class"),
        pytest.param("LIMIT = 10", "LIMIT", id="constant"),
        pytest.param("LIMIT: int = 10", "LIMIT", id="annotated constant"),
        pytest.param("LIMIT: int", "LIMIT", id="annotation alone"),
        pytest.param("Price = int | str", "Price", id="assigned alias"),
        pytest.param("Price: TypeAlias = int", "Price", id="annotated alias"),
        pytest.param("type Price[T] = list[T]", "Price", id="type statement", marks=SINCE_312),
        pytest.param("größe = 1", "größe", id="name that is not ASCII"),
    ],
)
def test_what_a_module_declares_is_an_item_by_its_name(source: str, expected: str) -> None:
    assert keys(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a, b = 1, 2", "a b", id="tuple"),
        pytest.param("[a, b] = 1, 2", "a b", id="list"),
        pytest.param("(a, (b, *c)), d = x", "a b c d", id="nested and starred"),
        pytest.param("a = b = 1", "a b", id="chain"),
        pytest.param("a = b, a = x", "a b", id="a name twice in one statement"),
        pytest.param("a, x.y, z[0] = 1, 2, 3", "a", id="attributes and elements declare no name"),
    ],
)
def test_an_assignment_declares_each_name_it_binds(source: str, expected: str) -> None:
    assert keys(source) == expected


@pytest.mark.parametrize("source", ["import os", "from os import path", "x.y = 1", "x[0] = 1", "x: int\nx += 1", "f()"])
def test_a_statement_that_declares_no_name_adds_no_item_and_is_not_counted(source: str) -> None:
    assert keys(source) in {"", "x"}
    assert left_out(source) == 0


@pytest.mark.cites("items-python#C1", "items-python::find_items")
def test_a_member_of_a_class_has_the_qualified_name() -> None:
    source = """
        class Cart:
            limit = 1
            owner: str
            def total(self): ...
            async def pay(self): ...
            class Line:
                def price(self): ...
    """

    assert keys(source) == "Cart Cart.limit Cart.owner Cart.total Cart.pay Cart.Line Cart.Line.price"


@pytest.mark.cites("items-python#C1", "items-python::find_items")
def test_a_dunder_method_of_a_public_class_is_an_item() -> None:
    source = """
        class Cart:
            def __init__(self): ...
            async def __aenter__(self): ...
    """

    assert keys(source) == "Cart Cart.__init__ Cart.__aenter__"


@pytest.mark.cites("items-python#C2", "items-python::Found", "items-python::Found.left_out", "items-python::find_items")
@pytest.mark.parametrize(
    ("source", "expected", "out"),
    [
        pytest.param("def _price(): ...\nclass _Cart: ...\n_x = 1", "", 3, id="a leading underscore in a module"),
        pytest.param("class A:\n def _f(self): ...\n def __g(self): ...\n _x: int", "A", 3, id="and in a class"),
        pytest.param("class _A:\n def f(self): ...\n x = 1\n def __init__(self): ...", "", 4, id="of a private class"),
        pytest.param("class _A:\n class B:\n  class C: x = 1", "", 4, id="deep in a private class"),
        pytest.param("__version__ = '1'\ndef __getattr__(name): ...", "", 2, id="dunder names of a module"),
        pytest.param("class A:\n __slots__ = ()\n __hash__ = None", "A", 2, id="dunder attributes of a class"),
        pytest.param("a, _ = x", "a", 1, id="a part of an unpacking"),
        pytest.param("_x = 1\n_x = 2", "", 1, id="a plain reassignment once"),
    ],
)
def test_what_a_caller_cannot_name_is_left_out_and_counted(source: str, expected: str, out: int) -> None:
    assert (keys(source), left_out(source)) == (expected, out)


def test_what_is_inside_a_function_is_not_looked_at() -> None:
    source = """
        def price():
            rate = 1
            def inner(): ...
            class Inner: ...
        class Cart:
            def total(self):
                self.sum = 1
                def helper(): ...
    """

    assert (keys(source), left_out(source)) == ("price Cart Cart.total", 0)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("if a:\n x = 1\nelif b:\n y = 1\nelse:\n z = 1", "x y z", id="if, elif, else"),
        pytest.param("try:\n a = 1\nexcept E:\n b = 1\nelse:\n c = 1\nfinally:\n d = 1", "a b c d", id="try"),
        pytest.param("try:\n a = 1\nexcept* E:\n b = 1", "a b", id="except*"),
        pytest.param("with a:\n x = 1", "x", id="with"),
        pytest.param("for i in a:\n x = i\nelse:\n y = 1", "x y", id="for; its target is no declaration"),
        pytest.param("while a:\n x = 1\nelse:\n y = 1", "x y", id="while"),
        pytest.param(
            "match a:\n case [p]:\n  x = 1\n case _:\n  y = 1", "x y", id="match; a capture is no declaration"
        ),
        pytest.param("class A:\n if a:\n  with b:\n   def f(self): ...", "A A.f", id="in a class, one in another"),
    ],
)
def test_a_declaration_inside_a_compound_statement_is_found(source: str, expected: str) -> None:
    assert keys(source) == expected


def test_a_long_chain_of_elif_is_read_to_its_end() -> None:
    chain = "if a: x0 = 1\n" + "".join(f"elif a: x{n} = 1\n" for n in range(1, 1500))

    assert keys(chain).split()[-1] == "x1499"


@pytest.mark.parametrize("test", ["__name__ == '__main__'", '"__main__" == __name__'])
def test_what_only_the_program_itself_runs_is_left_out(test: str) -> None:
    source = f"if {test}:\n  x = 1\n  if a:\n    class A: y = 1\nelse:\n  z = 1"

    assert (keys(source), left_out(source)) == ("z", 3)


def test_a_property_has_the_plain_key_and_its_setter_and_deleter_theirs() -> None:
    source = """
        class Cart:
            @property
            def total(self): ...
            @total.setter
            def total(self, value): ...
            @total.deleter
            def total(self): ...
    """

    assert keys(source) == "Cart Cart.total Cart.total.setter Cart.total.deleter"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("class A(B):\n @B.x.setter\n def x(self, v): ...", "A A.x.setter", id="of an inherited property"),
        pytest.param("class A:\n x = property(f)\n @x.setter\n def x(self, v): ...", "A A.x A.x.setter", id="assigned"),
        pytest.param("class A:\n @x.setter\n def set_x(self, v): ...", "A A.set_x", id="a setter by another name"),
        pytest.param("class A:\n @x.register\n def x(self, v): ...", "A A.x", id="another decorator"),
        pytest.param(
            "class A:\n class x: setter = 1\n @x.setter\n def x(self, v): ...",
            "A A.x A.x.setter A.x.setter#2",
            id="a key that is taken",
        ),
    ],
)
def test_the_key_of_a_setter_is_told_by_its_decorator(source: str, expected: str) -> None:
    assert keys(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("@overload\ndef f(): ...\n@overload\ndef f(): ...\ndef f(): ...", "f f#2 f#3", id="overloads"),
        pytest.param("if a:\n def f(): ...\nelse:\n def f(): ...", "f f#2", id="conditional functions"),
        pytest.param("if a:\n x = 1\nelif b:\n x = 2\nelse:\n x = 3", "x x#2 x#3", id="conditional constants"),
        pytest.param("try:\n x = 1\nexcept E:\n x = 2", "x x#2", id="a fallback"),
        pytest.param("x = 1\nif a:\n x = 2", "x x#2", id="a constant that a branch changes"),
        pytest.param("def f(): ...\ndef f(): ...", "f f#2", id="a function defined again"),
        pytest.param("x = 1\ndef x(): ...", "x x#2", id="a function after a constant"),
        pytest.param("type X = int\ntype Y = X", "X Y", id="type statements", marks=SINCE_312),
        pytest.param(
            "if a:\n class A:\n  def f(self): ...\nelse:\n class A:\n  def f(self): ...\n  def g(self): ...",
            "A A.f A#2 A.f#2 A.g",
            id="members of a conditional class by their qualified names",
        ),
    ],
)
def test_a_name_declared_again_is_numbered(source: str, expected: str) -> None:
    assert keys(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("x = 1\nx = 2\nx += 1", "x", id="a constant"),
        pytest.param("x: int\nx = 2", "x", id="an annotation and its value"),
        pytest.param("def f(): ...\nf = cached(f)", "f", id="a function that is wrapped"),
        pytest.param("class A:\n x = 1\n x = 2", "A A.x", id="a class attribute"),
        pytest.param("if a:\n x = 1\n x = 2", "x", id="inside one branch"),
        pytest.param("x = 1\nwith a:\n x = 2", "x", id="in a with, which always runs"),
        pytest.param("try:\n x = 1\nexcept E: ...\nelse:\n x = 2", "x", id="in the else that continues a try"),
    ],
)
def test_a_plain_reassignment_is_no_further_item(source: str, expected: str) -> None:
    assert keys(source) == expected
