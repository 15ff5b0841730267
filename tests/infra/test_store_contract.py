"""What the port `app.ports.store.Store` promises, asked of the store in SQLite and of the one in memory alike."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from chidev.app.ports.store import Store
from chidev.domain.change_request import Address, Assumption, ChangeRequest, Expectation, Intent
from chidev.domain.contract import Clause, Contract
from chidev.domain.harness import Case, Citation, Harness, HarnessKind
from chidev.domain.identity import Id
from chidev.domain.interface import Interface, Item
from chidev.domain.named import Named
from chidev.domain.outline import Asset, Outline, Part
from chidev.domain.pin import Ground, Pin, Role
from chidev.domain.project import Basis, Context, Project
from chidev.domain.request_outline import RequestLine
from chidev.domain.retirement import Retired
from chidev.infra.sqlite_store import SqliteStore
from tests.fakes.store import MemoryStore

BASE = Context(Id("c1"), "base", 1, Basis.INTERFACE, ())
PRICING = Context(Id("c2"), "pricing", 3, Basis.CONTRACT, (Id("c1"),))
ROUNDING = Contract(Id("k1"), Id("c1"), "rounding", 1, "Rounding", (Clause(Id("k1a"), "C1", 1, "down"),))
DISCOUNT = Contract(
    Id("k2"),
    Id("c2"),
    "discount",
    2,
    "Discount ä\u2028",
    (Clause(Id("k2b"), "C2", 2, "second"), Clause(Id("k2a"), "C1", 1, "first\n")),
)
PRICE = Interface(
    Id("i1"),
    Id("c2"),
    "price",
    1,
    "def price(): ...\r\ndef cost(): ...",
    (Item(Id("i1b"), "cost", 2, 2, 1, "def cost(): ..."), Item(Id("i1a"), "price", 1, 1, 1, "def price(): ...")),
)
HARNESS = Harness(
    Id("h1"),
    Id("c2"),
    "test-price",
    HarnessKind.TESTS,
    1,
    "source",
    (
        Case(Id("h1z"), "z", 1, 1, 1, (Citation(Id("k2a"), "clause", 1), Citation(Id("i1a"), "item", 1))),
        Case(Id("h1a"), "a", 1, 2, 4, (Citation(Id("k1a"), "clause", 1), Citation(Id("i1b"), "item", 1))),
    ),
)
PIN = Pin(Id("p1"), Id("i1"), "0" * 64, (Ground(Id("i1"), Role.INTERFACE, 1), Ground(Id("k2"), Role.CONTRACT, 2)))
REQUEST = ChangeRequest(
    Id("r1"),
    "Ask",
    Intent.KEEP_BEHAVIOR,
    "why",
    None,
    None,
    (Expectation("target", "context", Id("c1"), 1), Expectation("keep", "clause", Id("k2a"), 1)),
    (Address("cite.stale", "case", Id("h1a")), Address("judged.x", None, None)),
    (Assumption("so", "said", [{"repo": {"path": "a", "lines": [1, 2]}}]),),
)


def asset(of: Contract | Interface | Harness, kind: str) -> Asset:
    return Asset(of.id, of.context, kind, of.name, of.revision)


A_ROUNDING, A_DISCOUNT = asset(ROUNDING, "contract"), asset(DISCOUNT, "contract")
A_PRICE, A_HARNESS = asset(PRICE, "interface"), asset(HARNESS, "harness")


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind, empty."""
    if request.param == "memory":
        yield MemoryStore()
    else:
        with SqliteStore(str(tmp_path / "store.db"), make=True) as made:
            yield made


@pytest.fixture
def filled(store: Store) -> Store:
    """The same store with two Contexts, a Contract each, an Interface with a Pin, a Harness and a request."""
    with store.savepoint():
        store.add_project(Project(Id("project"), 3))
        for context in (BASE, PRICING):
            store.put_context(context)
        for contract in (ROUNDING, DISCOUNT):
            store.put_contract(None, contract)
        store.put_interface(None, PRICE)
        store.put_harness(None, HARNESS)
        store.add_pin(PIN, "the code")
        store.add_change_request(REQUEST)
        store.count_commit(moves_model=True)
    store.close_group()
    return store


