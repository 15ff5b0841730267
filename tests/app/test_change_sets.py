"""What a change set is: several puts and retirements that hold together, all of them or none.

Source: specification, "Change sets"; open-points 10 and 15.
"""

from __future__ import annotations

import itertools

import pytest

from tests.running import (
    BASE,
    BASIS,
    CONTEXT,
    CONTRACT,
    HARNESS,
    INIT,
    INTERFACE,
    TWO_ITEMS,
    Json,
    Project,
    case,
    change_set,
    changed,
    clause,
    clauses_put,
    codes,
    contract,
    fields_of,
    harness,
    item,
    names,
    retire,
    retire_context,
    uses,
)

# The order in which entries are listed.


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))), ids=lambda order: "".join(map(str, order)))
def test_a_whole_context_comes_in_any_order(project: Project, order: tuple[int, ...]) -> None:
    entries = (CONTEXT, CONTRACT, INTERFACE, HARNESS)
    project.accept(INIT)

    answer = project.accept(change_set(*(entries[n] for n in order)))

    expected = ["context", "contract", "interface", "harness"]
    assert [put["put"] for put in answer["puts"]] == [expected[n] for n in order]
    assert {put["revision"] for put in answer["puts"]} == {1}
    assert answer["findings"] == []


def test_a_set_leaves_what_its_parts_leave_one_after_another(
    project: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    parts = (CONTRACT, INTERFACE, HARNESS)
    other = Project(tmp_path_factory.mktemp("other"))
    project.accepted(INIT, CONTEXT, *parts)
    other.accepted(INIT, CONTEXT, change_set(*parts))

    assert without_ids(project.view("contracts", "interfaces", "harnesses")) == without_ids(
        other.view("contracts", "interfaces", "harnesses")
    )


def without_ids(value: object) -> object:
    """The value without ids and with what is cited by its revision alone."""
    if isinstance(value, dict):
        return {key: without_ids(held) for key, held in value.items() if key not in {"id", "target"}}
    return [without_ids(held) for held in value] if isinstance(value, list) else value


def test_a_context_added_by_a_set_may_use_one_that_is_listed_after_it(project: Project) -> None:
    project.accept(INIT)

    project.accept(change_set(changed(CONTEXT, uses=["base"]), BASE))

    assert project.context("pricing")["uses"] == ["base"]


def test_an_added_context_may_have_its_uses_and_its_basis_in_entries_of_their_own(project: Project) -> None:
    project.accepted(INIT, BASE)

    answer = project.accept(change_set(CONTEXT, uses("pricing", "base"), BASIS, CONTRACT))

    assert project.context()["uses"] == ["base"]
    assert project.context()["basis"] == "contract"
    assert answer["puts"][0]["revision"] == 1
    assert answer["puts"][1] == {"put": "uses", "context": "pricing"}
    assert answer["puts"][2] == {"put": "base_on_contract", "context": "pricing"}


def test_a_citation_into_a_context_that_the_same_set_lets_reach_it(model: Project) -> None:
    shop: Json = {"op": "context_add", "name": "shop"}
    model.accept(shop)
    cites = {**case("buys", items=[]), "items": [{"context": "pricing", "interface": "price", "key": "price"}]}

    model.accept(change_set(harness(cites, context="shop", name="test-shop"), uses("shop", "pricing")))

    assert names(model.harness("shop", "test-shop")["cases"]) == ["buys"]


# Revisions.


def test_a_case_cites_the_revision_that_the_set_makes(model: Project) -> None:
    answer = model.accept(change_set(HARNESS, contract(clause("C1", "reworded"))))

    (cited,) = model.harness()["cases"][0]["cites"]["clauses"]
    assert cited["revision"] == 2
    assert answer["findings"] == []
    assert model.status("stale_cites")["stale_cites"] == []


def test_a_case_cites_a_clause_by_the_label_the_set_gives_it(model: Project) -> None:
    rename = clauses_put(clause("C7", CONTRACT["clauses"][0]["text"], replaces="C1"))
    before = model.contract()["clauses"][0]

    answer = model.accept(change_set(harness(case("test_refuses", clauses=["C7"])), rename))

    (after,) = model.contract()["clauses"]
    assert after == {**before, "label": "C7"}
    assert answer["puts"][1]["put"] == "clauses"
    assert answer["puts"][1]["revision"] == 1


def test_a_set_is_one_commit_of_the_store(model: Project) -> None:
    before = model.revision()

    model.accept(change_set(contract(clause("C1", "other")), TWO_ITEMS, changed(HARNESS, name="more"), BASE))

    assert model.revision() == before + 1


def test_several_assets_move_their_context_by_one(model: Project) -> None:
    before = model.context_revision()

    model.accept(
        change_set(
            contract(name="a"), contract(name="b"), changed(INTERFACE, name="c"), retire("harness", "test-price")
        )
    )

    assert model.context_revision() == before + 1


def test_a_revision_of_an_asset_leaves_its_context_where_it_was(model: Project) -> None:
    before = model.context_revision()

    model.accepted(contract(clause("C1", "other")), TWO_ITEMS)

    assert model.context_revision() == before


def test_a_change_that_changes_nothing_moves_the_store_alone(model: Project) -> None:
    before, view = model.revision(), model.view("contracts", "interfaces", "harnesses")

    model.accept(change_set(CONTRACT, INTERFACE, HARNESS, uses("pricing")))

    assert model.view("contracts", "interfaces", "harnesses") == view
    assert model.revision() == before + 1


# A thing named twice.


@pytest.mark.parametrize(
    ("entries", "places"),
    [
        ((CONTRACT, clauses_put()), ["puts[0]", "puts[1]"]),
        ((HARNESS, retire("harness", "test-price")), ["puts[0]", "retires[0]"]),
        ((retire("interface", "price"), retire("interface", "price")), ["retires[0]", "retires[1]"]),
        ((BASE, BASE), ["puts[0]", "puts[1]"]),
        ((uses("pricing"), uses("pricing")), ["puts[0]", "puts[1]"]),
        ((BASIS, BASIS), ["puts[0]", "puts[1]"]),
        ((CONTRACT, retire_context("pricing")), ["retires[0]", "puts[0]"]),
        ((uses("pricing"), retire_context("pricing")), ["retires[0]", "puts[0]"]),
        ((BASIS, retire_context("pricing")), ["retires[0]", "puts[0]"]),
    ],
    ids=[
        "clauses",
        "retired",
        "twice-retired",
        "added",
        "uses",
        "basis",
        "into-retired",
        "uses-retired",
        "basis-retired",
    ],
)
def test_a_thing_is_named_once(model: Project, entries: tuple[Json, ...], places: list[str]) -> None:
    (problem,) = model.refuse(change_set(*entries))

    assert problem["code"] == "change-set.named-twice"
    assert problem["values"]["places"] == places
    assert problem["values"]["count"] == 2


@pytest.mark.cites("refusals#C1", "refusals#C2", "contract::violations_of_put")
def test_everything_that_is_named_twice_is_told(model: Project) -> None:
    problems = model.refuse(change_set(CONTRACT, INTERFACE, CONTRACT, INTERFACE, HARNESS))

    assert [(problem["values"]["kind"], problem["values"]["name"]) for problem in problems] == [
        ("contract", "discount"),
        ("interface", "price"),
    ]


def test_one_name_of_several_kinds_is_no_name_twice(project: Project) -> None:
    project.accepted(INIT, CONTEXT)

    same = [changed(put, name="same") for put in (CONTRACT, INTERFACE)]

    assert names(project.accept(change_set(*same))["puts"]) == ["same", "same"]


# Every problem.


@pytest.mark.cites("refusals#C1", "refusals#C2", "contract::violations_of_put")
def test_every_unknown_name_of_every_entry_is_told(model: Project) -> None:
    problems = model.refuse(
        change_set(
            contract(context="nowhere"),
            clauses_put(clause("C5", replaces="C4"), remove=["C3"]),
            harness(case("a", items=["pricce"], clauses=["C2"]), {**case("b"), "clauses": [cited_elsewhere()]}),
            uses("pricing", "base"),
            retire("harness", "nothing"),
            retire_context("other"),
        )
    )

    assert set(codes(problems)) == {"input.unknown-name"}
    assert {problem["field"] for problem in problems} == {
        "puts[0].context",
        "puts[1].clauses[0].replaces",
        "puts[1].remove[0]",
        "puts[2].cases[0].items[0].key",
        "puts[2].cases[0].clauses[0].label",
        "puts[2].cases[1].clauses[0].context",
        "puts[3].uses[0]",
        "retires[0].harness",
        "retires[1].context",
    }


def cited_elsewhere() -> Json:
    return {"context": "elsewhere", "contract": "discount", "label": "C1"}


def test_names_come_before_states_and_states_before_rules(model: Project) -> None:
    unknown, state, rule = uses("pricing", "base"), CONTEXT, contract(clause("C2"))

    assert set(codes(model.refuse(change_set(unknown, state, rule)))) == {"input.unknown-name"}
    assert set(codes(model.refuse(change_set(state, rule)))) == {"context.name-taken"}
    assert set(codes(model.refuse(change_set(rule)))) == {"project.cite-unreachable"}


def test_a_refused_entry_makes_no_problem_of_what_cites_it(model: Project) -> None:
    refused = clauses_put(clause("C9", replaces="C7"))

    problems = model.refuse(change_set(refused, harness(case("a", clauses=["C9"]))))

    assert fields_of(problems) == [("input.unknown-name", "puts[0].clauses[0].replaces")]


def test_a_refused_new_asset_is_not_told_as_missing(model: Project) -> None:
    twice = contract(clause("C1", "one"), clause("C1", "other"), name="stock")
    cites = {**case("a"), "clauses": [{"contract": "stock", "label": "C1"}]}

    problems = model.refuse(change_set(twice, harness(cites)))

    assert codes(problems) == ["contract.label-twice"]


def test_an_unknown_context_hides_no_problem_of_another_entry(model: Project) -> None:
    problems = model.refuse(change_set(changed(INTERFACE, context="a"), changed(INTERFACE, items=[item("price", 5)])))

    assert codes(problems) == ["input.unknown-name", "interface.lines-outside"]


@pytest.mark.parametrize("entry", [{"puts": []}, {"retires": []}, {"puts": [], "retires": []}, {}])
def test_a_set_of_nothing_is_refused(model: Project, entry: Json) -> None:
    (problem,) = model.refuse({"op": "change_set", **entry})

    assert problem["code"] == "input.invalid"


def test_a_set_without_a_project_is_refused_as_any_operation(project: Project) -> None:
    (answer,) = project.run(change_set(CONTEXT))

    assert codes(answer["diagnostics"]) == ["project.none"]
