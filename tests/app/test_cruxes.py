"""Cruxes: raising a question, deciding it once, and what the decision asks from then on.

Source: specification, "Crux, Policy and Assumption".
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.requests_model import (
    ALICE,
    ITEM,
    TITLE,
    WHY,
    clause_ref,
    contract_ref,
    decided,
    found,
    opened,
    raised,
    reopened,
    request_of,
    resolved,
    three_clauses,
)
from tests.running import Json, Project, clause, clauses_put, codes, fields_of

NOBODY = "00000000-0000-7000-8000-000000000000"


@pytest.fixture
def asked(model: Project) -> Project:
    """A request that names C1, beside the Clauses C2 and C3 and the Contract tax."""
    three_clauses(model)
    model.accept(opened(targets=[clause_ref("C1"), clause_ref("C2")]))
    return model


def crux_of(model: Project, n: int = 0) -> Json:
    return dict(model.view("cruxes")["cruxes"][n])


# Raising.


def test_a_crux_is_kept_as_it_was_raised(asked: Project) -> None:
    option = {
        "choice": "a new error",
        "wording": "C2: it is DiscountRefused",
        "consequence": "callers match it",
        "targets": [clause_ref("C2")],
        "keep": [ITEM],
        "recommended": {"reason": "clear", "confidence": 100},
    }
    address = {"rule": "cite.uncited-clause", "subject": clause_ref("C3")}

    answer = asked.accept(raised({"choice": "the old one"}, option, importance="high", findings=[address]))

    kept = crux_of(asked)
    assert [kept["id"], *(o["id"] for o in kept["options"])] == [answer["crux"], *(o["id"] for o in answer["options"])]
    assert kept["recommended"] == {"option": answer["options"][1]["id"], "reason": "clear", "confidence": 100}
    assert [(e["kind"], e["target"]) for e in kept["options"][1]["expects"]] == [("target", "clause"), ("keep", "item")]
    assert (kept["importance"], kept["state"], kept["findings"][0]["rule"]) == ("high", "open", "cite.uncited-clause")
    assert "answer" not in kept


def test_a_thousand_options_are_options(asked: Project) -> None:
    answer = asked.accept(raised(*({"choice": f"option {n}"} for n in range(1_000))))

    assert len(answer["options"]) == 1_000
    assert asked.accept(decided(answer, option=answer["options"][999]["id"]))["ok"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"question": " "}, "question"),
        ({"kind": "doubt"}, "kind"),
        ({"importance": "urgent"}, "importance"),
        ({"supersedes": "which"}, "supersedes"),
        ({"options": [{"choice": ""}]}, "options[0].choice"),
        ({"options": [{"choice": "a", "recommended": {"confidence": 101}}]}, "options[0].recommended.confidence"),
        ({"options": [{"choice": "a", "recommended": {"confidence": -1}}]}, "options[0].recommended.confidence"),
        ({"options": [{"choice": "a", "targets": [{}]}]}, "options[0].targets[0]"),
        ({"findings": [{"rule": "x.y", "subject": {}}]}, "findings[0].subject"),
    ],
)
def test_a_crux_that_cannot_be_read_names_its_place(asked: Project, fields: Json, field: str) -> None:
    assert fields_of(asked.refuse(raised(**fields))) == [("input.invalid", field)]


@pytest.mark.parametrize("confidence", [3.5, "85", True])
def test_a_confidence_is_a_whole_number(asked: Project, confidence: Any) -> None:
    option = {"choice": "a", "recommended": {"confidence": confidence}}

    ((code, field),) = fields_of(asked.refuse(raised(option)))

    assert (code, field) == ("input.wrong-type", "options[0].recommended.confidence")


def test_every_problem_of_the_options_is_told_at_once(asked: Project) -> None:
    twice = {"choice": "a", "recommended": {}}

    problems = asked.refuse(raised(twice, twice, {"choice": "b", "targets": [{}]}))

    assert set(codes(problems)) == {"input.invalid", "cr.crux-option-twice", "cr.crux-recommended-twice"}


def test_every_name_that_is_none_is_told_at_once(asked: Project) -> None:
    line = raised({"choice": "a", "targets": [clause_ref("C8")], "keep": [contract_ref("taxs")]}, supersedes=NOBODY)

    problems = asked.refuse({**line, "in": "Refuse big discount"})

    assert [(problem["field"], problem["did_you_mean"]) for problem in problems] == [
        ("in", [TITLE]),
        ("options[0].targets[0].clause.label", ["C1", "C2", "C3"]),
        ("options[0].keep[0].contract.contract", ["tax"]),
        ("supersedes", []),
    ]


# Deciding.


def test_each_form_of_a_decision_is_kept(asked: Project) -> None:
    cruxes = [asked.accept(raised(question=f"q{n}")) for n in range(4)]
    asked.accepted(
        decided(cruxes[0], reason="clear"),
        decided(cruxes[1], wording="another word", reason="better"),
        decided(cruxes[2], unspecified=["an error is given"]),
        decided(cruxes[3], withdrawn=True),
    )

    assert [crux_of(asked, n)["answer"]["decision"] for n in range(4)] == [
        {"chosen": {"option": cruxes[0]["options"][0]["id"], "reason": "clear"}},
        {"worded": {"wording": "another word", "reason": "better"}},
        {"unspecified": {"keep": ["an error is given"]}},
        {"withdrawn": True},
    ]


@pytest.mark.parametrize("form", [{"unspecified": []}, {"withdrawn": True}])
def test_a_reason_goes_with_an_option_or_a_wording(asked: Project, form: Json) -> None:
    crux = asked.accept(raised())

    assert fields_of(asked.refuse(decided(crux, reason="why", **form))) == [("cr.crux-decision-form", "reason")]


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"basis": {}}, ("input.invalid", "basis")),
        ({"basis": {"policy": "P1", "arbitrary": "x"}}, ("input.invalid", "basis")),
        ({"basis": {"policy": "1"}}, ("input.invalid", "basis.policy")),
        ({"by": {}}, ("input.invalid", "by")),
        ({"withdrawn": False}, ("input.invalid", "withdrawn")),
        ({"beyond": {}}, ("cr.crux-beyond-form", "beyond")),
        ({"beyond": {"requests": []}}, ("cr.crux-beyond-form", "beyond.requests")),
        ({"beyond": {"requests": ["A", "A"]}}, ("cr.crux-beyond-form", "beyond.requests")),
        ({"beyond": {"declined": ""}}, ("input.invalid", "beyond.declined")),
    ],
)
def test_a_decision_that_cannot_be_read_names_its_place(asked: Project, fields: Json, problem: tuple[str, str]) -> None:
    crux = asked.accept(raised())

    assert fields_of(asked.refuse({**decided(crux), **fields})) == [problem]


def test_a_decision_is_given_once_and_the_way_to_another_is_named(asked: Project) -> None:
    crux = asked.accept(raised())
    asked.accept(decided(crux))

    (problem,) = asked.refuse(decided(crux, wording="no, so"))

    assert problem["code"] == "cr.crux-answered"
    assert problem["values"] == {"crux": crux["crux"], "question": "which", "decision": "chosen"}
    assert problem["suggestions"][0]["op"]["supersedes"] == crux["crux"]


def test_an_unknown_option_is_told_with_those_there_are(asked: Project) -> None:
    crux = asked.accept(raised())

    (problem,) = asked.refuse(decided(crux, option="yes"))

    assert problem["code"] == "cr.crux-unknown-option"
    assert [option["choice"] for option in problem["values"]["options"]] == ["yes", "no"]


def test_a_crux_of_a_resolved_request_takes_a_withdrawal_alone(asked: Project) -> None:
    crux = asked.accept(raised())

    assert codes(asked.refuse(resolved())) == ["cr.crux-unanswered"]
    asked.accepted(decided(crux), resolved(resolution="wont_do"))
    assert codes(asked.refuse(decided(crux))) == ["cr.crux-answered"]
    assert codes(asked.refuse(raised())) == ["cr.already-resolved"]


def test_a_line_of_the_policy_is_recorded_as_it_was(asked: Project) -> None:
    asked.accept({"op": "policy_put", "lines": [{"id": "P1", "text": "one"}]})
    crux = asked.accept(raised())
    asked.accept(decided(crux, basis={"policy": "P1"}))

    assert crux_of(asked)["answer"]["basis"] == {"policy": {"line": "P1", "policy_revision": 2}}


def test_a_finding_of_a_policy_line_ends_when_the_line_comes_back(asked: Project) -> None:
    def put(*lines: str) -> list[Json]:
        numbered = [{"id": f"P{n}", "text": text} for n, text in enumerate(lines, 1)]
        return list(asked.accept({"op": "policy_put", "lines": numbered})["findings"])

    put("one")
    asked.accept(decided(asked.accept(raised()), basis={"policy": "P1"}))

    assert codes(put("uno")) == ["crux.policy-line-gone"]
    assert codes(put("uno", "two")) == []
    assert codes(put()) == ["crux.policy-line-gone"]
    assert codes(put("one")) == []
    assert "crux.policy-line-gone" not in codes(asked.accept({"op": "check"})["findings"])


def test_an_unknown_line_is_told_with_the_policy_that_has_it(asked: Project) -> None:
    asked.accept({"op": "policy_put", "lines": [{"id": "P1", "text": "one"}]})

    (problem,) = asked.refuse(decided(asked.accept(raised()), basis={"policy": "P7"}))

    (put,) = problem["suggestions"]
    assert put["op"]["lines"] == [{"id": "P1", "text": "one"}, {"id": "P7", "text": "<the line>"}]


def test_every_line_of_a_policy_that_is_given_twice_is_told(asked: Project) -> None:
    lines = [{"id": id_, "text": text} for id_, text in (("P1", "a"), ("P1", "b"), ("P2", "c"), ("P2", "c"))]

    problems = asked.refuse({"op": "policy_put", "lines": lines})

    assert [problem["values"] for problem in problems] == [{"line": "P1", "count": 2}, {"line": "P2", "count": 2}]


# What a decision asks.


def test_what_is_chosen_is_asked_at_the_revision_of_the_decision(asked: Project) -> None:
    crux = asked.accept(raised({"choice": "freeze", "keep": [clause_ref("C3")]}))
    asked.accepted(clauses_put(clause("C3", "moved before")), decided(crux))

    assert request_of(asked)["keep"] == [{"target": "discount C3", "moved": False}]
    moved = asked.accept(clauses_put(clause("C3", "moved after")))
    assert found(moved["findings"], "cr.keep-moved") == [TITLE]


def test_a_second_decision_that_asks_the_same_keeps_the_first_revision(asked: Project) -> None:
    first, second = asked.accepted(
        raised({"choice": "freeze", "keep": [clause_ref("C3")]}),
        raised({"choice": "freeze too", "keep": [clause_ref("C3")]}, question="again"),
    )
    asked.accepted(decided(first), clauses_put(clause("C3", "moved")))

    assert asked.accept(decided(second))["findings"] == []
    assert request_of(asked)["keep"] == [{"target": "discount C3", "moved": True}]


def test_what_two_decisions_ask_stands_when_one_of_them_is_replaced(asked: Project) -> None:
    first, second = asked.accepted(
        raised({"choice": "freeze", "keep": [clause_ref("C3")]}),
        raised({"choice": "freeze too", "keep": [clause_ref("C3")]}, question="again"),
    )
    asked.accepted(decided(first), decided(second))
    third = asked.accept(raised({"choice": "free it"}, question="after all", supersedes=first["crux"]))
    asked.accept(decided(third))

    assert request_of(asked)["keep"] == [{"target": "discount C3", "moved": False}]


def test_what_a_replaced_decision_asked_stands_no_longer(asked: Project) -> None:
    first = asked.accept(raised({"choice": "freeze", "keep": [clause_ref("C3")]}))
    asked.accept(decided(first))
    again = asked.accept(raised({"choice": "free it"}, supersedes=first["crux"]))

    assert len(request_of(asked)["keep"]) == 1
    asked.accept(decided(again, wording="leave it free"))
    assert request_of(asked)["keep"] == []


def test_a_withdrawn_crux_replaced_nothing(asked: Project) -> None:
    first = asked.accept(raised({"choice": "freeze", "keep": [clause_ref("C3")]}))
    asked.accept(decided(first))
    again = asked.accept(raised({"choice": "free it"}, supersedes=first["crux"]))
    asked.accept(decided(again, withdrawn=True))

    assert len(request_of(asked)["keep"]) == 1
    asked.accept(raised({"choice": "free it"}, question="anew", supersedes=first["crux"]))


def test_the_end_of_a_chain_that_is_open_is_to_be_decided(asked: Project) -> None:
    first = asked.accept(raised())
    asked.accept(decided(first))
    second = asked.accept(raised(supersedes=first["crux"]))

    (problem,) = asked.refuse(raised(supersedes=first["crux"]))

    assert problem["values"]["by"] == second["crux"]
    assert [(s["op"]["op"], s["op"]["crux"]) for s in problem["suggestions"]] == [("cr_crux_decide", second["crux"])]


def test_the_suggestion_to_supersede_the_standing_decision_works_as_it_stands(asked: Project) -> None:
    first = asked.accept(raised())
    asked.accept(decided(first))
    asked.accept(decided(asked.accept(raised(supersedes=first["crux"]))))

    (problem,) = asked.refuse(raised(question="late", supersedes=first["crux"]))

    (again,) = problem["suggestions"]
    assert again["applicability"] == "review"
    asked.accept(again["op"])


# Beyond the request.


def test_a_target_outside_is_refused_with_the_operations_that_say_where_it_goes(asked: Project) -> None:
    crux = asked.accept(raised({"choice": "tax too", "targets": [clause_ref("C1"), clause_ref("C1", "tax")]}))

    (problem,) = asked.refuse(decided(crux))

    opening, elsewhere, declined = (suggestion["op"] for suggestion in problem["suggestions"])
    assert problem["values"]["targets"] == opening["targets"] == [clause_ref("C1", "tax")]
    asked.accept({**opening, "title": "Tax work"})
    assert asked.refuse({**elsewhere, "beyond": {"requests": ["Tax wrk"]}})[0]["did_you_mean"] == ["Tax work"]
    asked.accept({**declined, "beyond": {"declined": "tax waits"}})
    assert [target["target"] for target in request_of(asked)["targets"]] == ["discount C1", "discount C2"]


def test_requests_beyond_are_read_though_nothing_is_outside(asked: Project) -> None:
    crux = asked.accept(raised())

    (problem,) = asked.refuse(decided(crux, beyond={"requests": ["Nobody"]}))

    assert (problem["code"], problem["field"]) == ("input.unknown-name", "beyond.requests[0]")


def test_a_request_beyond_that_is_resolved_is_named_first(asked: Project) -> None:
    asked.accepted(opened("Ended"), resolved("Ended"))
    crux = asked.accept(raised({"choice": "tax", "targets": [contract_ref("tax")]}))

    (problem,) = asked.refuse(decided(crux, beyond={"requests": ["Ended"]}))

    assert (problem["code"], problem["subjects"][0]["name"]) == ("cr.already-resolved", "Ended")
    asked.accept(reopened("Ended"))
    assert codes(asked.refuse(decided(crux, beyond={"requests": ["Ended"]}))) == ["cr.crux-beyond-unframed"]


def test_requests_beyond_frame_what_is_outside_between_them(asked: Project) -> None:
    asked.accepted(opened("Tax C1", targets=[clause_ref("C1", "tax")]), opened("Project", targets=[{"project": True}]))
    crux = asked.accept(raised({"choice": "tax", "targets": [clause_ref("C1", "tax"), clause_ref("C3")]}))

    (problem,) = asked.refuse(decided(crux, beyond={"requests": ["Tax C1"]}))

    assert problem["values"]["target"] == clause_ref("C3")
    asked.accept(decided(crux, beyond={"requests": ["Tax C1", "Project"]}))
    assert crux_of(asked)["answer"]["beyond"].keys() == {"requests"}


def test_what_the_project_was_asked_to_be_is_inside_the_project(asked: Project) -> None:
    asked.accept(opened("All", targets=[{"project": True}]))
    crux = asked.accept(raised({"choice": "all", "targets": [{"context": "pricing"}]}, **{"in": "All"}))

    asked.accept(decided(crux, by=ALICE, basis=WHY))

    assert [target["target"] for target in request_of(asked, "All")["targets"]] == ["project", "context pricing"]
