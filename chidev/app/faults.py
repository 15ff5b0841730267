"""Every fault of a document that is not of its type, each with its path.

msgspec tells the first fault only, as a sentence. A line that it refuses is walked here a second time, against the
same types, and what is wrong is told as violations of the `input.*` rules.

Source: specification, "Diagnostics" and "Operations" (names); open-points 8 and 10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import msgspec
from msgspec import inspect

from chidev.app import inputs
from chidev.app.close_names import close_names
from chidev.domain.rule import Violation
from chidev.domain.rules import input as rules

MOST = 50  # violations told of one document
LONGEST_VALUE = 60  # characters of a value that a detail repeats
LONGEST_NAME = 200  # characters of a name that is not known

_NAME_PATTERN = msgspec.json.schema(inputs.Name)["pattern"]
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9_-]")
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_KIND_OF_FIELD = {
    "context": "Context",
    "contexts": "Context",
    "uses": "Context",
    "contract": "Contract",
    "interface": "Interface",
    "harness": "Harness",
}
_KIND_OF_NAME = (
    (inputs.ContextFields, "Context"),
    (inputs.ContractFields, "Contract"),
    (inputs.InterfaceFields, "Interface"),
    (inputs.HarnessFields, "Harness"),
)
_RENAMED = {"put": "edit"}  # words of earlier versions of the protocol
# The Python types that the json module makes of what a type takes, and what to call it. A bool is no number, and 1.0
# no whole one, for msgspec either.
_TAKEN: dict[type, tuple[set[type], str]] = {
    inspect.StructType: ({dict}, "an object"),
    inspect.DictType: ({dict}, "an object"),
    inspect.ListType: ({list}, "a list"),
    inspect.VarTupleType: ({list}, "a list"),
    inspect.TupleType: ({list}, "a list"),
    inspect.StrType: ({str}, "a text"),
    inspect.BoolType: ({bool}, "true or false"),
    inspect.IntType: ({int}, "a whole number"),
    inspect.FloatType: ({int, float}, "a number"),
    inspect.NoneType: ({type(None)}, "null"),
}
_JSON_KIND: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a decimal number",
    type(None): "null",
}


class Place(NamedTuple):
    """Where a value is: its path (`puts[0].uses[1]`), the field it is in and the struct that has the field."""

    path: str = ""
    field: str = ""
    owner: type | None = None

    def of(self, key: str, owner: type | None = None) -> Place:
        """The value of a key. A key that is no plain word is written as JSON: `clauses[0]["a b"]`."""
        if not _PLAIN_KEY.fullmatch(key):
            return Place(f"{self.path}[{json.dumps(key[:LONGEST_VALUE])}]", key, owner)
        return Place(f"{self.path}.{key}" if self.path else key, key, owner)

    def at(self, index: int) -> Place:
        """An element of a list, from 0."""
        return Place(f"{self.path}[{index}]", self.field, self.owner)

    def __str__(self) -> str:
        return f"`{self.path}`" if self.path else "the line"


def faults(document: object, type_: Any) -> list[Violation]:
    """What is wrong with a document of JSON that is to be a `type_`: none when nothing is, and at most `MOST`.

    Args:
        document: what the json module makes: dict, list, str, int, float, bool and None.
        type_: a type that msgspec converts to; an object of it that is open may have any other field.

    Each violation has its path as `field`, such as `clauses[0].label`; None is the document itself.
    """
    return list(islice(_walk(document, _inspected(type_), Place()), MOST))


def printable(text: str, longest: int = LONGEST_VALUE) -> str:
    """The beginning of a text with each character that cannot be seen written as an escape."""
    shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[:longest])
    return shown + "..." if len(text) > longest else shown


def kept(name: str) -> str:
    """A name as the `values` of a violation have it: not longer than a line can bear, and sure to be UTF-8."""
    short = name if len(name) <= LONGEST_NAME else name[:LONGEST_NAME] + "..."
    return short.encode("utf-8", "backslashreplace").decode()


def json_kind(value: object) -> str:
    """What a value that the json module made is, in the words of a detail."""
    return ("true" if value else "false") if isinstance(value, bool) else _JSON_KIND[type(value)]


@cache
def _inspected(type_: Any) -> inspect.Type:
    return inspect.type_info(type_)


def _walk(value: Any, type_: inspect.Type, place: Place, meaning: str = "") -> Iterator[Violation]:
    """The faults of one value. `meaning` says in words what the type takes."""
    if isinstance(type_, inspect.Metadata):
        yield from _walk(value, type_.type, place, (type_.extra_json_schema or {}).get("description", meaning))
    elif isinstance(type_, inspect.UnionType):
        yield from _in_union(value, type_, place, meaning)
    elif not _takes(type_, value):
        yield _wrong(value, _expected(type_), place)
    elif look_inside := _INSIDE.get(type(type_)):
        yield from look_inside(value, type_, place, meaning)


def _in_object(value: dict[str, Any], type_: inspect.StructType, place: Place, _: str = "") -> Iterator[Violation]:
    """Faults in the order of the document, then the fields that are missing in the order of the type."""
    fields = {field.encode_name: field for field in type_.fields}
    for key, item in value.items():
        if key in fields:
            yield from _walk(item, fields[key].type, place.of(key, type_.cls))
        elif now := type_.cls.__dict__.get("renamed", {}).get(key):
            yield rules.RENAMED_FIELD.broken(field=place.of(key).path, did_you_mean=(now,), name=key, now=now)
        elif type_.forbid_unknown_fields and key != type_.tag_field:
            known = (*fields, *((type_.tag_field,) if type_.tag_field else ()))
            yield rules.UNKNOWN_FIELD.broken(
                field=place.of(key).path, did_you_mean=close_names(key, known), name=kept(key)
            )
    for name, field in fields.items():
        if field.required and name not in value:
            yield rules.MISSING_FIELD.broken(field=place.of(name).path, name=name)


def _in_union(value: Any, type_: inspect.UnionType, place: Place, meaning: str) -> Iterator[Violation]:
    """The faults against the one member that takes such a value, or against the first when none of several fits."""
    members = [member for member in type_.types if _takes(member, value)]
    structs = [member for member in members if isinstance(member, inspect.StructType)]
    if not members:
        yield _wrong(value, _expected(type_), place)
    elif structs and structs[0].tag_field is not None:
        yield from _by_tag(value, structs[0].tag_field, structs, place)
    elif len(members) == 1:
        yield from _walk(value, members[0], place, meaning)
    else:
        tried = [list(islice(_walk(value, member, place, meaning), MOST)) for member in members]
        yield from min(tried, key=len)


def _by_tag(
    value: dict[str, Any], tag_field: str, structs: list[inspect.StructType], place: Place
) -> Iterator[Violation]:
    """The faults against the struct that the object's tag names (`put` of an entry of `puts`)."""
    tag, by_tag = value.get(tag_field), {str(struct.tag): struct for struct in structs}
    there = place.of(tag_field)
    if tag_field not in value:
        yield rules.MISSING_FIELD.broken(field=there.path, name=tag_field)
    elif not isinstance(tag, str):
        yield _wrong(tag, "a text", there)
    elif tag not in by_tag:
        yield _no_such_word(tag, by_tag, there)
    else:
        yield from _in_object(value, by_tag[tag], place)


