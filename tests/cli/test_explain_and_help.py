"""Help in the program: every rule is explained, and every operation.

Source: users.md, second part, 10.
"""

from __future__ import annotations

import json
import re

import msgspec
import pytest

from chidev.app import inputs
from chidev.app.catalogue import RULES
from chidev.app.operations import OPERATIONS, Row
from chidev.app.protocol import read_line
from chidev.cli import main as command
from chidev.domain.rule import Rule

each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.id)
each_operation = pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: row.op)


class Said:
    """What a command said: its status, and its two outputs."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *words: str) -> None:
        with pytest.raises(SystemExit) as ended:
            command.main(list(words))
        self.status = ended.value.code
        self.out, self.err = capsys.readouterr()


def in_one_line(text: str) -> str:
    return " ".join(text.split())


@each_rule
def test_a_rule_is_explained_with_its_help_and_its_values(capsys: pytest.CaptureFixture[str], rule: Rule) -> None:
    said = Said(capsys, "explain", rule.id)

    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(rule.id)
    assert in_one_line(rule.help) in in_one_line(said.out)
    assert all(f"  {key}: {says}" in said.out for key, says in rule.values.items())


@each_rule
def test_a_rule_is_explained_to_a_program_as_one_document(capsys: pytest.CaptureFixture[str], rule: Rule) -> None:
    about = json.loads(Said(capsys, "explain", "--json", rule.id).out)

    assert (about["id"], about["help"], about["values"]) == (rule.id, rule.help, dict(rule.values))
    assert about["kind"] in {"check", "input", "invariant"}
    assert ("moments" in about) is bool(rule.moments)


def test_a_rule_that_is_nearly_right_is_told_as_what_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "explain", "cite.stael")

    assert (said.status, said.out) == (1, "")
    assert said.err.startswith("chidev: there is no rule `cite.stael`; did you mean `cite.stale`")


def test_without_a_rule_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "explain")

    assert [line.split()[1] for line in said.out.splitlines()] == list(RULES)


def test_the_list_of_rules_can_be_read_by_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert [row["id"] for row in json.loads(Said(capsys, "explain", "--json").out)] == list(RULES)


@each_operation
def test_an_operation_is_explained_with_every_field(capsys: pytest.CaptureFixture[str], row: Row) -> None:
    said = Said(capsys, "help", row.op)

    assert (said.status, said.err) == (0, "")
    assert said.out.startswith(row.op)
    named = {line.split()[0].rstrip(":") for line in said.out.splitlines() if re.match("  [^ ]", line)}
    assert named - {"none"} == {field.encode_name for field in fields_of(row)}


@each_operation
def test_the_line_to_start_from_has_every_field_that_is_required(capsys: pytest.CaptureFixture[str], row: Row) -> None:
    start = json.loads(Said(capsys, "help", row.op).out.splitlines()[-1])

    line = read_line(json.dumps(start).encode(), 1)
    assert start["op"] == row.op
    assert "input.missing-field" not in {violation.rule.id for violation in line.violations}
    assert "input.unknown-field" not in {violation.rule.id for violation in line.violations}


@each_operation
def test_no_field_is_explained_by_an_internal_name(capsys: pytest.CaptureFixture[str], row: Row) -> None:
    said = Said(capsys, "help", row.op).out

    internal = {name for name, thing in vars(inputs).items() if isinstance(thing, type) and name in said}
    assert {name for name in internal if re.search(rf"\b{name}\b", said.partition("fields:")[2])} == set()
    assert not re.search(r"anyOf|\$ref|None", said)


def fields_of(row: Row) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(row.reads)


def test_without_an_operation_all_are_listed_in_the_order_of_the_guide(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "help")

    assert [line.split()[0] for line in said.out.splitlines()] == [row.op for row in OPERATIONS]


@pytest.mark.parametrize(("word", "meant"), [("contractput", "contract_put"), ("veiw", "view"), ("Init", "init")])
def test_an_operation_that_is_nearly_right_is_told_as_what_was_meant(
    capsys: pytest.CaptureFixture[str], word: str, meant: str
) -> None:
    said = Said(capsys, "help", word)

    assert (said.status, said.out) == (1, "")
    assert f"`{meant}`" in said.err


def test_a_word_that_is_near_nothing_is_only_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert Said(capsys, "help", "xyzzy").err == "chidev: there is no operation `xyzzy`\n"