# An empty store.


def test_an_empty_store_has_nothing_and_stands_at_zero(store: Store) -> None:
    assert store.revision() == 0
    assert store.project() is None
    assert (store.contexts(), store.context_names(), store.context_named("pricing")) == ([], [], None)
    assert (store.retired(), store.retired_pins(), store.change_requests()) == ([], [], [])
    assert (store.outline().assets, list(store.outline().cites)) == ({}, [])


# What was put is read back.


def test_everything_that_was_put_is_read_back_as_it_was(filled: Store) -> None:
    assert filled.project() == Project(Id("project"), 3)
    assert filled.contexts() == [BASE, PRICING]
    assert filled.contract(A_DISCOUNT) == DISCOUNT
    assert filled.interface(A_PRICE) == PRICE
    assert filled.harness(A_HARNESS) == HARNESS
    assert filled.change_requests() == [REQUEST]
    assert filled.pin_code(Id("p1")) == "the code"


@pytest.mark.parametrize("text", ["", "\x01", "\r\n", "ä\U0001f600\u2028", "x" * 100_000, "'; --"])
def test_texts_are_kept_character_by_character(filled: Store, text: str) -> None:
    clauses = (Clause(Id("n"), "C1", 1, text),)
    made = Contract(Id("k9"), Id("c1"), "odd", 1, text or "-", clauses)
    with filled.savepoint():
        filled.put_contract(None, made)

    assert filled.contract(asset(made, "contract")) == made


def test_things_are_found_by_their_names(filled: Store) -> None:
    assert filled.context_named("pricing") == PRICING
    assert filled.context_names() == ["base", "pricing"]
    assert filled.asset_named(Id("c2"), "contract", "discount") == A_DISCOUNT
    assert filled.asset_names(Id("c2"), "interface") == ["price"]
    assert filled.change_request_titled("Ask") == REQUEST
    assert filled.change_request_titles() == ["Ask"]


def test_a_name_is_of_one_kind_and_in_one_context(filled: Store) -> None:
    assert filled.asset_named(Id("c1"), "contract", "discount") is None
    assert filled.asset_named(Id("c2"), "interface", "discount") is None
    assert filled.asset_names(Id("c1"), "harness") == []


def test_a_context_holds_contracts_then_interfaces_then_harnesses(filled: Store) -> None:
    assert filled.assets(Id("c2")) == [A_DISCOUNT, A_PRICE, A_HARNESS]
    assert filled.assets(Id("nothing")) == []


def test_parts_are_in_their_order_and_not_in_that_of_their_ids(filled: Store) -> None:
    assert filled.parts(Id("k2")) == [Part(Id("k2b"), Id("k2"), "C2", 2), Part(Id("k2a"), Id("k2"), "C1", 1)]
    assert [part.name for part in filled.parts(Id("h1"))] == ["z", "a"]
    assert filled.parts(Id("nothing")) == []


def test_who_uses_a_context_is_known(filled: Store) -> None:
    assert filled.users_of(Id("c1")) == [PRICING]
    assert filled.users_of(Id("c2")) == []


# Citations.


def test_who_cites_is_told_with_all_its_names(filled: Store) -> None:
    (citing,) = filled.citing([Id("k1a"), Id("k2b")])

    assert (citing.case, citing.case_name, citing.harness, citing.harness_name) == ("h1a", "a", "h1", "test-price")
    assert (citing.context, citing.context_name) == ("c2", "pricing")
    assert (citing.target, citing.target_name, citing.target_kind) == ("k1a", "C1", "clause")
    assert (citing.target_asset, citing.target_asset_name) == ("k1", "rounding")
    assert (citing.target_context, citing.target_context_name) == ("c1", "base")


