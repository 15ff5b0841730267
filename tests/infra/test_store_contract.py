"""What the port `app.ports.store.Store` promises, asked of the store in SQLite and of the one in memory alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from chidev.app.ports.store import Store
from chidev.domain.change_request import (
    Address,
    Assumption,
    By,
    ChangeRequest,
    Expectation,
    Intent,
    Resolution,
    Step,
)
from chidev.domain.contract import Clause, Contract
from chidev.domain.crux import Answer, Asked, Beyond, Crux, CruxKind, Decision, Form, Importance, Option, Recommended
from chidev.domain.crux import Basis as DecisionBasis
from chidev.domain.decision_policy import DecisionPolicy, PolicyLine
from chidev.domain.footprint import CaseCites, Footprint, Move, OutsideMove, Place, Rename
from chidev.domain.harness import Case, Citation, Harness, HarnessKind
from chidev.domain.identity import Id
from chidev.domain.interface import Interface, Item
from chidev.domain.named import Named
from chidev.domain.outline import Asset, Outline, Part
from chidev.domain.pin import Ground, Pin, Role
from chidev.domain.project import Basis, Context, Project
from chidev.domain.request_outline import Derived, Expected, RequestLine, Undecided
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

ADA = By("person", "ada")
DONE = Step(Resolution.DONE, None, "it holds", ADA, 1_700_000_000_000)
REOPENED = Step(None, None, "it does not", ADA, 1_700_000_000_001)
ARBITRARY = DecisionBasis(reason="so")
POLICY = DecisionPolicy(2, (PolicyLine("P2", "second", 2), PolicyLine("P1", "first", 1)))
_PART_OF = {"k1": "clause", "k2": "clause", "i1": "item", "h1": "case"}


def opened(
    id_: str, *expects: Expectation, parent: str | None = None, addresses: tuple[Address, ...] = ()
) -> ChangeRequest:
    """A request as it is opened."""
    above = Id(parent) if parent else None
    return ChangeRequest(Id(id_), f"Request {id_}", Intent.CHANGE_BEHAVIOR, None, None, above, expects, addresses, ())


def asked(id_: str, kind: str = "target") -> Expectation:
    """A part that is to be revised, or kept."""
    return Expectation(kind, place(id_).kind, Id(id_), 1)


def place(id_: str) -> Place:
    """Where a part is; an id that is of no part here is of a Clause of `discount`."""
    asset = id_[:2] if id_[:2] in _PART_OF else "k2"
    return Place(_PART_OF[asset], Id(id_), Id("c1" if asset == "k1" else "c2"), Id(asset))


def raised(id_: str, request: str = "r1", supersedes: str | None = None) -> Crux:
    """A Crux with one option that asks nothing."""
    replaced = Id(supersedes) if supersedes else None
    options = (Option(Id(f"{id_}-o"), "this", None, None, ()),)
    return Crux(Id(id_), Id(request), CruxKind.MODEL, f"Which, {id_}?", None, (), options, None, replaced)


def decide(
    store: Store,
    id_: str,
    *targets: str,
    kind: str = "target",
    request: str = "r1",
    basis: DecisionBasis = ARBITRARY,
) -> None:
    """Raise a Crux and decide it; its decision asks some parts to be revised, or kept."""
    store.add_crux(raised(id_, request))
    store.add_answer(Id(id_), Answer(Id(f"{id_}-a"), Decision(Form.CHOSEN, Id(f"{id_}-o")), basis, ADA, 1))
    store.add_decided(Id(id_), Id(request), [asked(target, kind) for target in targets])


def moved(id_: str, was: str = "0a", now: str = "0b") -> Move:
    return Move(place(id_), 1, 2, was, now)


def left(
    id_: str, moves: list[Move], renames: Sequence[Rename] = (), *, request: str = "r1", outside: Sequence[str] = ()
) -> Footprint:
    """A footprint of which these targets are outside the frame of its request."""
    return Footprint(
        Id(id_), Id(request), 2, tuple(moves), tuple(renames), (), frozenset(Id(target) for target in outside)
    )


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


def test_a_request_is_read_back_with_all_that_came_to_it(filled: Store) -> None:
    later = Assumption("also", "found", [{"knowledge": {"reference": "IEEE 754"}}])
    steps = (DONE, REOPENED, Step(Resolution.DUPLICATE, Id("r1"), "the same ask", By("role", "orchestrator"), 7))
    request = msgspec.structs.replace(REQUEST, id=Id("r2"), title="More", parent=Id("r1"))
    with filled.savepoint():
        filled.add_change_request(request)
        filled.add_assumption(Id("r2"), later)
        for step in steps:
            filled.add_step(Id("r2"), step)

    assert filled.change_request_titled("More") == msgspec.structs.replace(
        request, assumptions=(*REQUEST.assumptions, later), history=steps
    )
    assert filled.change_request_titled("Ask") == REQUEST
    assert filled.change_request_titled("ask") is None


def test_titles_are_told_of_the_requests_asked_for(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2"))

    assert filled.titles([Id("r2"), Id("nothing")]) == {"r2": "Request r2"}
    assert filled.titles([]) == {}


@pytest.mark.parametrize(
    ("steps", "resolution"),
    [([], None), (["done"], Resolution.DONE), (["done", None], None), (["done", None, "wont_do"], Resolution.WONT_DO)],
)
def test_a_request_ends_as_its_last_step_says(
    filled: Store, steps: list[str | None], resolution: Resolution | None
) -> None:
    addressing = opened("r2", parent="r1", addresses=(Address("cite.stale", "clause", Id("k2a")),))
    with filled.savepoint():
        filled.add_change_request(addressing)
        for step in steps:
            filled.add_step(Id("r2"), Step(Resolution(step) if step else None, None, "so", ADA, 1))

    line = RequestLine(Id("r2"), "Request r2", Intent.CHANGE_BEHAVIOR, Id("r1"), resolution)
    assert filled.parts_of_request(Id("r1")) == [line]
    assert filled.requests_addressing([Id("k2a")])["cite.stale", Id("k2a")] == [line]
    assert filled.request_outline().requests[Id("r2")] == line


def test_the_parts_of_a_request_come_in_the_order_they_were_opened(filled: Store) -> None:
    with filled.savepoint():
        for id_, parent in (("r2", "r1"), ("r3", "r1"), ("r4", "r3")):
            filled.add_change_request(opened(id_, parent=parent))

    assert [part.id for part in filled.parts_of_request(Id("r1"))] == ["r2", "r3"]
    assert filled.parts_of_request(Id("r4")) == []


def test_places_are_known_of_what_lives_and_of_what_went(filled: Store) -> None:
    went = [
        Retired("clause", Id("x1"), "pricing", "discount", "C7", Id("k2"), 3, 2),
        Retired("contract", Id("x2"), "pricing", "old", None, None, 1, 2),
    ]
    with filled.savepoint():
        filled.add_retired(went, Id("c2"))
        filled.add_retired([Retired("context", Id("c0"), "gone", None, None, None, 2, 5)], Id("c0"))

    assert filled.places([Id(id_) for id_ in ("c1", "k2", "k2a", "i1a", "h1a", "x1", "x2", "c0", "nothing")]) == {
        "c1": Place("context", Id("c1")),
        "k2": Place("contract", Id("k2"), Id("c2")),
        "k2a": place("k2a"),
        "i1a": Place("item", Id("i1a"), Id("c2"), Id("i1")),
        "h1a": Place("case", Id("h1a"), Id("c2"), Id("h1")),
        "x1": place("x1"),
        "x2": Place("contract", Id("x2"), Id("c2")),
        "c0": Place("context", Id("c0")),
    }
    assert filled.places([]) == {}


# Cruxes and the Policy.


def test_a_crux_is_read_back_as_it_was_raised(filled: Store) -> None:
    whole = Crux(
        id=Id("x1"),
        request=Id("r1"),
        kind=CruxKind.CONFLICT,
        question="Which?",
        importance=Importance.HIGH,
        findings=(Address("cite.stale", "case", Id("h1a")), Address("judged.x", None, None)),
        options=(
            Option(
                Id("o2"),
                "this",
                "C1: this",
                "callers",
                (Asked("target", "clause", Id("k2b")), Asked("keep", "item", Id("i1a"))),
            ),
            Option(Id("o1"), "that", None, None, ()),
        ),
        recommended=Recommended(Id("o1"), "no new type", 0),
        supersedes=None,
    )
    bare = msgspec.structs.replace(raised("x2"), recommended=Recommended(Id("x2-o"), None, None))
    with filled.savepoint():
        filled.add_crux(whole)
        filled.add_crux(bare)

    assert (filled.crux("x1"), filled.crux("x2")) == (whole, bare)
    assert filled.crux("x3") is None


@pytest.mark.parametrize(
    "answer",
    [
        Answer(Id("a1"), Decision(Form.CHOSEN, Id("x1-o")), DecisionBasis("P1", "old text", 2), By("role", "lead"), 5),
        Answer(
            Id("a1"),
            Decision(Form.CHOSEN, Id("x1-o"), reason="shorter"),
            DecisionBasis(reason="no line covers it"),
            By("person", "ada"),
            5,
            Beyond((Id("r3"), Id("r1"))),
        ),
        Answer(
            Id("a1"),
            Decision(Form.WORDED, wording="C2: so", reason="both"),
            DecisionBasis(reason="mine"),
            By("person", "ada"),
            5,
            Beyond(declined="the next release"),
        ),
        Answer(
            Id("a1"),
            Decision(Form.UNSPECIFIED, keep=("a refusal is an error", "a")),
            DecisionBasis(reason="free"),
            By("person", "ada"),
            5,
        ),
        Answer(Id("a1"), Decision(Form.UNSPECIFIED), DecisionBasis(reason="free"), By("person", "ada"), 5),
        Answer(Id("a1"), Decision(Form.WITHDRAWN), DecisionBasis(reason="gone"), By("person", "ada"), 5),
    ],
    ids=["by-policy", "beyond", "declined", "unspecified", "unspecified-without-a-keep", "withdrawn"],
)
def test_an_answer_is_read_back_with_its_crux(filled: Store, answer: Answer) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r3"))
        filled.add_crux(raised("x1"))
        filled.add_crux(raised("x2"))
        filled.add_answer(Id("x1"), answer)

    answered = msgspec.structs.replace(raised("x1"), answer=answer)
    assert filled.crux("x1") == answered
    assert filled.cruxes() == [answered, raised("x2")]


def test_cruxes_come_in_the_order_they_were_raised_of_all_requests_or_one(filled: Store) -> None:
    cruxes = [raised("x1", "r2"), raised("x2"), raised("x3", "r2", supersedes="x1"), raised("x4", supersedes="x1")]
    with filled.savepoint():
        filled.add_change_request(opened("r2"))
        for crux in cruxes:
            filled.add_crux(crux)

    assert filled.cruxes() == cruxes
    assert filled.cruxes(Id("r2")) == [cruxes[0], cruxes[2]]
    assert filled.cruxes(Id("nothing")) == []
    assert filled.crux_ids() == ["x1", "x2", "x3", "x4"]
    assert filled.superseding(Id("x1")) == cruxes[2:]
    assert filled.superseding(Id("x2")) == []


def test_what_decisions_ask_is_told_crux_by_crux_and_each_target_once(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2"))
        decide(filled, "x2", "k2b", "i1a")
        decide(filled, "x1", "i1b", "k2b", kind="keep")
        decide(filled, "x3", "k2b", request="r2")

    found = filled.change_request_titled("Ask")
    assert found
    assert found.decided == (asked("i1b", "keep"), asked("k2b", "keep"), asked("i1a"))
    assert [request.decided for request in filled.change_requests()] == [found.decided, (asked("k2b"),)]


def test_what_a_decision_asked_is_taken_back_with_it(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x1", "k2b", "i1a")
        decide(filled, "x2", "k2b", kind="keep")
    assert filled.decided_without(Id("r1"), Id("x1")) == [asked("k2b", "keep")]
    assert filled.decided_without(Id("r1"), Id("x3")) == [asked("k2b"), asked("i1a")]

    with filled.savepoint():
        filled.take_back(Id("x1"), Id("x2"))

    found = filled.change_request_titled("Ask")
    assert found
    assert found.decided == (asked("k2b", "keep"),)
    assert filled.decided_without(Id("r1"), Id("x2")) == []


def test_the_policy_has_no_line_before_it_is_put(filled: Store) -> None:
    assert filled.decision_policy() == DecisionPolicy()


def test_the_policy_that_was_put_last_is_the_one_there_is(filled: Store) -> None:
    later = DecisionPolicy(3, (PolicyLine("P10", "new", 3), PolicyLine("P2", "second", 2)))
    with filled.savepoint():
        filled.put_decision_policy(POLICY)
    assert filled.decision_policy() == POLICY

    with filled.savepoint():
        filled.put_decision_policy(later)

    assert filled.decision_policy() == later


# Footprints.


def test_a_footprint_is_read_back_as_it_was_left(filled: Store) -> None:
    footprint = Footprint(
        id=Id("f1"),
        request=Id("r1"),
        store_revision=4,
        moves=(
            Move(Place("project", Id("project")), 3, 4, "0a", "0b"),
            Move(Place("context", Id("c2")), 3, 4, "0c", "0d", own=True),
            Move(place("k2b"), 2, None, "0e", None),
            Move(Place("case", Id("h1n"), Id("c2"), Id("h1")), None, 1, None, "0f"),
        ),
        renames=(Rename(place("k2a"), "C1", "C9"), Rename(Place("item", Id("i1a"), Id("c2"), Id("i1")), "price", "p")),
        cites=(
            CaseCites(Id("h1n"), (place("k2b"), place("k2a"))),
            CaseCites(Id("h1z"), (Place("item", Id("i1a"), Id("c2"), Id("i1")),)),
        ),
        outside=frozenset({Id("k2b"), Id("i1a")}),
    )
    with filled.savepoint():
        filled.add_footprint(footprint)

    assert filled.footprints() == [footprint]


def test_footprints_come_in_the_order_they_were_made_of_all_requests_or_one(filled: Store) -> None:
    footprints = [left("f1", [moved("k2a")]), left("f2", [moved("k2b")], request="r2"), left("f3", [moved("k2a")])]
    with filled.savepoint():
        filled.add_change_request(opened("r2"))
        for footprint in footprints:
            filled.add_footprint(footprint)

    assert filled.footprints() == footprints
    assert filled.footprints(Id("r1")) == [footprints[0], footprints[2]]
    assert filled.footprints(Id("nothing")) == []


# Which requests a change may be about.


def test_no_request_is_near_where_there_is_none(store: Store) -> None:
    assert store.requests_near([Id("k2a")]) == set()


def test_a_request_is_near_what_it_keeps_and_not_what_it_targets(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x1", "i1a", kind="keep")
        decide(filled, "x2", "i1b")

    assert filled.requests_near([Id("k2a")]) == {"r1"}
    assert filled.requests_near([Id("i1a")]) == {"r1"}
    assert filled.requests_near([Id("c1"), Id("i1b"), Id("k2")]) == set()


def test_a_request_is_near_what_its_sets_moved_or_renamed_outside_its_frame(filled: Store) -> None:
    with filled.savepoint():
        filled.add_footprint(left("f1", [moved("k2b"), moved("k1a")], outside=["k2b"]))
        renames = [Rename(place("i1a"), "price", "p"), Rename(place("i1b"), "cost", "c")]
        filled.add_footprint(left("f2", [], renames, outside=["i1a"]))

    assert filled.requests_near([Id("k2b")]) == {"r1"}
    assert filled.requests_near([Id("i1a")]) == {"r1"}
    assert filled.requests_near([Id("k1a"), Id("i1b")]) == set()


def test_a_resolved_request_is_near_nothing_until_it_is_reopened(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x1", "i1a", kind="keep")
        filled.add_footprint(left("f1", [moved("k2b")], [Rename(place("i1b"), "a", "b")], outside=["k2b", "i1b"]))
        filled.add_step(Id("r1"), DONE)
    touched = [Id("k2a"), Id("i1a"), Id("k2b"), Id("i1b")]
    assert filled.requests_near(touched) == set()

    with filled.savepoint():
        filled.add_step(Id("r1"), REOPENED)

    assert all(filled.requests_near([id_]) == {"r1"} for id_ in touched)


def test_a_keep_that_was_taken_back_brings_no_request_near(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x1", "i1a", kind="keep")
        decide(filled, "x2")
        filled.take_back(Id("x1"), Id("x2"))

    assert filled.requests_near([Id("i1a")]) == set()


def test_thousands_of_things_may_be_touched_at_once(filled: Store) -> None:
    assert filled.requests_near([*(Id(f"n{n}") for n in range(50_000)), Id("k2a")]) == {"r1"}


def test_requests_meet_where_one_keeps_what_the_other_targets(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", asked("k2a")))
        filled.add_change_request(opened("r3", asked("k2b")))
        filled.add_change_request(opened("r4", Expectation("keep", "contract", Id("k2"), 2)))
        decide(filled, "x1", "k1a", kind="keep", request="r4")
        decide(filled, "x2", "k1a", request="r3")

    assert filled.requests_meeting(Id("r2")) == {"r1", "r4"}
    assert filled.requests_meeting(Id("r3")) == {"r4"}
    assert filled.requests_meeting(Id("r4")) == set()


def test_a_request_may_meet_itself(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x1", "k2a")

    assert filled.requests_meeting(Id("r1")) == {"r1"}


def test_requests_that_keep_the_same_do_not_meet(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", asked("k2a", "keep"), asked("k2b", "keep")))
        filled.add_change_request(opened("r3", *(Expectation("keep", "contract", Id(id_), 1) for id_ in ("k1", "k2"))))
        decide(filled, "x1", "k1a", kind="keep", request="r2")

    assert filled.requests_meeting(Id("r2")) == set()


def test_a_request_meets_open_ones_only_and_need_not_be_open_itself(filled: Store) -> None:
    with filled.savepoint():
        for id_ in ("r2", "r3"):
            filled.add_change_request(opened(id_, asked("k2b", "keep")))
            decide(filled, f"x{id_}", "i1a", kind="keep", request=id_)
        filled.add_change_request(opened("r4", asked("k2b"), asked("i1a")))
        filled.add_step(Id("r2"), DONE)
        filled.add_step(Id("r4"), DONE)

    assert filled.requests_meeting(Id("r4")) == {"r3"}


def test_requests_do_not_meet_by_a_decision_that_was_taken_back(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", Expectation("keep", "contract", Id("k2"), 2), asked("i1a")))
        filled.add_change_request(opened("r3"))
        decide(filled, "x1", "i1a", kind="keep", request="r3")
        decide(filled, "x2", "k2a", request="r3")
    assert filled.requests_meeting(Id("r2")) == {"r3"}
    assert filled.requests_meeting(Id("r3")) == {"r1", "r2"}

    with filled.savepoint():
        decide(filled, "x3", request="r3")
        for replaced in ("x1", "x2"):
            filled.take_back(Id(replaced), Id("x3"))

    assert filled.requests_meeting(Id("r2")) == set()
    assert filled.requests_meeting(Id("r3")) == set()


# What the checks of requests judge.


def test_the_outline_of_requests_of_an_empty_store_is_empty(store: Store) -> None:
    outline = store.request_outline()

    known = (outline.requests, outline.judged, outline.parents, outline.names, outline.worked)
    listed = (outline.expects, outline.outside, outline.undecided, outline.derived)
    assert outline.project_revision == 0
    assert [len(each) for each in (*known, *listed)] == [0] * 9


def test_the_whole_outline_has_every_request_and_names_of_all_it_asks(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", asked("x9"), parent="r1"))
        filled.add_step(Id("r2"), DONE)
        filled.add_retired([Retired("clause", Id("x9"), "pricing", "discount", "C7", Id("k2"), 3, 2)], Id("c2"))

    outline = filled.request_outline()

    assert list(outline.requests) == ["r1", "r2"]
    assert (sorted(outline.judged), sorted(outline.parents), outline.project_revision) == (["r1", "r2"], ["r1"], 3)
    assert outline.names == {
        "c1": Named("context", "base", None, None, 1),
        "k2a": Named("clause", "pricing", "discount", "C1", 1),
        "x9": Named("clause", "pricing", "discount", "C7", None),
    }


def test_what_requests_ask_is_told_own_first_and_then_crux_by_crux(filled: Store) -> None:
    with filled.savepoint():
        decide(filled, "x2", "h1a", "k2b")
        decide(filled, "x1", "k2b", "i1a", kind="keep")
        decide(filled, "x3", "i1b")
        filled.take_back(Id("x3"), Id("x1"))

    expected = [
        Expected(Id("r1"), "target", "context", Id("c1"), None, 1, True),
        Expected(Id("r1"), "keep", "clause", Id("k2a"), Id("k2"), 1, True),
        Expected(Id("r1"), "keep", "clause", Id("k2b"), Id("k2"), 1, False),
        Expected(Id("r1"), "keep", "item", Id("i1a"), Id("i1"), 1, False),
        Expected(Id("r1"), "target", "case", Id("h1a"), Id("h1"), 1, False),
    ]
    assert list(filled.request_outline().expects) == expected
    assert list(filled.request_outline([Id("r1")]).expects) == expected


def test_the_outline_around_a_request_has_what_open_ones_target_of_what_it_keeps(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", Expectation("keep", "contract", Id("k2"), 2), asked("i1a", "keep")))
        filled.add_change_request(opened("r3", asked("k2b"), asked("k1a")))
        filled.add_change_request(opened("r4", asked("i1b"), asked("k2b", "keep")))
        filled.add_change_request(opened("r5", asked("k2a")))
        filled.add_step(Id("r5"), DONE)
        decide(filled, "x1", "i1a", request="r4")

    outline = filled.request_outline([Id("r2")])

    assert list(outline.requests) == ["r2", "r3", "r4"]
    assert outline.judged == {"r2"}
    assert [(e.request, e.kind, e.id) for e in outline.expects] == [
        ("r2", "keep", "k2"),
        ("r2", "keep", "i1a"),
        ("r3", "target", "k2b"),
        ("r4", "target", "i1a"),
    ]
    assert set(outline.names) == {"k2", "i1a", "k2b"}


def test_the_outline_around_a_request_leaves_out_what_is_judged_of_all(filled: Store) -> None:
    with filled.savepoint():
        filled.add_change_request(opened("r2", parent="r1"))
        filled.add_crux(raised("x1"))
        filled.add_footprint(left("f1", [moved("k2a")]))
        filled.add_step(Id("r1"), DONE)

    outline = filled.request_outline([Id("r1")])

    assert list(outline.requests) == ["r1"]
    assert [len(each) for each in (outline.parents, outline.worked, outline.undecided)] == [0, 0, 0]


def test_the_outline_has_the_cruxes_that_nobody_decided(filled: Store) -> None:
    with filled.savepoint():
        filled.add_step(Id("r1"), DONE)
        filled.add_crux(raised("x1"))
        decide(filled, "x2")
        filled.add_crux(raised("x3"))

    assert list(filled.request_outline().undecided) == [
        Undecided(Id("x1"), Id("r1"), "Which, x1?"),
        Undecided(Id("x3"), Id("r1"), "Which, x3?"),
    ]


def test_the_outline_has_the_decisions_that_rest_on_a_line_with_its_text_then_and_now(filled: Store) -> None:
    with filled.savepoint():
        filled.put_decision_policy(POLICY)
        filled.add_change_request(opened("r2"))
        decide(filled, "x1", basis=DecisionBasis("P1", "as it was", 1))
        decide(filled, "x2", basis=DecisionBasis("P9", "gone since", 1), request="r2")
        decide(filled, "x3")
    changed = Derived(Id("x1"), Id("r1"), "Which, x1?", "P1", "as it was", "first")
    gone = Derived(Id("x2"), Id("r2"), "Which, x2?", "P9", "gone since", None)

    assert list(filled.request_outline().derived) == [changed, gone]
    around = filled.request_outline([Id("r1")], ["P9"])
    assert list(around.derived) == [gone]
    assert (list(around.requests), sorted(around.judged)) == (["r1", "r2"], ["r1"])
    assert list(filled.request_outline([Id("r1")]).derived) == []


def test_the_outline_has_what_was_left_moved_outside_a_frame_by_all_sets_of_a_request(filled: Store) -> None:
    with filled.savepoint():
        filled.add_footprint(left("f1", [moved("k2b", "a", "b"), moved("k1a", "a", "b")], outside=["k2b", "k1a"]))
        filled.add_footprint(left("f2", [moved("k2a", "a", "b")]))
        filled.add_footprint(left("f3", [moved("k1a", "b", "a"), moved("k2b", "b", "c")], outside=["k2b", "k1a"]))
        filled.add_footprint(left("f4", [], [Rename(place("i1a"), "old", "price")], outside=["i1a"]))
    moves = [
        OutsideMove(Id("r1"), place("k2b"), (Id("f1"), Id("f3")), "a", "c"),
        OutsideMove(Id("r1"), place("i1a"), (Id("f4"),), None, None, "old", "price"),
    ]

    assert list(filled.request_outline().outside) == moves
    around = filled.request_outline([Id("r1")])
    assert list(around.outside) == moves
    assert {"k2b", "i1a"} <= set(around.names)


def test_what_was_left_outside_is_told_of_the_judged_requests_and_of_the_one_being_resolved(filled: Store) -> None:
    with filled.savepoint():
        for id_ in ("r2", "r3"):
            filled.add_change_request(opened(id_))
            filled.add_footprint(left(f"f{id_}", [moved("k2b")], request=id_, outside=["k2b"]))
        filled.add_step(Id("r3"), DONE)

    outline = filled.request_outline([Id("r1"), Id("r3")], resolving=Id("r3"))

    assert outline.resolving == "r3"
    assert [(move.request, move.place.id) for move in outline.outside] == [("r3", "k2b")]


def test_the_outline_has_the_work_of_what_was_done_and_of_all_its_parts(filled: Store) -> None:
    with filled.savepoint():
        for id_, parent in (("r2", "r1"), ("r3", "r2"), ("r4", None), ("r5", None)):
            filled.add_change_request(opened(id_, parent=parent))
        filled.add_footprint(left("f3", [moved("k2b")], request="r3"))
        filled.add_footprint(left("f4", [moved("k1a")], request="r4"))
        filled.add_footprint(left("f5", [], [Rename(place("k2a"), "C1", "C9")], request="r3"))
        filled.add_footprint(left("f6", [moved("k1a")], request="r5"))
        filled.add_step(Id("r1"), DONE)
        filled.add_step(Id("r4"), Step(Resolution.WONT_DO, None, "so", ADA, 1))

    worked = filled.request_outline().worked

    assert {request: set(ids) for request, ids in worked.items()} == {"r3": {"k2b", "k2a", "k2", "c2", "project"}}


# Savepoints, groups and revisions.


def everything(store: Store) -> tuple[object, ...]:
    return (
        store.revision(),
        store.project(),
        store.contexts(),
        store.retired(),
        store.change_requests(),
        store.cruxes(),
        store.decision_policy(),
        store.footprints(),
        seen(store.outline()),
    )


def failing(store: Store) -> None:
    """Write a little of everything, and fail before the end."""
    with suppress(ZeroDivisionError), store.savepoint():
        store.remove_asset(Id("h1"))
        store.put_context(Context(Id("c3"), "more", 1, Basis.INTERFACE, ()))
        store.add_retired(GONE, Id("c2"))
        decide(store, "x1", "k2a")
        store.put_decision_policy(POLICY)
        store.add_footprint(left("f1", [moved("k2a")]))
        store.add_step(Id("r1"), DONE)
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
