"""Halves of a cent."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pricing.rounding import to_cents

pytestmark = pytest.mark.cites("rounding::to_cents")


@pytest.mark.cites("rounding", "C1")
@pytest.mark.parametrize(("amount", "cents"), [(Fraction(5, 2), 3), (Fraction(-5, 2), -3), (Fraction(1, 2), 1)])
def test_a_half_goes_away_from_zero(amount: Fraction, cents: int) -> None:
    assert to_cents(amount) == cents


@pytest.mark.cites("rounding", "C2")
def test_whole_cents_stay() -> None:
    assert [to_cents(Fraction(cents)) for cents in (-7, 0, 1999)] == [-7, 0, 1999]
