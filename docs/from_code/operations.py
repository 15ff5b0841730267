"""The reference of operations, of the objects in them, of the commands and of the JSON Schemas."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from chidev.app import inputs, schema
from chidev.app.commit import RUNS
from chidev.app.operations import OPERATIONS, Row
from chidev.cli.main import COMMANDS
from chidev.domain.rules import examples
from docs.from_code.markdown import anchor, json_block, table

Part = dict[str, Any]

_SHOWN = (
    examples.INIT,
    examples.CONTEXT,
    {"op": "context_uses", "context": "pricing", "uses": ["base"]},
    {"op": "base_on_contract", "context": "pricing"},
    examples.CONTRACT,
    {
        "op": "clauses_put",
        "context": "pricing",
        "contract": "discount",
        "clauses": [{"label": "C1", "text": "a discount over 90% is refused"}],
        "remove": ["C2"],
    },
    examples.INTERFACE,
    {"op": "items_rekey", "context": "pricing", "interface": "price"},
    examples.HARNESS,
    examples.PIN,
    {
        "op": "change_set",
        "for": "Lower the limit of discounts",
        "puts": [{"put": "clauses", "context": "pricing", "contract": "discount", "remove": ["C2"]}],
        "retires": [{"retire": "harness", "context": "pricing", "harness": "test-old"}],
    },
    {"op": "context_retire", "context": "pricing"},
    {"op": "contract_retire", "context": "pricing", "contract": "discount"},
    {"op": "interface_retire", "context": "pricing", "interface": "price"},
    {"op": "harness_retire", "context": "pricing", "harness": "test-price"},
    {
        "op": "cr_open",
        "title": "Lower the limit of discounts",
        "intent": "change_behavior",
        "targets": [{"clause": {"context": "pricing", "contract": "discount", "label": "C1"}}],
    },
    {
        "op": "cr_assume",
        "title": "Lower the limit of discounts",
        "statement": "the limit holds for each article, not for the basket",
        "reason": "prices are made an article at a time",
        "evidence": [{"repo": {"path": "pricing/price.py", "lines": [10, 14]}}],
    },
    {
        "op": "cr_crux_raise",
        "in": "Lower the limit of discounts",
        "question": "What becomes of discounts that were promised already?",
        "kind": "ambiguity",
        "importance": "high",
        "options": [
            {"choice": "they are kept", "recommended": {"reason": "customers have them in writing", "confidence": 85}},
            {"choice": "they are lowered", "consequence": "support has to tell the customers"},
        ],
    },
    {
        "op": "cr_crux_decide",
        "crux": "<the id of the Crux>",
        "option": "<the id of one of its options>",
        "basis": {"policy": "P1"},
        "by": {"role": "orchestrator"},
    },
    {
        "op": "policy_put",
        "lines": [{"id": "P1", "text": "take the recommendation when its confidence is 80 or more"}],
    },
    {
        "op": "cr_resolve",
        "title": "Lower the limit of discounts",
        "resolution": "done",
        "reason": "C1 now refuses above 50%",
        "by": {"person": "alice"},
    },
    {
        "op": "cr_reopen",
        "title": "Lower the limit of discounts",
        "reason": "a caller still breaks",
        "by": {"person": "bob"},
    },
    {"op": "rules"},
    {"op": "explain", "rule": "cr.parent-open"},
    {"op": "text_find", "text": "<the text>"},
    {
        "op": "record_correct",
        "text": "<the text>",
        "reason": "a token got into the record",
        "by": {"person": "alice"},
        "places": [{"change_request": {"id": "<the id of the request>", "field": "situation"}}],
    },
    {"op": "status", "context": "pricing", "sections": ["pins", "stale_cites"]},
    {"op": "check", "rules": ["cite.", "pin.stale"]},
    {"op": "check_list"},
    {"op": "check_run"},
    {"op": "check_rules", "moment": "edit"},
    {
        "op": "finding_report",
        "rule": "judged.vague",
        "rule_digest": "<the digest that check_rules gave>",
        "judge": "alice",
        "read_at": 7,
        "findings": [
            {
                "subject": {"clause": {"context": "pricing", "contract": "discount", "label": "C1"}},
                "message": "it does not say of which price",
            }
        ],
    },
    {"op": "view", "sections": ["contracts", "interfaces"], "contexts": ["pricing"]},
)


def schemas() -> dict[str, Part]:
    """Every schema that `chidev schema` prints, by name."""
    return {name: schema.schema(name) for name in schema.SCHEMAS}


def operations() -> str:
    parts = schema.schema("ops")["$defs"]
    rows = [(f"[`{row.op}`](#{anchor(row.op)})", str(row.kind), row.says) for row in OPERATIONS]
    return "\n".join(
        [table(("operation", "kind", "what it does"), rows), *(_operation(row, parts) for row in OPERATIONS)]
    )


def kinds() -> str:
    rows = [
        (str(kind), runs.does, ", ".join(runs.moments) or "none", runs.judges, runs.answers, runs.refused_for)
        for kind, runs in RUNS.items()
    ]
    return table(("kind", "an operation of this kind", "moments", "judges", "answers with", "is refused for"), rows)


def objects() -> str:
    """The objects that fields hold, each once, in the order of their first use."""
    parts = schema.schema("ops")["$defs"]
    met: dict[str, None] = {}
    waiting = [name for row in OPERATIONS for name in _names_in(parts[row.reads.__name__])]
    while waiting:
        name = waiting.pop(0)
        if name not in met:
            met[name] = None
            waiting += _names_in(parts[name])
    return "\n".join(f"### {name}\n\n{_about(parts[name])}{_fields(name, parts[name])}" for name in met)


def commands() -> str:
    return "\n".join(_command(name, says) for name, says in COMMANDS.items())


def schema_list() -> str:
    rows = [
        (f"`chidev schema {name}`", it.title, f"`{it.id}`", f"[{name}.json](schemas/{name}.json)", it.about)
        for name, it in schema.SCHEMAS.items()
    ]
    return table(("command", "title", "`$id`", "file", "what it describes"), rows)


def _operation(row: Row, parts: Part) -> str:
    part = parts[row.reads.__name__]
    shown = next(line for line in _SHOWN if line["op"] == row.op)
    return (
        f"### {row.op}\n\n{_about(part)}Kind: {row.kind}.\n\n{_fields(row.reads.__name__, part)}\n{json_block(shown)}"
    )


def _about(part: Part) -> str:
    return f"{part['description']}\n\n" if "description" in part else ""


def _fields(name: str, part: Part) -> str:
    """A table of the fields, in the order in which they are written in the type."""
    type_ = getattr(inputs, name)
    required = set(part["required"])
    fields = [field for field in type_.__struct_encode_fields__ if field in part["properties"]]
    rows = [(f"`{f}`", "yes" if f in required else "", _holds(part["properties"][f])) for f in fields]
    tag = [(f"`{t}`", "yes", f"`{type_.__struct_config__.tag}`") for t in [type_.__struct_config__.tag_field] if t]
    return table(("field", "required", "holds"), [*tag, *rows])


def _holds(field: Part) -> str:
    """What a field of the schema holds, in words."""
    if "description" in field and "$ref" not in field:
        return str(field["description"])
    if "prefixItems" in field:
        return "the first and the last line, from 1"
    for word, say in _WORDS.items():
        if word in field:
            return say(field[word])
    if field.get("type") == "array":
        return f"a list: {_holds(field.get('items', {}))}"
    return {"string": "a text", "boolean": "true or false", "integer": "a whole number"}.get(field.get("type", ""), "")


_WORDS: dict[str, Callable[[Any], str]] = {
    "$ref": lambda ref: f"[{ref.rpartition('/')[2]}](#{ref.rpartition('/')[2].lower()})",
    "const": lambda word: f"`{str(word).lower()}`",
    "enum": lambda words: "one of " + ", ".join(f"`{word}`" for word in words),
    "anyOf": lambda choices: " or ".join(_holds(choice) for choice in choices if choice != {"type": "null"}),
}


def _names_in(part: Any) -> list[str]:
    """The objects that a part of the schema refers to, in order."""
    if isinstance(part, list):
        return [name for value in part for name in _names_in(value)]
    if not isinstance(part, dict):
        return []
    own = [part["$ref"].rpartition("/")[2]] if "$ref" in part else []
    return own + [name for value in part.values() for name in _names_in(value)]


class _Arguments:
    """Stands for a parser, and keeps what is added to it."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str]] = []

    def add_argument(self, *names: str, help: str, metavar: str | None = None, choices: Any = (), **_: Any) -> None:  # noqa: A002
        value = metavar or "|".join(choices) or (names[0].upper() if not names[0].startswith("-") else "")
        option = names[0].startswith("-")
        self.rows.append((f"`{f'{names[0]} {value}'.strip() if option else value}`", help))


def _command(name: str, says: str) -> str:
    arguments = _Arguments()
    importlib.import_module(f"chidev.cli.{name}").add_arguments(arguments)
    return f"### chidev {name}\n\n{says[0].upper()}{says[1:]}.\n\n{table(('argument', 'what it says'), arguments.rows)}"


SECTIONS = {
    "operations": operations,
    "kinds": kinds,
    "objects": objects,
    "commands": commands,
    "schemas": schema_list,
}
