"""The lines of the Policy, and when its revision moves. Source: specification, "Crux, Policy and Assumption"."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.decision_policy import DecisionPolicy

LINES = st.dictionaries(st.sampled_from(["P1", "P2", "P3"]), st.sampled_from(["one", "two"])).map(
    lambda lines: list(lines.items())
)


def test_the_first_put_is_revision_two() -> None:
    policy = DecisionPolicy().replaced([("P1", "one")])

    assert (policy.revision, policy.text_of("P1"), policy.text_of("P2")) == (2, "one", None)


def test_a_line_remembers_in_which_revision_it_got_its_text() -> None:
    policy = DecisionPolicy().replaced([("P1", "one"), ("P2", "two")]).replaced([("P1", "one"), ("P2", "zwei")])

    assert [(line.id, line.changed_at) for line in policy.lines] == [("P1", 2), ("P2", 3)]


def test_another_order_moves_the_policy() -> None:
    lines = [("P1", "one"), ("P2", "two")]
    policy = DecisionPolicy().replaced(lines)

    assert policy.replaced(lines[::-1]).revision == 3


@given(before=LINES, after=LINES)
def test_the_revision_moves_by_one_when_the_lines_do(
    before: list[tuple[str, str]], after: list[tuple[str, str]]
) -> None:
    policy = DecisionPolicy().replaced(before)

    replaced = policy.replaced(after)

    assert replaced.revision == policy.revision + (before != after)
    assert [(line.id, line.text) for line in replaced.lines] == after
