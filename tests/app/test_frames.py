"""The work of a request: what its change sets moved, what of it was outside its frame, and what they bring up.

Source: specification, "Attribution and frame" and "Change sets" (for); open-points 12.
"""

from __future__ import annotations

import pytest

from tests.app.requests_model import (
    IN,
    TITLE,
    clause_ref,
    contract_ref,
    found,
    opened,
    raised,
    reopened,
    request_of,
    resolved,
    reword,
    three_clauses,
    work,
)
from tests.running import CONTRACT, HARNESS, INTERFACE, Json, Project, as_put, changed, clause, clauses_put, codes


@pytest.fixture
def framed(model: Project) -> Project:
    """A request that names C1 alone, beside C2, C3 and the Contract tax."""
    three_clauses(model)
    model.accept(opened(targets=[clause_ref("C1")]))
    return model


def outside(model: Project, title: str = TITLE) -> list[list[str]]:
    return [entry["moved"] for entry in request_of(model, title)["out_of_frame"]]


def told(model: Project) -> list[str]:
    """The requests that `check` finds out of their frame."""
    return found(model.accept({"op": "check"})["findings"], "cr.out-of-frame")


def harness(source: str = HARNESS["source"], labels: tuple[str, ...] = ("C1",)) -> Json:
    """The Harness of the model, with other code or citing other Clauses."""
    case = changed(HARNESS["cases"][0], clauses=[{"contract": "discount", "label": label} for label in labels])
    return as_put(changed(HARNESS, source=source, cases=[case]))


# What was moved.


def test_a_set_records_what_it_moved_from_the_outside_in(framed: Project) -> None:
    framed.accept(opened("All", targets=[{"project": True}]))
    tax = as_put(changed(CONTRACT, name="levy", title="Levy", clauses=[clause("C1")]))
    framed.accept(work({"put": "context", "name": "billing"}, tax, reword(), title="All"))

    (entry,) = request_of(framed, "All")["work"]
    assert entry["moved"] == [
        "project",
        "context pricing",
        "context billing",
        "contract discount",
        "contract levy",
        "discount C1",
        "levy C1",
    ]
    assert entry["store_revision"] == framed.revision()


def test_what_was_retired_for_a_request_reads_retired(framed: Project) -> None:
    framed.accept(opened("Drop tax", targets=[contract_ref("tax"), clause_ref("C2", "tax")]))
    framed.accept(work(title="Drop tax", retires=[{"retire": "contract", **IN, "contract": "tax"}]))

    request = request_of(framed, "Drop tax")
    assert request["targets"] == [
        {"target": "contract tax (retired)", "progress": "retired"},
        {"target": "tax C2 (retired)", "progress": "retired"},
    ]
    assert request["work"][0]["moved"] == [
        "context pricing",
        "contract tax (retired)",
        "tax C1 (retired)",
        "tax C2 (retired)",
    ]
    assert request["out_of_frame"] == []


def test_a_set_that_moves_nothing_is_no_work(framed: Project) -> None:
    before = framed.revision()

    framed.accept(work(reword("C1", CONTRACT["clauses"][0]["text"])))

    assert framed.revision() == before + 1
    assert request_of(framed)["work"] == []
    assert "cr.resolved-without-work" in codes(framed.accept(resolved())["findings"])


def test_a_refused_set_is_no_work(framed: Project) -> None:
    framed.refuse(work(reword("C1"), reword("C9")))
    framed.refuse(work())

    assert request_of(framed)["work"] == []


def test_a_request_of_a_set_that_is_none_is_told_with_the_other_names(framed: Project) -> None:
    line = work(harness(labels=("C9",)), title="Refuse big discount")

    assert [problem["field"] for problem in framed.refuse(line)] == ["for", "puts[0].cases[0].clauses[0].label"]