def test_citations_come_in_the_order_of_the_cases(filled: Store) -> None:
    cited = filled.citing({Id("i1a"), Id("i1b"), Id("k2a"), Id("k1a")})

    assert [(one.case_name, one.target) for one in cited] == [("z", "k2a"), ("z", "i1a"), ("a", "k1a"), ("a", "i1b")]
    assert filled.citing([]) == []


def test_what_is_cited_of_other_contexts_is_known(filled: Store) -> None:
    assert [one.target for one in filled.cited_from(Id("c2"))] == ["k1a"]
    assert filled.cited_from(Id("c1")) == []


# Outlines.


def seen(outline: Outline) -> tuple[object, ...]:
    """An outline as values that can be compared."""
    return (
        outline.contexts,
        list(outline.assets.values()),
        list(outline.parts.values()),
        {case: list(cites) for case, cites in outline.cites_of_case.items()},
        outline.pins,
        outline.texts,
    )


def test_the_outline_is_the_whole_model_in_its_order(filled: Store) -> None:
    outline = filled.outline()

    assert list(outline.contexts.values()) == [BASE, PRICING]
    assert list(outline.assets.values()) == [A_ROUNDING, A_DISCOUNT, A_PRICE, A_HARNESS]
    assert [part.name for part in outline.parts.values()] == ["C1", "C2", "C1", "cost", "price", "z", "a"]
    assert [cite.target for cite in outline.cites_of_case[Id("h1z")]] == ["k2a", "i1a"]
    assert set(outline.pins[Id("i1")].basis) == set(PIN.basis)
    assert outline.texts == {}


def test_the_outline_has_both_texts_of_what_is_cited_behind(filled: Store) -> None:
    reworded = Contract(
        DISCOUNT.id, DISCOUNT.context, "discount", 3, DISCOUNT.title, (Clause(Id("k2a"), "C9", 2, "reworded"),)
    )
    with filled.savepoint():
        filled.put_contract(DISCOUNT, reworded)

    assert filled.outline().texts == {(Id("k2a"), 1): "first\n", (Id("k2a"), 2): "reworded"}


def test_the_latest_pin_counts(filled: Store) -> None:
    later = Pin(Id("p2"), Id("i1"), "f" * 64, (Ground(Id("i1"), Role.INTERFACE, 1),))
    with filled.savepoint():
        filled.add_pin(later, "other code")

    assert set(filled.outline().pins) == {Id("i1")}
    assert filled.outline().pins[Id("i1")].basis == later.basis
    assert (filled.pin_code(Id("p1")), filled.pin_code(Id("p2"))) == ("the code", "other code")


def test_the_neighbourhood_of_nothing_is_empty(filled: Store) -> None:
    around = filled.neighbourhood([], [])

    assert (around.assets, around.parts, list(around.cites), around.pins) == ({}, {}, [], {})


def test_the_neighbourhood_of_a_part_has_the_cases_that_cite_it_with_all_they_cite(filled: Store) -> None:
    around = filled.neighbourhood([Id("k2a")], [])

    assert {cite.case for cite in around.cites} == {"h1z"}
    assert {cite.target for cite in around.cites} == {"k2a", "i1a"}
    assert around.pins == {}


@pytest.mark.parametrize("moved", ["i1", "k2", "h1"])
def test_the_neighbourhood_of_an_asset_has_the_pins_that_stand_on_it_or_would(filled: Store, moved: str) -> None:
    around = filled.neighbourhood([], [Id(moved)])

    assert set(around.pins) == {"i1"}
    assert {cite.case for cite in around.cites} == {"h1z", "h1a"}
    assert around.basis_of(around.assets[Id("i1")]) == filled.outline().basis_of(A_PRICE)


def test_the_neighbourhood_has_what_a_pin_stood_on_and_does_not_any_more(filled: Store) -> None:
    fewer = Harness(HARNESS.id, HARNESS.context, HARNESS.name, HARNESS.kind, 2, "source", (HARNESS.cases[1],))
    with filled.savepoint():
        filled.put_harness(HARNESS, fewer)

    assert filled.neighbourhood([], [Id("h1")]).assets[Id("k2")] == A_DISCOUNT


# Changing and taking out.


