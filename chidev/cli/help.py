"""`chidev help OP`: what an operation is for, its fields, and a line to start from.

Source: users.md, second part, 10.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from chidev.app.operations import OPERATIONS, Row
from chidev.app.unknown import unknown_name


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
    fields = _schema_of(row)
    required = set(fields.get("required", ()))
    lines = [f"{row.op}  ({row.kind})", "", (row.reads.__doc__ or row.says).strip(), "", "fields:"]
    for name, field in fields["properties"].items():
        if name != "op":
            lines.append(f"  {name}{'' if name in required else ' (optional)'}: {_kind(field)}")
    example = {"op": row.op} | {name: "<..>" for name in fields["properties"] if name in required and name != "op"}
    return "\n".join([*lines, "", json.dumps(example)])


def _schema_of(row: Row) -> dict[str, Any]:
    import msgspec

    _, components = msgspec.json.schema_components([row.reads])
    return dict(components[row.reads.__name__])


def _kind(field: dict[str, Any]) -> str:
    if "description" in field:
        return str(field["description"])
    if "enum" in field:
        return "one of " + ", ".join(str(word) for word in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(choice) for choice in field["anyOf"] if choice != {"type": "null"})
    if field.get("type") == "array":
        return f"a list of {_kind(field.get('items', {}))}"
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    return {"string": "a text", "boolean": "true or false", "integer": "a whole number"}.get(
        field.get("type", ""), "an object"
    )