def test_what_a_rename_did_is_work_and_breaks_no_keep(framed: Project) -> None:
    framed.accept(opened("Keep C1", intent="keep_behavior", keep=[clause_ref("C1")]))
    renamed = {
        "put": "clauses",
        **IN,
        "contract": "discount",
        "clauses": [{"label": "C9", "text": CONTRACT["clauses"][0]["text"], "replaces": "C1"}],
    }

    assert framed.accept(work(renamed))["findings"] == []
    (entry,) = request_of(framed)["work"]
    assert entry["moved"] == []
    assert entry["renamed"] == [{"target": "discount C9", "from": "C1", "to": "C9"}]
    assert request_of(framed)["targets"] == [{"target": "discount C9", "progress": "revised"}]


# Outside the frame.


def test_what_is_outside_is_told_by_the_set_and_kept(framed: Project) -> None:
    answer = framed.accept(work(reword("C1"), changed(reword("C1", name="tax"))))

    assert found(answer["findings"], "cr.out-of-frame") == [TITLE]
    assert outside(framed) == [["contract tax", "tax C1"]]
    (finding,) = [f for f in answer["findings"] if f["rule"] == "cr.out-of-frame"]
    assert [(t["kind"], t["name"]) for t in finding["values"]["targets"]] == [
        ("contract", "tax"),
        ("clause", "tax C1"),
    ]


def test_a_second_move_outside_is_a_new_ground(framed: Project) -> None:
    framed.accept(work(reword("C2")))

    assert found(framed.accept(work(reword("C1")))["findings"], "cr.out-of-frame") == []
    assert found(framed.accept(work(reword("C2", "once more")))["findings"], "cr.out-of-frame") == [TITLE]
    assert len(outside(framed)) == 2


def test_a_title_of_a_contract_is_a_move_of_its_own(framed: Project) -> None:
    put = as_put(
        changed(
            CONTRACT,
            title="Discounts",
            clauses=[clause("C1", "new"), clause("C2", "an error is given"), clause("C3", "it is rounded down")],
        )
    )

    framed.accept(work(put))

    assert outside(framed) == [["contract discount"]]


def test_other_requests_and_plain_puts_are_in_nobodys_frame(framed: Project) -> None:
    framed.accept(clauses_put(clause("C2", "a plain put")))
    framed.accept(opened("Other", targets=[contract_ref()]))
    framed.accept(work(reword("C3"), title="Other"))

    assert told(framed) == []
    assert request_of(framed)["work"] == []


def test_a_decision_widens_no_frame(framed: Project) -> None:
    crux = framed.accept(raised({"choice": "C2 too", "targets": [clause_ref("C2")]}))
    option = crux["options"][0]["id"]
    decide = {"op": "cr_crux_decide", "crux": crux["crux"], "option": option, "basis": {"arbitrary": "so"}}
    framed.accept({**decide, "by": {"person": "alice"}, "beyond": {"declined": "it waits"}})

    framed.accept(work(reword("C2")))

    assert outside(framed) == [["contract discount", "discount C2"]]


# Taken back.


def test_a_move_that_was_taken_back_is_listed_and_found_no_longer(framed: Project) -> None:
    framed.accept(work(reword("C2", "elsewhere")))
    assert told(framed) == [TITLE]

    framed.accept(work(reword("C2", "an error is given")))

    assert told(framed) == []
    assert len(outside(framed)) == 2


def test_anybody_may_take_a_move_back(framed: Project) -> None:
    framed.accept(work(reword("C2", "elsewhere")))

    framed.accept(clauses_put(clause("C2", "an error is given")))

    assert told(framed) == []


def test_what_others_do_later_brings_no_finding_back(framed: Project) -> None:
    framed.accepted(work(reword("C2", "elsewhere")), work(reword("C2", "an error is given")))

    answer = framed.accept(clauses_put(clause("C2", "changed by somebody else")))

    assert "cr.out-of-frame" not in codes(answer["findings"])
    assert told(framed) == []


def test_what_was_made_outside_is_taken_back_by_taking_it_out(framed: Project) -> None:
    framed.accept(work({**reword("C4", "one more")}))
    assert told(framed) == [TITLE]

    framed.accept(work({"put": "clauses", **IN, "contract": "discount", "remove": ["C4"]}))

    assert told(framed) == []


