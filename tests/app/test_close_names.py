"""Which of the names that exist are offered for one that does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.app.close_names import close_names
from chidev.app.protocol import operations

pytestmark = pytest.mark.cites("close-names::close_names")


@pytest.mark.cites("names#C1", "close-names::SHORTEST_BEGINNING")
@pytest.mark.parametrize(
    ("name", "known", "close"),
    [
        ("contextadd", ["context_add", "context_uses", "pin"], ("context_add",)),
        ("pricng", ["pricing", "base"], ("pricing",)),
        ("discuont", ["discount", "rounding"], ("discount",)),
        ("tex", ["tax", "price"], ("tax",)),
        ("prise", ["price", "tax"], ("price",)),
        ("C3", ["C1", "C2", "C10"], ("C1", "C2")),
        ("C-1", ["C1", "C7"], ("C1", "C7")),
        ("examples", ["examples.", "cite."], ("examples.",)),
        ("exam.", ["examples.", "cite."], ("examples.",)),
        ("cite.stal", ["cite.stale", "cite.", "pin.stale"], ("cite.stale",)),
        ("Harnesses", ["harnesses", "contracts"], ("harnesses",)),
        ("change_behaviour", ["change_behavior", "fix"], ("change_behavior",)),
        ("Cart::total", ["Cart.total", "Cart.tax"], ("Cart.total",)),
        ("price", ["prices", "price-tests", "tax"], ("prices", "price-tests")),
    ],
)
def test_a_misspelling_is_offered_the_name_that_was_meant(name: str, known: list[str], close: tuple[str, ...]) -> None:
    assert close_names(name, known) == close


@pytest.mark.cites("names#C2", "close-names::LONGEST")
@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("zzzzzzzz", ["pricing"]),
        ("prices", ["pricing"]),
        ("a", ["b", "c"]),
        ("", ["pricing"]),
        ("...", ["pricing"]),
        ("pricing", []),
        ("pricing", ["pricing"]),
        ("x" * 1_000_000, ["x" * 999_999]),
    ],
)
def test_a_name_that_is_like_no_other_is_offered_none(name: str, known: list[str]) -> None:
    assert close_names(name, known) == ()


@pytest.mark.cites("names#C2")
def test_nonsense_is_offered_no_operation() -> None:
    assert close_names("zzz", operations()) == ()


def test_an_operation_that_is_gone_is_not_offered_the_new_one() -> None:
    """Source: specification, "Cruxes and the Policy": did_you_mean does not name cr_crux_decide."""
    assert close_names("cr_decide", ["cr_crux_decide", "cr_crux_raise", "cr_resolve"]) == ()


def test_the_best_come_first_and_no_more_than_the_limit() -> None:
    known = ["price_list", "Price", "prices", "prize", "price-"]

    assert close_names("price", known, limit=3) == ("Price", "price-", "prices")


@pytest.mark.cites("names#C3")
@given(st.text(max_size=30), st.lists(st.text(max_size=30), max_size=20))
def test_only_names_that_exist_are_offered_each_once(name: str, known: list[str]) -> None:
    close = close_names(name, known)

    assert set(close) <= set(known) - {name}
    assert len(close) == len(set(close)) <= 5


@pytest.mark.cites("names#C1")
@given(st.text(alphabet="abcdefgh", min_size=4, max_size=30), st.data())
def test_one_letter_left_out_is_always_found(name: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(name) - 1))

    assert name in close_names(name[:at] + name[at + 1 :], [name, "zzzzzzzzz"])
