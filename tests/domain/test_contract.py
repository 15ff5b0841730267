"""What a put makes of a Contract: which Clauses keep their ids, and which revisions move.

Source: specification, "Operations" (contract_put, clauses_put).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.app.inputs import ClauseInput
from chidev.domain.contract import Clause, Contract, labels_twice, put_clauses, put_contract, violations_of_put
from tests.domain.given import CONTEXT, LABELS, SENTENCES, clause, ids, whole_puts

NEW_ID = ids()


def put(old: Contract | None, *clauses: ClauseInput, title: str = "Title") -> Contract:
    return put_contract(old, CONTEXT, "discount", title, clauses, NEW_ID)


def problems(old: Contract | None, clauses: Sequence[ClauseInput], remove: Sequence[str] | None = None) -> list[str]:
    return [v.rule.id for v in violations_of_put("pricing", "discount", old, clauses, remove, "")]


def told(
    old: Contract | None, clauses: Sequence[ClauseInput], remove: Sequence[str] | None = None
) -> set[tuple[str, str, str]]:
    """Rule, label and side of each problem."""
    found = violations_of_put("pricing", "discount", old, clauses, remove, "")
    return {(v.rule.id, str(v.values.get("key", v.values.get("name"))), str(v.values.get("side", ""))) for v in found}


THREE = put(None, clause("C1", "one"), clause("C2", "two"), clause("C3", "three"))


# A whole put.


@pytest.mark.cites("contract::put_contract", "contract::Clause", "contract::Clause.id", "contract::Clause.label")
@pytest.mark.cites("contract::Clause.revision", "contract::Clause.text", "contract::Clause.name", "contract::Contract")
@pytest.mark.cites("contract::Contract.id", "contract::Contract.context", "contract::Contract.name")
@pytest.mark.cites("contract::Contract.revision", "contract::Contract.title", "contract::Contract.clauses")
@pytest.mark.cites("contract::Contract.parts", "contract::ClauseWords", "contract::ClauseWords.label")
@pytest.mark.cites("contract::ClauseWords.text", "contract::ClauseWords.replaces")
def test_a_new_contract_begins_at_one() -> None:
    made = put(None, clause("C1", "one"), clause("C4", "four"))

    assert (made.revision, made.context, made.name, made.title) == (1, CONTEXT, "discount", "Title")
    assert [(c.label, c.text, c.revision) for c in made.clauses] == [("C1", "one", 1), ("C4", "four", 1)]


@pytest.mark.cites("revisions#C1", "contract::put_contract")
def test_a_label_keeps_its_clause_and_a_new_sentence_moves_it() -> None:
    made = put(THREE, clause("C1", "one"), clause("C2", "other"), clause("C3", "three"))

    assert [c.id for c in made.clauses] == [c.id for c in THREE.clauses]
    assert [c.revision for c in made.clauses] == [1, 2, 1]
    assert made.revision == 2


def test_a_label_left_out_goes_and_comes_back_as_another_clause() -> None:
    without = put(THREE, clause("C1", "one"), clause("C3", "three"))
    again = put(without, clause("C1", "one"), clause("C2", "two"), clause("C3", "three"))

    assert again.clauses[1].id not in {c.id for c in THREE.clauses}
    assert (without.revision, again.revision) == (2, 3)


@pytest.mark.cites("revisions#C1", "contract::put_contract")
def test_another_order_moves_the_contract_and_no_clause() -> None:
    made = put(THREE, clause("C3", "three"), clause("C1", "one"), clause("C2", "two"))

    assert {c.revision for c in made.clauses} == {1}
    assert made.revision == 2


@pytest.mark.cites("revisions#C1", "contract::put_contract")
def test_a_title_moves_the_contract_and_no_clause() -> None:
    made = put(THREE, *(clause(c.label, c.text) for c in THREE.clauses), title="Other")

    assert (made.revision, made.clauses) == (2, THREE.clauses)


@pytest.mark.cites("revisions#C2", "contract::put_contract")
def test_a_new_label_alone_moves_nothing() -> None:
    made = put(THREE, clause("C1", "one"), clause("C9", "two", "C2"), clause("C3", "three"))

    assert made.revision == 1
    assert made.clauses[1] == Clause(THREE.clauses[1].id, "C9", 1, "two")


def test_a_new_label_with_a_new_sentence_moves_the_clause() -> None:
    made = put(THREE, clause("C1", "one"), clause("C9", "other", "C2"), clause("C3", "three"))

    assert (made.clauses[1].id, made.clauses[1].revision, made.revision) == (THREE.clauses[1].id, 2, 2)


def test_a_label_may_be_taken_over_from_a_clause_that_goes() -> None:
    made = put(THREE, clause("C2", "one", "C1"), clause("C3", "three"))

    assert problems(THREE, [clause("C2", "one", "C1"), clause("C3", "three")]) == []
    assert [c.id for c in made.clauses] == [THREE.clauses[0].id, THREE.clauses[2].id]


@pytest.mark.cites("revisions#C3", "contract::put_contract")
@given(st.data())
def test_a_put_twice_the_same_moves_nothing(data: st.DataObject) -> None:
    words = data.draw(whole_puts())
    once = put(None, *words)

    again = put(once, *words)

    assert again == once


@given(st.data())
def test_a_put_moves_each_revision_by_one_at_most(data: st.DataObject) -> None:
    old = put(None, *data.draw(whole_puts()))

    new = put(old, *data.draw(whole_puts(old)), title=data.draw(st.sampled_from(["Title", "Other"])))

    was = {c.id: c.revision for c in old.clauses}
    assert new.revision - old.revision in {0, 1}
    assert all(c.revision - was.get(c.id, c.revision) in {0, 1} for c in new.clauses)


@given(st.data())
def test_a_contract_moves_when_what_is_promised_or_its_order_moves(data: st.DataObject) -> None:
    old = put(None, *data.draw(whole_puts()))
    new = put(old, *data.draw(whole_puts(old)))

    same = [(c.id, c.text) for c in new.clauses] == [(c.id, c.text) for c in old.clauses]
    assert (new.revision == old.revision) is same


@given(st.data())
def test_an_id_is_never_given_again(data: st.DataObject) -> None:
    old: Contract | None = None
    gone: set[str] = set()
    for _ in range(5):
        new = put(old, *data.draw(whole_puts(old)))
        had = {c.id for c in old.clauses} if old else set()
        now = {c.id for c in new.clauses}
        assert len(now) == len(new.clauses)
        assert not now & gone
        gone |= had - now
        old = new


@given(st.data())
def test_what_a_put_that_is_right_makes_has_each_label_once(data: st.DataObject) -> None:
    old = put(None, *data.draw(whole_puts()))
    words = data.draw(whole_puts(old))

    assert problems(old, words) == []
    new = put(old, *words)
    assert list(labels_twice("pricing", new, "")) == []
    assert [(c.label, c.text) for c in new.clauses] == [(w.label, w.text) for w in words]


# A put of some Clauses.


def some(*clauses: ClauseInput, remove: Sequence[str] = ()) -> Contract:
    assert problems(THREE, clauses, remove) == []
    return put_clauses(THREE, clauses, remove, NEW_ID)


def test_clauses_not_named_stay_where_they_are() -> None:
    made = some(clause("C2", "other"), clause("C9", "nine"))

    assert [(c.label, c.text) for c in made.clauses] == [
        ("C1", "one"),
        ("C2", "other"),
        ("C3", "three"),
        ("C9", "nine"),
    ]
    assert made.title == THREE.title


def test_new_clauses_come_after_the_others_in_the_order_given() -> None:
    made = some(clause("C9"), clause("C4"), clause("C1", "moved"), clause("C5"), remove=["C3"])

    assert [c.label for c in made.clauses] == ["C1", "C2", "C9", "C4", "C5"]


@pytest.mark.cites("revisions#C2", "contract::put_clauses")
def test_a_clause_that_takes_a_place_keeps_the_place_and_the_id() -> None:
    made = some(clause("C7", "two", "C2"))

    assert [c.label for c in made.clauses] == ["C1", "C7", "C3"]
    assert made.clauses[1].id == THREE.clauses[1].id
    assert made.revision == 1


@pytest.mark.cites("contract::labels_twice")
def test_a_clause_that_takes_a_label_that_stays_is_seen_afterwards() -> None:
    made = some(clause("C3", "one", "C1"))

    (twice,) = labels_twice("pricing", made, "puts[1].")
    assert (twice.rule.id, twice.field, twice.values["label"]) == ("contract.label-twice", "puts[1].clauses", "C3")


def test_a_clause_may_take_the_label_of_one_that_is_removed_only_in_a_second_put() -> None:
    assert told(THREE, [clause("C3", "one", "C1")], ["C3"]) == {("input.rename-conflict", "C3", "remove")}


@given(
    st.lists(st.tuples(LABELS, SENTENCES), unique_by=lambda pair: pair[0], max_size=4), st.lists(LABELS, unique=True)
)
def test_the_order_of_clauses_that_are_not_named_is_kept(words: list[tuple[str, str]], remove: list[str]) -> None:
    old = put(None, *(clause(f"C{n}", f"text {n}") for n in (5, 2, 8, 1)))
    named = [clause(label, text) for label, text in words if label not in remove]
    dropped = [label for label in remove if label in {c.label for c in old.clauses}]

    new = put_clauses(old, named, dropped, NEW_ID)

    labels = {w.label for w in named}
    untouched = [c for c in old.clauses if c.label not in labels and c.label not in dropped]
    assert [c for c in new.clauses if c in untouched] == untouched
    stay = [c.id for c in old.clauses if c.label not in dropped]
    assert [c.id for c in new.clauses][: len(stay)] == stay


@pytest.mark.cites("revisions#C3", "contract::put_clauses")
@given(st.data())
def test_a_put_of_what_is_there_is_the_same_contract(data: st.DataObject) -> None:
    old = put(None, *data.draw(whole_puts()))
    named = data.draw(st.lists(st.sampled_from(old.clauses), unique=True)) if old.clauses else []

    assert put_clauses(old, [clause(c.label, c.text) for c in named], [], NEW_ID) == old


@given(st.data())
def test_a_put_of_all_clauses_in_order_is_a_whole_put(data: st.DataObject) -> None:
    old = put(None, *data.draw(whole_puts()))
    words = [ClauseInput(c.label, data.draw(SENTENCES)) for c in old.clauses]

    assert put_clauses(old, words, [], NEW_ID) == put(old, *words)


# What is refused.


def test_a_label_named_twice_is_told_by_the_side_it_is_on() -> None:
    assert told(THREE, [clause("C1"), clause("C1")], []) == {("input.rename-conflict", "C1", "label")}
    assert told(THREE, [clause("C8", "a", "C1"), clause("C9", "b", "C1")], []) == {
        ("input.rename-conflict", "C1", "replaces")
    }
    assert told(THREE, [], ["C1", "C1"]) == {("input.rename-conflict", "C1", "remove")}
    assert told(THREE, [clause("C1")], ["C1"]) == {("input.rename-conflict", "C1", "remove")}
    assert told(THREE, [clause("C9", "a", "C1")], ["C1"]) == {("input.rename-conflict", "C1", "remove")}


def test_a_new_label_twice_in_a_whole_put_is_a_label_twice() -> None:
    assert problems(THREE, [clause("C9"), clause("C9")]) == ["contract.label-twice"]
    assert problems(None, [clause("C1"), clause("C1"), clause("C1")]) == ["contract.label-twice"]
    assert problems(THREE, [clause("C1"), clause("C1")]) == ["input.rename-conflict"]


def test_two_clauses_cannot_change_labels_in_one_put() -> None:
    swapped = [clause("C2", "one", "C1"), clause("C1", "two", "C2")]

    assert told(THREE, swapped) == {("input.replaces-kept", "C1", ""), ("input.replaces-kept", "C2", "")}


def test_a_label_that_replaces_itself_is_kept() -> None:
    assert problems(THREE, [clause("C1", "one", "C1")], []) == ["input.replaces-kept"]


def test_unknown_labels_are_told_with_the_labels_there_are() -> None:
    found = list(violations_of_put("pricing", "discount", THREE, [clause("C9", "a", "C8")], ["C7"], "puts[2]."))

    assert [(v.field, v.values["field"]) for v in found] == [
        ("puts[2].clauses[0].replaces", "replaces"),
        ("puts[2].remove[0]", "remove"),
    ]
    assert {v.did_you_mean for v in found} == {("C1", "C2", "C3")}


@pytest.mark.cites("refusals#C2", "contract::violations_of_put")
def test_every_problem_of_a_put_is_told() -> None:
    clauses = [clause("C9", "a", "C8"), clause("C2"), clause("C2"), clause("C5", "b", "C2")]

    assert told(THREE, clauses, ["C7", "C3", "C3"]) == {
        ("input.unknown-name", "C8", ""),
        ("input.unknown-name", "C7", ""),
        ("input.replaces-kept", "C2", ""),
        ("input.rename-conflict", "C2", "label"),
        ("input.rename-conflict", "C3", "remove"),
    }


@given(
    st.lists(st.builds(ClauseInput, LABELS, SENTENCES, st.none() | LABELS), max_size=5),
    st.none() | st.lists(LABELS, max_size=3),
)
def test_a_put_without_a_problem_keeps_every_law(clauses: list[ClauseInput], remove: list[str] | None) -> None:
    if problems(THREE, clauses, remove):
        return
    new = put(THREE, *clauses) if remove is None else put_clauses(THREE, clauses, remove, NEW_ID)

    assert len({c.id for c in new.clauses}) == len(new.clauses)
    assert {c.label for c in new.clauses} >= {c.label for c in clauses}
    assert not {c.label for c in new.clauses} & set(remove or ())
    replaced = Counter(c.replaces for c in clauses if c.replaces)
    assert all(times == 1 for times in replaced.values())