def _in_map(value: dict[str, Any], type_: inspect.DictType, place: Place, _: str) -> Iterator[Violation]:
    for key, item in value.items():
        yield from _walk(item, type_.value_type, place.of(key))


def _in_tuple(value: list[Any], type_: inspect.TupleType, place: Place, _: str) -> Iterator[Violation]:
    if len(value) != len(type_.item_types):
        yield _invalid(f"{place} has {len(value)} values, expected {len(type_.item_types)}", place)
        return
    for index, (item, item_type) in enumerate(zip(value, type_.item_types, strict=True)):
        yield from _walk(item, item_type, place.at(index))


def _in_list(
    value: list[Any], type_: inspect.ListType | inspect.VarTupleType, place: Place, _: str
) -> Iterator[Violation]:
    if type_.min_length is not None and len(value) < type_.min_length:
        yield _invalid(f"{place} has {len(value)} values, expected {type_.min_length} at least", place)
    if type_.max_length is not None and len(value) > type_.max_length:
        yield _invalid(f"{place} has {len(value)} values, expected {type_.max_length} at most", place)
    for index, item in enumerate(value):
        yield from _walk(item, type_.item_type, place.at(index))


def _in_text(value: str, type_: inspect.StrType, place: Place, meaning: str) -> Iterator[Violation]:
    if type_.pattern is not None and type_.pattern == _NAME_PATTERN:
        yield from _in_name(value, place)
    elif type_.pattern is not None and not re.search(type_.pattern, value):
        shown = f"`{printable(value)}`" if value else "empty"
        yield _invalid(f"{place} is {shown}, expected {meaning or f'a text of the form {type_.pattern}'}", place)
    elif len(value) < (type_.min_length or 0) or (type_.max_length is not None and len(value) > type_.max_length):
        yield _invalid(f"{place} has {len(value)} characters, expected {meaning or 'a text of another length'}", place)


