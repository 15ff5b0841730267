"""What a put makes of a Harness: which Cases keep their ids, and which revisions move.

Source: specification, "Operations" (harness_put).
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.harness import CasePlace, Citation, Harness, put_harness, violations_of_put
from chidev.domain.identity import Id
from tests.domain.given import CITATIONS, CONTEXT, case, ids

NEW_ID = ids()
ITEM = Citation(Id("item"), "item", 1)
CLAUSE = Citation(Id("clause"), "clause", 1)
SOURCE = "def test_a(): ...\ndef test_b():\n    pass  \n"
CASES = st.lists(
    st.builds(
        CasePlace,
        st.sampled_from(["a", "b", "c"]),
        st.just(1),
        st.integers(1, 3),
        st.lists(CITATIONS, max_size=4).map(tuple),
    ),
    unique_by=lambda place: place.name,
)
SOURCES = st.sampled_from([SOURCE, SOURCE.replace("pass  ", "pass"), "x\ny\nz\n"])


def put(old: Harness | None, source: str, *places: CasePlace) -> Harness:
    return put_harness(old, CONTEXT, "test-price", source, places, NEW_ID)


def problems(source: str, *places: CasePlace) -> list[tuple[str, str | None]]:
    return [(v.rule.id, v.field) for v in violations_of_put("pricing", "test-price", source, places, "")]


TWO = put(None, SOURCE, case("a", 1, 1, ITEM), case("b", 2, 3, ITEM, CLAUSE))


def test_a_case_keeps_its_id_by_its_name() -> None:
    made = put(TWO, SOURCE, case("b", 2, 3, ITEM, CLAUSE), case("c", 1, 1, ITEM))

    assert made.cases[0].id == TWO.cases[1].id
    assert made.cases[1].id not in {c.id for c in TWO.cases}


def test_a_case_that_went_comes_back_as_another() -> None:
    made = put(put(TWO, SOURCE), SOURCE, case("a", 1, 1, ITEM))

    assert made.cases[0].id != TWO.cases[0].id
    assert (made.cases[0].revision, made.revision) == (1, 3)


def test_a_case_moves_with_its_text_and_with_what_it_cites() -> None:
    reworded = put(TWO, SOURCE.replace("pass", "fail"), case("a", 1, 1, ITEM), case("b", 2, 3, ITEM, CLAUSE))
    cites_less = put(TWO, SOURCE, case("a", 1, 1, ITEM), case("b", 2, 3, ITEM))

    assert [c.revision for c in reworded.cases] == [1, 2]
    assert [c.revision for c in cites_less.cases] == [1, 2]


def test_a_case_that_moves_to_other_lines_or_loses_white_space_stays() -> None:
    moved = put(
        TWO, "# more\n" + SOURCE.replace("pass  ", "pass"), case("a", 2, 2, ITEM), case("b", 3, 4, ITEM, CLAUSE)
    )

    assert [c.revision for c in moved.cases] == [1, 1]
    assert [c.first for c in moved.cases] == [2, 3]
    assert moved.revision == 2


def test_a_citation_brought_up_moves_the_case() -> None:
    newer = Citation(CLAUSE.target, "clause", 2)

    made = put(TWO, SOURCE, case("a", 1, 1, ITEM), case("b", 2, 3, ITEM, newer))

    assert [c.revision for c in made.cases] == [1, 2]


def test_the_order_of_citations_and_one_given_twice_say_nothing() -> None:
    made = put(TWO, SOURCE, case("a", 1, 1, ITEM, ITEM), case("b", 2, 3, CLAUSE, ITEM, CLAUSE))

    assert [c.revision for c in made.cases] == [1, 1]
    assert made.revision == 1
    assert made.cases[0].cites == (ITEM,)


def test_another_order_of_cases_moves_the_harness_alone() -> None:
    made = put(TWO, SOURCE, case("b", 2, 3, ITEM, CLAUSE), case("a", 1, 1, ITEM))

    assert (made.revision, [c.revision for c in made.cases]) == (2, [1, 1])


@given(SOURCES, CASES)
def test_a_put_twice_the_same_moves_nothing(source: str, places: list[CasePlace]) -> None:
    once = put(None, source, *places)

    assert put(once, source, *places) == once


@given(SOURCES, CASES, SOURCES, CASES)
def test_a_put_moves_each_revision_by_one_at_most(
    source: str, places: list[CasePlace], other: str, others: list[CasePlace]
) -> None:
    old = put(None, source, *places)

    new = put(old, other, *others)

    was = {c.id: c.revision for c in old.cases}
    assert new.revision - old.revision in {0, 1}
    assert all(c.revision - was.get(c.id, c.revision) in {0, 1} for c in new.cases)
    assert {c.id for c in new.cases} & was.keys() == {c.id for c in old.cases if c.name in {p.name for p in others}}


def test_every_problem_of_every_case_is_told() -> None:
    assert problems(SOURCE, case("a", 3, 4, CLAUSE), case("b", 2, 1, ITEM), case("b", 1, 1, ITEM)) == [
        ("harness.lines-outside", "cases[0].lines"),
        ("cite.no-item", "cases[0].items"),
        ("harness.lines-outside", "cases[1].lines"),
        ("harness.case-twice", "cases"),
    ]


def test_a_blank_case_is_none_of_the_harness_s_business() -> None:
    assert problems("\n\n", case("a", 1, 2, ITEM)) == []


def test_a_harness_may_have_no_case_and_no_source() -> None:
    assert problems("") == []
    assert put(None, "").cases == ()
