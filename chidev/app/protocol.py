"""The lines of chidev-exec 1, from bytes to an operation or to all that is wrong with them.

A line that cannot be read is refused alone: nothing of it is kept and the lines after it are read as ever.

Source: specification, "Operations", "Protocol chidev-exec 1" and "Diagnostics"; design, "Libraries" (JSON).
"""

from __future__ import annotations

import json
import math
import typing
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from chidev.app import inputs
from chidev.domain.rule import Violation
from chidev.domain.rules import input as rules

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HALVES = (b"\\ud", b"\\uD")  # how an escape of half a surrogate pair begins
_NUL = b"\\u0000"


class Line(msgspec.Struct, frozen=True):
    """One line of input: its operation, or the violations that refuse it (one at least).

    `op` is the word of the field of that name when it was readable, so that a refused line can be answered by name.
    """

    number: int
    op: str | None = None
    operation: inputs.Operation | None = None
    violations: tuple[Violation, ...] = ()


class _UnreadableError(ValueError):
    """A line that is not JSON as it is taken here; the message is the detail that is told."""


def read_line(raw: bytes, number: int) -> Line:
    """Read one line.

    Args:
        raw: the line without its line feed; a carriage return at the end is white space of JSON.
        number: where it is in the input, from 1; it is handed on.

    Never raises: what is wrong is in the answer, all of it at once where the line is JSON.
    """
    try:
        document = _decoded(raw)
    except _UnreadableError as error:
        return Line(number, violations=(rules.INVALID.broken(detail=str(error)),))
    if not isinstance(document, dict):
        from chidev.app.faults import json_kind

        detail = f"expected an object, which is an operation, got {json_kind(document)}"
        return Line(number, violations=(rules.WRONG_TYPE.broken(detail=detail),))
    op = document.get("op")
    type_ = operations().get(op) if isinstance(op, str) else None
    if type_ is None:
        return _no_operation(document, number)
    if _may_be_odd(raw) and (odd := tuple(_odd_texts(document))):
        # Not given to msgspec, which raises UnicodeEncodeError over half a surrogate pair.
        return Line(number, op, violations=_all_faults(document, type_, odd))
    try:
        operation = msgspec.convert(document, type_, strict=True)
    except msgspec.ValidationError as error:
        return Line(number, op, violations=_all_faults(document, type_) or (_as_msgspec_says(error),))
    empty = tuple(_empty_whole(document))
    return Line(number, op, violations=empty) if empty else Line(number, op, operation)


@cache
def operations() -> dict[str, type[inputs.Operation]]:
    """The type of each operation by its word, in the order of `inputs.Operation`."""
    return {str(type_.__struct_config__.tag): type_ for type_ in typing.get_args(inputs.Operation)}


def _no_operation(document: dict[str, Any], number: int) -> Line:
    """The answer to an object whose `op` is missing, no text, or the word of no operation."""
    from chidev.app.close_names import close_names
    from chidev.app.faults import json_kind, kept

    op = document.get("op")
    if "op" not in document:
        return Line(number, violations=(rules.MISSING_FIELD.broken(field="op", name="op"),))
    if not isinstance(op, str):
        detail = f"expected a text for `op`, got {json_kind(op)}"
        return Line(number, violations=(rules.WRONG_TYPE.broken(field="op", detail=detail),))
    close = close_names(op, operations())
    return Line(number, kept(op), violations=(rules.UNKNOWN_OP.broken(field="op", did_you_mean=close, name=kept(op)),))


def _all_faults(document: dict[str, Any], type_: Any, odd: tuple[Violation, ...] = ()) -> tuple[Violation, ...]:
    """All that is wrong with a document, once for each place that has an odd text."""
    from chidev.app.faults import MOST, faults

    told = {violation.field for violation in odd}
    found = [*odd, *(fault for fault in faults(document, type_) if fault.field not in told), *_empty_whole(document)]
    return tuple(found[:MOST])


def _as_msgspec_says(error: msgspec.ValidationError) -> Violation:
    """The one fault that msgspec tells; for a refusal that the walk does not know (no test has found one)."""
    text, _, path = str(error).partition(" - at `$")
    return rules.INVALID.broken(field=path.strip("`.") or None, detail=text[:1].lower() + text[1:])


def _empty_whole(document: dict[str, Any]) -> Iterator[Violation]:
    """An operation whose fields are right and that asks for nothing. Source: "Change sets" and view."""
    if document["op"] == "change_set":
        if all(document.get(side, []) == [] for side in ("puts", "retires")):
            yield rules.INVALID.broken(field="puts", detail="a change set puts or retires one thing at least")
    elif document["op"] == "view" and document.get("sections") == []:
        yield rules.VIEW_SECTIONS_EMPTY.broken(field="sections", name="sections")


# JSON. The json module and not msgspec: a key given twice, the place of an error, half a surrogate pair.


def _decoded(raw: bytes) -> Any:
    """The document of a line.

    Raises:
        _UnreadableError: not UTF-8, not JSON, a key twice in an object, a number that is none or too large, too deep.
    """
    if raw.startswith(_BYTE_ORDER_MARK):
        raise _UnreadableError("the line begins with a byte order mark")
    try:
        return _DECODER.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _UnreadableError(
            f"the line is not UTF-8: byte 0x{raw[error.start]:02x} at offset {error.start}"
        ) from None
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise _UnreadableError(f"the line is not JSON: {what} at character {error.pos + 1}") from None
    except RecursionError:
        raise _UnreadableError("the line is nested too deep") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        from chidev.app.faults import printable

        times = Counter(key for key, _ in pairs)
        twice = next(key for key, count in times.items() if count > 1)
        raise _UnreadableError(f"the key `{printable(twice)}` is given twice in one object")
    return made


def _whole_number(digits: str) -> int:
    # Python reads any number of digits up to a limit, and then raises; nothing here counts past 64 bits.
    if len(digits) < 19 or (len(digits) <= 20 and -(2**63) <= int(digits) < 2**63):
        return int(digits)
    raise _UnreadableError(f"the number {digits[:20]}{'...' if len(digits) > 20 else ''} does not fit into 64 bits")


def _decimal_number(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _UnreadableError(f"the number {text[:20]} is too large")
    return value


def _constant(word: str) -> float:
    raise _UnreadableError(f"{word} is no number of JSON")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_whole_number, parse_float=_decimal_number, parse_constant=_constant
)


def _may_be_odd(raw: bytes) -> bool:
    return _NUL in raw or any(half in raw for half in _HALVES)


def _odd_texts(document: dict[str, Any]) -> Iterator[Violation]:
    """The texts and keys that hold U+0000 or half a surrogate pair; by a stack, since a document may be deep."""
    from chidev.app.faults import MOST, Place

    found = 0
    stack: list[tuple[Any, Place]] = [(document, Place())]
    while stack and found < MOST:
        value, place = stack.pop()
        if isinstance(value, dict):
            stack.extend((item, place.of(key)) for key, item in reversed(value.items()))
            stack.extend((key, place.of(key)) for key in reversed(value))
        elif isinstance(value, list):
            stack.extend((item, place.at(index)) for index, item in reversed(list(enumerate(value))))
        elif isinstance(value, str) and (what := _oddity(value)):
            found += 1
            yield rules.INVALID.broken(field=place.path or None, detail=f"{place} holds {what}")


def _oddity(text: str) -> str:
    if "\0" in text:
        return "the character U+0000"
    return "" if text.isascii() or _is_utf8(text) else "half of a surrogate pair"


def _is_utf8(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
