"""Whole cents from amounts that are none."""

from __future__ import annotations

from fractions import Fraction


def to_cents(amount: Fraction) -> int:
    """The nearest whole cent; a half goes away from zero, as tills do."""
    sign = -1 if amount < 0 else 1
    return sign * int(abs(amount) + Fraction(1, 2))