def test_a_put_over_what_is_there_replaces_it(filled: Store) -> None:
    contract = Contract(DISCOUNT.id, DISCOUNT.context, "discount", 3, "Other", tuple(reversed(DISCOUNT.clauses)))
    interface = Interface(PRICE.id, PRICE.context, "price", 2, "", ())
    harness = Harness(HARNESS.id, HARNESS.context, HARNESS.name, HARNESS.kind, 2, "", HARNESS.cases[:1])
    with filled.savepoint():
        filled.put_contract(DISCOUNT, contract)
        filled.put_harness(HARNESS, harness)
    assert filled.contract(asset(contract, "contract")) == contract
    assert filled.harness(asset(harness, "harness")) == harness
    assert filled.citing([Id("k1a")]) == []

    with filled.savepoint():
        filled.put_harness(harness, Harness(HARNESS.id, HARNESS.context, HARNESS.name, HARNESS.kind, 3, "", ()))
        filled.put_interface(PRICE, interface)
    assert filled.interface(asset(interface, "interface")) == interface


def test_labels_may_change_places_in_one_put(filled: Store) -> None:
    one, two = DISCOUNT.clauses
    swapped = (Clause(two.id, one.label, two.revision, two.text), Clause(one.id, two.label, one.revision, one.text))
    contract = Contract(DISCOUNT.id, DISCOUNT.context, "discount", 3, "Other", swapped)
    with filled.savepoint():
        filled.put_contract(DISCOUNT, contract)

    assert filled.contract(asset(contract, "contract")) == contract


def test_a_context_put_again_has_its_new_uses(filled: Store) -> None:
    with filled.savepoint():
        filled.put_context(Context(PRICING.id, "pricing", 4, Basis.CONTRACT, ()))

    assert filled.users_of(Id("c1")) == []
    assert filled.context_named("pricing") == Context(PRICING.id, "pricing", 4, Basis.CONTRACT, ())


def test_an_asset_that_is_removed_goes_with_its_parts_and_citations(filled: Store) -> None:
    with filled.savepoint():
        filled.remove_asset(Id("h1"))

    assert filled.assets(Id("c2")) == [A_DISCOUNT, A_PRICE]
    assert (filled.parts(Id("h1")), filled.citing([Id("k2a")])) == ([], [])


def test_a_context_that_is_removed_is_gone(filled: Store) -> None:
    with filled.savepoint():
        for gone in ("h1", "i1", "k2"):
            filled.remove_asset(Id(gone))
        filled.remove_context(Id("c2"))
        filled.set_project_revision(4)

    assert filled.contexts() == [BASE]
    assert filled.project() == Project(Id("project"), 4)


# What was retired.

GONE = [
    Retired("interface", Id("i1"), "pricing", "price", None, None, 1, 4),
    Retired("item", Id("i1a"), "pricing", "price", "price", Id("i1"), 1, 4),
]


def test_the_retired_are_kept_in_the_order_they_went(filled: Store) -> None:
    later = Retired("context", Id("c0"), "old", None, None, None, 2, 5)
    with filled.savepoint():
        filled.add_retired(GONE, Id("c2"))
        filled.add_retired([later], Id("c0"))

    assert filled.retired() == [*GONE, later]


def test_a_retired_name_is_one_of_its_kind_and_its_context(filled: Store) -> None:
    with filled.savepoint():
        filled.add_retired(GONE, Id("c2"))

    assert filled.is_retired_name(Id("c2"), "interface", "price")
    assert not filled.is_retired_name(Id("c2"), "contract", "price")
    assert not filled.is_retired_name(Id("c1"), "interface", "price")


def test_names_are_known_of_what_lives_and_of_what_went(filled: Store) -> None:
    with filled.savepoint():
        filled.add_retired([Retired("clause", Id("x1"), "pricing", "discount", "C7", Id("k2"), 3, 2)], Id("c2"))

    assert filled.named([Id("c1"), Id("k2"), Id("k2a"), Id("i1a"), Id("h1a"), Id("x1"), Id("nothing")]) == {
        "c1": Named("context", "base", None, None, 1),
        "k2": Named("contract", "pricing", "discount", None, 2),
        "k2a": Named("clause", "pricing", "discount", "C1", 1),
        "i1a": Named("item", "pricing", "price", "price", 1),
        "h1a": Named("case", "pricing", "test-price", "a", 4),
        "x1": Named("clause", "pricing", "discount", "C7", None),
    }
    assert filled.named([]) == {}