def _in_name(value: str, place: Place) -> Iterator[Violation]:
    """Says which kind of name it was and the first character that is not allowed. Source: "Operations"."""
    kind = _KIND_OF_FIELD.get(place.field, "")
    if place.field == "name" and place.owner is not None:
        kind = next((word for fields, word in _KIND_OF_NAME if issubclass(place.owner, fields)), "")
    what = f"the {kind} name" if kind else "the name"
    bad = _NOT_IN_A_NAME.search(value)
    if not value:
        yield _invalid(f"{what} in {place} is empty", place)
    elif bad:
        code = "" if bad[0].isascii() else f" (U+{ord(bad[0]):04X})"
        detail = f"{what} `{printable(value)}` has the character {bad[0]!r}{code}; only a-z, 0-9, - and _ are allowed"
        yield _invalid(detail, place)


def _in_range(
    value: float, type_: inspect.IntType | inspect.FloatType, place: Place, meaning: str
) -> Iterator[Violation]:
    if not (
        (type_.ge is None or value >= type_.ge)
        and (type_.gt is None or value > type_.gt)
        and (type_.le is None or value <= type_.le)
        and (type_.lt is None or value < type_.lt)
        and (type_.multiple_of is None or value % type_.multiple_of == 0)
    ):
        yield _invalid(f"{place} is {value}, expected {meaning or 'another number'}", place)


def _in_words(value: Any, type_: inspect.LiteralType | inspect.EnumType, place: Place, _: str) -> Iterator[Violation]:
    words = _words(type_)
    if value in words:
        return
    if isinstance(value, str):
        yield _no_such_word(value, words, place)
    else:
        yield _invalid(f"{place} is {_word(value)}, expected {' or '.join(map(_word, words))}", place)


def _no_such_word(value: str, words: Iterable[str], place: Place) -> Violation:
    known = list(words)
    expected = ", ".join(f"`{word}`" for word in known)
    shown = f"`{printable(value)}`" if value else "empty"
    detail = f"{place} is {shown}, expected {'one of ' if len(known) > 1 else ''}{expected}"
    now = _RENAMED.get(value)
    close = (now,) if now in known else close_names(value, known)
    return rules.INVALID.broken(field=place.path or None, did_you_mean=close, detail=detail)


_INSIDE: dict[type, Callable[[Any, Any, Place, str], Iterator[Violation]]] = {
    inspect.StructType: _in_object,
    inspect.DictType: _in_map,
    inspect.ListType: _in_list,
    inspect.VarTupleType: _in_list,
    inspect.TupleType: _in_tuple,
    inspect.StrType: _in_text,
    inspect.IntType: _in_range,
    inspect.FloatType: _in_range,
    inspect.LiteralType: _in_words,
    inspect.EnumType: _in_words,
}


def _takes(type_: inspect.Type, value: Any) -> bool:
    """Whether a type takes values of the JSON type of this one at all."""
    if isinstance(type_, inspect.Metadata):
        return _takes(type_.type, value)
    if isinstance(type_, inspect.UnionType):
        return any(_takes(member, value) for member in type_.types)
    if isinstance(type_, inspect.LiteralType | inspect.EnumType):
        return type(value) in {type(word) for word in _words(type_)}
    return type(type_) not in _TAKEN or type(value) in _TAKEN[type(type_)][0]


def _expected(type_: inspect.Type) -> str:
    if isinstance(type_, inspect.Metadata):
        return _expected(type_.type)
    if isinstance(type_, inspect.UnionType):
        return " or ".join(dict.fromkeys(_expected(member) for member in type_.types))
    if isinstance(type_, inspect.LiteralType | inspect.EnumType):
        return " or ".join(dict.fromkeys(json_kind(word) for word in _words(type_)))
    return _TAKEN[type(type_)][1] if type(type_) in _TAKEN else "another value"


def _words(type_: inspect.LiteralType | inspect.EnumType) -> list[Any]:
    if isinstance(type_, inspect.EnumType):
        return [member.value for member in type_.cls]
    return list(type_.values)


def _word(value: Any) -> str:
    return json_kind(value) if value is None or isinstance(value, bool) else f"`{value}`"


def _wrong(value: Any, expected: str, place: Place) -> Violation:
    where = f" for {place}" if place.path else ""
    detail = f"expected {expected}{where}, got {json_kind(value)}"
    return rules.WRONG_TYPE.broken(field=place.path or None, detail=detail)


def _invalid(detail: str, place: Place) -> Violation:
    return rules.INVALID.broken(field=place.path or None, detail=detail)
