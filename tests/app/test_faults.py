"""Every fault of a document, each with its rule, its place and what was meant."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given

from chidev.app import inputs
from chidev.app.external_protocol import ExternalReply
from chidev.app.faults import MOST, Place, faults, printable
from chidev.app.protocol import operations
from chidev.domain.rule import Level
from tests.app.documents import message, spoilt, told

CASE = {"name": "a", "lines": [1, 1]}
ITEM = {"key": "price", "lines": [1, 2]}


def of(document: dict[str, Any]) -> list[tuple[str, str | None]]:
    return told(faults(document, operations()[document["op"]]))


def one_message(document: dict[str, Any]) -> str:
    (violation,) = faults(document, operations()[document["op"]])
    return message(violation)


def harness(**fields: Any) -> dict[str, Any]:
    return {"op": "harness_put", "context": "pricing", "name": "tests", "source": "", "cases": [CASE], **fields}


def interface(**item: Any) -> dict[str, Any]:
    return {"op": "interface_put", "context": "pricing", "name": "price", "source": "", "items": [{**ITEM, **item}]}


def put(**entry: Any) -> dict[str, Any]:
    return {"op": "change_set", "puts": [entry]}


def test_a_right_document_has_none() -> None:
    assert of(harness()) == of(interface(replaces=None)) == of(put(put="uses", context="a", uses=[])) == []


def test_all_faults_are_told_in_the_order_they_are_written_then_what_is_missing() -> None:
    document = {
        "op": "harness_put",
        "cases": [
            {"name": "", "lines": [0, "2"], "items": [{"interface": "x", "key": 3, "colour": 1}], "clauses": None},
            "test",
        ],
        "kind": "test",
        "name": "Tests",
    }

    assert of(document) == [
        ("input.invalid", "cases[0].name"),
        ("input.invalid", "cases[0].lines[0]"),
        ("input.wrong-type", "cases[0].lines[1]"),
        ("input.wrong-type", "cases[0].items[0].key"),
        ("input.unknown-field", "cases[0].items[0].colour"),
        ("input.wrong-type", "cases[0].clauses"),
        ("input.wrong-type", "cases[1]"),
        ("input.invalid", "kind"),
        ("input.invalid", "name"),
        ("input.missing-field", "context"),
    ]


@pytest.mark.parametrize(
    ("document", "detail"),
    [
        ({"op": "context_add", "name": 5}, "expected a text for `name`, got a number"),
        ({"op": "context_add", "name": None}, "expected a text for `name`, got null"),
        ({"op": "context_add", "name": "a", "uses": "base"}, "expected a list for `uses`, got a text"),
        ({"op": "check", "rules": {}}, "expected a list or null for `rules`, got an object"),
        (interface(lines=[True, 1]), "expected a whole number for `items[0].lines[0]`, got true"),
        (interface(lines=[1, 1.0]), "expected a whole number for `items[0].lines[1]`, got a decimal number"),
        (interface(replaces=1), "expected a text or null for `items[0].replaces`, got a number"),
        (harness(kind=1), "expected a text or null for `kind`, got a number"),
    ],
)
def test_a_wrong_type_says_what_is_expected_and_what_came(document: dict[str, Any], detail: str) -> None:
    assert one_message(document) == f"a value has the wrong type: {detail}"


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ({"op": "context_add", "name": ""}, "the Context name in `name` is empty"),
        ({"op": "context_add", "name": "a B"}, "the Context name `a B` has the character ' '"),
        ({"op": "context_add", "name": "a\n"}, "the Context name `a\\n` has the character '\\n'"),
        (
            {"op": "context_add", "name": "a", "uses": ["b", "\uff41"]},
            "the Context name `\uff41` has the character '\uff41' (U+FF41)",
        ),
        ({"op": "view", "sections": [], "contexts": ["A"]}, "the Context name `A`"),
        ({"op": "pin", "context": "a", "interface": "a::b"}, "the Interface name `a::b` has the character ':'"),
        ({"op": "harness_retire", "context": "a", "harness": "\u200b"}, "the Harness name `\\u200b` has the character"),
        ({"op": "contract_put", "context": "a", "name": "A", "title": "t", "clauses": []}, "the Contract name `A`"),
        (harness(name="a/b"), "the Harness name `a/b` has the character '/'"),
        (put(put="interface", context="a", name="#", source=""), "the Interface name `#`"),
        (harness(cases=[{**CASE, "clauses": [{"contract": "A", "label": "C1"}]}]), "the Contract name `A`"),
    ],
)
def test_a_bad_name_says_which_kind_it_is_and_its_first_bad_character(document: dict[str, Any], says: str) -> None:
    """Source: specification, "Operations": names follow one rule."""
    assert one_message(document).startswith(says)


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (interface(key=""), "`items[0].key` is empty, expected the key of an Item: not empty, one line"),
        (interface(key="a\nb"), "`items[0].key` is `a\\nb`, expected the key of an Item: not empty, one line"),
        (interface(lines=[0, 1]), "`items[0].lines[0]` is 0, expected a line number, from 1"),
        (interface(lines=[1]), "`items[0].lines` has 1 values, expected 2"),
        (interface(lines=[1, 2, 3]), "`items[0].lines` has 3 values, expected 2"),
        (harness(kind="test"), "`kind` is `test`, expected `tests`"),
        (
            {"op": "clauses_put", "context": "a", "contract": "b", "remove": ["C0"]},
            "`remove[0]` is `C0`, expected the label of a Clause: C and a number",
        ),
        (
            {"op": "contract_put", "context": "a", "name": "b", "title": " ", "clauses": []},
            "`title` is ` `, expected a text that is not blank",
        ),
    ],
)
def test_a_value_that_is_not_allowed_is_told_with_what_is(document: dict[str, Any], says: str) -> None:
    assert one_message(document) == says


@pytest.mark.parametrize(
    ("document", "rule", "field", "close"),
    [
        (put(put="contact", context="a"), "input.invalid", "puts[0].put", ("contract",)),
        (put(put=5), "input.wrong-type", "puts[0].put", ()),
        (put(context="a"), "input.missing-field", "puts[0].put", ()),
        ({"op": "change_set", "puts": ["contract"]}, "input.wrong-type", "puts[0]", ()),
        ({"op": "change_set", "retires": [{"retire": "contrct"}]}, "input.invalid", "retires[0].retire", ("contract",)),
        (put(put="base_on_contract", context="a", colour=1), "input.unknown-field", "puts[0].colour", ()),
        (put(put="base_on_contract", context="a", contxt=1), "input.unknown-field", "puts[0].contxt", ("context",)),
        ({"op": "init", "a b": 1}, "input.unknown-field", '["a b"]', ()),
        ({"op": "init", "Op": 1}, "input.unknown-field", "Op", ("op",)),
        ({"op": "view", "sections": ["contract"]}, "input.invalid", "sections[0]", ("contracts",)),
        ({"op": "view", "sections": ["Harnesses"]}, "input.invalid", "sections[0]", ("harnesses",)),
    ],
)
def test_a_word_that_is_none_is_told_at_its_place_with_those_that_are_close(
    document: dict[str, Any], rule: str, field: str, close: tuple[str, ...]
) -> None:
    (violation,) = faults(document, operations()[document["op"]])

    assert (violation.rule.id, violation.field, violation.did_you_mean) == (rule, field, close)


def test_a_missing_field_is_named_and_its_path_is_the_place() -> None:
    (violation,) = faults(put(put="contract", context="a", name="b", clauses=[]), inputs.ChangeSet)

    assert (violation.field, violation.values) == ("puts[0].title", {"name": "title"})


def test_a_field_of_a_keyword_is_called_as_json_calls_it() -> None:
    document = {"op": "interface_put", "context": "a", "name": "b", "renames": [{"from": "", "form": "x"}]}

    assert of(document) == [
        ("input.invalid", "renames[0].from"),
        ("input.unknown-field", "renames[0].form"),
        ("input.missing-field", "renames[0].to"),
    ]


def test_a_reference_takes_true_and_no_other_value_for_the_project() -> None:
    assert faults({"project": True}, inputs.TargetRef) == []
    assert told(faults({"project": False}, inputs.TargetRef)) == [("input.invalid", "project")]
    assert told(faults({"project": 1, "context": None}, inputs.TargetRef)) == [
        ("input.wrong-type", "project"),
        ("input.wrong-type", "context"),
    ]


class Bounded(msgspec.Struct):
    """A type of every kind that no operation has yet."""

    percent: Annotated[float, msgspec.Meta(gt=0, lt=100)] = 1
    even: Annotated[int, msgspec.Meta(le=10, multiple_of=2)] = 2
    few: Annotated[list[int], msgspec.Meta(min_length=1, max_length=2)] = msgspec.field(default_factory=lambda: [1])
    short: Annotated[str, msgspec.Meta(min_length=1, max_length=2)] = "a"
    level: Level = Level.NOTE
    either: int | Literal["all"] | None = None
    by_name: dict[str, int] = {}
    anything: Any = None
    many: tuple[int, ...] = ()


@pytest.mark.parametrize(
    "document",
    [
        {"percent": 0},
        {"percent": 100.0},
        {"percent": "1"},
        {"even": 12},
        {"even": 3},
        {"few": []},
        {"few": [1, 2, 3]},
        {"short": ""},
        {"short": "abc"},
        {"level": "loud"},
        {"level": 1},
        {"either": "some"},
        {"either": 1.5},
        {"by_name": {"a": "b"}},
        {"many": ["a"]},
        {"many": {}},
    ],
    ids=str,
)
def test_whatever_a_type_can_ask_is_told_with_its_place(document: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(document, Bounded)

    (violation,) = faults(document, Bounded)

    assert (violation.field or "").startswith(next(iter(document)))


def test_an_open_object_takes_any_other_field_and_a_bounded_value_that_is_right() -> None:
    document = {
        "percent": 1,
        "few": [1, 2],
        "level": "error",
        "either": 3,
        "by_name": {"a b": 1},
        "anything": [{}],
        "x": 1,
    }

    assert faults(document, Bounded) == []


def test_the_reply_of_an_external_check_can_be_told_of_as_well() -> None:
    reply = {"protocol": 3, "findings": [{"rule": "ext.a", "level": "loud", "subject": {"kind": "clauses"}}], "more": 1}

    assert told(faults(reply, ExternalReply)) == [
        ("input.invalid", "protocol"),
        ("input.invalid", "findings[0].level"),
        ("input.invalid", "findings[0].subject.kind"),
        ("input.missing-field", "findings[0].subject.id"),
        ("input.missing-field", "findings[0].message"),
        ("input.unknown-field", "more"),
    ]


def test_no_more_are_told_than_anyone_reads() -> None:
    assert len(faults({"op": "context_add", "uses": [""] * 1000}, inputs.ContextAdd)) == MOST


def test_a_path_names_what_is_no_plain_word_as_json_does() -> None:
    assert Place().of("cases").at(0).of("a.b").of("key").path == 'cases[0]["a.b"].key'
    assert len(Place().of("x" * 1000).path) < 100


def test_what_cannot_be_seen_is_written_as_an_escape_and_what_is_long_is_cut() -> None:
    assert printable("a\u202e\0\ud800é") == "a\\u202e\\x00\\ud800é"
    assert printable("a" * 100, 10) == "a" * 10 + "..."


@given(spoilt())
def test_the_walk_finds_a_fault_exactly_where_msgspec_refuses(document: dict[str, Any]) -> None:
    """So the one line that msgspec itself says of a document is never needed."""
    type_ = operations()[document["op"]]
    try:
        msgspec.convert(document, type_, strict=True)
        refused = None
    except msgspec.ValidationError as error:
        refused = str(error)

    found = faults(document, type_)

    assert bool(found) == (refused is not None), (json.dumps(document), refused, told(found))
