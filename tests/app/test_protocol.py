"""How a line of exec is read: into its operation, or into everything that is wrong with it."""

from __future__ import annotations

import json
import time
import typing
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chidev.app import inputs
from chidev.app.protocol import Line, _as_msgspec_says, operations, read_line
from chidev.domain.rules.input import RULES
from tests.app.documents import ANY_JSON, OPERATIONS, message, spoilt, told

PIN = b'{"op":"pin","context":"pricing","interface":"price","code":"%s"}'


def read(document: Any) -> Line:
    return read_line(json.dumps(document).encode(), 1)


def details(line: Line) -> str:
    return " ".join(message(violation) for violation in line.violations)


def test_a_line_is_the_operation_its_word_names() -> None:
    line = read_line(b'{"op":"context_add","name":"pricing","uses":["base"]}', 7)

    assert line == Line(7, "context_add", inputs.ContextAdd(name="pricing", uses=["base"]))


def test_every_operation_has_its_word() -> None:
    assert list(operations().values()) == list(typing.get_args(inputs.Operation))
    assert operations()["contract_put"] is inputs.ContractPut


@pytest.mark.parametrize(
    "raw",
    [
        b' \t{ "op" : "init" }\r',
        b'{"op":\r"init"}',
        b'{"\\u006fp":"\\u0069nit"}',
    ],
)
def test_an_operation_may_be_written_in_any_way_that_is_json(raw: bytes) -> None:
    assert read_line(raw, 1).operation == inputs.Init()


@pytest.mark.parametrize("text", ["a\\\\u0000", "\\ud83d\\ude00", "a\\u2028b", "\\\\ud800"])
def test_a_text_that_only_looks_odd_is_taken(text: str) -> None:
    line = read_line(PIN % text.encode(), 1)

    assert line.operation == inputs.Pin(context="pricing", interface="price", code=json.loads(f'"{text}"'))


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"not json", "not JSON: expecting value at character 1"),
        (b"", "not JSON"),
        (b"// note", "not JSON"),
        (b'{"op":"init"', "not JSON: expecting ',' delimiter at character 13"),
        (b'{"op":"init"} {"op":"init"}', "not JSON: extra data at character 15"),
        (b'{"op":"a\tb"}', "not JSON: invalid control character at character 9"),
        (b'{"op":"init"}\x0c', "not JSON"),
        (b'\x00{"op":"init"}', "not JSON"),
        (b'\xef\xbb\xbf{"op":"init"}', "byte order mark"),
        (b'{"op":"\xff"}', "not UTF-8: byte 0xff at offset 7"),
        (b'{"op":"\xed\xa0\x80"}', "not UTF-8: byte 0xed at offset 7"),
        (b'{"op":"pin","op":"pin"}', "`op` is given twice"),
        (b'{"op":"pin","a":{"b\\u0000":1,"b\\u0000":1}}', "`b\\x00` is given twice"),
        (b'{"op":NaN}', "NaN is no number of JSON"),
        (b'{"op":[-Infinity]}', "-Infinity is no number of JSON"),
        (b'{"op":-1e999}', "-1e999 is too large"),
        (b'{"op":9223372036854775808}', "9223372036854775808 does not fit into 64 bits"),
        (b'{"op":' + b"1" * 5000 + b"}", "11111111111111111111... does not fit into 64 bits"),
        (b'{"op":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deep"),
        (b'{"op":' + b'{"a":' * 100_000, "nested too deep"),
    ],
    ids=lambda value: value[:24] if isinstance(value, bytes) else "",
)
def test_a_line_that_is_not_json_is_refused_as_invalid(raw: bytes, says: str) -> None:
    line = read_line(raw, 3)

    assert (line.number, line.op, line.operation) == (3, None, None)
    assert told(line.violations) == [("input.invalid", None)]
    assert says in details(line)


@pytest.mark.parametrize(
    ("raw", "got"),
    [
        (b"[]", "a list"),
        (b'"init"', "a text"),
        (b"7", "a number"),
        (b"7.5", "a decimal number"),
        (b"null", "null"),
        (b"true", "true"),
    ],
)
def test_a_line_that_is_no_object_is_of_the_wrong_type(raw: bytes, got: str) -> None:
    line = read_line(raw, 1)

    assert told(line.violations) == [("input.wrong-type", None)]
    assert details(line).endswith(f"got {got}")


@pytest.mark.parametrize(
    ("document", "op", "rule"),
    [
        ({"name": "x"}, None, "input.missing-field"),
        ({}, None, "input.missing-field"),
        ({"op": 5}, None, "input.wrong-type"),
        ({"op": None}, None, "input.wrong-type"),
        ({"op": ["init"]}, None, "input.wrong-type"),
        ({"op": "Init"}, "Init", "input.unknown-op"),
        ({"op": "zzz"}, "zzz", "input.unknown-op"),
        ({"op": ""}, "", "input.unknown-op"),
    ],
)
def test_a_line_of_no_operation_says_what_its_op_is(document: dict[str, Any], op: str | None, rule: str) -> None:
    line = read(document)

    assert (line.op, told(line.violations)) == (op, [(rule, "op")])


