"""A Python source: its syntax tree, its lines as Python counts them, and the same lines as chidev counts them.

For Python a line ends at LF, CR LF or a lone CR; for chidev at LF only. What the parser says is in the first count,
what the provider answers is in the second.

Source: open-points 5; design, "Libraries" (lines end at LF only).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence

_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"

Decorated = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
"""What has decorators and a header that a colon ends."""


class SourceError(Exception):
    """The source is not Python that this interpreter parses.

    Attributes:
        line: the line in the source, from 1, that chidev would name; None when the parser names none.
    """

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message if line is None else f"line {line}: {message}")
        self.line = line


class SourceText:
    """A parsed source.

    Attributes:
        tree: the module; its line numbers are Python's.
    """

    def __init__(self, source: str) -> None:
        """Parse a source.

        Args:
            source: the decoded text, so that a coding line in it says nothing; it may begin with a byte order mark.

        Raises:
            SourceError: it does not parse.
        """
        _refuse_unparsable_characters(source)
        self._lines = _LINE_END.split(source.removeprefix(_BYTE_ORDER_MARK))
        self._numbers = _line_feed_numbers(source)
        self.tree = self._parsed()

    def lines_of_statement(self, node: ast.stmt) -> tuple[int, int]:
        """The first and last line of a whole statement, counted at LF from 1."""
        return self._numbers[node.lineno - 1], self._numbers[(node.end_lineno or node.lineno) - 1]

    def lines_of_header(self, node: Decorated) -> tuple[int, int]:
        """The lines from the first decorator to the colon that ends the header, counted at LF from 1."""
        first = self._decorators_start(node.decorator_list[0].lineno) if node.decorator_list else node.lineno
        return self._numbers[first - 1], self._numbers[self._colon_line(node) - 1]

    def _parsed(self) -> ast.Module:
        try:
            with warnings.catch_warnings():
                # An invalid escape is the business of whoever runs the source; under -W error it would raise here.
                warnings.simplefilter("ignore")
                return ast.parse("\n".join(self._lines))
        except SyntaxError as error:
            # The parser names line 0, or one past the last, for some errors at the end of the text.
            line = min(max(error.lineno or 1, 1), len(self._numbers))
            raise SourceError(error.msg, self._numbers[line - 1]) from error
        except (RecursionError, MemoryError) as error:
            # Which of the two the parser raises depends on its version and on what is nested.
            raise SourceError("the source is nested too deeply for Python's parser") from error

    def _decorators_start(self, line: int) -> int:
        """Python's line of the `@` before the expression that begins on this line.

        They are on two lines when the expression is in parentheses or after a backslash; between them are only those
        and comments, so the `@` begins the first line above that begins with one.
        """
        while not self._lines[line - 1].lstrip(" \t\f").startswith("@"):
            line -= 1
        return line

    def _colon_line(self, node: Decorated) -> int:
        """Python's line of the colon that ends the header.

        After the last expression of the header there is no string and no other colon, but there may be comments.
        """
        line, column = max([(node.lineno, node.col_offset), *map(_end, _header_parts(node))])
        rest = self._lines[line - 1].encode()[column:].decode()
        while ":" not in rest.partition("#")[0]:
            line += 1
            rest = self._lines[line - 1]
        return line


def _refuse_unparsable_characters(source: str) -> None:
    """Refuse what `ast.parse` answers with errors that name no line."""
    if "\0" in source:
        raise SourceError("a null byte", _line_at(source, source.index("\0")))
    try:
        source.encode()
    except UnicodeEncodeError as error:
        raise SourceError("a lone surrogate, which is not a character", _line_at(source, error.start)) from error


def _line_at(source: str, index: int) -> int:
    return source.count("\n", 0, index) + 1


def _line_feed_numbers(source: str) -> Sequence[int]:
    """For each line as Python counts them, the line it begins on when only LF ends a line; from 1."""
    numbers = [1]
    for end in _LINE_END.findall(source):
        numbers.append(numbers[-1] + end.endswith("\n"))
    if source.endswith("\n"):
        numbers[-1] -= 1  # after it chidev has no line, and the parser may name one
    return numbers


def _header_parts(node: Decorated) -> Iterable[ast.AST]:
    """The nodes of a header that carry positions, without decorators; in no order."""
    yield from getattr(node, "type_params", ())  # since Python 3.12
    if isinstance(node, ast.ClassDef):
        yield from node.bases
        yield from node.keywords
        return
    args = node.args
    for part in (args.posonlyargs, args.args, args.kwonlyargs, args.defaults):
        yield from part
    yield from filter(None, (args.vararg, args.kwarg, *args.kw_defaults, node.returns))


def _end(node: ast.AST) -> tuple[int, int]:
    """Where a node ends: Python's line from 1, and the column in UTF-8 bytes from 0."""
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
