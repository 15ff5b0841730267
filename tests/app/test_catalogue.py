"""What holds of every rule: its example breaks it and no other, and it is written as people are to read it."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from string import Formatter

import pytest

from chidev.app.catalogue import INVARIANTS, RULES, explanation
from chidev.app.checks import CHECK_RULES
from chidev.app.commit import RUNS, Trigger
from chidev.app.protocol import read_line
from chidev.domain.rule import Level, Moment, Rule
from chidev.domain.rules import (
    change_set,
    cite,
    context,
    correct,
    crux,
    harness,
    interface,
    judged,
    pin,
    policy,
    project,
    store,
    test,
)
from chidev.domain.rules import contract as contract_rules
from chidev.domain.rules import input as input_rules
from chidev.domain.rules.cr import crux as question
from chidev.domain.rules.cr import decision, frame, keep, progress, request, waiting
from tests.running import Json, Project, codes

FAMILIES = (
    *(change_set, cite, context, contract_rules, correct, crux, harness, interface, judged, pin, policy, project),
    *(store, test),
    input_rules,
)
CR = (decision, frame, keep, progress, request, waiting, question)  # the files of the family `cr.`
WITHOUT_EXAMPLE = ("store.", "test.")
REFUSING = [rule for rule in RULES.values() if rule.example and not rule.moments]

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)


def project_of(rule: Rule, root: Path) -> tuple[Project, Json | str]:
    """The project of the rule's example, with all of `given` accepted, and what breaks the rule."""
    assert rule.example
    there = Project(root, rule.example.settings, rule.example.files)
    return there, there.follow(rule.example)


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.id)
def test_the_example_breaks_this_rule_and_no_other(rule: Rule, tmp_path: Path) -> None:
    there, breaks = project_of(rule, tmp_path)

    (answer,) = there.run(breaks)

    assert not answer["ok"]
    assert codes(answer["diagnostics"]) == [rule.id]


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.id)
def test_what_the_example_is_refused_with_says_all_it_declares(rule: Rule, tmp_path: Path) -> None:
    there, breaks = project_of(rule, tmp_path)

    (diagnostic,) = there.refuse(breaks) if rule.id != "project.none" else there.run(breaks)[0]["diagnostics"]

    assert diagnostic["values"].keys() == rule.values.keys()
    assert diagnostic["level"] == "error"
    assert diagnostic["help"] == rule.help
    assert not re.search(r"[{}]|``", diagnostic["message"])


@pytest.mark.parametrize("rule", REFUSING, ids=lambda rule: rule.id)
def test_every_suggestion_is_an_operation_and_a_sure_one_mends_the_refusal(rule: Rule, tmp_path: Path) -> None:
    there, breaks = project_of(rule, tmp_path)
    (answer,) = there.run(breaks)

    for suggestion in (s for diagnostic in answer["diagnostics"] for s in diagnostic["suggestions"]):
        if isinstance(suggestion["op"], dict):
            filled = re.sub(r"<[^<>]+>", "filled-in", json.dumps(suggestion["op"]))
            assert read_line(filled.encode(), 1).violations == ()
            assert (filled != json.dumps(suggestion["op"])) is (suggestion["applicability"] == "placeholder")
        if suggestion["applicability"] == "machine":
            sure, again = there.run(suggestion["op"], breaks)
            assert sure["ok"]
            assert rule.id not in codes(again.get("diagnostics", []))


@pytest.mark.parametrize("rule", CHECK_RULES, ids=lambda rule: rule.id)
def test_a_check_finds_its_example_and_did_not_before(rule: Rule, tmp_path: Path) -> None:
    there, breaks = project_of(rule, tmp_path)
    (before,) = there.run({"op": "check"})

    answer, after = there.run(breaks, {"op": "check"})

    assert answer["ok"]
    assert rule.id not in codes(before["findings"])
    assert rule.id in codes(after["findings"])


