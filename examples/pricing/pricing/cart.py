"""What somebody is about to buy."""

from __future__ import annotations

from pricing.discount import discounted


class Cart:
    """Lines of goods, each with a price in cents, how many, and its own discount."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[int, int, int]] = {}

    def add(self, name: str, price: int, count: int = 1, percent: int = 0) -> None:
        """Put goods into the cart; goods of a name that is there already take its place."""
        discounted(price, percent)
        self._lines[name] = (price, count, percent)

    def remove(self, name: str) -> None:
        """Take goods out; what is not there is no error."""
        self._lines.pop(name, None)

    def total(self) -> int:
        """What all lines cost, in cents."""
        return sum(count * discounted(price, percent) for price, count, percent in self._lines.values())
