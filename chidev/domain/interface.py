"""Interfaces and their Items: what a put makes of them, and what it refuses.

Source: specification, "Operations" (interface_put, items_rekey).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Violation
from chidev.domain.rules.input import RENAME_CONFLICT, RENAME_UNKNOWN, REPLACES_KEPT, UNKNOWN_NAME
from chidev.domain.rules.interface import BLANK_ITEM, KEY_TAKEN, LINES_OUTSIDE
from chidev.domain.source import has_lines, lines_of, split_lines
from chidev.domain.subject import context_subject, interface_subject, item_subject


class Item(msgspec.Struct, frozen=True):
    """One declaration. Its id is its identity, the key its name; its revision counts changes of the signature.

    `first` and `last` are its lines in the source, from 1; `signature` is their text.
    """

    id: Id
    key: str
    first: int
    last: int
    revision: int
    signature: str

    @property
    def name(self) -> str:
        return self.key


class Interface(msgspec.Struct, frozen=True):
    """An Interface with its code and its Items in order."""

    id: Id
    context: Id
    name: str
    revision: int
    source: str
    items: tuple[Item, ...]

    @property
    def parts(self) -> tuple[Item, ...]:
        return self.items


class ItemPlace(msgspec.Struct, frozen=True):
    """An Item as a put or a provider gives it; `replaces` is the key it had."""

    key: str
    first: int
    last: int
    replaces: str | None = None


def put_interface(
    old: Interface | None, context: Id, name: str, source: str, places: Sequence[ItemPlace], new_id: NewId
) -> Interface:
    """The Interface that a put makes; `violations_of_put` has found nothing against it.

    Its revision moves when its code, a signature, or which Items it has in which order changes; not for a key alone.
    """
    lines = split_lines(source)
    had = {item.key: item for item in old.items} if old else {}
    items = tuple(_item(had.get(place.replaces or place.key), place, lines, new_id) for place in places)
    if old is None:
        return Interface(new_id(), context, name, 1, source, items)
    moved = source != old.source or [(i.id, i.revision) for i in items] != [(i.id, i.revision) for i in old.items]
    return Interface(old.id, context, old.name, old.revision + moved, source, items)


def _item(old: Item | None, place: ItemPlace, lines: Sequence[str], new_id: NewId) -> Item:
    signature = lines_of(lines, place.first, place.last)
    if old is None:
        return Item(new_id(), place.key, place.first, place.last, 1, signature)
    revision = old.revision + (old.signature != signature)
    return Item(old.id, place.key, place.first, place.last, revision, signature)


def violations_of_put(
    context: str, name: str, old: Interface | None, source: str, places: Sequence[ItemPlace], at: str
) -> Iterator[Violation]:
    """Every problem of the Items of one put that can be seen without the rest of the model."""
    subjects = (context_subject(context), interface_subject(context, name))
    had = tuple(item.key for item in old.items) if old else ()
    keys = Counter(place.key for place in places)
    replaced = Counter(place.replaces for place in places if place.replaces)
    for n, place in enumerate(places):
        if place.replaces and place.replaces not in had:
            yield UNKNOWN_NAME.broken(
                interface_subject(context, name),
                field=f"{at}items[{n}].replaces",
                did_you_mean=had,
                kind="item",
                name=place.replaces,
                field_="replaces",
            )
    for key in replaced:
        if key in keys:
            yield REPLACES_KEPT.broken(*subjects, field=f"{at}items", key=key)
    for key, times in replaced.items():
        if times > 1:
            yield RENAME_CONFLICT.broken(*subjects, field=f"{at}items", key=key, side="replaces")
    yield from keys_taken(context, name, keys, at)
    yield from _violations_of_lines(context, name, split_lines(source), places, at)


def keys_taken(context: str, name: str, keys: Mapping[str, int], at: str) -> Iterator[Violation]:
    """`interface.key-taken` for each key that more than one Item has; `keys` counts them."""
    for key, times in keys.items():
        if times > 1:
            yield KEY_TAKEN.broken(
                interface_subject(context, name),
                item_subject(context, name, key),
                field=f"{at}items",
                key=key,
                count=times,
            )


def _violations_of_lines(
    context: str, name: str, lines: Sequence[str], places: Sequence[ItemPlace], at: str
) -> Iterator[Violation]:
    for n, place in enumerate(places):
        subjects = (interface_subject(context, name), item_subject(context, name, place.key))
        facts: dict[str, Any] = {"first": place.first, "last": place.last, "key": place.key}
        if not has_lines(lines, place.first, place.last):
            yield LINES_OUTSIDE.broken(*subjects, field=f"{at}items[{n}].lines", count=len(lines), **facts)
        elif not lines_of(lines, place.first, place.last).strip():
            yield BLANK_ITEM.broken(*subjects, field=f"{at}items[{n}].lines", **facts)


def violations_of_renames(
    context: str, name: str, old: Interface | None, found: Sequence[str], renames: Sequence[tuple[str, str]], at: str
) -> Iterator[Violation]:
    """Every problem of `renames`, given beside the keys that a provider found.

    Args:
        renames: pairs of the key an Item had and the key it has now.
    """
    subjects = (context_subject(context), interface_subject(context, name))
    had = {item.key for item in old.items} if old else set()
    for side, known in (("from", had), ("to", set(found))):
        keys = [pair[side == "to"] for pair in renames]
        for key, times in Counter(keys).items():
            place = f"{at}renames[{keys.index(key)}].{side}"
            if times > 1:
                yield RENAME_CONFLICT.broken(*subjects, field=place, key=key, side=side)
            elif key not in known:
                yield RENAME_UNKNOWN.broken(
                    *subjects, field=place, did_you_mean=tuple(sorted(known)[:10]), key=key, field_=side
                )
            elif side == "from" and key in found:
                yield REPLACES_KEPT.broken(*subjects, field=place, key=key)


class Rekeyed(msgspec.Struct, frozen=True):
    """What `items_rekey` did: the Interface after it, and the keys of the Items no declaration was paired with."""

    interface: Interface
    unmatched: tuple[str, ...]


def rekey(old: Interface, found: Sequence[ItemPlace]) -> Rekeyed:
    """Pair Items and declarations whose lines overlap, each no other on the other side. Source: items_rekey.

    The result may hold a key twice; `keys_taken` tells.
    """
    lines = split_lines(old.source)
    pairs = _pairs([(i.first, i.last) for i in old.items], [(p.first, p.last) for p in found])
    items = tuple(_rekeyed(item, found[pairs[n]], lines) if n in pairs else item for n, item in enumerate(old.items))
    moved = any(new.revision != item.revision for new, item in zip(items, old.items, strict=True))
    unmatched = tuple(item.key for n, item in enumerate(old.items) if n not in pairs)
    after = Interface(old.id, old.context, old.name, old.revision + moved, old.source, items)
    return Rekeyed(after, unmatched)


def _rekeyed(item: Item, place: ItemPlace, lines: Sequence[str]) -> Item:
    signature = lines_of(lines, place.first, place.last)
    revision = item.revision + (signature != item.signature)
    return Item(item.id, place.key, place.first, place.last, revision, signature)


def _pairs(items: Sequence[tuple[int, int]], places: Sequence[tuple[int, int]]) -> dict[int, int]:
    """Item by place, for those that overlap one another and no other. Sweeps by line, so it is linear in overlaps."""
    by_line: dict[int, list[int]] = {}
    for n, (first, last) in enumerate(places):
        for line in range(first, last + 1):
            by_line.setdefault(line, []).append(n)
    of_item = [{n for line in range(first, last + 1) for n in by_line.get(line, ())} for first, last in items]
    of_place = Counter(n for overlapping in of_item for n in overlapping)
    pairs = {}
    for k, overlapping in enumerate(of_item):
        if len(overlapping) == 1:
            (n,) = overlapping
            if of_place[n] == 1:
                pairs[k] = n
    return pairs
