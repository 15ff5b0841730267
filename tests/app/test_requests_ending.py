"""How a change request ends and begins again, what is assumed of it, and what is refused.

Source: specification, "Lifecycle and resolution" and "Crux, Policy and Assumption" (Assumptions).
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.requests_model import (
    ALICE,
    TITLE,
    clause_ref,
    decided,
    found,
    opened,
    raised,
    reopened,
    request_of,
    resolved,
    reword,
    work,
)
from tests.running import Json, Project, codes, contract, fields_of


def assume(**fields: Any) -> Json:
    return {
        "op": "cr_assume",
        "title": TITLE,
        "statement": "prices are in euro",
        "reason": "the one currency",
        **fields,
    }


# The record of an ending.


def test_each_step_is_kept_with_who_when_and_why(model: Project) -> None:
    model.accepted(opened("Other"), opened())
    model.accepted(resolved(resolution={"duplicate": "Other"}, by={"role": "orchestrator"}), reopened(), resolved())

    request = request_of(model)
    steps = [(step["step"], step["resolution"], step["of"], step["by"]) for step in request["history"]]
    alice = {"kind": "person", "name": "alice"}
    assert steps == [
        ("resolved", "duplicate", "Other", {"kind": "role", "name": "orchestrator"}),
        ("reopened", None, None, alice),
        ("resolved", "done", None, alice),
    ]
    assert request["resolution"] == {"resolution": "done", "of": None, "reason": "agreed", "by": alice, "at": None} | {
        "at": request["history"][2]["at"]
    }
    assert all(step["at"] > 1_600_000_000_000 for step in request["history"])


def test_a_resolution_answers_with_everything_its_moment_finds(model: Project) -> None:
    model.accepted(opened(), opened("Other"), contract_of_two())

    findings = model.accept(resolved())["findings"]

    assert {"cite.uncited-clause", "pin.unpinned", "cr.resolved-without-work", "cr.intent-mismatch"} <= set(
        codes(findings)
    )
    assert "cite.stale" not in codes(findings)
    assert found(findings, "cr.resolved-without-work") == [TITLE]


def contract_of_two() -> Json:
    return contract({"label": "C1", "text": "reworded"}, {"label": "C2", "text": "more"})


def test_a_whole_ends_after_all_its_parts_and_theirs(model: Project) -> None:
    model.accepted(opened("Top"), opened("Middle", parent="Top"), opened("Leaf", parent="Middle"))

    assert codes(model.refuse(resolved("Top", "wont_do"))) == ["cr.parent-open"]
    assert codes(model.refuse(resolved("Middle", "wont_do"))) == ["cr.parent-open"]
    model.accepted(resolved("Leaf"), resolved("Middle"), resolved("Top"))


def test_the_work_of_parts_is_the_work_of_the_whole(model: Project) -> None:
    model.accepted(opened("Top", targets=[clause_ref()]), opened("Leaf", parent="Top", targets=[clause_ref()]))
    model.accept(work(reword(), title="Leaf"))

    assert request_of(model, "Top")["targets"] == [{"target": "discount C1", "progress": "revised"}]
    assert request_of(model, "Top")["work"] == []


def test_a_part_may_be_opened_under_a_whole_that_is_resolved(model: Project) -> None:
    model.accepted(opened("Top"), resolved("Top", "wont_do"), opened("Late", parent="Top"))

    assert request_of(model, "Top")["state"] == "resolved"


def test_a_request_is_decided_once_each_of_its_cruxes_is(model: Project) -> None:
    model.accept(opened())
    first, second = model.accepted(raised(), raised(question="and how"))

    states = [request_of(model)["state"]]
    for line in (decided(first), decided(second, withdrawn=True), resolved()):
        model.accept(line)
        states.append(request_of(model)["state"])

    assert states == ["open", "open", "decided", "resolved"]


# What is refused.


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (resolved(resolution="duplicate"), "resolution"),
        (resolved(resolution={}), "resolution"),
        (resolved(resolution={"duplicate": "A", "superseded": "B"}), "resolution"),
        (resolved(resolution={"duplicate": ""}), "resolution.duplicate"),
        (resolved(reason=" "), "reason"),
        (resolved(by={}), "by"),
        (resolved(by={"person": "a", "role": "b"}), "by"),
        (resolved(by={"person": "\n"}), "by.person"),
    ],
)
def test_a_resolution_that_cannot_be_read_names_its_place(model: Project, line: Json, field: str) -> None:
    model.accept(opened())

    assert fields_of(model.refuse(line)) == [("input.invalid", field)]


def test_all_that_cannot_be_read_is_told_at_once(model: Project) -> None:
    problems = model.refuse({"op": "cr_resolve", "title": "", "resolution": "fixed", "reason": "", "by": {"robot": 1}})

    assert {field for _, field in fields_of(problems)} == {"title", "resolution", "reason", "by.robot"}


def test_an_unknown_title_of_a_resolved_request_is_told_after_its_state(model: Project) -> None:
    model.accepted(opened(), resolved())

    assert codes(model.refuse(resolved(resolution={"duplicate": "Nobody"}))) == ["cr.already-resolved"]


def test_what_a_resolved_request_does_not_take_is_refused_and_the_way_out_is_named(model: Project) -> None:
    model.accepted(opened(), resolved(resolution="wont_do"))

    for line in (work(reword()), assume(), raised(), resolved()):
        (problem,) = model.refuse(line)
        assert problem["code"] == "cr.already-resolved"
        assert problem["values"] == {"resolution": "wont_do"}
        (again,) = problem["suggestions"]
        assert (again["op"]["op"], again["op"]["title"]) == ("cr_reopen", TITLE)


def test_a_request_that_is_open_is_not_reopened(model: Project) -> None:
    model.accept(opened())

    assert fields_of(model.refuse(reopened())) == [("cr.not-resolved", "title")]


def test_a_request_is_not_its_own_part(model: Project) -> None:
    assert fields_of(model.refuse(opened(parent=TITLE))) == [("cr.parent-itself", "parent")]


@pytest.mark.parametrize(
    "title", ["", "  ", "two\nlines", "a\rb", 7, None], ids=["empty", "blank", "lines", "return", "number", "null"]
)
def test_a_title_is_one_line_with_something_in_it(model: Project, title: Any) -> None:
    ((code, field),) = fields_of(model.refuse(opened(title=title)))

    assert code in {"input.invalid", "input.wrong-type"}
    assert field == "title"


def test_a_title_of_any_length_is_kept_whole_and_clipped_where_it_is_refused(model: Project) -> None:
    title = "long " * 2_000

    model.accept(opened(title=title))
    (problem,) = model.refuse(opened(title=title))

    assert request_of(model, title)["title"] == title
    assert len(problem["subjects"][0]["name"]) < 3_000
    assert len(problem["message"]) < 600


def test_a_title_is_taken_by_an_open_request_and_by_a_resolved_one(model: Project) -> None:
    model.accepted(opened("Open"), opened("Ended"), resolved("Ended"))

    assert codes(model.refuse(opened("Open"))) == ["cr.title-taken"]
    assert codes(model.refuse(opened("Ended"))) == ["cr.title-taken"]


def test_a_target_that_was_retired_is_no_target_any_more(model: Project) -> None:
    model.accepted(contract({"label": "C2", "text": "new"}, name="tax"))
    model.accept({"op": "contract_retire", "context": "pricing", "contract": "tax"})

    (problem,) = model.refuse(opened(targets=[clause_ref("C2", "tax")]))

    assert (problem["code"], problem["values"]["name"]) == ("input.unknown-name", "tax")


# Assumptions.


@pytest.mark.parametrize(
    ("evidence", "field"),
    [
        ([{"repo": {"path": "a/../../b"}}], "evidence[0].repo.path"),
        ([{"repo": {"path": "/etc/passwd"}}], "evidence[0].repo.path"),
        ([{"repo": {"path": "a.py", "lines": [5, 3]}}], "evidence[0].repo.lines"),
        ([{"repo": {"path": "a.py", "lines": [0, 3]}}], "evidence[0].repo.lines[0]"),
        ([{}], "evidence[0]"),
        ([{"repo": {"path": "a.py"}, "knowledge": {"reference": "x"}}], "evidence[0]"),
    ],
)
def test_evidence_that_leads_nowhere_is_refused_and_nothing_is_appended(
    model: Project, evidence: list[Json], field: str
) -> None:
    model.accept(opened())

    assert fields_of(model.refuse(assume(evidence=evidence))) == [("input.invalid", field)]


def test_assumptions_only_grow(model: Project) -> None:
    model.accept(opened(assumptions=[{"statement": "first", "reason": "said"}]))
    model.accepted(assume(), assume())

    statements = [assumption["statement"] for assumption in request_of(model)["assumptions"]]
    assert statements == ["first", "prices are in euro", "prices are in euro"]


def test_who_decided_is_recorded_as_declared(model: Project) -> None:
    model.accepted(opened(), resolved(by=ALICE))

    assert request_of(model)["resolution"]["by"] == {"kind": "person", "name": "alice"}
