"""The JSON Schemas (2020-12) of what a program writes to chidev or reads from it, made from the types that do it.

A schema is a necessary condition and not a sufficient one: a rule that sets fields against each other is not in it.

Source: specification, "Protocol chidev-exec 1" and "External checks".
"""

from __future__ import annotations

import typing
from typing import Any

import msgspec

from chidev.app import inputs
from chidev.app.external_protocol import ExternalCall, ExternalReply
from chidev.app.view_types import View

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Schema(msgspec.Struct, frozen=True):
    """What `chidev schema` lists of one schema, and the type it is made from."""

    title: str
    id: str
    about: str
    type: Any


SCHEMAS = {
    "ops": Schema(
        "chidev-exec 1",
        "urn:chidev:schema:ops:1",
        "one line of `chidev exec`: an operation",
        inputs.Operation,
    ),
    "view": Schema(
        "chidev-view 5",
        "urn:chidev:schema:view:5",
        "the `view` that the operation `view` answers with",
        View,
    ),
    "external-call": Schema(
        "chidev-external-call 2",
        "urn:chidev:schema:external-call:2",
        "what an external check is sent on standard input",
        ExternalCall,
    ),
    "external-reply": Schema(
        "chidev-external-reply 2",
        "urn:chidev:schema:external-reply:2",
        "what an external check answers on standard output",
        ExternalReply,
    ),
}


def listing() -> dict[str, Any]:
    """What `chidev schema` prints: `{"schemas":[{"name","title","$id","about"}]}`."""
    return {
        "schemas": [
            {"name": name, "title": schema.title, "$id": schema.id, "about": schema.about}
            for name, schema in SCHEMAS.items()
        ]
    }


def schema(name: str) -> dict[str, Any]:
    """What `chidev schema <name>` prints.

    Raises:
        KeyError: a name that is not in `SCHEMAS`.
    """
    it = SCHEMAS[name]
    types = typing.get_args(it.type) or (it.type,)
    roots, parts = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    if len(roots) > 1:
        root: dict[str, Any] = {"oneOf": list(roots)}
    else:
        root = parts.pop(roots[0]["$ref"].rpartition("/")[2])
    head = {"$schema": DIALECT, "$id": it.id, "title": it.title, "description": it.about}
    rest = {key: value for key, value in root.items() if key not in head}
    return {**head, **_plain(rest), "$defs": _plain(parts)}


def _plain(part: Any) -> Any:
    """A schema in the words of 2020-12: a single word as `const`, no keyword of OpenAPI, no source in a description."""
    if isinstance(part, list):
        return [_plain(item) for item in part]
    if not isinstance(part, dict):
        return part
    made = {key: _plain(value) for key, value in part.items() if key != "discriminator"}
    if isinstance(made.get("enum"), list) and len(made["enum"]) == 1:
        made["const"] = made.pop("enum")[0]
    if isinstance(made.get("description"), str):
        made["description"] = made["description"].partition("Source:")[0].strip()
    return made
