"""The JSON Schemas that are printed: right ones, and of what the reader takes and chidev writes."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from chidev.app.external_protocol import EXTERNAL_VERSION, ExternalCall, ExternalReply
from chidev.app.protocol import operations, read_line
from chidev.app.schema import SCHEMAS, listing, schema
from chidev.app.view_types import (
    VIEW_VERSION,
    CaseView,
    CitedView,
    CitesView,
    ContextView,
    HarnessView,
    View,
)
from chidev.domain.rule import Moment
from tests.app.documents import spoilt

CASE = CaseView(id="4", name="a", revision=1, cites=CitesView(items=[CitedView("5", 2)], clauses=[]), lines=(1, 2))
HARNESS = HarnessView(id="3", name="tests", kind="tests", revision=1, cases=[CASE], source="")
VIEW = View(VIEW_VERSION, [ContextView(id="1", name="a", basis="interface", uses=[], harnesses=[HARNESS])])


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


def valid(name: str, document: Any) -> bool:
    return bool(validator(name).is_valid(document))


def test_the_list_has_the_name_title_and_id_of_each() -> None:
    assert [(row["name"], row["title"], row["$id"]) for row in listing()["schemas"]] == [
        ("ops", "chidev-exec 1", "urn:chidev:schema:ops:1"),
        ("view", "chidev-view 5", "urn:chidev:schema:view:5"),
        ("external-call", "chidev-external-call 2", "urn:chidev:schema:external-call:2"),
        ("external-reply", "chidev-external-reply 2", "urn:chidev:schema:external-reply:2"),
    ]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_of_2020_12_that_says_what_it_is_of(name: str) -> None:
    printed = schema(name)

    Draft202012Validator.check_schema(printed)
    assert printed["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (printed["title"], printed["$id"]) == (SCHEMAS[name].title, SCHEMAS[name].id)
    assert printed["description"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_reference_is_to_a_part_that_is_printed(name: str) -> None:
    text = json.dumps(schema(name))

    parts = {f"#/$defs/{part}" for part in schema(name)["$defs"]}
    assert {piece.split('"')[0] for piece in text.split('"$ref": "')[1:]} == parts
    assert "discriminator" not in text
    assert "Source:" not in text


def test_the_operations_are_one_object_each_told_apart_by_a_constant_op() -> None:
    printed = schema("ops")

    parts = [printed["$defs"][option["$ref"].rpartition("/")[2]] for option in printed["oneOf"]]
    assert [part["properties"]["op"] for part in parts] == [{"const": word} for word in operations()]
    assert all("op" in part["required"] and part["additionalProperties"] is False for part in parts)


def test_an_unknown_schema_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        schema("results")


@given(spoilt())
def test_the_reader_takes_exactly_what_the_schema_says(document: dict[str, Any]) -> None:
    """But for the two rules on a whole operation, and 1.0, which is a whole number for a schema only."""
    line = read_line(json.dumps(document).encode(), 1)
    told = {violation.values.get("detail", "") or violation.rule.id for violation in line.violations}
    only_read = told <= {"input.view-sections-empty", "a change set puts or retires one thing at least"}
    one_as_decimal = any("a whole number" in detail and "decimal" in detail for detail in told)

    assert valid("ops", document) == only_read or one_as_decimal


def test_a_view_is_written_as_its_schema_says_with_no_key_for_a_section_not_asked_for() -> None:
    written = json.loads(msgspec.json.encode(VIEW))

    assert valid("view", written)
    assert list(written) == ["version", "contexts"]
    assert list(written["contexts"][0]) == ["id", "name", "basis", "uses", "harnesses"]
    assert "builds" not in written["contexts"][0]["harnesses"][0]


@pytest.mark.parametrize(
    ("change", "is_valid"), [({"more": 1}, True), ({"version": 4}, False), ({"cruxes": None}, False)]
)
def test_a_reader_of_a_view_ignores_what_is_new_and_refuses_another_version(
    change: dict[str, Any], is_valid: bool
) -> None:
    written = json.loads(msgspec.json.encode(VIEW))

    assert valid("view", {**written, **change}) == is_valid


def test_a_call_is_written_as_its_schema_says() -> None:
    call = ExternalCall(
        EXTERNAL_VERSION, Moment.EDIT, ["ext.marks"], 11, {"strict": True, "most": 3, "name": "a"}, VIEW
    )

    written = json.loads(msgspec.json.encode(call))

    assert list(written) == ["protocol", "moment", "rules", "read_at", "params", "model"]
    assert written["moment"] == "edit"
    assert valid("external-call", written)
    assert valid("external-call", {**written, "more": 1})


FINDING = {"rule": "ext.marks", "message": "C2 contradicts C1"}
SUBJECT = {"kind": "clause", "id": "1"}


@pytest.mark.parametrize(
    ("reply", "is_valid"),
    [
        ({"protocol": 2, "findings": []}, True),
        ({"protocol": 1, "findings": []}, True),
        ({"protocol": 2, "findings": [{**FINDING, "subject": SUBJECT, "level": "warning"}]}, True),
        ({"protocol": 2, "findings": [{**FINDING, "subject": None}]}, True),
        ({"protocol": 3, "findings": []}, False),
        ({"protocol": 2}, False),
        ({"protocol": 2, "findings": [], "more": 1}, False),
        ({"protocol": 2, "findings": [{"rule": "ext.marks"}]}, False),
        ({"protocol": 2, "findings": [{**FINDING, "line": 1}]}, False),
        ({"protocol": 2, "findings": [{**FINDING, "level": "loud"}]}, False),
        ({"protocol": 2, "findings": [{**FINDING, "subject": {**SUBJECT, "name": "C1"}}]}, False),
    ],
)
def test_a_reply_has_the_fields_of_the_protocol_and_no_other(reply: dict[str, Any], is_valid: bool) -> None:
    assert valid("external-reply", reply) == is_valid
    if is_valid:
        msgspec.convert(reply, ExternalReply)
    else:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(reply, ExternalReply)
