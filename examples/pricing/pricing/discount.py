"""A price with a discount taken off."""

from __future__ import annotations

from fractions import Fraction

from pricing.rounding import to_cents


class DiscountRefused(ValueError):
    """The percentage is none that may be given."""


def discounted(price: int, percent: int) -> int:
    """The price in cents with so many percent taken off.

    Raises:
        DiscountRefused: under 0 or over 100 percent.
    """
    if not 0 <= percent <= 100:
        raise DiscountRefused(f"{percent}% is no discount: it is 0% to 100%")
    return to_cents(Fraction(price * (100 - percent), 100))
