"""Documents of JSON for the tests of reading: right ones of every operation, and what a person may make of them."""

from __future__ import annotations

import json
import re
import types
import typing
from typing import Any

import msgspec
from hypothesis import strategies as st

from chidev.app.protocol import operations
from chidev.domain.rule import Violation

# What a text may be: of each type those that its pattern lets through.
SAMPLES = [
    "a",
    "pricing",
    "a_b-9",
    "C1",
    "C12",
    "P1",
    "0198aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
    "cite.stale",
    "cite.",
    "Cart.total",
    "0f" * 32,
    "Preis €",
    "a\n b.",
    "",
    " ",
]
TEXTS = st.text(alphabet="ab \n\té\u2028\U0001f600", max_size=6)

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "a", "A b", "C1", "tests", "price", "a\n", "contract", "ä", "\u200b"]),
)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["", "name", "a b"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def right(type_: Any) -> st.SearchStrategy[Any]:
    """Documents that are of a type: an operation, or anything that is in one."""
    simple = {str: TEXTS, int: st.integers(0, 99), bool: st.booleans(), type(None): st.none(), Any: ANY_JSON}
    if type_ in simple:
        return simple[type_]
    parts = typing.get_args(type_)
    match typing.get_origin(type_):
        case typing.Annotated:
            return _right_text_or_number(type_.__origin__, type_.__metadata__[0])
        case typing.Literal:
            return st.sampled_from(parts)
        case origin if origin in {list, tuple}:
            return st.lists(right(parts[0]), max_size=3) if origin is list else st.tuples(*map(right, parts)).map(list)
        case typing.Union | types.UnionType:
            return st.one_of(*(right(part) for part in parts if part is not msgspec.UnsetType))
    return _right_object(type_)


def _right_text_or_number(type_: Any, meta: msgspec.Meta) -> st.SearchStrategy[Any]:
    if type_ is int:
        return st.integers(int(meta.ge or 0), 2**63 - 1 if meta.le is None else int(meta.le))
    if type_ is str and meta.pattern:
        return st.sampled_from([text for text in SAMPLES if re.search(meta.pattern, text)])
    return right(type_)


def _right_object(struct: type[msgspec.Struct]) -> st.SearchStrategy[dict[str, Any]]:
    fields = msgspec.structs.fields(struct)
    needed = {field.encode_name: right(field.type) for field in fields if field.required}
    if struct.__struct_config__.tag_field:
        needed[struct.__struct_config__.tag_field] = st.just(struct.__struct_config__.tag)
    other = {field.encode_name: right(field.type) for field in fields if not field.required}
    return st.fixed_dictionaries(needed, optional=other)


OPERATIONS = st.one_of(*(right(type_) for type_ in operations().values()))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a document: the object or list that has it and its key or index."""
    found: list[tuple[Any, Any]] = []
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inside:
        found.append((value, key))
        found += places(item)
    return found


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, Any]:
    """An operation with up to three places taken out, changed or added; its `op` stays as it is."""
    document: dict[str, Any] = json.loads(json.dumps(draw(OPERATIONS)))
    for _ in range(draw(st.integers(0, 3))):
        where, key = draw(st.sampled_from(places(document)))
        if where is document and key == "op":
            where[draw(st.sampled_from(["name", "contexts", "Op", "", "é\u0301", "a.b"]))] = draw(ANY_JSON)
        elif draw(st.booleans()):
            where[key] = draw(ANY_JSON)
        else:
            del where[key]
    return document


def told(violations: tuple[Violation, ...] | list[Violation]) -> list[tuple[str, str | None]]:
    """The rule and the field of each violation."""
    return [(violation.rule.id, violation.field) for violation in violations]


def message(violation: Violation) -> str:
    return violation.rule.message.format(**violation.values)
