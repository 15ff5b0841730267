"""The statements of one scope, those inside `if`, `try`, `with`, loops and `match` included; and what they bind.

Source: open-points 5 ("also inside if/try/with at those levels").
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence


class Block:
    """Statements that run one after the other: a later assignment in the block replaces an earlier one.

    Attributes:
        conditional: whether the scope can run without this block.
        main_only: whether it runs only when the file is the program, so that no importer sees what it binds.
    """

    __slots__ = ("conditional", "main_only")

    def __init__(self, *, conditional: bool = False, main_only: bool = False) -> None:
        self.conditional = conditional
        self.main_only = main_only

    def branch(self, *, main_only: bool = False) -> Block:
        """A block inside this one that may not run."""
        return Block(conditional=True, main_only=self.main_only or main_only)


def statements(body: Sequence[ast.stmt]) -> Iterator[tuple[ast.stmt, Block]]:
    """Every statement of a module or class body, in source order, each with its block.

    Functions and classes are not entered. The stack is our own because a chain of `elif` is as deep as it is long.
    """
    stack = [(iter(body), Block())]
    while stack:
        rest, block = stack[-1]
        node = next(rest, None)
        if node is None:
            stack.pop()
            continue
        yield node, block
        stack.extend((iter(inner), its_block) for inner, its_block in reversed(_bodies(node, block)))


def _bodies(node: ast.stmt, block: Block) -> list[tuple[list[ast.stmt], Block]]:
    """The bodies of a compound statement in source order.

    A `with` always runs its body and the `else` of a `try` continues it, so these are no blocks of their own.
    """
    match node:
        case ast.If():
            guarded = block.branch(main_only=_is_main_guard(node.test))
            return [(node.body, guarded), (node.orelse, block.branch())]
        case ast.With() | ast.AsyncWith():
            return [(node.body, block)]
        case ast.For() | ast.AsyncFor() | ast.While():
            return [(node.body, block.branch()), (node.orelse, block.branch())]
        case ast.Try() | ast.TryStar():
            tried = block.branch()
            handlers = [(handler.body, block.branch()) for handler in node.handlers]
            return [(node.body, tried), *handlers, (node.orelse, tried), (node.finalbody, block.branch())]
        case ast.Match():
            return [(case.body, block.branch()) for case in node.cases]
    return []


def _is_main_guard(test: ast.expr) -> bool:
    """Whether a test is `__name__ == "__main__"`, either way round."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            sides = (left, right)
        case _:
            return False
    named = any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides)
    return named and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def assigned_names(node: ast.stmt) -> list[str]:
    """The names that an assignment or a type alias declares, in source order, each once; [] for other statements.

    An annotation without a value declares its name too. An augmented assignment declares nothing: the name was there.
    """
    match node:
        case ast.Assign(targets=targets):
            pending: list[ast.expr] = targets[::-1]
        case ast.AnnAssign(target=target):
            pending = [target]
        case _ if type(node).__name__ == "TypeAlias":  # since Python 3.12
            pending = [node.name]  # type: ignore[attr-defined]
        case _:
            return []
    names: dict[str, None] = {}
    while pending:
        match pending.pop():
            case ast.Name(id=name):
                names[name] = None
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                pending.extend(reversed(parts))
            case ast.Starred(value=part):
                pending.append(part)
    return list(names)


def imported_names(node: ast.stmt) -> list[str]:
    """The names that an import binds, in source order, each once; [] for other statements and for a star."""
    match node:
        case ast.Import(names=aliases):
            bound = [alias.asname or alias.name.partition(".")[0] for alias in aliases]
        case ast.ImportFrom(names=aliases):
            bound = [alias.asname or alias.name for alias in aliases if alias.name != "*"]
        case _:
            return []
    return list(dict.fromkeys(bound))
