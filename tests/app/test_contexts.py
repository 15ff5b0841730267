"""What Contexts use, and what they stand on.

Source: specification, "Operations" (context_add, context_uses, base_on_contract) and "Change sets"; open-points 15.
"""

from __future__ import annotations

from tests.running import (
    BASE,
    BASIS,
    CONTEXT,
    CONTRACT,
    INIT,
    INTERFACE,
    Json,
    Project,
    case,
    change_set,
    changed,
    codes,
    contract,
    harness,
    names,
    retire,
    uses,
)


def test_a_context_may_be_based_on_a_contract_of_the_same_set(project: Project) -> None:
    project.accepted(INIT, CONTEXT)

    project.accept(change_set(BASIS, CONTRACT))

    assert project.context()["basis"] == "contract"


def test_a_context_cannot_be_based_on_a_contract_that_goes(project: Project) -> None:
    project.accepted(INIT, CONTEXT, CONTRACT)

    problems = project.refuse(change_set(BASIS, retire("contract", "discount")))

    assert codes(problems) == ["context.last-contract"]


def test_the_last_contract_may_go_when_another_one_comes(project: Project) -> None:
    project.accepted(INIT, CONTEXT, CONTRACT, BASIS)

    project.accept(change_set(retire("contract", "discount"), contract(name="other")))

    assert names(project.context()["contracts"]) == ["other"]


def test_a_longer_circle_of_uses_is_named_whole(project: Project) -> None:
    third: Json = {"op": "context_add", "name": "third", "uses": ["base"]}
    project.accepted(INIT, BASE, third, changed(CONTEXT, uses=["third"]))

    (problem,) = project.refuse(uses("base", "pricing"))

    assert problem["code"] == "context.uses-circle"
    assert problem["values"]["circle"] == ["base", "pricing", "third"]


def test_a_circle_is_told_once_and_at_an_entry_that_makes_it(project: Project) -> None:
    project.accept(INIT)
    one: Json = {"op": "context_add", "name": "one", "uses": ["two"]}
    two: Json = {"op": "context_add", "name": "two", "uses": ["one"]}

    (problem,) = project.refuse(change_set(BASE, one, two))

    assert problem["code"] == "context.uses-circle"
    assert problem["field"] in {"puts[1].uses", "puts[2].uses"}


def test_two_circles_are_both_told(project: Project) -> None:
    project.accept(INIT)
    pairs = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")]

    problems = project.refuse(change_set(*({"op": "context_add", "name": n, "uses": [u]} for n, u in pairs)))

    assert [sorted(problem["values"]["circle"]) for problem in problems] == [["a", "b"], ["c", "d"]]


def test_a_circle_that_a_set_opens_elsewhere_is_none(project: Project) -> None:
    project.accepted(INIT, BASE, changed(CONTEXT, uses=["base"]))

    project.accept(change_set(uses("base", "pricing"), uses("pricing")))

    assert project.context("base")["uses"] == ["pricing"]


def test_a_used_context_that_is_named_twice_counts_once(project: Project) -> None:
    project.accepted(INIT, BASE, changed(CONTEXT, uses=["base", "base"]))

    assert project.context()["uses"] == ["base"]


def test_uses_that_take_away_what_a_case_cites_are_refused(project: Project) -> None:
    cites = {**case("reads", items=[]), "items": [{"context": "base", "interface": "price", "key": "price"}]}
    project.accepted(INIT, BASE, changed(INTERFACE, context="base"), changed(CONTEXT, uses=["base"]), harness(cites))

    (problem,) = project.refuse(uses("pricing"))

    assert problem["code"] == "project.cite-unreachable"
    assert problem["values"] == {
        "kind": "item",
        "name": "price price",
        "case": "reads",
        "harness": "test-price",
        "context": "pricing",
        "target_context": "base",
    }
