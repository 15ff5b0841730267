"""What a put makes of an Interface, and how Items are paired with what a provider finds.

Source: specification, "Operations" (interface_put, items_rekey).
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.interface import (
    Interface,
    ItemPlace,
    _pairs,
    put_interface,
    rekey,
    violations_of_put,
    violations_of_renames,
)
from tests.domain.given import CONTEXT, ids, item, sources

NEW_ID = ids()
KEYS = st.sampled_from(["a", "b", "c", "A::b"])
SPANS = st.tuples(st.integers(1, 9), st.integers(0, 3)).map(lambda pair: (pair[0], pair[0] + pair[1]))
SOURCE = "def a(): ...\ndef b(): ...\n\ndef c(\n    x,  \n): ...\n"


def put(old: Interface | None, source: str, *places: ItemPlace) -> Interface:
    return put_interface(old, CONTEXT, "price", source, places, NEW_ID)


def told(old: Interface | None, source: str, *places: ItemPlace) -> set[tuple[str, str | None, str]]:
    """Rule, field and key of each problem."""
    found = violations_of_put("pricing", "price", old, source, places, "")
    return {(v.rule.id, v.field, str(v.values.get("key", v.values.get("name")))) for v in found}


@st.composite
def puts(draw: st.DrawFn) -> tuple[str, list[ItemPlace]]:
    """A source, and Items of its lines that hold something."""
    source = "x\n" + draw(sources())
    lines = source.split("\n")
    count = len(lines) - (lines[-1] == "")
    keys = draw(st.lists(KEYS, unique=True))
    return source, [ItemPlace(key, 1, draw(st.integers(1, count))) for key in keys]


THREE = put(None, SOURCE, item("a"), item("b", 2), item("c", 4, 6))


# Signatures.


@pytest.mark.cites("lines#C2", "source::lines_of")
def test_the_signature_is_the_text_of_the_lines_without_white_space_at_their_ends() -> None:
    assert [i.signature for i in THREE.items] == ["def a(): ...", "def b(): ...", "def c(\n    x,\n): ..."]


@pytest.mark.cites("lines#C2", "source::lines_of")
def test_white_space_at_the_end_of_a_line_moves_the_interface_and_no_item() -> None:
    made = put(THREE, SOURCE.replace("    x,  \n", "    x,\t\n"), *(item(i.key, i.first, i.last) for i in THREE.items))

    assert made.revision == 2
    assert [i.revision for i in made.items] == [1, 1, 1]


def test_white_space_at_the_beginning_of_a_line_is_part_of_a_signature() -> None:
    made = put(THREE, SOURCE.replace("    x,", "  x,"), *(item(i.key, i.first, i.last) for i in THREE.items))

    assert [i.revision for i in made.items] == [1, 1, 2]


def test_a_declaration_that_moves_to_other_lines_is_no_other_declaration() -> None:
    made = put(THREE, "# one more line\n" + SOURCE, item("a", 2), item("b", 3), item("c", 5, 7))

    assert [i.revision for i in made.items] == [1, 1, 1]
    assert made.revision == 2


def test_other_lines_of_the_same_code_with_the_same_text_move_nothing() -> None:
    old = put(None, "a\na\n", item("a", 1))

    made = put(old, "a\na\n", item("a", 2))

    assert (made.revision, made.items[0].revision, made.items[0].first) == (1, 1, 2)


# Keys.


def test_a_new_key_alone_moves_nothing() -> None:
    made = put(THREE, SOURCE, item("A::a", 1, replaces="a"), item("b", 2), item("c", 4, 6))

    assert (made.revision, made.items[0].id, made.items[0].key) == (1, THREE.items[0].id, "A::a")


def test_a_key_may_be_taken_over_from_an_item_that_goes() -> None:
    places = [item("b", 1, replaces="a"), item("c", 4, 6)]

    assert told(THREE, SOURCE, *places) == set()
    assert [i.id for i in put(THREE, SOURCE, *places).items] == [THREE.items[0].id, THREE.items[2].id]


@given(puts())
def test_a_put_twice_the_same_moves_nothing(given_: tuple[str, list[ItemPlace]]) -> None:
    source, places = given_
    once = put(None, source, *places)

    assert told(once, source, *places) == set()
    assert put(once, source, *places) == once


@given(puts(), puts())
def test_a_put_moves_each_revision_by_one_at_most_and_keeps_ids_by_key(
    first: tuple[str, list[ItemPlace]], second: tuple[str, list[ItemPlace]]
) -> None:
    old = put(None, first[0], *first[1])

    new = put(old, second[0], *second[1])

    was = {i.key: i for i in old.items}
    assert new.revision - old.revision in {0, 1}
    for now in new.items:
        before = was.get(now.key)
        assert (before is not None and now.id == before.id) or now.id not in {i.id for i in old.items}
        assert before is None or now.revision - before.revision == (now.signature != before.signature)


# What is refused.


@pytest.mark.cites("source::has_lines")
def test_lines_that_are_not_there_and_lines_that_hold_nothing_are_told() -> None:
    places = [item("a", 7), item("b", 3), item("c", 5, 4), item("d", 1, 7), item("e", 6)]

    assert told(THREE, SOURCE, *places) == {
        ("interface.lines-outside", "items[0].lines", "a"),
        ("interface.blank-item", "items[1].lines", "b"),
        ("interface.lines-outside", "items[2].lines", "c"),
        ("interface.lines-outside", "items[3].lines", "d"),
    }


@pytest.mark.cites("lines#C1", "source::split_lines")
@pytest.mark.parametrize(("source", "count"), [("", 0), ("\n", 1), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("a\r\nb", 2)])
def test_a_line_feed_at_the_end_begins_no_line(source: str, count: int) -> None:
    (found,) = violations_of_put("pricing", "price", None, source, [item("a", count + 1)], "")

    assert found.values["count"] == count


@pytest.mark.cites("lines#C1", "source::split_lines")
def test_lines_are_ended_by_line_feeds_alone() -> None:
    assert told(None, "a\rb\x0cc\u2028d", item("a", 2)) == {("interface.lines-outside", "items[0].lines", "a")}


def test_keys_that_are_replaced_and_kept_or_replaced_twice_or_given_twice_are_told() -> None:
    places = [item("x", replaces="a"), item("y", replaces="a"), item("b"), item("z", replaces="b"), item("b", 2)]

    assert told(THREE, SOURCE, *places) == {
        ("input.rename-conflict", "items", "a"),
        ("input.replaces-kept", "items", "b"),
        ("interface.key-taken", "items", "b"),
    }


def test_a_key_that_is_replaced_and_was_not_there_is_unknown() -> None:
    (found,) = violations_of_put("pricing", "price", THREE, SOURCE, [item("x", replaces="q")], "puts[3].")

    assert (found.rule.id, found.field) == ("input.unknown-name", "puts[3].items[0].replaces")
    assert found.did_you_mean == ("a", "b", "c")


def renames(found: Sequence[str], *pairs: tuple[str, str]) -> set[tuple[str, str | None]]:
    return {(v.rule.id, v.field) for v in violations_of_renames("pricing", "price", THREE, found, pairs, "")}


def test_renames_are_of_keys_there_were_to_keys_that_are_found() -> None:
    assert renames(["x", "b", "c"], ("a", "x")) == set()
    assert renames(["x"], ("q", "x")) == {("input.rename-unknown", "renames[0].from")}
    assert renames(["x"], ("a", "q")) == {("input.rename-unknown", "renames[0].to")}
    assert renames(["x", "a"], ("a", "x")) == {("input.replaces-kept", "renames[0].from")}


def test_a_key_is_renamed_once_and_to_one() -> None:
    assert renames(["x", "y"], ("a", "x"), ("a", "y")) == {("input.rename-conflict", "renames[0].from")}
    assert renames(["x", "y"], ("a", "x"), ("b", "x")) == {("input.rename-conflict", "renames[0].to")}


def test_every_problem_of_the_renames_is_told() -> None:
    assert renames(["x", "c"], ("q", "x"), ("a", "z"), ("c", "x")) == {
        ("input.rename-unknown", "renames[0].from"),
        ("input.rename-unknown", "renames[1].to"),
        ("input.replaces-kept", "renames[2].from"),
        ("input.rename-conflict", "renames[0].to"),
    }


# Pairing.


def slow_pairs(items: Sequence[tuple[int, int]], places: Sequence[tuple[int, int]]) -> dict[int, int]:
    """As the specification says it: their lines overlap, and each overlaps no other on the other side."""

    def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return one[0] <= other[1] and other[0] <= one[1]

    return {
        k: n
        for k, held in enumerate(items)
        for n, found in enumerate(places)
        if overlap(held, found)
        and sum(overlap(held, other) for other in places) == 1
        and sum(overlap(other, found) for other in items) == 1
    }


@given(st.lists(SPANS, max_size=6), st.lists(SPANS, max_size=6))
def test_pairs_are_those_that_overlap_one_another_and_no_other(
    items: list[tuple[int, int]], places: list[tuple[int, int]]
) -> None:
    assert _pairs(items, places) == slow_pairs(items, places)


@given(st.lists(SPANS, max_size=6), st.lists(SPANS, max_size=6))
def test_pairing_is_the_same_from_both_sides(items: list[tuple[int, int]], places: list[tuple[int, int]]) -> None:
    assert {n: k for k, n in _pairs(items, places).items()} == _pairs(places, items)


def test_a_paired_item_takes_key_and_lines_and_keeps_its_id() -> None:
    result = rekey(THREE, [item("pkg.a", 1), item("pkg.b", 2), item("pkg.c", 4, 6)])

    assert [i.key for i in result.interface.items] == ["pkg.a", "pkg.b", "pkg.c"]
    assert [i.id for i in result.interface.items] == [i.id for i in THREE.items]
    assert (result.unmatched, result.interface.revision) == ((), 1)


def test_an_item_whose_lines_declare_something_else_moves() -> None:
    result = rekey(THREE, [item("a", 1), item("b", 2), item("c", 4)])

    assert [i.revision for i in result.interface.items] == [1, 1, 2]
    assert result.interface.revision == 2
    assert result.interface.items[2].signature == "def c("


@pytest.mark.parametrize(
    "found",
    [[], [item("x", 3)], [item("x", 1, 2)], [item("x", 1), item("y", 1)]],
    ids=["nothing", "elsewhere", "one-over-two", "two-on-one"],
)
def test_an_item_that_is_not_paired_stays_as_it_is(found: list[ItemPlace]) -> None:
    result = rekey(THREE, found)

    assert result.interface == THREE
    assert result.unmatched == ("a", "b", "c")


def test_two_items_on_one_line_are_not_paired() -> None:
    old = put(None, "a; b\n", item("a"), item("b"))

    assert rekey(old, [item("x")]).unmatched == ("a", "b")


@given(puts())
def test_what_a_provider_says_twice_moves_nothing_the_second_time(given_: tuple[str, list[ItemPlace]]) -> None:
    source, places = given_
    apart = [ItemPlace(f"{n}", n, n) for n in range(1, source.count("\n") + 1)]
    once = rekey(put(None, source, *places), apart).interface

    assert rekey(once, apart).interface == once