def test_a_name_given_outside_is_taken_back_by_the_old_name(framed: Project) -> None:
    def rename(old: str, new: str) -> Json:
        text = "an error is given"
        entry = {"label": new, "text": text, "replaces": old}
        return work({"put": "clauses", **IN, "contract": "discount", "clauses": [entry]})

    framed.accept(rename("C2", "C8"))
    assert told(framed) == [TITLE]

    framed.accept(rename("C8", "C2"))
    assert told(framed) == []


def test_a_resolved_request_is_not_told_for_its_frame_until_it_is_reopened(framed: Project) -> None:
    framed.accept(work(reword("C2")))

    assert found(framed.accept(resolved())["findings"], "cr.out-of-frame") == [TITLE]
    assert (told(framed), outside(framed)) == ([], [])
    assert found(framed.accept(reopened())["findings"], "cr.out-of-frame") == [TITLE]
    assert told(framed) == [TITLE]


# Cases, and what a put for a request brings up.


def test_a_case_that_cites_what_is_framed_is_inside(framed: Project) -> None:
    framed.accept(work(reword("C1")))

    answer = framed.accept(work(harness("def test_refuses(): assert 50\n")))

    assert codes(answer["findings"]) == []
    assert outside(framed) == []


def test_later_work_moves_earlier_work_neither_in_nor_out(framed: Project) -> None:
    framed.accept(work(harness("def test_refuses(): assert 50\n")))
    framed.accept(opened("Other", targets=[{"harness": {**IN, "harness": "test-price"}}]))

    framed.accept(work(harness(labels=("C3",)), title="Other"))

    assert (outside(framed), outside(framed, "Other"), told(framed)) == ([], [], [])


def test_only_what_the_frame_holds_is_brought_up(framed: Project) -> None:
    framed.accept(as_plain(harness(labels=("C1", "C2"))))
    framed.accept(clauses_put(clause("C1", "one"), clause("C2", "two")))

    framed.accept(work(harness(labels=("C1", "C2"))))

    (case,) = framed.harness()["cases"]
    assert [cited["revision"] for cited in case["cites"]["clauses"]] == [2, 1]
    assert framed.accept({"op": "status", "sections": ["stale_cites"]})["stale_cites"] == [
        {**IN, "harness": "test-price", "case": "test_refuses", "target": "discount C2", "cited": 1, "now": 2}
    ]


def test_a_citation_that_is_new_is_recorded_as_its_target_is(framed: Project) -> None:
    framed.accept(clauses_put(clause("C1", "one"), clause("C2", "two")))
    framed.accept(opened("Tax", targets=[contract_ref("tax")]))

    framed.accept(work(harness(labels=("C1", "C2")), title="Tax"))

    (case,) = framed.harness()["cases"]
    assert [cited["revision"] for cited in case["cites"]["clauses"]] == [1, 2]


def as_plain(entry: Json) -> Json:
    """An entry of a change set as the operation of its name."""
    return {"op": "harness_put", **{key: value for key, value in entry.items() if key != "put"}}


def test_a_request_that_names_the_interface_brings_up_its_items(framed: Project) -> None:
    framed.accept(changed(INTERFACE, source="def price(total: float) -> int: ...\n"))
    framed.accept(opened("Float", targets=[{"interface": {**IN, "interface": "price"}}]))

    framed.accept(work(harness(), title="Float"))

    (case,) = framed.harness()["cases"]
    assert [cited["revision"] for cited in case["cites"]["items"]] == [2]


def test_the_answer_and_the_store_of_a_set_for_a_request_are_those_of_one_without(
    framed: Project, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Project(tmp_path_factory.mktemp("other"))
    other.accepted(*(line for line in _MODEL))
    three_clauses(other)
    puts = [reword("C1"), as_put(changed(INTERFACE, source="def price(total: float) -> int: ...\n"))]

    with_request = framed.accept(work(*puts))
    without = other.accept({"op": "change_set", "puts": puts})

    assert [put["revision"] for put in with_request["puts"]] == [put["revision"] for put in without["puts"]]
    assert framed.contract()["revision"] == other.contract()["revision"] == 3


_MODEL = ({"op": "init"}, {"op": "context_add", "name": "pricing"}, CONTRACT, INTERFACE, HARNESS)
