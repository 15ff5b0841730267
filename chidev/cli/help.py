"""`chidev help OP`: what an operation is for, its fields, and a line to start from.

Source: users.md, second part, 10.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

import msgspec

from chidev.app.operations import OPERATIONS, Row
from chidev.app.unknown import unknown_name

Schema = dict[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("op", nargs="?", help="the word of an operation; without it all are listed")


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when there is no such operation."""
    rows = {row.op: row for row in OPERATIONS}
    if arguments.op is None:
        print("\n".join(f"{row.op:17} {row.says}" for row in OPERATIONS))
        return 0
    row = rows.get(arguments.op)
    if row is None:
        close = unknown_name("operation", arguments.op, None, rows).did_you_mean
        hint = f"; did you mean {', '.join(f'`{name}`' for name in close)}?" if close else ""
        print(f"chidev: there is no operation `{arguments.op}`{hint}", file=sys.stderr)
        return 1
    print(_as_text(row))
    return 0


def _as_text(row: Row) -> str:
    _, components = msgspec.json.schema_components([row.reads])
    fields = components[row.reads.__name__]
    lines = [f"{row.op}  ({row.kind})", "", (row.reads.__doc__ or row.says).strip(), "", "fields:"]
    lines += _field_lines(fields, components, "  ", without="op") or ["  none"]
    required = [name for name in fields["properties"] if name in fields.get("required", ()) and name != "op"]
    return "\n".join([*lines, "", json.dumps({"op": row.op} | dict.fromkeys(required, "<..>"))])


def _field_lines(fields: Schema, components: dict[str, Schema], indent: str, without: str = "") -> list[str]:
    """One line a field; the fields of an object in it are below it, further in."""
    lines = []
    for name, field in fields["properties"].items():
        if name != without:
            optional = "" if name in fields.get("required", ()) else " (optional)"
            says, objects = _kind(field)
            lines.append(f"{indent}{name}{optional}: {says}")
            for reference in objects:
                lines += _object_lines(reference, components, indent + "  ")
    return lines


def _object_lines(reference: str, components: dict[str, Schema], indent: str) -> list[str]:
    """The fields of an object; one of a set of entries begins with the word that says which it is."""
    schema = components[reference]
    tag = next((name for name, field in schema["properties"].items() if len(field.get("enum", ())) == 1), "")
    inside = _field_lines(schema, components, indent + ("  " if tag else ""), without=tag)
    return [f'{indent}"{tag}": "{schema["properties"][tag]["enum"][0]}"', *inside] if tag else inside


def _kind(field: Schema) -> tuple[str, list[str]]:
    """What a field holds, in words, and the objects it refers to."""
    if "description" in field and "$ref" not in field:
        return str(field["description"]), []
    if "enum" in field:
        return "one of " + ", ".join(str(word) for word in field["enum"]), []
    if "anyOf" in field:
        kinds = [_kind(choice) for choice in field["anyOf"] if choice != {"type": "null"}]
        words = list(dict.fromkeys(says for says, _ in kinds))
        return " or ".join(words), [reference for _, objects in kinds for reference in objects]
    if "prefixItems" in field:
        return "two line numbers, the first and the last", []
    if field.get("type") == "array":
        says, objects = _kind(field.get("items", {}))
        return {"an object": "a list of objects", "a text": "a list of texts"}.get(
            says, f"a list, each {says}"
        ), objects
    if "$ref" in field:
        return "an object", [str(field["$ref"]).rpartition("/")[2]]
    words_of = {"string": "a text", "boolean": "true or false", "integer": "a whole number"}
    return words_of.get(field.get("type", ""), "an object"), []
