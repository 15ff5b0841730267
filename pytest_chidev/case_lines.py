"""Where the tests of a file are: from the first decorator to the last line of the body, found in the syntax tree.

A name is looked for in this order: a `def` in the class (or the module), also inside if, try, with and the like; a
`def` in a base class of the same file; an inner `def` that the running code names by its line (a factory); the
statement that binds the name (an import, an assignment); the class statement, when the base class is elsewhere; the
import of the class; a star import. What `exec` made has no lines.

Source: pytest-conventions.md, section 5.
"""

from __future__ import annotations

import ast
import codecs
import re
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

Chain = tuple[str, ...]

_COOKIE = re.compile(rb"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"[ \t\f]*(?:#.*)?$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Span(NamedTuple):
    """The first and the last line, from 1, both included."""

    first: int
    last: int


class _Class(NamedTuple):
    span: Span
    bases: tuple[Chain, ...]


def decode(data: bytes) -> str:
    """The text of a Python file, without its byte order mark, with its line ends as they are.

    `tokenize.detect_encoding` is not used: it refuses a coding line that has other bytes than UTF-8 in it, which the
    interpreter takes.

    Raises:
        SyntaxError: the coding line names no encoding.
        UnicodeDecodeError: the bytes are not of that encoding.
    """
    if data.startswith(codecs.BOM_UTF8):
        return data.decode("utf-8-sig")
    head = data[:4096].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n", 2)[:2]
    cookie = _COOKIE.match(head[0])
    if cookie is None and len(head) > 1 and _BLANK.match(head[0]):
        cookie = _COOKIE.match(head[1])
    encoding = cookie[1].decode("latin-1") if cookie else "utf-8"
    try:
        return data.decode(encoding)
    except LookupError as error:
        raise SyntaxError(f"unknown encoding: {encoding}") from error


class LineTable:
    """The lines of one text.

    Attributes:
        text: the decoded file; "" when it could not be decoded.
        problem: why there are no lines (it cannot be decoded or parsed), None when all is well.
    """

    def __init__(self, data: bytes) -> None:
        self.text = ""
        self.problem: str | None = None
        self._functions: dict[tuple[Chain, str], list[Span]] = {}
        self._classes: dict[Chain, _Class] = {}
        self._bindings: dict[tuple[Chain, str], Span] = {}
        try:
            self.text = decode(data)
            tree = _parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            # ValueError: a NUL, or bytes that are not of the encoding. The last two: what the parser raises, depending
            # on its version, for a text that is nested too deeply.
            self.problem = f"{type(error).__name__}: {error}"
            return
        self._read(tree)

    def find(self, chain: Chain, name: str, code_line: int | None = None) -> Span | None:
        """The lines of a test, counted at line feeds.

        Args:
            chain: the names of the classes around it, outermost first.
            name: the name of the function.
            code_line: the first line of the code that runs (`co_firstlineno`, which is the first decorator's), None
                when that code is not in this file. It chooses among several definitions of one name; else the last.
        """
        if self.problem:
            return None
        spans = self._defined(chain, name, set())
        if spans:
            by_line = [span for span in spans if span.first == code_line]
            return self._at_line_feeds(by_line[0] if by_line else max(spans))
        found = (
            (self._inner.get(code_line) if code_line is not None else None)
            or self._bindings.get((chain, name))
            or (self._class_span(chain) if chain else None)
            or (self._bindings.get(((), chain[0])) if chain else None)
            or self._bindings.get(((), "*"))
        )
        return self._at_line_feeds(found) if found else None

    def of_class(self, chain: Chain) -> Span | None:
        """The lines of a class statement, with its decorators."""
        span = self._class_span(chain)
        return self._at_line_feeds(span) if span else None

    def binding(self, chain: Chain, name: str) -> Span | None:
        """The last statement that binds the name in the class, or in the module for an empty chain."""
        span = self._bindings.get((chain, name))
        return self._at_line_feeds(span) if span else None

    def _read(self, tree: ast.Module) -> None:
        for chain, node in _statements(tree):
            if isinstance(node, _FUNCTIONS):
                self._functions.setdefault((chain, node.name), []).append(_span(node))
            elif isinstance(node, ast.ClassDef):
                new = _Class(_span(node), tuple(filter(None, map(_dotted, node.bases))))
                old = self._classes.get((*chain, node.name), new)
                self._classes[*chain, node.name] = max(old, new)
            else:
                for name in _bound(node):
                    old_span = self._bindings.get((chain, name), _span(node))
                    self._bindings[chain, name] = max(old_span, _span(node))

    def _defined(self, chain: Chain, name: str, seen: set[Chain]) -> list[Span]:
        """The definitions of a name in a class or, when it has none, in its bases, the first base first."""
        if chain in seen:
            return []
        seen.add(chain)
        if found := self._functions.get((chain, name)):
            return found
        for base in self._bases(chain):
            if found := self._defined(base, name, seen):
                return found
        return []

    def _bases(self, chain: Chain) -> Iterator[Chain]:
        """Where an attribute of the class may come from: its bases, and its namesake in the bases of its owner."""
        if known := self._classes.get(chain):
            for base in known.bases:
                for depth in range(len(chain) - 1, -1, -1):
                    if (place := (*chain[:depth], *base)) in self._classes:
                        yield place
                        break
        elif len(chain) > 1:
            for owner in self._bases(chain[:-1]):
                yield (*owner, chain[-1])

    def _class_span(self, chain: Chain) -> Span | None:
        """The innermost class of the chain that this text has."""
        for depth in range(len(chain), 0, -1):
            if known := self._classes.get(chain[:depth]):
                return known.span
        return None

    @cached_property
    def _inner(self) -> dict[int, Span]:
        """Every function by its first line. The text is parsed again: few files need this, and a tree is large."""
        found: dict[int, Span] = {}
        for node in ast.walk(_parse(self.text)):
            if isinstance(node, _FUNCTIONS):
                found[_span(node).first] = _span(node)
            elif isinstance(node, ast.Lambda):
                found.setdefault(node.lineno, Span(node.lineno, node.end_lineno or node.lineno))
        return found

    @cached_property
    def _line_feeds(self) -> list[int] | None:
        """The line that each line of the parser begins on when only line feeds count; None when they are the same."""
        if "\r" not in self.text.replace("\r\n", ""):
            return None
        lines = [1]
        for end in _LINE_END.finditer(self.text):
            lines.append(lines[-1] + end[0].endswith("\n"))
        return lines

    def _at_line_feeds(self, span: Span) -> Span:
        lines = self._line_feeds
        return Span(lines[span.first - 1], lines[span.last - 1]) if lines else span


@lru_cache(maxsize=64)
def line_table(data: bytes) -> LineTable:
    """The lines of a file's bytes; never raises for what the bytes hold. The same bytes are parsed once."""
    return LineTable(data)


def _parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        # The interpreter has warned of an invalid escape already, and under -W error this would raise.
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _statements(tree: ast.Module) -> Iterator[tuple[Chain, ast.stmt]]:
    """Each statement of the module and of its classes with the names of the classes around it, in no order."""
    waiting: list[tuple[Chain, Sequence[ast.AST]]] = [((), tree.body)]
    while waiting:
        chain, nodes = waiting.pop()
        for node in nodes:
            if isinstance(node, ast.stmt):
                yield chain, node
            if isinstance(node, ast.ClassDef):
                waiting.append(((*chain, node.name), node.body))
            elif not isinstance(node, _FUNCTIONS):
                parts = ("body", "orelse", "handlers", "finalbody", "cases")
                waiting.extend((chain, getattr(node, part)) for part in parts if hasattr(node, part))


def _span(node: ast.stmt) -> Span:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return Span(min([node.lineno, *(d.lineno for d in decorators)]), node.end_lineno or node.lineno)


def _bound(node: ast.stmt) -> Iterator[str]:
    """The names that an import or an assignment binds; "*" for a star import."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        for alias in node.names:
            yield alias.asname or alias.name.split(".")[0]
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            yield from (part.id for part in ast.walk(target) if isinstance(part, ast.Name))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield node.target.id


def _dotted(node: ast.expr) -> Chain:
    """`A`, `A.B` and `A[T]` as names; empty for what is computed."""
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value)
        return (*owner, node.attr) if owner else ()
    return (node.id,) if isinstance(node, ast.Name) else ()
