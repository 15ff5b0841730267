"""What each check finds, on small models that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from chidev.domain.identity import Id
from chidev.domain.outline import Outline
from chidev.domain.pin import Ground, Role
from chidev.domain.rule import Finding
from chidev.domain.rules import cite, context, pin
from tests.domain.drawn import outline

MODEL = """
context base
context pricing
contract pricing discount r1
  C1 r1 'one'
interface pricing price r1
  price r1 'def price()'
harness pricing test-price r1
  test_a r1: discount.C1@1 price.price@1
"""
CHECKS: tuple[Callable[[Outline], Iterator[Finding]], ...] = tuple(
    judge for _, judge in (*cite.CHECKS, *pin.CHECKS, *context.CHECKS)
)
PIN = "pin price: interface price@1, harness test-price@1, contract discount@1\n"


def found(check: Callable[[Outline], Iterator[Finding]], drawn: Outline | str) -> list[str]:
    """What a check finds, as the names of what its findings are about."""
    model = outline(drawn) if isinstance(drawn, str) else drawn
    return [finding.about.name if finding.about else "" for finding in check(model)]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.__module__.rpartition('.')[2]}-{check.__name__}")
def test_an_empty_model_has_no_findings(check: Callable[[Outline], Iterator[Finding]]) -> None:
    assert list(check(outline(""))) == []


def test_the_finding_of_a_check_is_told_apart_by_what_it_is_about() -> None:
    model = outline(MODEL + "interface pricing other r1\n  b r1\n  a r1\n")

    findings = [finding for check in CHECKS for finding in check(model)]

    identities = [(finding.rule.id, finding.identity) for finding in findings]
    assert len(set(identities)) == len(identities)


# cite.stale


def test_a_case_is_behind_where_a_target_has_another_revision() -> None:
    assert found(cite.stale, MODEL) == []
    assert found(cite.stale, MODEL.replace("C1 r1 'one'", "C1 r2 'one' 'two'")) == ["test_a"]


def test_a_case_behind_two_targets_is_one_finding_with_two_grounds() -> None:
    model = MODEL.replace("C1 r1 'one'", "C1 r3 'one' 'x' 'three'").replace("price r1 'def", "price r2 'old' 'def")

    (finding,) = cite.stale(outline(model))

    assert finding.grounds == {("discount.C1", 3), ("price.price", 2)}
    assert [(t["name"], t["cited"], t["now"], t["old"], t["new"]) for t in finding.values["targets"]] == [
        ("discount C1", 1, 3, "one", "three"),
        ("price price", 1, 2, "old", "def price()"),
    ]
    assert finding.within == {"pricing"}


def test_cases_are_found_in_the_order_of_the_model_and_not_of_the_citations() -> None:
    text = MODEL.replace("C1 r1", "C1 r2").replace(
        "  test_a", "  test_c r1: discount.C1@1\n  test_b r1: discount.C1@1\n  test_a"
    )
    drawn = outline(text)
    drawn.cites = tuple(reversed(drawn.cites))

    assert found(cite.stale, drawn) == ["test_c", "test_b", "test_a"]


# cite.uncited-clause, cite.uncited-item


def test_a_clause_is_uncited_until_any_case_cites_it() -> None:
    assert found(cite.uncited_clause, MODEL) == []
    assert found(cite.uncited_clause, MODEL.replace("discount.C1@1 ", "")) == ["discount C1"]


def test_a_citation_that_is_behind_is_one_all_the_same() -> None:
    assert found(cite.uncited_clause, MODEL.replace("C1 r1", "C1 r5")) == []


def test_an_item_is_uncited_where_only_clauses_are_cited() -> None:
    assert found(cite.uncited_item, MODEL.replace(" price.price@1", "")) == ["price price"]
    assert found(cite.uncited_item, MODEL) == []


def test_what_is_uncited_is_found_in_the_order_of_the_model() -> None:
    model = MODEL + "contract pricing more r1\n  C9 r1\n  C2 r1\n"

    assert found(cite.uncited_clause, model) == ["more C9", "more C2"]


# pin.unpinned, pin.stale


def test_an_interface_is_unpinned_until_it_has_a_pin() -> None:
    assert found(pin.unpinned, MODEL) == ["price"]
    assert found(pin.unpinned, MODEL + PIN) == []


def test_a_pin_holds_while_what_it_stands_on_stays() -> None:
    assert found(pin.stale, MODEL + PIN) == []
    assert found(pin.stale, MODEL) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("pricing price r1", "pricing price r2"), "the interface changed"),
        (("pricing test-price r1", "pricing test-price r2"), "harness `test-price` changed"),
        (("pricing discount r1", "pricing discount r2"), "contract `discount` changed"),
        (("discount.C1@1 ", ""), "contract `discount` no longer counts"),
    ],
)
def test_a_pin_is_stale_for_what_moved(change: tuple[str, str], why: str) -> None:
    findings = list(pin.stale(outline(MODEL.replace(*change) + PIN)))

    assert [finding.values["why"] for finding in findings] == [why]


def test_a_contract_that_no_case_of_it_cites_is_not_what_a_pin_stands_on() -> None:
    model = MODEL.replace("context base", "context base\ncontract pricing extra r1\n  C5 r1")

    assert found(pin.stale, model + PIN) == []


def test_what_came_to_be_cited_or_to_check_makes_a_pin_stale() -> None:
    model = MODEL + "contract pricing extra r1\n  C5 r1\nharness pricing more r1\n  t r1: price.price@1 extra.C5@1\n"

    (finding,) = pin.stale(outline(model + PIN))

    assert finding.values["why"] == "harness `more` came to check it, contract `extra` came to be cited"
    assert finding.grounds == {("harness more", 1), ("contract extra", 1)}


def test_what_was_retired_is_named_from_the_record() -> None:
    model = MODEL + PIN.replace("@1\n", "@1, contract gone-1@3\n")

    (finding,) = pin.stale(outline(model, retired={"gone-1": "rounding"}))

    assert finding.values["why"] == "contract `rounding (retired)` was retired"
    assert finding.values["moved"] == [
        {"kind": "contract", "name": "rounding (retired)", "context": None, "pinned": 3, "now": None}
    ]


def test_a_pin_of_an_interface_that_is_gone_finds_nothing() -> None:
    assert found(pin.stale, "context pricing\npin price: interface price@1\n") == []


# What a Pin stands on.


def basis(text: str, interface: str = "price") -> set[tuple[Role, str]]:
    model = outline(text)
    return {(ground.role, ground.asset) for ground in model.basis_of(model.assets[Id(interface)])}


def test_an_interface_stands_on_itself_its_harnesses_and_what_their_cases_cite_with_it() -> None:
    assert basis(MODEL) == {
        (Role.INTERFACE, "price"),
        (Role.HARNESS, "test-price"),
        (Role.CONTRACT, "discount"),
    }


def test_a_case_that_cites_no_item_of_it_does_not_count() -> None:
    model = MODEL + "contract pricing other r1\n  C1 r1\n  C2 r1\nharness pricing more r1\n  t r1: other.C1@1\n"

    assert basis(model) == basis(MODEL)


def test_another_case_of_the_same_harness_does_not_count() -> None:
    model = MODEL.replace("  test_a", "  test_b r1: other.C1@1\n  test_a") + "contract pricing other r1\n  C1 r1\n"

    assert basis(model) == basis(MODEL)


def test_an_interface_of_another_context_counts_and_one_of_its_own_does_not() -> None:
    model = (
        MODEL.replace("price.price@1", "price.price@1 far.far@1 near.near@1")
        + "interface base far r1\n  far r1\ninterface pricing near r1\n  near r1\n"
    )

    assert basis(model) - basis(MODEL) == {(Role.USED_INTERFACE, "far")}


def test_seen_from_the_interface_that_is_used_the_other_one_is_used() -> None:
    model = MODEL.replace("price.price@1", "price.price@1 far.far@1") + "interface base far r1\n  far r1\n"

    assert (Role.USED_INTERFACE, "price") in basis(model, "far")


def test_a_basis_has_the_revisions_there_are_now_and_each_asset_once() -> None:
    model = outline(
        MODEL.replace("discount r1", "discount r7").replace(
            "  test_a", "  test_b r1: discount.C1@1 price.price@1\n  test_a"
        )
    )

    grounds = model.basis_of(model.assets[Id("price")])

    assert Ground(Id("discount"), Role.CONTRACT, 7) in grounds
    assert len(grounds) == 3


# context.no-interface, context.no-harness


def test_a_context_without_an_interface_or_a_harness_is_found() -> None:
    assert found(context.no_interface, MODEL) == ["base"]
    assert found(context.no_harness, MODEL) == ["base"]
    assert found(context.no_interface, "context a\ncontext b\nharness a x r1\n") == ["a", "b"]
