"""What a `cites` mark says: the citations it names, and what is wrong with it.

    cites("discount", "C1", "C2")                   one Contract ([context/]contract), then labels
    cites("base/rounding#C3", "price::Cart.total")  compact: [context/]contract#label, [context/]interface::key

After a Contract and its labels compact citations may follow. Source: design.md, "What it is"; specification,
"The project and chidev.toml" (names).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeGuard

import msgspec

_NAME = re.compile(r"[a-z0-9_-]+\Z")
_LABEL = re.compile(r"C[0-9]+\Z")
_SEPARATOR = re.compile(r"#|::")
_SHOWN = 60


class Citation(msgspec.Struct, frozen=True, gc=False):
    """A Clause of a Contract (`part` is its label) or an Item of an Interface (`part` is its key).

    `context` is None when the mark names none: the Context of the test's Harness.
    """

    kind: Literal["clause", "item"]
    context: str | None
    asset: str
    part: str

    @property
    def compact(self) -> str:
        """As one would write it in a mark: `base/rounding#C3`, `price::Cart.total`."""
        place = f"{self.context}/" if self.context else ""
        return f"{place}{self.asset}{'#' if self.kind == 'clause' else '::'}{self.part}"


class Reading(msgspec.Struct, frozen=True):
    """One mark, read: what it cites, as it is written, and each thing that is wrong with it, as a sentence."""

    citations: tuple[Citation, ...]
    problems: tuple[str, ...]


class MarkError(ValueError):
    """One argument that cannot be read; its text is the problem."""


def in_order(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Each citation once, sorted by its compact form: the order of marks is not to be relied on."""
    different = set(citations)
    return tuple(sorted(different, key=lambda citation: citation.compact) if len(different) > 1 else different)


def read_mark(args: Sequence[object], kwargs: Mapping[str, object]) -> Reading:
    """Reads the arguments of one mark; what can be read of a mark with a problem is kept."""
    citations: list[Citation] = []
    problems: list[str] = []
    if kwargs:
        problems.append(f"cites takes no keyword arguments: {', '.join(map(_shown, kwargs))}")
    elif not args:
        problems.append('cites has no arguments: write cites("contract", "C1"), "contract#C1" or "interface::key"')
    contract: tuple[str | None, str] | None = None
    begins_plain = bool(args) and _is_plain(args[0])
    for position, arg in enumerate(args):
        try:
            if position == 0 and _is_plain(arg):
                contract = _place(arg, arg)
                if len(args) == 1:
                    problems.append(f'{_shown(arg)} has no label: write cites("{arg}", "C1") or cites("{arg}#C1")')
            elif contract or not begins_plain or not _is_plain(arg):
                citations.append(_citation(arg, position, contract, args))
        except MarkError as problem:
            problems.append(str(problem))
    return Reading(tuple(citations), tuple(problems))


def _is_plain(arg: object) -> TypeGuard[str]:
    return isinstance(arg, str) and not _SEPARATOR.search(arg)


def _citation(arg: object, position: int, contract: tuple[str | None, str] | None, args: Sequence[object]) -> Citation:
    """A compact citation, or the Clause of the Contract that the mark began with.

    Raises:
        MarkError: it is neither.
    """
    if not isinstance(arg, str):
        raise MarkError(f"cites takes texts, and argument {position + 1} is of type {type(arg).__name__}")
    if not _is_plain(arg):
        return _compact(arg)
    if contract:
        return Citation("clause", *contract, _label(arg, arg))
    first = args[0]
    if _LABEL.match(arg) and isinstance(first, str) and not _is_plain(first):
        raise MarkError(f'{_shown(arg)} has no Contract: write "{_SEPARATOR.split(first)[0]}#{arg}"')
    raise MarkError(f"{_shown(arg)} is no citation: it has neither # nor ::")


def _compact(text: str) -> Citation:
    separator = _SEPARATOR.search(text)
    if separator is None:
        raise MarkError(f"{_shown(text)} is no citation: it has neither # nor ::")
    part = text[separator.end() :]
    if separator[0] == "#":
        return Citation("clause", *_place(text[: separator.start()], text), _label(part, text))
    place = _place(text[: separator.start()], text)
    if not part or part != part.strip() or not part.isprintable():
        raise MarkError(f"{_shown(text)}: the key after :: is empty, or has white space around it or a line end in it")
    return Citation("item", *place, part)


def _place(text: str, whole: str) -> tuple[str | None, str]:
    """The Context, or None, and the asset of `[context/]asset`."""
    context, slash, asset = text.rpartition("/")
    for name, word in ((context, "Context"), (asset, "Contract or Interface")):
        if word == "Context" and not slash:
            continue
        if not name:
            raise MarkError(f"{_shown(whole)}: the name of the {word} is empty")
        if not _NAME.match(name):
            odd = next(char for char in name if not _NAME.match(char))
            raise MarkError(
                f"{_shown(whole)}: the name of the {word} has {_shown(odd)}; a name has only a-z, 0-9, - and _"
            )
    return (context if slash else None), asset


def _label(text: str, whole: str) -> str:
    if not _LABEL.match(text):
        raise MarkError(f"{_shown(whole)}: {_shown(text)} is no label of a Clause; a label is C and a number")
    return text


def _shown(value: object) -> str:
    """A text of the user's in a message: quoted as Python would, cut when it is long."""
    text = ascii(value) if isinstance(value, str) and not value.isprintable() else f"`{value}`"
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
