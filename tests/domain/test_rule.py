"""What a rule says when it is broken, and that it cannot say more or less than it declares."""

from __future__ import annotations

import pytest

from chidev.domain.rule import CheckKind, Level, Moment, Refused, Rule
from chidev.domain.subject import (
    asset_subject,
    case_subject,
    change_request_subject,
    clause_subject,
    context_subject,
    item_subject,
    part_subject,
)

RULE = Rule(id="cart.full", message="{count} in `{subject}`", help="Take one out.", values={"count": "n", "field": "f"})
CHECK = Rule(
    id="cart.odd", message="odd", help="Even it.", moments=(Moment.CHECK,), check_kind=CheckKind.STATE, level=Level.NOTE
)


def test_a_violation_has_the_values_the_rule_declares() -> None:
    violation = RULE.broken(context_subject("pricing"), field="puts[0]", count=2, field_="from")

    assert violation.values == {"count": 2, "field": "from"}
    assert violation.field == "puts[0]"
    assert violation.subjects == (context_subject("pricing"),)


@pytest.mark.parametrize("values", [{}, {"count": 1}, {"count": 1, "field_": "a", "more": 2}])
def test_a_value_that_is_missing_or_not_declared_is_a_fault_of_the_program(values: dict[str, object]) -> None:
    with pytest.raises(TypeError, match=r"cart\.full declares \['count', 'field'\]"):
        RULE.broken(**values)  # type: ignore[arg-type]


def test_a_finding_has_the_values_its_check_declares() -> None:
    found = CHECK.found(None, ("project", "p"), frozenset())

    assert (found.subjects, found.values) == ((), {})
    with pytest.raises(TypeError):
        CHECK.found(None, ("project", "p"), frozenset(), more=1)


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (RULE, "invariant"),
        (CHECK, "check"),
        (Rule("input.odd", "m", "h"), "input"),
        (Rule("items.odd", "m", "h"), "input"),
    ],
)
def test_a_rule_is_an_invariant_an_input_rule_or_a_check(rule: Rule, kind: str) -> None:
    assert rule.kind == kind


def test_a_refusal_holds_every_violation() -> None:
    refused = Refused(RULE.broken(count=1, field_="a"), RULE.broken(count=2, field_="b"))

    assert [violation.values["count"] for violation in refused.violations] == [1, 2]
    assert str(refused) == "cart.full, cart.full"


def test_a_subject_carries_where_it_is() -> None:
    assert clause_subject("pricing", "discount", "C1").contract == "discount"
    assert item_subject("pricing", "price", "a::b").name == "price a::b"
    assert case_subject("pricing", "test-price", "test_a").name == "test_a"
    assert change_request_subject("Whole").context is None
    assert part_subject("case", "pricing", "test-price", "a") == case_subject("pricing", "test-price", "a")
    assert asset_subject("interface", "pricing", "price").kind == "interface"
