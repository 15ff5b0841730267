"""Which discounts are given, and what is paid then."""

from __future__ import annotations

import pytest

from pricing.discount import DiscountRefused, discounted


@pytest.mark.cites("discount", "C1")
@pytest.mark.cites("discount::discounted", "discount::DiscountRefused")
def test_refuses_over_100() -> None:
    with pytest.raises(DiscountRefused):
        discounted(1000, 101)


@pytest.mark.cites("discount#C2", "discount::discounted")
def test_refuses_a_surcharge() -> None:
    with pytest.raises(DiscountRefused):
        discounted(1000, -1)


@pytest.mark.cites("discount#C3", "base/rounding#C1", "discount::discounted")
def test_rounds_what_is_left() -> None:
    assert discounted(5, 50) == 3


@pytest.mark.cites("discount#C3", "discount::discounted")
def test_nothing_off_changes_nothing() -> None:
    assert discounted(1999, 0) == 1999