@pytest.mark.parametrize(
    ("op", "close"), [("contextadd", ("context_add",)), ("STATUS", ("status",)), ("zzz", ()), ("x" * 5000, ())]
)
def test_an_unknown_operation_is_told_with_those_that_are_close(op: str, close: tuple[str, ...]) -> None:
    (violation,) = read({"op": op}).violations

    assert violation.did_you_mean == close
    assert len(violation.values["name"]) <= 203


def test_a_refused_line_that_was_readable_names_its_op() -> None:
    assert read({"op": "context_add"}).op == "context_add"
    assert read_line(PIN % b"\\ud800", 1).op == "pin"


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (b"\\u0000", "the character U+0000"),
        (b"a\\ud800", "half of a surrogate pair"),
        (b"\\uDFFF", "half of a surrogate pair"),
        (b"\\ude00\\ud83d", "half of a surrogate pair"),
    ],
)
def test_a_character_that_no_text_can_keep_is_refused_where_it_is(code: bytes, what: str) -> None:
    line = read_line(PIN % code, 1)

    assert told(line.violations) == [("input.invalid", "code")]
    assert what in details(line)


def test_odd_characters_and_other_faults_are_told_together_one_for_each_place() -> None:
    raw = b'{"op":"context_uses","context":"a\\u0000","uses":["\\ud800",5],"b\\u0000":1}'

    found = told(read_line(raw, 1).violations)

    assert sorted(found, key=str) == [
        ("input.invalid", '["b\\u0000"]'),
        ("input.invalid", "context"),
        ("input.invalid", "uses[0]"),
        ("input.wrong-type", "uses[1]"),
    ]


@pytest.mark.parametrize(
    "document",
    [{}, {"puts": []}, {"retires": []}, {"puts": [], "retires": []}],
    ids=lambda document: str(list(document)),
)
def test_a_change_set_of_nothing_is_refused(document: dict[str, Any]) -> None:
    assert told(read({"op": "change_set", **document}).violations) == [("input.invalid", "puts")]


@pytest.mark.parametrize("place", [b"op", b"contract", b'"', b"c1"])
def test_half_a_surrogate_pair_is_refused_wherever_it_is(place: bytes) -> None:
    """msgspec itself raises an error of its own over some of these."""
    raw = b'{"op":"contract_retire","context":"c1","contract":"c1"}'

    line = read_line(raw.replace(place, place + b"\\ud800"), 1)

    assert line.violations


def test_a_refusal_that_the_walk_does_not_know_is_told_as_msgspec_says_it() -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert({"name": "a", "uses": ["b", 5]}, inputs.ContextAdd)

    violation = _as_msgspec_says(refused.value)

    assert (violation.field, message(violation)) == ("uses[1]", "expected `str`, got `int`")


def test_a_change_set_whose_sides_cannot_be_read_is_not_called_empty() -> None:
    assert told(read({"op": "change_set", "puts": {}}).violations) == [("input.wrong-type", "puts")]


def test_a_view_of_no_section_has_its_own_rule_beside_other_faults() -> None:
    line = read({"op": "view", "sections": [], "context": ["pricing"]})

    assert told(line.violations) == [("input.unknown-field", "context"), ("input.view-sections-empty", "sections")]
    assert line.violations[0].did_you_mean == ("contexts",)


def test_every_example_that_needs_nothing_before_it_is_refused_by_its_rule_alone() -> None:
    alone = [rule for rule in RULES if rule.example and not rule.example.given]

    assert {rule.id: told(read(rule.example.breaks).violations) for rule in alone if rule.example} == {
        rule.id: [(rule.id, field)]
        for rule, field in zip(alone, ["op", "use", "name", "name", "name", "sections"], strict=True)
    }


def test_what_the_examples_begin_with_can_be_read() -> None:
    for rule in RULES:
        assert rule.example is not None
        assert all(read(operation).operation for operation in rule.example.given), rule.id


@given(st.binary(max_size=60) | ANY_JSON.map(lambda value: json.dumps(value).encode()))
def test_whatever_a_line_is_it_is_answered(raw: bytes) -> None:
    line = read_line(raw, 1)

    assert (line.operation is None) == bool(line.violations)


@given(spoilt(), st.sampled_from([b"", b"\xff", b"\\ud800", b"\\u0000", b"\\"]), st.integers(0, 400))
def test_whatever_is_made_of_an_operation_is_answered_and_can_be_printed(
    document: dict[str, Any], bytes_put_in: bytes, at: int
) -> None:
    raw = json.dumps(document).encode()
    line = read_line(raw[:at] + bytes_put_in + raw[at:], 1)

    assert (line.operation is None) == bool(line.violations)
    for violation in line.violations:
        assert message(violation)
        json.dumps(
            [violation.field, dict(violation.values), violation.did_you_mean, line.op], ensure_ascii=False
        ).encode()


@given(OPERATIONS)
def test_every_right_operation_is_read_or_asks_for_nothing(document: dict[str, Any]) -> None:
    line = read(document)

    assert {violation.rule.id for violation in line.violations} <= {"input.view-sections-empty", "input.invalid"}
    assert line.operation or document["op"] in {"change_set", "view"}


def test_the_time_to_read_a_long_wrong_line_grows_with_its_length_alone() -> None:
    line = json.dumps({"op": "context_uses", "context": "a", "uses": ["a"] * 100_000 + ["\0"]}).encode()
    begin = time.perf_counter()

    read_line(line, 1)

    assert time.perf_counter() - begin < 5
