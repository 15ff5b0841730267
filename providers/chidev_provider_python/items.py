"""The Items of a Python source: the declarations that code outside the module can name.

Source: open-points 5; specification, "Provider protocol chidev-items 2".
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from chidev_provider_python.exported import exported_names
from chidev_provider_python.source_text import Decorated, SourceText
from chidev_provider_python.statements import Block, assigned_names, imported_names, statements

_ACCESSORS = ("setter", "deleter")


class Item(NamedTuple):
    """A declaration: `Item("Cart.total", 3, 4)`; lines are counted at LF, from 1, both included."""

    key: str
    first: int
    last: int


class Found(NamedTuple):
    """The Items in source order, and how many declarations a caller cannot name."""

    items: tuple[Item, ...]
    left_out: int


def find_items(source: str) -> Found:
    """The Items of a decoded source text. The keys are unique.

    Raises:
        SourceError: the source does not parse.
    """
    text = SourceText(source)
    finder = _Finder(text)
    finder.read(text.tree.body, _Scope(exported=exported_names(text.tree)))
    return Found(tuple(finder.items), finder.left_out)


class _Scope:
    """A module or class body while it is read.

    Attributes:
        prefix: what leads the key of a declaration in it: "" in a module, "Cart." in a class.
    """

    def __init__(self, prefix: str = "", *, exported: frozenset[str] | None = None, reachable: bool = True) -> None:
        """A scope in which nothing is declared yet.

        Args:
            exported: the names in a literal `__all__`; None for a module without one and for a class.
            reachable: whether a caller can name the class.
        """
        self.prefix = prefix
        self._exported = exported
        self._reachable = reachable
        self._declared: set[tuple[Block, str]] = set()

    def takes(self, name: str, *, function: bool = False) -> bool:
        """Whether a caller can name what is declared here by this name."""
        if self._exported is not None:
            return name in self._exported
        method = function and self.prefix != ""
        return self._reachable and (not name.startswith("_") or (method and _is_dunder(name)))

    def takes_import(self, name: str) -> bool:
        """Whether an import of this name is a declaration: only a literal `__all__` makes it one."""
        return self._exported is not None and name in self._exported

    def declare(self, block: Block, name: str) -> bool:
        """Note a declaration; whether it is the first of the name in its block."""
        first = (block, name) not in self._declared
        self._declared.add((block, name))
        return first


class _Finder:
    """Reads scopes and collects the Items.

    A definition is an Item each time; an assignment or import only when it is the first of the name in its block.
    """

    def __init__(self, text: SourceText) -> None:
        self.items: list[Item] = []
        self.left_out = 0
        self._text = text
        self._times: Counter[str] = Counter()

    def read(self, body: Sequence[ast.stmt], scope: _Scope) -> None:
        for node, block in statements(body):
            if isinstance(node, Decorated):
                self._define(node, block, scope)
                continue
            names = assigned_names(node) or [name for name in imported_names(node) if scope.takes_import(name)]
            for name in names:
                if scope.declare(block, name):
                    taken = not block.main_only and scope.takes(name)
                    self._found(scope.prefix + name, self._text.lines_of_statement(node), taken=taken)

    def _define(self, node: Decorated, block: Block, scope: _Scope) -> None:
        is_class = isinstance(node, ast.ClassDef)
        taken = not block.main_only and scope.takes(node.name, function=not is_class)
        scope.declare(block, node.name)
        qualname = scope.prefix + node.name
        self._found(qualname + _accessor(node), self._text.lines_of_header(node), taken=taken)
        if is_class:
            # The parser takes no more than 100 levels of indentation, so this does not reach Python's own limit.
            self.read(node.body, _Scope(qualname + ".", reachable=taken))

    def _found(self, name: str, lines: tuple[int, int], *, taken: bool) -> None:
        if not taken:
            self.left_out += 1
            return
        self._times[name] += 1
        times = self._times[name]
        self.items.append(Item(name if times == 1 else f"{name}#{times}", *lines))


def _accessor(node: Decorated) -> str:
    """`.setter` or `.deleter` when a decorator such as `@total.setter` adds it to the property of its name, else ""."""
    if isinstance(node, ast.ClassDef):
        return ""
    for decorator in node.decorator_list:
        match decorator:
            case ast.Attribute(value=ast.Name(id=owner) | ast.Attribute(attr=owner), attr=accessor):
                if owner == node.name and accessor in _ACCESSORS:
                    return "." + accessor
    return ""


def _is_dunder(name: str) -> bool:
    return len(name) > 4 and name.startswith("__") and name.endswith("__")