@pytest.mark.parametrize("rule", CHECK_RULES, ids=lambda rule: rule.id)
def test_an_edit_answers_only_with_checks_of_its_moment(rule: Rule, tmp_path: Path) -> None:
    there, breaks = project_of(rule, tmp_path)

    (answer,) = there.run(breaks)

    of_edits = {"cite.stale", "pin.stale", "cr.keep-moved", "cr.keep-targeted", "cr.out-of-frame"}
    at_edit = rule.id in {*of_edits, "crux.policy-line-gone"}
    at_resolve = breaks["op"] == "cr_resolve" if isinstance(breaks, dict) else False
    assert (rule.id in codes(answer["findings"])) is (at_edit or at_resolve)
    assert ("edit" in {moment.value for moment in rule.moments}) is at_edit


@each_rule
def test_a_rule_has_an_example_unless_no_operation_can_break_it(rule: Rule) -> None:
    assert (rule.example is None) is rule.id.startswith(WITHOUT_EXAMPLE)


@each_rule
def test_the_message_uses_only_what_the_rule_declares(rule: Rule) -> None:
    used = {name for _, name, _, _ in Formatter().parse(rule.message) if name is not None}

    assert used <= {*rule.values, "subject", "others"}


@each_rule
def test_the_message_is_the_problem_alone(rule: Rule) -> None:
    assert re.match(r"[^A-Z]", rule.message)
    assert not rule.message.rstrip().endswith(".")
    assert "\n" not in rule.message


@each_rule
def test_the_help_is_whole_sentences(rule: Rule) -> None:
    assert re.match(r"[A-Z`]", rule.help)
    assert rule.help.endswith(".")
    assert "  " not in rule.help


@each_rule
def test_an_id_is_a_family_and_a_name(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+", rule.id)


@each_rule
def test_only_a_check_has_a_level_of_its_own(rule: Rule) -> None:
    assert rule.kind == "check" or rule.level is Level.ERROR
    assert bool(rule.moments) is bool(rule.check_kind)


@each_rule
def test_every_value_is_explained(rule: Rule) -> None:
    about = explanation(rule)

    assert all(says.strip() for says in rule.values.values())
    assert about["id"] == rule.id
    assert about["summary"]
    assert "example" not in about or about["example"]


def test_each_kind_of_use_case_says_what_it_runs_and_each_moment_is_of_one_kind() -> None:
    assert set(RUNS) == set(Trigger)
    assert sorted(moment for runs in RUNS.values() for moment in runs.moments) == sorted(Moment)


def test_an_id_is_given_once() -> None:
    written = [*INVARIANTS, *input_rules.RULES, *CHECK_RULES, *test.RULES]

    assert [id_ for id_, times in Counter(rule.id for rule in written).items() if times > 1] == []


def test_every_rule_that_is_written_is_in_the_catalogue() -> None:
    written = {thing.id for family in (*FAMILIES, *CR) for thing in vars(family).values() if isinstance(thing, Rule)}

    assert written == RULES.keys()


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__.rpartition(".")[2])
def test_a_rule_is_in_the_file_of_its_family(family: object) -> None:
    word = getattr(family, "__name__", "").rpartition(".")[2].replace("_", "-")
    homes = {"input": {"input", "items"}}

    found = {thing.id.partition(".")[0] for thing in vars(family).values() if isinstance(thing, Rule)}

    assert found == homes.get(word, {word})


def test_a_rule_of_requests_is_in_a_file_of_its_family() -> None:
    found = {thing.id for family in CR for thing in vars(family).values() if isinstance(thing, Rule)}

    assert {id_.partition(".")[0] for id_ in found} == {"cr"}


@each_rule
def test_a_rule_can_be_broken_with_every_value_that_it_declares(rule: Rule) -> None:
    """`broken` takes some words for itself; a value that is called so would never reach the answer."""
    values = {f"{key}_" if key == "field" else key: "x" for key in rule.values}

    assert rule.broken(**values).values == dict.fromkeys(rule.values, "x")  # type: ignore[arg-type]
