"""The names a module lists in `__all__`, when it lists them literally.

Source: open-points 5 ("with a literal `__all__`, exactly its names").
"""

from __future__ import annotations

import ast

from chidev_provider_python.statements import Block, assigned_names, imported_names, statements

_LIST = "__all__"
_KEEP_THE_NAMES = frozenset({"sort", "reverse"})


def exported_names(tree: ast.Module) -> frozenset[str] | None:
    """The names in `__all__`; None when there is none, or when a part of it is not literal.

    What branches (`if`, `try`, loops) assign or add is taken together: a caller may meet any of it.
    """
    listing = _Listing()
    for node, block in statements(tree.body):
        if not block.main_only:
            listing.read(node, block)
    return frozenset(listing.names) if listing.names is not None and listing.literal else None


class _Listing:
    """What is known of `__all__` after the statements read.

    Attributes:
        names: None before it is assigned.
        literal: whether all that made it was literal.
    """

    def __init__(self) -> None:
        self.names: set[str] | None = None
        self.literal = True

    def read(self, node: ast.stmt, block: Block) -> None:
        match node:
            case ast.Assign(targets=targets, value=value) if any(map(_is_list, targets)):
                self._assign(value, block)
            case ast.AnnAssign(target=target, value=value) if _is_list(target):
                if value is not None:
                    self._assign(value, block)
            case ast.AugAssign(target=target, op=op, value=value) if _is_list(target):
                self._add(self._strings(value) if isinstance(op, ast.Add) else None)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr=method)) as call) if _is_list(target):
                self._call(method, call)
            case ast.Assign(targets=targets) | ast.Delete(targets=targets):
                if _LIST in assigned_names(node) or any(map(_is_list_or_part, targets)):
                    self.literal = False
            case ast.Import() | ast.ImportFrom() if _LIST in imported_names(node):
                self.literal = False

    def _assign(self, value: ast.expr, block: Block) -> None:
        strings = self._strings(value)
        if not block.conditional:
            self.names, self.literal = None, True
        self._add(strings)

    def _call(self, method: str, call: ast.Call) -> None:
        match call:
            case ast.Call(args=[ast.Constant(value=str(name))], keywords=[]) if method == "append":
                self._add({name})
            case ast.Call(args=[value], keywords=[]) if method == "extend":
                self._add(self._strings(value))
            case _ if method not in _KEEP_THE_NAMES:
                self.literal = False

    def _add(self, strings: set[str] | None) -> None:
        self.names = (self.names or set()) | (strings or set())
        self.literal = self.literal and strings is not None

    def _strings(self, value: ast.expr) -> set[str] | None:
        """The strings of a list, a tuple, `__all__` itself or a sum of those; None when it is anything else."""
        strings: set[str] = set()
        pending = [value]
        while pending:
            match pending.pop():
                case ast.BinOp(left=left, op=ast.Add(), right=right):
                    pending += [left, right]
                case ast.List(elts=parts) | ast.Tuple(elts=parts) if all(map(_is_string, parts)):
                    strings.update(part.value for part in parts)  # type: ignore[attr-defined]
                case ast.Name(id="__all__") if self.literal and self.names is not None:
                    strings |= self.names
                case _:
                    return None
        return strings


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _is_list(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == _LIST


def _is_list_or_part(node: ast.expr) -> bool:
    """Whether a target is `__all__`, or an element or a slice of it."""
    return _is_list(node.value if isinstance(node, ast.Subscript) else node)
