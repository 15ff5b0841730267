"""What a cart costs."""

from __future__ import annotations

import pytest

from pricing.cart import Cart
from pricing.discount import DiscountRefused


@pytest.mark.cites("cart::Cart", "cart::Cart.__init__")
class TestTotal:
    @pytest.mark.cites("cart#C1", "cart::Cart.total")
    def test_an_empty_cart_costs_nothing(self) -> None:
        assert Cart().total() == 0

    @pytest.mark.cites("cart#C2", "cart::Cart.add", "cart::Cart.total")
    def test_lines_are_added_up(self) -> None:
        cart = Cart()
        cart.add("tea", 450, count=2)
        cart.add("cup", 1200, percent=25)

        assert cart.total() == 1800

    @pytest.mark.cites("cart#C2", "cart::Cart.remove", "cart::Cart.total")
    def test_what_was_taken_out_costs_nothing(self) -> None:
        cart = Cart()
        cart.add("tea", 450)
        cart.remove("tea")
        cart.remove("cup")

        assert cart.total() == 0


@pytest.mark.cites("cart#C3", "discount#C1", "cart::Cart.add")
def test_a_line_with_a_discount_over_100_is_not_taken() -> None:
    cart = Cart()

    with pytest.raises(DiscountRefused):
        cart.add("tea", 450, percent=150)

    assert cart.total() == 0
