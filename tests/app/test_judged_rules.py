"""Judged rules: what an agent is given to judge, which reports are kept, how long they hold and where they are shown.

Source: specification, "Judged rule versions", "Operations" (check, view), "Triggers and moments" and "Change-request
addresses"; open-points 1, 14 and 16.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from chidev.app.registry import Registry
from chidev.domain.judged_rule import JudgedRule
from chidev.domain.rule import Level, Moment
from tests.fakes.store import MemoryStore
from tests.random_lines import BEGINNING, LINES, Runner
from tests.running import (
    BASE,
    CONTEXT,
    INIT,
    PIN,
    SECTIONS,
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
    names,
    retire,
    retire_context,
    run,
    uses,
    without,
)

BY: Json = {"person": "ada"}
VAGUE: Json = {
    "id": "judged.vague",
    "summary": "a promise that can be read two ways",
    "subject": "clause",
    "moments": ["edit", "check"],
    "level": "warning",
    "question": "Can two people disagree on what it asks?",
    "true": "Two readings are possible",
    "false": "One reading only",
    "fix": "Reword it",
    "when": ["a Clause was reworded"],
}
CLAUSES = contract(clause("C1"), clause("C2"))
SOURCE = "def test_a(): ...\ndef test_b(): ...\n"
CASES = harness(case("test_a", ["price"], ["C1"]), case("test_b", ["cost"], ["C2"], line=2), source=SOURCE)
ASK: Json = {"op": "cr_open", "title": "Ask", "intent": "change_behavior", "targets": [{"context": "pricing"}]}
OTHER: Json = {"op": "cr_open", "title": "Other", "intent": "keep_behavior", "targets": [{"context": "base"}]}
MODEL = (INIT, CONTEXT, BASE, CLAUSES, TWO_ITEMS, CASES, ASK, OTHER)
SUBJECTS: dict[str, Json | None] = {
    "context": {"context": "pricing"},
    "interface": {"interface": {"context": "pricing", "interface": "price"}},
    "item": {"item": {"context": "pricing", "interface": "price", "key": "price"}},
    "clause": {"clause": {"context": "pricing", "contract": "discount", "label": "C1"}},
    "case": {"case": {"context": "pricing", "harness": "test-price", "name": "test_a"}},
    "change_request": {"change_request": "Ask"},
    "project": None,
}
NAMES = {
    "context": "pricing",
    "interface": "price",
    "item": "price price",
    "clause": "discount C1",
    "case": "test_a",
    "change_request": "Ask",
}


@pytest.fixture
def model(project: Project) -> Project:
    """A project with one judged rule, about Clauses, and two of each thing but of assets."""
    put_rule(project)
    project.accepted(*MODEL)
    return project


def put_rule(project: Project, file: str = "", **fields: Any) -> None:
    """Write the file of a rule; without a name it takes the place of the one that was written so for the same id."""
    told = {**VAGUE, **fields}
    path = project.root / "checks" / "judged" / f"{file or told['id']}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in told.items()), encoding="utf-8")


def put_policy(project: Project, selector: str, level: str) -> None:
    (project.root / "chidev.toml").write_text(f'[checks."{selector}"]\nlevel = "{level}"\n', encoding="utf-8")


def rule_of(kind: str) -> str:
    return f"judged.{kind.replace('_', '-')}"


def check_rules(project: Project, **fields: Any) -> Json:
    return project.accept({"op": "check_rules", **fields})


def entry(project: Project, rule: str = "judged.vague") -> Json:
    """A rule as an agent reads it."""
    (found,) = check_rules(project, rule=rule)["rules"]
    return dict(found)


def about(label: str = "C1", message: str = "reads two ways", **fields: Any) -> Json:
    """A finding about a Clause of the Contract `discount`."""
    subject = {"clause": {"context": "pricing", "contract": "discount", "label": label}}
    return {"message": message, "subject": subject, **fields}


def report(project: Project, *findings: Json, rule: str = "judged.vague", **fields: Any) -> Json:
    """A report on the model and the rule as they are now."""
    read = check_rules(project, rule=rule)
    return {
        "op": "finding_report",
        "rule": rule,
        "rule_digest": read["rules"][0]["rule_digest"],
        "judge": "a reader",
        "read_at": read["store_revision"],
        "findings": list(findings),
        **fields,
    }


def shown(project: Project, **narrowed: Any) -> list[Json]:
    """The judged findings of `check`."""
    return list(project.accept({"op": "check", "rules": ["judged."], **narrowed})["findings"])


def waiting(project: Project) -> dict[str, str]:
    """The rules whose report is not current, as `status` lists them, with their states."""
    return {rule["rule"]: rule["state"] for rule in project.status("judged")["judged"]}


# ---------------------------------------------------------------- check_rules


def test_a_rule_is_given_with_all_its_file_says_and_what_it_is_held_to(model: Project) -> None:
    put_policy(model, "judged.", "note")

    (given_rule,) = check_rules(model)["rules"]

    assert re.fullmatch("[0-9a-f]{64}", given_rule["rule_digest"])
    assert without(given_rule, "rule_digest") == {
        **without(VAGUE, "level"),
        "default_level": "warning",
        "level": "note",
        "state": "never",
    }


@pytest.mark.parametrize(
    ("fields", "chosen"),
    [
        ({}, ["judged.cases", "judged.end", "judged.vague"]),
        ({"moment": None, "rule": None, "context": None}, ["judged.cases", "judged.end", "judged.vague"]),
        ({"moment": "edit"}, ["judged.vague"]),
        ({"moment": "check"}, ["judged.cases", "judged.vague"]),
        ({"moment": "resolve"}, ["judged.end"]),
        ({"moment": "pin"}, []),
        ({"rule": "judged.cases"}, ["judged.cases"]),
        ({"rule": "judged.cases", "moment": "check"}, ["judged.cases"]),
        ({"rule": "judged.cases", "moment": "edit"}, []),
    ],
    ids=str,
)
def test_rules_are_chosen_by_moment_and_by_id_and_come_by_id(model: Project, fields: Json, chosen: list[str]) -> None:
    put_rule(model, id="judged.end", moments=["resolve"])
    put_rule(model, id="judged.cases", subject="case", moments=["check"])

    assert names(check_rules(model, **fields)["rules"], "id") == chosen


def test_the_model_to_judge_is_the_view_of_every_section_also_when_no_rule_is_given(model: Project) -> None:
    answer, view = model.accepted({"op": "check_rules", "moment": "pin"}, {"op": "view", "sections": SECTIONS})

    assert answer["rules"] == []
    assert answer["store_revision"] == view["store_revision"]
    assert answer["model"] == {**view["view"], "store_revision": view["store_revision"]}


def test_a_context_narrows_the_model_and_not_the_rules_or_their_states(model: Project) -> None:
    model.accept(report(model))
    whole = check_rules(model)

    answer = check_rules(model, context="base")

    assert names(answer["model"]["contexts"]) == ["base"]
    assert answer["model"]["contexts"] == [one for one in whole["model"]["contexts"] if one["name"] == "base"]
    assert answer["model"]["change_requests"] == whole["model"]["change_requests"]
    assert answer["rules"] == whole["rules"]
    assert answer["rules"][0]["state"] == "current"


@pytest.mark.parametrize(
    ("fields", "field", "meant"),
    [
        ({"rule": "judged.vage"}, "rule", ["judged.vague"]),
        ({"rule": "vague"}, "rule", []),
        ({"rule": "cite.stale"}, "rule", []),
        ({"rule": "judged."}, "rule", ["judged.vague"]),
        ({"context": "pricng"}, "context", ["pricing"]),
        ({"rule": "judged.vague", "context": "shipping"}, "context", []),
    ],
    ids=str,
)
def test_a_rule_or_a_context_that_is_not_there_is_an_unknown_name(
    model: Project, fields: Json, field: str, meant: list[str]
) -> None:
    (problem,) = model.refuse({"op": "check_rules", **fields})

    assert (problem["code"], problem["field"]) == ("input.unknown-name", field)
    assert (problem["values"]["kind"], problem["values"]["name"]) == (field, fields[field])
    assert problem["did_you_mean"] == meant


@pytest.mark.parametrize(
    ("fields", "code", "word"),
    [
        ({"hook": "check"}, "input.renamed-field", "`moment`"),
        ({"hook": "put"}, "input.renamed-field", "`moment`"),
        ({"moment": "put"}, "input.invalid", "`edit`"),
        ({"hooks": ["check"]}, "input.unknown-field", "`hooks`"),
        ({"moment": ["check"]}, "input.wrong-type", "`moment`"),
        ({"moment": ""}, "input.invalid", "`moment`"),
        ({"context": "Pricing"}, "input.invalid", "`Pricing`"),
    ],
    ids=str,
)
def test_the_old_words_and_what_is_no_moment_are_refused(model: Project, fields: Json, code: str, word: str) -> None:
    (problem,) = model.refuse({"op": "check_rules", **fields})

    assert problem["code"] == code
    assert word in problem["message"]


def test_a_rule_is_never_judged_then_current_and_then_stale(model: Project) -> None:
    seen = [entry(model)["state"]]
    model.accept(report(model))
    seen.append(entry(model)["state"])
    model.accept(clauses_put(clause("C1", "another promise")))
    seen.append(entry(model)["state"])
    model.accept(report(model))
    seen.append(entry(model)["state"])

    assert seen == ["never", "current", "stale", "current"]


def test_a_rule_that_was_judged_says_by_whom_and_on_what(model: Project) -> None:
    assert "judged" not in entry(model)
    sent = report(model, about())

    model.accept(sent)

    assert entry(model)["judged"] == {
        "judge": "a reader",
        "read_at": sent["read_at"],
        "on_older_revision": False,
        "rule_digest": sent["rule_digest"],
    }


def test_asking_keeps_nothing(model: Project) -> None:
    before = model.everything()

    first, again = model.accepted({"op": "check_rules"}, {"op": "check_rules"})

    assert without(first, "line") == without(again, "line")
    assert model.everything() == before


@pytest.mark.parametrize("word", ["check_rules", "finding_report"])
def test_judging_needs_a_project(project: Project, word: str) -> None:
    put_rule(project)
    sent = {"rule": "judged.vague", "rule_digest": "0" * 64, "judge": "a reader", "read_at": 0, "findings": []}

    (answer,) = project.run({"op": word, **(sent if word == "finding_report" else {})})

    assert codes(answer["diagnostics"]) == ["project.none"]


def test_a_project_without_rules_is_given_none(project: Project) -> None:
    project.accepted(*MODEL)

    assert check_rules(project)["rules"] == []
    assert waiting(project) == {}


# ---------------------------------------------------------------- finding_report: what is kept


def test_a_report_is_answered_with_what_was_kept(model: Project) -> None:
    sent = report(model, about(), about("C2"))
    before = model.revision()

    answer = model.accept(sent)

    assert without(answer, "ok", "line", "op") == {
        "rule": "judged.vague",
        "rule_digest": sent["rule_digest"],
        "state": "current",
        "findings": 2,
        "replaced": 0,
        "on_older_revision": False,
        "store_revision": before + 1,
    }
    assert model.revision() == before + 1


@pytest.mark.parametrize("level", [None, "note", "warning"])
def test_a_finding_has_a_level_up_to_the_one_its_rule_is_held_to(model: Project, level: str | None) -> None:
    model.accept(report(model, about(level=level)))

    assert [finding["level"] for finding in shown(model)] == [level or "warning"]


@pytest.mark.parametrize("kind", SUBJECTS)
def test_a_finding_is_about_a_thing_of_the_kind_its_rule_asks_about(model: Project, kind: str) -> None:
    put_rule(model, id=rule_of(kind), subject=kind)

    model.accept(report(model, {"message": "so", "subject": SUBJECTS[kind]}, rule=rule_of(kind)))

    (finding,) = shown(model)
    assert [subject["kind"] for subject in finding["subjects"]] == ([] if kind == "project" else [kind])
    assert finding.get("about") == NAMES.get(kind)


def test_a_finding_that_leaves_its_subject_out_is_about_the_project(model: Project) -> None:
    put_rule(model, id="judged.whole", subject="project")

    model.accept(report(model, {"message": "so"}, rule="judged.whole"))

    assert [(finding["subjects"], "about" in finding) for finding in shown(model)] == [([], False)]


def test_a_report_replaces_the_one_its_rule_had_whoever_judged(model: Project) -> None:
    model.accept(report(model, about(), about("C2")))

    answer = model.accept(report(model, about("C2", "vague"), judge="another"))

    assert (answer["findings"], answer["replaced"]) == (1, 2)
    assert [(f["about"], f["message"], f["judged"]["judge"]) for f in shown(model)] == [
        ("discount C2", "vague", "another")
    ]


def test_a_report_leaves_that_of_another_rule_alone(model: Project) -> None:
    put_rule(model, id="judged.long")
    model.accept(report(model, about(message="long"), rule="judged.long"))

    answer = model.accept(report(model, about(message="vague")))

    assert answer["replaced"] == 0
    assert [(finding["rule"], finding["message"]) for finding in shown(model)] == [
        ("judged.long", "long"),
        ("judged.vague", "vague"),
    ]


def test_a_report_with_no_findings_clears_what_the_rule_had(model: Project) -> None:
    model.accept(report(model, about(), about("C2")))

    answer = model.accept(report(model))

    assert (answer["findings"], answer["replaced"], answer["state"]) == (0, 2, "current")
    assert shown(model) == []
    assert waiting(model) == {}


# ---------------------------------------------------------------- finding_report: what is refused


def subjects_of(*subjects: Any) -> Json:
    return {"findings": [{"message": "so", "subject": subject} for subject in subjects]}


MISSING = object()
UNKNOWN, INVALID, WRONG_TYPE = "input.unknown-name", "input.invalid", "input.wrong-type"
AT = "findings[0].subject"
CONTRACT_REF = {"context": "pricing", "contract": "discount"}
REFUSED: list[tuple[Json, list[tuple[str, str | None]]]] = [
    ({"rule_digest": MISSING}, [("input.missing-field", "rule_digest")]),
    ({"rule_digest": None}, [(WRONG_TYPE, "rule_digest")]),
    ({"rule_digest": 64}, [(WRONG_TYPE, "rule_digest")]),
    ({"rule_digest": ""}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "0" * 63}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "0" * 65}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "A" * 64}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "g" * 64}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "0" * 64 + "\n"}, [(INVALID, "rule_digest")]),
    ({"rule_digest": "0" * 64}, [("judged.rule-version", "rule_digest")]),
    ({"rule_digest": "0" * 64, "findings": []}, [("judged.rule-version", "rule_digest")]),
    ({"rule": "judged.vage"}, [(UNKNOWN, "rule")]),
    ({"rule": "cite.stale"}, [(UNKNOWN, "rule")]),
    ({"rule": "judged.rule-version"}, [(UNKNOWN, "rule")]),
    ({"rule": "Judged.vague"}, [(INVALID, "rule")]),
    ({"rule": "judged."}, [(INVALID, "rule")]),
    ({"rule": None}, [(WRONG_TYPE, "rule")]),
    ({"rule": MISSING}, [("input.missing-field", "rule")]),
    ({"judge": ""}, [(INVALID, "judge")]),
    ({"judge": " \t\n"}, [(INVALID, "judge")]),
    ({"judge": BY}, [(WRONG_TYPE, "judge")]),
    ({"judge": MISSING}, [("input.missing-field", "judge")]),
    ({"read_at": 1_000}, [(INVALID, "read_at")]),
    ({"read_at": -1}, [(INVALID, "read_at")]),
    ({"read_at": 1.0}, [(WRONG_TYPE, "read_at")]),
    ({"read_at": 1.5}, [(WRONG_TYPE, "read_at")]),
    ({"read_at": "1"}, [(WRONG_TYPE, "read_at")]),
    ({"read_at": True}, [(WRONG_TYPE, "read_at")]),
    ({"read_at": None}, [(WRONG_TYPE, "read_at")]),
    ({"read_at": MISSING}, [("input.missing-field", "read_at")]),
    ({"read_at": 2**63}, [(INVALID, None)]),
    ({"findings": MISSING}, [("input.missing-field", "findings")]),
    ({"findings": None}, [(WRONG_TYPE, "findings")]),
    ({"findings": about()}, [(WRONG_TYPE, "findings")]),
    ({"findings": ["so"]}, [(WRONG_TYPE, "findings[0]")]),
    ({"findings": [about(message="")]}, [(INVALID, "findings[0].message")]),
    ({"findings": [about(message=" \n")]}, [(INVALID, "findings[0].message")]),
    ({"findings": [about(), about("C2", message=" ")]}, [(INVALID, "findings[1].message")]),
    ({"findings": [{"subject": about()["subject"]}]}, [("input.missing-field", "findings[0].message")]),
    ({"findings": [about(messages="so")]}, [("input.unknown-field", "findings[0].messages")]),
    ({"findings": [about(level="error")]}, [(INVALID, "findings[0].level")]),
    ({"findings": [about(level="off")]}, [(INVALID, "findings[0].level")]),
    ({"findings": [about(level="loud")]}, [(INVALID, "findings[0].level")]),
    ({"findings": [about(level=2)]}, [(WRONG_TYPE, "findings[0].level")]),
    ({"findings": [{"message": "so"}]}, [(INVALID, AT)]),
    (subjects_of(None), [(INVALID, AT)]),
    (subjects_of({}), [(INVALID, AT)]),
    (subjects_of("discount C1"), [(WRONG_TYPE, AT)]),
    (subjects_of(SUBJECTS["context"]), [(INVALID, AT)]),
    (subjects_of(SUBJECTS["item"]), [(INVALID, AT)]),
    (subjects_of(SUBJECTS["change_request"]), [(INVALID, AT)]),
    (subjects_of({**about()["subject"], "context": "pricing"}), [(INVALID, AT)]),
    (subjects_of({"project": True}), [("input.unknown-field", f"{AT}.project")]),
    (subjects_of({"contract": CONTRACT_REF}), [("input.unknown-field", f"{AT}.contract")]),
    (subjects_of(about("C3")["subject"]), [(UNKNOWN, f"{AT}.clause.label")]),
    (subjects_of(about("c1")["subject"]), [(INVALID, f"{AT}.clause.label")]),
    (
        subjects_of({"clause": {"context": "pricng", "contract": "discount", "label": "C1"}}),
        [(UNKNOWN, f"{AT}.clause.context")],
    ),
    (
        subjects_of({"clause": {"context": "pricing", "contract": "discounts", "label": "C1"}}),
        [(UNKNOWN, f"{AT}.clause.contract")],
    ),
    (subjects_of({"clause": CONTRACT_REF}), [("input.missing-field", f"{AT}.clause.label")]),
    ({"findings": [about(), about("C2"), about(message="again")]}, [(INVALID, "findings[2].subject")]),
    ({"by": BY}, [("input.unknown-field", "by")]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "refused"), REFUSED, ids=[f"{n}-{'-'.join(fields)}" for n, (fields, _) in enumerate(REFUSED)]
)
def test_a_report_that_is_not_right_is_refused_and_replaces_nothing(
    model: Project, fields: Json, refused: list[tuple[str, str | None]]
) -> None:
    model.accept(report(model, about(message="kept")))
    sent = {key: value for key, value in (report(model, about()) | fields).items() if value is not MISSING}

    problems = model.refuse(sent)

    assert fields_of(problems) == refused
    assert [finding["message"] for finding in shown(model)] == ["kept"]


def test_a_digest_of_another_version_is_told_beside_the_one_there_is(model: Project) -> None:
    sent = report(model, about())
    put_rule(model, question="Is it vague?")

    (problem,) = model.refuse(sent)

    assert problem["code"] == "judged.rule-version"
    assert problem["values"] == {
        "rule": "judged.vague",
        "given": sent["rule_digest"],
        "now": entry(model)["rule_digest"],
    }
    assert entry(model)["state"] == "never"


@pytest.mark.parametrize(
    ("fields", "meant"),
    [({"rule": "judged.vage"}, "judged.vague"), ({"findings": [about("C11")]}, "C1")],
    ids=["rule", "label"],
)
def test_a_name_that_is_nearly_right_is_told_as_what_was_meant(model: Project, fields: Json, meant: str) -> None:
    (problem,) = model.refuse(report(model) | fields)

    assert problem["did_you_mean"][0] == meant


def test_every_name_that_is_not_there_is_told_at_once(model: Project) -> None:
    unknown = {"clause": {"context": "shipping", "contract": "discount", "label": "C1"}}

    problems = model.refuse(report(model, about("C7"), about(), {"message": "so", "subject": unknown}))

    assert fields_of(problems) == [
        (UNKNOWN, "findings[0].subject.clause.label"),
        (UNKNOWN, "findings[2].subject.clause.context"),
    ]


def test_every_subject_of_another_kind_and_every_level_above_is_told_at_once(model: Project) -> None:
    problems = model.refuse(
        report(model, about(level="error"), {"message": "so"}, {"message": "so", "subject": {"context": "pricing"}})
    )

    assert fields_of(problems) == [
        (INVALID, "findings[0].level"),
        (INVALID, "findings[1].subject"),
        (INVALID, "findings[2].subject"),
    ]


@pytest.mark.parametrize(
    ("held_to", "level", "ok"),
    [("note", "note", True), ("note", "warning", False), ("error", "error", True), ("off", "note", False)],
)
def test_a_level_is_measured_by_the_one_the_policy_gives_the_rule(
    model: Project, held_to: str, level: str, ok: bool
) -> None:
    sent = report(model, about(level=level))
    put_policy(model, "judged.vague", held_to)

    (answer,) = model.run(sent)

    assert answer["ok"] is ok
    if not ok:
        assert fields_of(answer["diagnostics"]) == [(INVALID, "findings[0].level")]


GONE = {
    "clause": contract(clause("C2")),
    "case": harness(case("test_b", ["cost"], ["C2"], line=2), source=SOURCE),
    "item": without(change_set(retire("harness", "test-price"), retire("interface", "price")), "puts"),
    "interface": without(change_set(retire("harness", "test-price"), retire("interface", "price")), "puts"),
    "context": retire_context("pricing"),
}


def retired(project: Project, kind: str) -> None:
    """Retire the thing of a kind that `SUBJECTS` names, after the citation of its Clause."""
    project.accept(harness(case("test_a", ["price"]), case("test_b", ["cost"], ["C2"], line=2), source=SOURCE))
    project.accept(GONE[kind])


@pytest.mark.parametrize("kind", GONE)
def test_a_thing_that_was_retired_is_judged_no_more(model: Project, kind: str) -> None:
    put_rule(model, id=rule_of(kind), subject=kind)
    retired(model, kind)

    problems = model.refuse(report(model, {"message": "so", "subject": SUBJECTS[kind]}, rule=rule_of(kind)))

    assert codes(problems) == [UNKNOWN]


# ---------------------------------------------------------------- reports on an older model


def assert_on_older(project: Project, answer: Json) -> None:
    """The report that was answered is kept, and holds for nothing that is there now."""
    assert (answer["ok"], answer["on_older_revision"], answer["state"]) == (True, True, "stale")
    assert entry(project)["judged"]["on_older_revision"] is True
    assert entry(project)["state"] == "stale"
    assert waiting(project) == {"judged.vague": "stale"}
    assert {finding["stale"] for finding in shown(project)} == {True}


@pytest.mark.parametrize(
    "moved",
    [clauses_put(clause("C1", "another promise")), {"op": "context_add", "name": "shipping"}, PIN],
    ids=["its subject", "another Context", "a Pin"],
)
def test_a_report_on_an_older_model_is_stale_though_its_digest_is_right(model: Project, moved: Json) -> None:
    sent = report(model, about())
    model.accept(moved)

    answer = model.accept(sent)

    assert_on_older(model, answer)


def test_a_report_on_the_beginning_is_on_an_older_model(model: Project) -> None:
    answer = model.accept(report(model, about(), read_at=0))

    assert_on_older(model, answer)


def test_records_make_no_older_model(model: Project) -> None:
    sent = report(model, about())
    model.accepted({"op": "check_run"}, report(model, about("C2")))

    answer = model.accept(sent)

    assert (answer["on_older_revision"], answer["state"]) == (False, "current")
    assert waiting(model) == {}


def test_what_is_read_at_the_revision_the_model_moved_at_is_current(model: Project) -> None:
    revision = model.revision()
    model.accepted({"op": "check_run"}, {"op": "check_run"})

    answer = model.accept(report(model, about(), read_at=revision))
    older = model.accept(report(model, about(), read_at=revision - 1))

    assert (answer["state"], older["state"]) == ("current", "stale")


def test_a_report_in_one_input_is_measured_by_what_the_lines_before_it_wrote(model: Project) -> None:
    sent, revision = report(model, about()), model.revision()

    kept, moved, older = model.accepted(sent, clauses_put(clause("C1", "another promise")), sent)

    assert (kept["state"], kept["store_revision"]) == ("current", revision + 1)
    assert moved["ok"]
    assert (older["state"], older["replaced"], older["store_revision"]) == ("stale", 1, revision + 3)


# ---------------------------------------------------------------- how long a report holds


DECIDING = {
    "subject": "item",
    "question": "Is it vague?",
    "true": "It is vague",
    "false": "It is not vague",
}
OTHER_FIELDS: Json = {
    "summary": "vague promises",
    "fix": "Say it once more",
    "when": ["before a release", "after one"],
    "moments": ["pin", "resolve"],
    "level": "error",
}


@pytest.mark.parametrize("field", DECIDING)
def test_a_deciding_field_makes_the_report_and_its_findings_stale_until_it_is_put_back(
    model: Project, field: str
) -> None:
    model.accept(report(model, about(), about("C2")))
    digest = entry(model)["rule_digest"]

    put_rule(model, **{field: DECIDING[field]})

    assert entry(model)["rule_digest"] != digest
    assert entry(model)["judged"]["rule_digest"] == digest
    assert waiting(model) == {"judged.vague": "stale"}
    assert [finding["stale"] for finding in shown(model)] == [True, True]

    put_rule(model)

    assert (entry(model)["rule_digest"], entry(model)["state"]) == (digest, "current")
    assert waiting(model) == {}
    assert [finding.get("stale") for finding in shown(model)] == [None, None]


def test_the_rules_of_one_run_are_those_it_began_with(model: Project) -> None:
    def lines() -> Iterator[Json]:
        yield {"op": "check_rules"}
        put_rule(model, question="Is it vague?")
        yield {"op": "check_rules"}

    first, again = run(lines(), model.root)

    assert again["rules"] == first["rules"]
    assert entry(model)["rule_digest"] != first["rules"][0]["rule_digest"]


@pytest.mark.parametrize("field", OTHER_FIELDS)
def test_any_other_field_leaves_the_report_current(model: Project, field: str) -> None:
    model.accept(report(model, about()))
    digest = entry(model)["rule_digest"]

    put_rule(model, **{field: OTHER_FIELDS[field]})

    assert (entry(model)["rule_digest"], entry(model)["state"]) == (digest, "current")
    assert [finding.get("stale") for finding in shown(model)] == [None]


def test_comments_and_the_order_of_the_file_leave_the_report_current(model: Project) -> None:
    model.accept(report(model, about()))
    path = model.root / "checks" / "judged" / "judged.vague.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()

    path.with_name("renamed.toml").write_text("# why\n" + "\n\n".join(reversed(lines)), encoding="utf-8")

    assert entry(model)["state"] == "current"


def test_a_level_of_the_policy_leaves_the_report_current(model: Project) -> None:
    model.accept(report(model, about()))

    put_policy(model, "judged.vague", "error")

    assert (entry(model)["level"], entry(model)["state"]) == ("error", "current")


def test_another_id_is_another_rule(model: Project) -> None:
    model.accept(report(model, about()))
    path = model.root / "checks" / "judged" / "judged.vague.toml"
    kept = path.read_bytes()
    path.unlink()
    put_rule(model, id="judged.vaguer")

    assert waiting(model) == {"judged.vaguer": "never"}
    assert shown(model) == []

    path.write_bytes(kept)

    assert [finding["rule"] for finding in shown(model)] == ["judged.vague"]
    assert entry(model)["state"] == "current"


FINDINGS_OF: dict[str, tuple[Json, set[str], set[str]]] = {
    "a Clause is reworded": (
        clauses_put(clause("C1", "another promise")),
        {"context", "clause"},
        {"context", "clause"},
    ),
    "another Clause is reworded": (
        clauses_put(clause("C2", "another promise")),
        {"context"},
        {"context", "clause"},
    ),
    "a Clause is added": (clauses_put(clause("C3")), {"context"}, {"context", "clause"}),
    "a Contract has another title": (changed(CLAUSES, title="Discounts"), {"context"}, {"context"}),
    "an Item is declared in another way": (
        changed(TWO_ITEMS, source="def price(x): ...\ndef cost(): ...\n"),
        {"context", "interface", "item"},
        {"context", "interface", "item"},
    ),
    "another Item is declared in another way": (
        changed(TWO_ITEMS, source="def price(): ...\ndef cost(x): ...\n"),
        {"context", "interface"},
        {"context", "interface", "item"},
    ),
    "code beside the Items is written": (
        changed(TWO_ITEMS, source="def price(): ...\ndef cost(): ...\n# more\n"),
        {"context", "interface"},
        {"context", "interface"},
    ),
    "a Case has another text": (
        changed(CASES, source="def test_a(): pass\ndef test_b(): ...\n"),
        {"context", "case"},
        {"context", "case"},
    ),
    "another Case has another text": (
        changed(CASES, source="def test_a(): ...\ndef test_b(): pass\n"),
        {"context"},
        {"context", "case"},
    ),
    "a Case cites another Clause": (
        harness(case("test_a", ["price"], ["C2"]), case("test_b", ["cost"], ["C2"], line=2), source=SOURCE),
        {"context", "case"},
        {"context", "case"},
    ),
    "a Harness goes": (retire("harness", "test-price"), {"context", "case"}, {"context", "case"}),
    "a Context is used": (uses("pricing", "base"), {"context"}, {"context"}),
    "another Context says something": (contract(clause("C1"), context="base"), set(), {"context", "clause"}),
    "a Context is added": ({"op": "context_add", "name": "shipping"}, set(), {"context"}),
    "a request is resolved": (
        {"op": "cr_resolve", "title": "Ask", "resolution": "wont_do", "reason": "so", "by": BY},
        {"change_request"},
        {"change_request"},
    ),
    "another request is resolved": (
        {"op": "cr_resolve", "title": "Other", "resolution": "wont_do", "reason": "so", "by": BY},
        set(),
        {"change_request"},
    ),
    "a request is opened": (changed(ASK, title="More", parent="Ask"), set(), {"change_request"}),
    "a question stops the request": (
        {"op": "cr_crux_raise", "in": "Ask", "kind": "conflict", "question": "Which?", "options": [{"choice": "a"}]},
        {"change_request"},
        {"change_request"},
    ),
    "a question stops another request": (
        {"op": "cr_crux_raise", "in": "Other", "kind": "conflict", "question": "Which?", "options": [{"choice": "a"}]},
        set(),
        {"change_request"},
    ),
}
UNSEEN: dict[str, Json] = {
    "a request rests on an assumption": {"op": "cr_assume", "title": "Ask", "statement": "so", "reason": "seen"},
    "the Policy has a line": {"op": "policy_put", "lines": [{"id": "P1", "text": "Ask before breaking"}]},
    "code is pinned": PIN,
    "checks are run": {"op": "check_run"},
    "the same is put again": CLAUSES,
}


@pytest.fixture
def reported(model: Project) -> Project:
    """A project with a rule for each kind of subject, each with a current report of one finding."""
    (model.root / "checks" / "judged" / "judged.vague.toml").unlink()
    for kind in SUBJECTS:
        put_rule(model, id=rule_of(kind), subject=kind)
    read = check_rules(model)
    model.accepted(
        *(
            {
                "op": "finding_report",
                "rule": rule["id"],
                "rule_digest": rule["rule_digest"],
                "judge": "a reader",
                "read_at": read["store_revision"],
                "findings": [{"message": "so", "subject": SUBJECTS[rule["subject"]]}],
            }
            for rule in read["rules"]
        )
    )
    assert stale(model) == (set(), set())
    return model


def stale(project: Project) -> tuple[set[str], set[str]]:
    """The rules whose finding is stale, and those whose report is."""
    return {finding["rule"] for finding in shown(project) if finding.get("stale")}, waiting(project).keys() | set()


@pytest.mark.parametrize("what", FINDINGS_OF)
def test_a_finding_is_stale_when_its_subject_moved_and_a_report_when_anything_of_its_kind_did(
    reported: Project, what: str
) -> None:
    operation, of_findings, of_reports = FINDINGS_OF[what]

    reported.accept(operation)

    assert stale(reported) == (
        {rule_of(kind) for kind in of_findings | {"project"}},
        {rule_of(kind) for kind in of_reports | {"project"}},
    )


@pytest.mark.parametrize("what", UNSEEN)
def test_what_no_judge_is_given_makes_nothing_stale(reported: Project, what: str) -> None:
    reported.accept(UNSEEN[what])

    assert stale(reported) == (set(), set())


def test_an_item_that_only_moved_to_other_lines_is_as_it_was(reported: Project) -> None:
    reported.accept(
        changed(
            TWO_ITEMS,
            source="\n" + TWO_ITEMS["source"],
            items=[{"key": "price", "lines": [2, 2]}, {"key": "cost", "lines": [3, 3]}],
        )
    )

    assert "judged.item" not in stale(reported)[0] | stale(reported)[1]


def test_a_text_that_comes_back_is_another_revision_and_is_judged_again(reported: Project) -> None:
    """What was judged is told apart by revision, as it is for a citation and for a Pin."""
    reported.accepted(clauses_put(clause("C1", "another promise")), CLAUSES)

    assert "judged.clause" in stale(reported)[0] & stale(reported)[1]


# Of `BEGINNING`, and sure to be accepted when nothing was before them.
ACCEPTED: list[Json] = [
    {"op": "clauses_put", "context": "a", "contract": "k", "clauses": [{"label": "C1", "text": "three"}]},
    {
        "op": "interface_put",
        "context": "b",
        "name": "i",
        "source": "two\nb\n",
        "items": [{"key": "x", "lines": [1, 1]}, {"key": "y", "lines": [2, 2]}],
    },
    {
        "op": "harness_put",
        "context": "b",
        "name": "u",
        "source": "x",
        "cases": [{"name": "p", "lines": [1, 1], "items": [{"interface": "i", "key": "x"}]}],
    },
    {"op": "harness_retire", "context": "a", "harness": "t"},
    {"op": "cr_assume", "title": "one", "statement": "so", "reason": "so"},
    {"op": "cr_open", "title": "three", "intent": "keep_behavior"},
]


def entries(kind: str, view: Json) -> dict[str | None, tuple[Json | None, Any]]:
    """By its id, each thing of a kind: how a report names it, and what a judge is given of it."""
    if kind == "project":
        return {None: (None, view)}
    if kind == "change_request":
        cruxes = view["cruxes"]
        return {
            one["id"]: ({kind: one["title"]}, (one, [crux for crux in cruxes if crux["raised_in"] == one["id"]]))
            for one in view["change_requests"]
        }
    if kind == "context":
        return {one["id"]: ({kind: one["name"]}, one) for one in view["contexts"]}
    found: dict[str | None, tuple[Json | None, Any]] = {}
    for context in view["contexts"]:
        within = {"context": context["name"]}
        for held in context["contracts"]:
            for one in held["clauses"] if kind == "clause" else ():
                found[one["id"]] = ({kind: {**within, "contract": held["name"], "label": one["label"]}}, one)
        for held in context["interfaces"]:
            if kind == "interface":
                found[held["id"]] = ({kind: {**within, "interface": held["name"]}}, held)
            for one in held["items"] if kind == "item" else ():
                said = (one["key"], one["revision"], lines_of(held["source"], one["lines"]))
                found[one["id"]] = ({kind: {**within, "interface": held["name"], "key": one["key"]}}, said)
        for held in context["harnesses"]:
            for one in held["cases"] if kind == "case" else ():
                code = (one["name"], one["revision"], one["cites"], lines_of(held["source"], one["lines"]))
                found[one["id"]] = ({kind: {**within, "harness": held["name"], "name": one["name"]}}, code)
    return found


def lines_of(source: str, span: list[int]) -> list[str]:
    return [line.rstrip() for line in source.split("\n")[span[0] - 1 : span[1]]]


@pytest.mark.parametrize("kind", SUBJECTS)
@settings(max_examples=25, deadline=None)
@given(before=st.lists(LINES, max_size=2), after=st.lists(LINES | st.sampled_from(ACCEPTED), min_size=1, max_size=6))
def test_what_is_stale_is_what_a_judge_would_be_given_in_another_way(
    kind: str, before: list[Json], after: list[Json]
) -> None:
    rule = JudgedRule("judged.x", "s", kind, (Moment.CHECK,), Level.NOTE, "q", "t", "f", "x")
    runner = Runner(MemoryStore())
    runner.services = msgspec.structs.replace(runner.services, registry=Registry([rule]))
    for line in (*BEGINNING, *before):
        runner(line)
    then = entries(kind, as_view(runner))
    findings = [{"message": str(id_), "subject": subject} for id_, (subject, _) in then.items()]
    sent = {"op": "finding_report", "rule": rule.id, "rule_digest": rule.digest, "judge": "j", "findings": findings}
    kept = runner({**sent, "read_at": runner({"op": "check_rules"})["store_revision"]})
    assert kept["state"] == "current"

    for line in after:
        runner(line)

    now = entries(kind, as_view(runner))
    moved = {str(id_) for id_, (_, said) in then.items() if id_ not in now or now[id_][1] != said}
    told = [finding for finding in runner({"op": "check"})["findings"] if finding["rule"] == rule.id]
    assert {finding["message"] for finding in told} == {str(id_) for id_ in then}
    assert {finding["message"] for finding in told if finding["values"]["stale"]} == moved
    is_current = not moved and now.keys() == then.keys()
    event("current" if is_current else f"stale, {'some' if moved else 'no'} finding too")
    assert runner({"op": "check_rules"})["rules"][0]["state"] == ("current" if is_current else "stale")


def as_view(runner: Runner) -> Json:
    return dict(runner({"op": "view", "sections": SECTIONS})["view"])


# ---------------------------------------------------------------- where it is shown


def test_a_finding_is_shown_with_its_rule_its_subject_and_who_judged_it(model: Project) -> None:
    sent = report(model, about(level="note"))
    model.accept(sent)

    (finding,) = shown(model)

    assert finding == {
        "code": "judged.vague",
        "rule": "judged.vague",
        "level": "note",
        "message": "reads two ways",
        "state": "open",
        "about": "discount C1",
        "subjects": [{"kind": "clause", "name": "discount C1", "context": "pricing", "contract": "discount"}],
        "values": {"message": "reads two ways", "stale": False, "judge": "a reader", "read_at": sent["read_at"]},
        "help": "Reword it",
        "suggestions": [],
        "did_you_mean": [],
        "judged": {
            "judge": "a reader",
            "read_at": sent["read_at"],
            "on_older_revision": False,
            "rule_digest": sent["rule_digest"],
        },
    }


def test_stale_is_said_only_of_a_finding_that_is(model: Project) -> None:
    model.accepted(report(model, about(), about("C2")), clauses_put(clause("C2", "another promise")))

    fresh, moved = shown(model)

    assert ("stale" in fresh, fresh["values"]["stale"]) == (False, False)
    assert (moved["stale"], moved["values"]["stale"]) == (True, True)


def test_every_question_shows_the_same_findings_after_those_of_the_builtin_checks(model: Project) -> None:
    put_rule(model, id="judged.long")
    model.accepted(report(model, about("C2"), about()), report(model, about(), rule="judged.long"))

    checked, after_run, status = model.accepted({"op": "check"}, {"op": "check_run"}, {"op": "status"})

    assert checked["findings"] == after_run["findings"] == status["findings"]
    rules = [finding["rule"] for finding in checked["findings"]]
    assert rules[-3:] == ["judged.long", "judged.vague", "judged.vague"]
    assert not [rule for rule in rules[:-3] if rule.startswith("judged.")]
    assert [finding["about"] for finding in checked["findings"][-2:]] == ["discount C2", "discount C1"]


@pytest.mark.parametrize("message", ["{subject} {0} {", "two\nlines", "ä\U0001f600\u2028", " padded "])
def test_a_message_is_shown_as_the_judge_wrote_it(model: Project, message: str) -> None:
    model.accept(report(model, about(message=message)))

    (finding,) = shown(model)

    assert finding["message"] == finding["values"]["message"] == message


def test_status_lists_the_rules_that_wait_for_a_judge_by_id(model: Project) -> None:
    put_rule(model, id="judged.late", subject="case", summary="late cases")
    put_rule(model, id="judged.early")
    model.accepted(report(model), report(model, rule="judged.late"), clauses_put(clause("C1", "another promise")))

    assert model.status("judged")["judged"] == [
        {"rule": "judged.early", "subject": "clause", "summary": VAGUE["summary"], "state": "never"},
        {"rule": "judged.vague", "subject": "clause", "summary": VAGUE["summary"], "state": "stale"},
    ]


def test_an_edit_does_not_answer_with_what_was_judged_before(model: Project) -> None:
    model.accept(report(model, about()))

    answer = model.accept(clauses_put(clause("C2", "another promise")))

    assert [finding["rule"] for finding in answer["findings"]] == ["cite.stale"]


NARROWED: list[tuple[Json, list[str], int]] = [
    ({"rules": ["judged."]}, ["judged.ask", "judged.vague", "judged.whole"], 0),
    ({"rules": ["judged.vague"]}, ["judged.vague"], 2),
    ({"rules": ["judged.whole", "judged.ask"]}, ["judged.ask", "judged.whole"], 1),
    ({"rules": ["judged."], "context": "pricing"}, ["judged.ask", "judged.vague"], 1),
    ({"rules": ["judged."], "context": "base"}, [], 3),
    ({"rules": ["judged.whole"], "context": "pricing"}, [], 3),
]


@pytest.mark.parametrize(("narrowed", "rules", "outside"), NARROWED, ids=str)
def test_an_answer_is_narrowed_to_a_context_and_to_rules(
    model: Project, narrowed: Json, rules: list[str], outside: int
) -> None:
    put_rule(model, id="judged.whole", subject="project")
    put_rule(model, id="judged.ask", subject="change_request")
    model.accepted(
        report(model, about()),
        report(model, {"message": "so"}, rule="judged.whole"),
        report(model, {"message": "so", "subject": SUBJECTS["change_request"]}, rule="judged.ask"),
    )
    builtin = len(model.accept({"op": "check"})["findings"]) - 3

    answer = model.accept({"op": "check", **narrowed})

    assert [finding["rule"] for finding in answer["findings"]] == rules
    assert answer["outside"] == outside + builtin


def test_status_of_a_context_shows_what_was_judged_of_it(model: Project) -> None:
    model.accepted(contract(clause("C1"), context="base"), report(model, about()))

    here, elsewhere = (
        model.accept({"op": "status", "sections": ["findings"], "context": context})["findings"]
        for context in ("pricing", "base")
    )

    assert "judged.vague" in {finding["rule"] for finding in here}
    assert "judged.vague" not in {finding["rule"] for finding in elsewhere}


@pytest.mark.parametrize(
    ("selector", "meant"), [("judged.vage", ["judged.vague"]), ("judgd.", ["judged."]), ("judged.none", [])]
)
def test_a_selector_that_no_judged_rule_has_is_an_unknown_name(model: Project, selector: str, meant: list[str]) -> None:
    (problem,) = model.refuse({"op": "check", "rules": [selector]})

    assert (problem["code"], problem["field"], problem["did_you_mean"]) == (UNKNOWN, "rules[0]", meant)


@pytest.mark.parametrize(
    ("held_to", "levels"),
    [("error", ["error", "warning", "note"]), ("warning", ["warning", "warning", "note"]), ("note", ["note"] * 3)],
)
def test_a_finding_speaks_no_louder_than_the_policy_lets_its_rule(
    model: Project, held_to: str, levels: list[str]
) -> None:
    model.accept(clauses_put(clause("C3")))
    model.accept(report(model, about("C1"), about("C2", level="warning"), about("C3", level="note")))

    put_policy(model, "judged.vague", held_to)

    assert [finding["level"] for finding in shown(model)] == levels


@pytest.mark.parametrize("by", ["the policy", "its file"])
def test_a_rule_that_is_off_is_not_asked_for_and_its_findings_are_not_shown(model: Project, by: str) -> None:
    put_rule(model, id="judged.cases", subject="case")
    model.accepted(report(model, about()), clauses_put(clause("C1", "another promise")))

    if by == "the policy":
        put_policy(model, "judged.vague", "off")
    else:
        put_rule(model, level="off")

    assert names(check_rules(model)["rules"], "id") == ["judged.cases"]
    assert check_rules(model, rule="judged.vague")["rules"] == []
    assert waiting(model) == {"judged.cases": "never"}
    assert shown(model) == []

    put_policy(model, "judged.vague", "note")

    assert waiting(model) == {"judged.cases": "never", "judged.vague": "stale"}
    assert [(finding["level"], finding["stale"]) for finding in shown(model)] == [("note", True)]


def asking(*addresses: Json) -> Json:
    return {"op": "cr_open", "title": "Mend", "intent": "keep_behavior", "addresses": list(addresses)}


def test_a_finding_is_addressed_while_a_request_that_names_it_is_open_and_then_decided(model: Project) -> None:
    model.accepted(asking({"rule": "judged.vague", "subject": SUBJECTS["clause"]}), report(model, about(), about("C2")))
    seen = []
    end = {"title": "Mend", "reason": "so", "by": BY}

    for line in ({"op": "check"}, {"op": "cr_resolve", "resolution": "wont_do", **end}, {"op": "cr_reopen", **end}):
        model.accept(line)
        seen.append([finding["state"] for finding in shown(model)])

    assert seen == [["addressed", "open"], ["decided", "open"], ["addressed", "open"]]
    assert [finding.get("addressed_by") for finding in shown(model)] == [["Mend"], None]


def test_a_finding_about_the_project_is_addressed_by_a_request_that_names_no_subject(model: Project) -> None:
    put_rule(model, id="judged.whole", subject="project")
    put_rule(model, id="judged.other", subject="project")
    model.accept(asking({"rule": "judged.whole", "subject": None}))

    model.accepted(*(report(model, {"message": "so"}, rule=rule) for rule in ("judged.whole", "judged.other")))

    assert {finding["rule"]: finding["state"] for finding in shown(model)} == {
        "judged.whole": "addressed",
        "judged.other": "open",
    }


def test_a_request_that_names_the_same_subject_by_another_rule_addresses_nothing(model: Project) -> None:
    model.accepted(asking({"rule": "judged.long", "subject": SUBJECTS["clause"]}), report(model, about()))

    assert [finding["state"] for finding in shown(model)] == ["open"]


def test_a_finding_follows_its_subject_through_a_new_name(model: Project) -> None:
    model.accept(report(model, about()))

    model.accept(clauses_put(clause("C9", "the promise C1", replaces="C1")))

    assert [finding["about"] for finding in shown(model)] == ["discount C9"]


@pytest.mark.parametrize("kind", GONE)
def test_a_subject_that_was_retired_is_named_as_retired_and_is_of_no_context(model: Project, kind: str) -> None:
    put_rule(model, id=rule_of(kind), subject=kind)
    model.accept(report(model, {"message": "so", "subject": SUBJECTS[kind]}, rule=rule_of(kind)))

    retired(model, kind)

    (finding,) = shown(model)
    assert finding["about"] == f"{NAMES[kind]} (retired)"
    assert [subject["name"] for subject in finding["subjects"]] == [finding["about"]]
    assert finding["stale"] is True
    for context in names(model.view("contracts")["contexts"]):
        assert shown(model, context=context) == []


# ---------------------------------------------------------------- in the catalogue


def test_a_judged_rule_is_a_check_of_the_project_after_the_builtin_ones(model: Project) -> None:
    put_rule(model, id="judged.long", level="note", moments=["resolve"])

    checks = model.accept({"op": "check_list"})["checks"]

    assert [check["executor"] for check in checks[-3:]] == ["builtin", "judged", "judged"]
    assert checks[-2] == {
        "id": "judged.long",
        "executor": "judged",
        "kind": "state",
        "default_level": "note",
        "level": "note",
        "mandatory": False,
        "moments": ["resolve"],
        "params": {},
        "person": False,
        "summary": VAGUE["summary"],
    }
    assert checks[-1]["id"] == "judged.vague"


def test_findings_come_by_the_id_of_the_rule_and_not_by_its_file_or_by_when_it_was_judged(model: Project) -> None:
    put_rule(model, "a", id="judged.z")
    put_rule(model, "z", id="judged.a")

    model.accepted(*(report(model, about(), rule=rule) for rule in ("judged.z", "judged.vague", "judged.a")))

    ids = ["judged.a", "judged.vague", "judged.z"]
    assert [finding["rule"] for finding in shown(model)] == ids
    assert names(model.accept({"op": "check_list"})["checks"][-3:], "id") == ids


def test_a_level_is_part_of_the_digest_of_the_policy_and_a_question_is_not(model: Project) -> None:
    def policy() -> str:
        return str(model.accept({"op": "check_list"})["policy"])

    before = policy()
    put_rule(model, question="Is it vague?")
    asked_otherwise = policy()
    put_policy(model, "judged.vague", "error")

    assert asked_otherwise == before
    assert policy() != before


def test_a_judged_rule_is_listed_and_explained_as_a_check_is(model: Project) -> None:
    listed, explained = model.accepted({"op": "rules"}, {"op": "explain", "rule": "judged.vague"})

    assert listed["rules"][-1] == {
        "id": "judged.vague",
        "kind": "check",
        "level": "warning",
        "summary": VAGUE["summary"],
    }
    assert (explained["kind"], explained["executor"]) == ("check", "judged")
    assert (explained["summary"], explained["help"]) == (VAGUE["summary"], VAGUE["fix"])
    assert explained["moments"] == VAGUE["moments"]


# ---------------------------------------------------------------- the digest


DECIDES = ("id", "subject", "question", "true", "false")
FEW = st.sampled_from(["", "a", "b", "ab", "ba", "1:a", "ä"])
RULES = st.builds(
    JudgedRule,
    id=FEW,
    summary=FEW,
    subject=FEW,
    moments=st.lists(st.sampled_from(Moment), min_size=1).map(tuple),
    level=st.sampled_from(Level),
    question=FEW,
    true=FEW,
    false=FEW,
    fix=FEW,
    when=st.lists(FEW).map(tuple),
)


@given(rule=RULES, other=RULES, field=st.sampled_from(DECIDES))
def test_a_digest_differs_when_any_deciding_field_does(rule: JudgedRule, other: JudgedRule, field: str) -> None:
    changed_there = msgspec.structs.replace(rule, **{field: getattr(other, field)})

    assert (changed_there.digest == rule.digest) is (getattr(other, field) == getattr(rule, field))


@given(rule=RULES, other=RULES)
def test_a_digest_is_that_of_the_deciding_fields_and_of_nothing_else(rule: JudgedRule, other: JudgedRule) -> None:
    same = msgspec.structs.replace(other, **{field: getattr(rule, field) for field in DECIDES})

    assert same.digest == rule.digest
    assert re.fullmatch("[0-9a-f]{64}", rule.digest)


@given(
    rule=RULES,
    said=st.text(max_size=12),
    cuts=st.lists(st.integers(0, 12), min_size=4, max_size=4),
    others=st.lists(st.integers(0, 12), min_size=4, max_size=4),
)
def test_a_digest_differs_when_text_moves_from_one_field_to_another(
    rule: JudgedRule, said: str, cuts: list[int], others: list[int]
) -> None:
    one, another = (
        msgspec.structs.replace(rule, **dict(zip(DECIDES, pieces(said, where), strict=True)))
        for where in (cuts, others)
    )

    assert (one.digest == another.digest) is (pieces(said, cuts) == pieces(said, others))


def pieces(said: str, cuts: list[int]) -> list[str]:
    """A text cut into five."""
    at = [0, *sorted(cuts), len(said)]
    return [said[first:last] for first, last in itertools.pairwise(at)]


def test_the_digest_an_agent_reads_is_that_of_the_rule(model: Project) -> None:
    rule = JudgedRule(
        **{
            **VAGUE,
            "moments": tuple(map(Moment, VAGUE["moments"])),
            "level": Level(VAGUE["level"]),
            "when": tuple(VAGUE["when"]),
        }
    )

    assert entry(model)["rule_digest"] == rule.digest