def test_a_pin_of_an_interface_that_went_stays(filled: Store) -> None:
    assert filled.retired_pins() == []

    with filled.savepoint():
        filled.remove_asset(Id("h1"))
        filled.remove_asset(Id("i1"))
        filled.add_retired(GONE, Id("c2"))

    assert filled.retired_pins() == ["i1"]
    assert filled.pin_code(Id("p1")) == "the code"


# Change requests.


def test_requests_are_found_by_what_they_address(filled: Store) -> None:
    second = ChangeRequest(
        Id("r2"), "More", Intent.CHANGE_BEHAVIOR, None, "Ada", Id("r1"), (), REQUEST.addresses[:1], ()
    )
    with filled.savepoint():
        filled.add_change_request(second)

    first, other = (
        RequestLine(request.id, request.title, request.intent, request.parent, None) for request in (REQUEST, second)
    )
    assert filled.requests_addressing([Id("h1a")]) == {
        ("cite.stale", "h1a"): [first, other],
        ("judged.x", None): [first],
    }
    assert filled.change_requests() == [REQUEST, second]


# Savepoints, groups and revisions.


def everything(store: Store) -> tuple[object, ...]:
    return (
        store.revision(),
        store.project(),
        store.contexts(),
        store.retired(),
        store.change_requests(),
        seen(store.outline()),
    )


def failing(store: Store) -> None:
    """Write a little of everything, and fail before the end."""
    with suppress(ZeroDivisionError), store.savepoint():
        store.remove_asset(Id("h1"))
        store.put_context(Context(Id("c3"), "more", 1, Basis.INTERFACE, ()))
        store.add_retired(GONE, Id("c2"))
        store.count_commit(moves_model=True)
        raise ZeroDivisionError


def test_what_an_exception_leaves_is_nothing(filled: Store) -> None:
    before = everything(filled)

    failing(filled)

    assert everything(filled) == before


def test_a_savepoint_that_failed_leaves_the_one_before_it(filled: Store) -> None:
    with filled.savepoint():
        filled.count_commit(moves_model=True)
    failing(filled)
    with filled.savepoint():
        filled.count_commit(moves_model=False)
    filled.close_group()

    assert filled.revision() == 3


def test_a_group_that_is_dropped_leaves_what_was_durable(filled: Store) -> None:
    before = everything(filled)
    for _ in range(2):
        with filled.savepoint():
            filled.put_context(Context(Id("c3"), "more", 1, Basis.INTERFACE, ()))
            filled.count_commit(moves_model=True)
    assert filled.revision() == 3

    filled.drop_group()

    assert everything(filled) == before


def test_a_group_is_open_from_its_first_savepoint_until_it_is_closed(filled: Store) -> None:
    assert not filled.group_is_open()
    with filled.savepoint():
        filled.count_commit(moves_model=True)
    assert filled.group_is_open()
    filled.close_group()
    assert not filled.group_is_open()


def test_closing_or_dropping_what_is_not_open_does_nothing(filled: Store) -> None:
    before = everything(filled)

    filled.close_group()
    filled.drop_group()

    assert everything(filled) == before


def test_every_commit_counts_and_those_of_a_group_count_each(filled: Store) -> None:
    for moves_model in (True, False, True):
        with filled.savepoint():
            filled.count_commit(moves_model=moves_model)

    assert filled.revision() == 4


def test_what_a_group_wrote_is_read_inside_it(filled: Store) -> None:
    with filled.savepoint():
        filled.put_context(Context(Id("c3"), "more", 1, Basis.INTERFACE, ()))
        with filled.reading():
            assert filled.context_names() == ["base", "pricing", "more"]
