"""How Contexts that use one another in a circle are found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.identity import Id
from chidev.domain.project import circle_of_uses

NAMES = [Id(name) for name in "abcde"]
GRAPHS = st.dictionaries(st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), unique=True).map(tuple))


def circle(start: str, **uses: str) -> str:
    return "".join(circle_of_uses(Id(start), {Id(name): tuple(map(Id, used)) for name, used in uses.items()}))


@pytest.mark.parametrize(
    ("start", "uses", "found"),
    [
        ("a", {}, ""),
        ("a", {"a": "b"}, ""),
        ("a", {"a": "a"}, "a"),
        ("a", {"a": "b", "b": "a"}, "ab"),
        ("b", {"a": "b", "b": "a"}, "ba"),
        ("a", {"a": "bc", "b": "d", "c": "a"}, "ac"),
        ("a", {"a": "b", "b": "c", "c": "b"}, ""),
        ("a", {"a": "bc", "b": "c", "c": "b"}, ""),
        ("a", {"a": "b", "b": "cd", "c": "b", "d": "a"}, "abd"),
    ],
)
def test_a_circle_leads_from_a_context_back_to_it(start: str, uses: dict[str, str], found: str) -> None:
    assert circle(start, **uses) == found


def reaches(start: Id, uses: dict[Id, tuple[Id, ...]]) -> set[Id]:
    found: set[Id] = set()
    todo = [*uses.get(start, ())]
    while todo:
        one = todo.pop()
        if one not in found:
            found.add(one)
            todo.extend(uses.get(one, ()))
    return found


@given(st.sampled_from(NAMES), GRAPHS)
def test_there_is_a_circle_where_a_context_reaches_itself(start: Id, uses: dict[Id, tuple[Id, ...]]) -> None:
    assert bool(circle_of_uses(start, uses)) is (start in reaches(start, uses))


@given(st.sampled_from(NAMES), GRAPHS)
def test_each_of_a_circle_uses_the_next_and_none_is_named_twice(start: Id, uses: dict[Id, tuple[Id, ...]]) -> None:
    found = circle_of_uses(start, uses)

    assert len(set(found)) == len(found)
    assert all(after in uses[one] for one, after in zip(found, (*found[1:], *found[:1]), strict=True))
    assert not found or found[0] == start


def test_a_long_chain_is_no_trouble() -> None:
    uses = {Id(str(n)): (Id(str(n + 1)),) for n in range(50_000)}

    assert circle_of_uses(Id("0"), uses) == ()
    assert len(circle_of_uses(Id("0"), {**uses, Id("50000"): (Id("0"),)})) == 50_001
