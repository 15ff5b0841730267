"""What leaves the model, what is kept of it, and what stands in the way.

Source: specification, "Retiring" and "Change sets".
"""

from __future__ import annotations

from tests.running import (
    BASE,
    CONTEXT,
    CONTRACT,
    HARNESS,
    INIT,
    INTERFACE,
    MODEL,
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
    harness,
    item,
    names,
    retire,
    retire_context,
    uses,
)


def test_what_puts_drop_is_told_before_what_is_retired(model: Project) -> None:
    model.accepted(contract(clause("C1"), clause("C2")), TWO_ITEMS)

    answer = model.accept(
        change_set(
            retire("harness", "test-price"),
            changed(INTERFACE, items=[item("price")]),
            clauses_put(remove=["C2"]),
        )
    )

    told = [(gone["kind"], gone["name"]) for gone in answer["retired"]]
    assert sorted(told[:2]) == [("clause", "discount C2"), ("item", "price cost")]
    assert told[2:] == [("harness", "test-price"), ("case", "test-price test_refuses")]
    assert model.status("retired")["retired"] == answer["retired"]


def test_the_record_of_what_went_names_revisions(model: Project) -> None:
    model.accepted(contract(clause("C1"), clause("C2")), contract(clause("C1"), clause("C2", "reworded")))
    before = model.context_revision()

    answer = model.accept(change_set(clauses_put(remove=["C2"]), retire("harness", "test-price")))

    gone = {record["name"]: (record["last_revision"], record["at"]) for record in answer["retired"]}
    assert gone["discount C2"] == (2, model.contract()["revision"])
    assert gone["test-price"] == (1, before + 1)
    assert gone["test-price test_refuses"] == (1, before + 1)


def test_a_set_retires_a_context_that_another_one_lets_go_in_it(project: Project) -> None:
    project.accepted(INIT, BASE, changed(CONTEXT, uses=["base"]))

    project.accept(change_set(uses("pricing"), retire_context("base")))

    assert names(project.view("contracts")["contexts"]) == ["pricing"]


def test_two_contexts_of_which_one_uses_the_other_go_together(project: Project) -> None:
    project.accepted(INIT, BASE, changed(CONTEXT, uses=["base"]))

    answer = project.accept(change_set(retire_context("base"), retire_context("pricing")))

    assert names(answer["retired"]) == ["base", "pricing"]
    assert project.view("contracts")["contexts"] == []


def test_a_context_added_by_a_set_cannot_use_one_that_the_set_retires(project: Project) -> None:
    project.accepted(INIT, BASE)

    (problem,) = project.refuse(change_set(changed(CONTEXT, uses=["base"]), retire_context("base")))

    assert problem["code"] == "project.retire-used"
    assert names(problem["subjects"]) == ["base", "pricing"]


def test_a_name_that_was_retired_is_free_for_another_kind_of_thing(model: Project) -> None:
    model.accepted(retire("harness", "test-price"), retire("contract", "discount"))

    model.accept(changed(INTERFACE, name="discount"))
    problems = model.refuse(change_set(CONTRACT, HARNESS))

    assert codes(problems) == ["project.asset-retired", "project.asset-retired"]
    assert [problem["field"] for problem in problems] == ["puts[0].name", "puts[1].name"]


def test_a_retired_context_leaves_its_name_but_not_its_id(model: Project) -> None:
    before = model.context()["id"]
    model.accept(retire_context("pricing"))

    model.accepted(*MODEL[1:])

    assert model.context()["id"] != before
    assert names(model.harness()["cases"]) == ["test_refuses"]


def test_what_a_case_of_the_same_set_cites_cannot_be_retired_by_it(model: Project) -> None:
    problems = model.refuse(change_set(HARNESS, retire("contract", "discount"), retire("interface", "price")))

    assert codes(problems) == ["project.cite-unreachable"] * 2
    assert {problem["values"]["name"] for problem in problems} == {"discount C1", "price price"}


def test_the_cases_that_stand_in_the_way_are_counted_once_each(model: Project) -> None:
    model.accepted(
        contract(clause("C1"), clause("C2")),
        harness(case("one", clauses=["C1", "C2"]), case("two", clauses=["C2"])),
    )

    (problem,) = model.refuse(retire("contract", "discount"))

    assert problem["code"] == "project.retire-cited"
    assert problem["values"]["count"] == 2
    assert problem["values"]["cited"] == ["discount C1", "discount C2"]
    assert problem["suggestions"][0]["op"] == retire("harness", "test-price")


def test_an_operation_that_is_suggested_mends_the_refusal(model: Project) -> None:
    (problem,) = model.refuse(retire("interface", "price"))

    model.accepted(*(suggestion["op"] for suggestion in problem["suggestions"]), retire("interface", "price"))


def test_the_uses_that_are_suggested_let_a_context_go(project: Project) -> None:
    third: Json = {"op": "context_add", "name": "third"}
    project.accepted(INIT, BASE, third, changed(CONTEXT, uses=["third", "base"]))
    (problem,) = project.refuse(retire_context("base"))

    project.accepted(*(suggestion["op"] for suggestion in problem["suggestions"]), retire_context("base"))

    assert project.context()["uses"] == ["third"]
