"""Opening a change request: what it records of its targets, and which findings it deals with.

Source: specification, "Change requests" and "Change-request addresses".
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.running import (
    BASE,
    TWO_ITEMS,
    Json,
    Project,
    clause,
    codes,
    contract,
    fields_of,
    retire,
    retire_context,
)

IN_PRICING = {"context": "pricing"}
ITEM = {**IN_PRICING, "interface": "price", "key": "price"}
CLAUSE = {**IN_PRICING, "contract": "discount", "label": "C1"}
CASE = {**IN_PRICING, "harness": "test-price", "name": "test_refuses"}
TARGETS: dict[str, Any] = {
    "project": True,
    "context": "pricing",
    "contract": {**IN_PRICING, "contract": "discount"},
    "interface": {**IN_PRICING, "interface": "price"},
    "harness": {**IN_PRICING, "harness": "test-price"},
    "item": ITEM,
    "clause": CLAUSE,
    "case": CASE,
}


def request(**fields: Any) -> Json:
    return {"op": "cr_open", "title": "Refuse big discounts", "intent": "change_behavior", **fields}


def address(rule: str, **subject: Any) -> Json:
    return {"rule": rule, "subject": subject}


# What it records.


@pytest.mark.parametrize("field", ["targets", "keep"])
@pytest.mark.parametrize("kind", list(TARGETS))
def test_a_request_records_the_revision_of_what_it_names(model: Project, kind: str, field: str) -> None:
    model.accepted(contract(clause("C1", "second")), TWO_ITEMS)
    reference = {kind: TARGETS[kind]}

    answer = model.accept(request(**{field: [reference]}))

    word = "target" if field == "targets" else "keep"
    revisions = {"project": 2, "context": 4, "contract": 2, "clause": 2, "interface": 2, "item": 2}
    assert answer["expects"] == [{"kind": word, "target": reference, "recorded": revisions.get(kind, 1)}]


def test_a_request_keeps_everything_it_says(model: Project) -> None:
    parent = model.accept(request(title="Whole"))["cr"]
    evidence = [{"repo": {"path": "a/b.py", "lines": [1, 2]}}, {"knowledge": {"reference": "a talk"}}]
    assumption = {"statement": "it is so", "reason": "they said", "evidence": evidence}
    said = {"situation": "two\nlines", "issuer": "Ada", "assumptions": [assumption]}

    model.accept(request(parent="Whole", targets=[{"context": "pricing"}], keep=[{"clause": CLAUSE}], **said))

    status = model.status("change_requests")["change_requests"][1]
    view = model.view("change_requests")["change_requests"][1]
    assert {key: status[key] for key in said} == said
    assert status["parent"] == "Whole"
    assert status["targets"] == [{"target": "context pricing", "progress": "not touched yet"}]
    assert status["keep"] == [{"target": "discount C1", "moved": False}]
    assert view["parent"] == parent
    assert not view.keys() & said.keys()


def test_what_was_to_stay_and_moved_is_told(model: Project) -> None:
    model.accepted(request(keep=[{"clause": CLAUSE}, {"item": ITEM}]), contract(clause("C1", "second")))

    (status,) = model.status("change_requests")["change_requests"]

    assert [keep["moved"] for keep in status["keep"]] == [True, False]


def test_a_project_that_was_to_stay_moves_when_a_context_comes(model: Project) -> None:
    model.accepted(request(keep=[{"project": True}]), BASE)

    (status,) = model.status("change_requests")["change_requests"]

    assert status["keep"] == [{"target": "project", "moved": True}]


def test_a_target_that_is_retired_is_named_from_the_record(model: Project) -> None:
    model.accept(request(targets=[{"case": CASE}, {"harness": TARGETS["harness"]}], keep=[{"context": "pricing"}]))

    model.accepted(retire("harness", "test-price"), retire_context("pricing"))

    (status,) = model.status("change_requests")["change_requests"]
    assert all(target["target"].endswith("(retired)") for target in status["targets"])
    assert status["keep"] == [{"target": "context pricing (retired)", "moved": True}]


def test_opening_a_request_moves_no_revision_but_that_of_the_store(model: Project) -> None:
    before, view = model.revision(), model.view("contracts", "interfaces", "harnesses")

    model.accept(request(targets=[{"project": True}]))

    assert model.view("contracts", "interfaces", "harnesses") == view
    assert model.revision() == before + 1


# What it refuses.


def test_a_title_is_given_once_and_as_it_is_written(model: Project) -> None:
    model.accepted(request(), request(title="refuse big discounts"))

    (problem,) = model.refuse(request())

    assert (problem["code"], problem["field"]) == ("cr.title-taken", "title")


@pytest.mark.parametrize(
    ("fields", "target"),
    [
        ({"targets": [{"item": ITEM}], "keep": [{"clause": CLAUSE}, {"item": ITEM}]}, "price price"),
        ({"keep": [{"project": True}, {"project": True}]}, "the Project"),
        ({"targets": [{"context": "pricing"}, {"context": "pricing"}]}, "pricing"),
    ],
)
def test_a_target_is_named_once(model: Project, fields: Json, target: str) -> None:
    (problem,) = model.refuse(request(**fields))

    assert problem["code"] == "cr.target-twice"
    assert problem["values"]["count"] == 2
    assert target in problem["message"]


def test_a_target_named_twice_is_pointed_at_where_it_is_named_again(model: Project) -> None:
    (problem,) = model.refuse(request(keep=[{"clause": CLAUSE}, {"project": True}, {"project": True}]))

    assert problem["field"].startswith("keep")


def test_every_name_that_is_none_is_told_with_its_place(model: Project) -> None:
    problems = model.refuse(
        request(
            parent="Whole",
            targets=[
                {"context": "base"},
                {"item": {**ITEM, "key": "prices"}},
                {"contract": {"context": "base", "contract": "a"}},
            ],
            keep=[{"case": {**CASE, "harness": "test"}}],
            addresses=[
                address("cr.keep-moved", change_request="Another"),
                address("context.no-harness", context="nowhere"),
                address("cite.uncited-clause", clause={**CLAUSE, "label": "C2"}),
            ],
        )
    )

    assert set(codes(problems)) == {"input.unknown-name"}
    assert {problem["field"] for problem in problems} == {
        "parent",
        "targets[0].context",
        "targets[1].item.key",
        "targets[2].contract.context",
        "keep[0].case.harness",
        "addresses[0].subject.change_request",
        "addresses[1].subject.context",
        "addresses[2].subject.clause.label",
    }


@pytest.mark.parametrize("form", ["item", "clause"])
def test_an_unknown_name_in_an_older_address_is_pointed_at_where_it_is_written(model: Project, form: str) -> None:
    named = {"item": {**ITEM, "context": "nowhere"}, "clause": {**CLAUSE, "context": "nowhere"}}[form]

    (problem,) = model.refuse(request(addresses=[{"rule": "cite.stale", form: named}]))

    assert problem["field"] == f"addresses[0].{form}.context"


@pytest.mark.parametrize("field", ["targets", "keep"])
@pytest.mark.parametrize("reference", [{}, {"project": True, "context": "pricing"}], ids=["nothing", "two"])
def test_a_reference_names_one_thing(model: Project, field: str, reference: Json) -> None:
    problems = model.refuse(request(**{field: [reference]}))

    assert fields_of(problems) == [("input.invalid", f"{field}[0]")]


@pytest.mark.parametrize(
    "odd",
    [
        {"subject": {"context": "pricing"}, "item": ITEM},
        {"subject": None, "clause": CLAUSE},
        {"item": None, "clause": None},
        {"subject": {}},
        {"subject": {"context": "pricing", "item": ITEM}},
        {"subject": {"project": True}},
        {"subject": {"context": "pricing", "more": 1}},
        {"kind": "context"},
    ],
)
def test_an_address_has_one_selector(model: Project, odd: Json) -> None:
    problems = model.refuse(request(addresses=[{"rule": "pin.unpinned", **odd}]))

    assert all(problem["field"].startswith("addresses[0]") for problem in problems)


@pytest.mark.parametrize("rule", ["stale", "Cite.stale", "cite.", "", "cite.stale "])
def test_the_rule_of_an_address_is_well_formed(model: Project, rule: str) -> None:
    problems = model.refuse(request(addresses=[{"rule": rule}]))

    assert fields_of(problems) == [("input.invalid", "addresses[0].rule")]


@pytest.mark.parametrize("path", ["/etc/passwd", "../other", "a/../../b", ".."])
def test_evidence_stays_in_the_repository(model: Project, path: str) -> None:
    assumption = {"statement": "so", "reason": "so", "evidence": [{"repo": {"path": path}}]}

    problems = model.refuse(request(assumptions=[assumption]))

    assert fields_of(problems) == [("input.invalid", "assumptions[0].evidence[0].repo.path")]


def test_evidence_may_have_dots_in_a_name(model: Project) -> None:
    assumption = {"statement": "so", "reason": "so", "evidence": [{"repo": {"path": "a..b/...c"}}]}

    model.accept(request(assumptions=[assumption]))


def test_malformed_references_are_told_together_and_before_names(model: Project) -> None:
    problems = model.refuse(request(parent="None", targets=[{}], keep=[{}], addresses=[{"rule": "a.b", "subject": {}}]))

    assert codes(problems) == ["input.invalid"] * 3


# What it deals with.


@pytest.mark.parametrize(
    "deals",
    [
        address("cite.stale", case=CASE),
        address("cite.uncited-item", item={**ITEM, "key": "cost"}),
        {"rule": "cite.uncited-item", "item": {**ITEM, "key": "cost"}},
        address("pin.unpinned", interface=TARGETS["interface"]),
    ],
)
def test_a_finding_that_an_open_request_names_is_addressed(model: Project, deals: Json) -> None:
    model.accepted(contract(clause("C1", "second")), TWO_ITEMS)
    before = model.accept({"op": "check"})["findings"]

    model.accept(request(addresses=[deals]))

    after = model.accept({"op": "check"})["findings"]
    assert {finding["state"] for finding in before} == {"open"}
    assert [finding["code"] for finding in after if finding["state"] == "addressed"] == [deals["rule"]]


@pytest.mark.parametrize(
    "other",
    [
        address("pin.stale", interface=TARGETS["interface"]),
        {"rule": "pin.unpinned"},
        address("pin.unpinned", context="pricing"),
    ],
)
def test_another_rule_or_another_subject_is_not_dealt_with(model: Project, other: Json) -> None:
    model.accept(request(addresses=[other]))

    assert {finding["state"] for finding in model.accept({"op": "check"})["findings"]} == {"open"}


def test_an_address_may_name_a_rule_that_nothing_judges(model: Project) -> None:
    model.accept(request(addresses=[{"rule": "judged.naming"}, {"rule": "ext.lint", "subject": None}]))

    (view,) = model.view("change_requests")["change_requests"]
    assert [(entry["rule"], entry["subject"]) for entry in view["addresses"]] == [
        ("judged.naming", None),
        ("ext.lint", None),
    ]


def test_an_address_follows_what_it_names_through_a_new_name(model: Project) -> None:
    model.accepted(
        contract(clause("C1"), clause("C2")),
        request(addresses=[address("cite.uncited-clause", clause={**CLAUSE, "label": "C2"})]),
    )

    model.accept(contract(clause("C1"), clause("C9", "the promise C2", replaces="C2")))

    (finding,) = model.accept({"op": "check", "rules": ["cite.uncited-clause"]})["findings"]
    assert (finding["about"], finding["state"]) == ("discount C9", "addressed")


def test_opening_a_request_answers_with_no_finding(model: Project) -> None:
    model.accept(contract(clause("C1", "second")))

    assert model.accept(request(targets=[{"clause": CLAUSE}]))["findings"] == []
