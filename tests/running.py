"""Running lines of chidev-exec 1 in this process, on a project on disk, and reading what was answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from chidev.app.execution import Answer
from chidev.domain.rule import Example
from chidev.domain.rules.cr.examples import CRUX, OPTION
from chidev.domain.rules.examples import CONTEXT, CONTRACT, HARNESS, INIT, INTERFACE, MODEL, PIN, changed, without
from chidev.wiring import execution_of, open_store, project_settings

__all__ = ["CONTEXT", "CONTRACT", "HARNESS", "INIT", "INTERFACE", "MODEL", "PIN", "changed", "without"]

Json = dict[str, Any]
BASE: Json = {"op": "context_add", "name": "base"}
BASIS: Json = {"op": "base_on_contract", "context": "pricing"}
SECTIONS = ["contracts", "interfaces", "harnesses", "change_requests", "cruxes"]


def run(lines: Iterable[Json | str], root: Path) -> list[Json]:
    """The answers to some lines, run one after another as one input on the project in `root`.

    Args:
        lines: operations, or texts that are sent as they are; a blank one has no answer.
    """
    told: list[Answer] = []
    settings = project_settings(str(root), None)
    with open_store(settings, make=True) as store:
        execution = execution_of(settings, store, told.extend)
        for number, line in enumerate(lines, 1):
            raw = line if isinstance(line, str) else json.dumps(line)
            execution.run(raw.encode(), number)
        execution.close_group()
    return [json.loads(answer.encoded()) for answer in told]


class Project:
    """A project on disk that operations are run on."""

    def __init__(self, root: Path, settings: str = "", files: Mapping[str, str] | None = None) -> None:
        self.root = root
        (root / "chidev.toml").write_text(settings, encoding="utf-8")
        for path, text in (files or {}).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")

    def run(self, *lines: Json | str) -> list[Json]:
        """The answers to some lines, whatever they are."""
        return run(lines, self.root)

    def accepted(self, *lines: Json) -> list[Json]:
        """The answers to lines that all have to be accepted."""
        answers = self.run(*lines)
        assert [answer for answer in answers if not answer["ok"]] == []
        return answers

    def follow(self, example: Example) -> Json | str:
        """Run what an example is given, one line after another; the line that breaks its rule, with ids put in."""
        for line in example.given:
            self.accept(self.with_ids(line))
        breaks = example.breaks
        return self.with_ids(breaks) if isinstance(breaks, dict) else breaks

    def with_ids(self, line: Json) -> Json:
        """An operation of an example with the ids of the first Crux in their places."""
        text = json.dumps(line)
        if CRUX in text or OPTION in text:
            crux = self.view("cruxes")["cruxes"][0]
            text = text.replace(CRUX, crux["id"]).replace(OPTION, crux["options"][0]["id"])
        filled: Json = json.loads(text)
        return filled

    def accept(self, line: Json) -> Json:
        return self.accepted(line)[0]

    def refuse(self, line: Json | str) -> list[Json]:
        """The diagnostics of a line that has to be refused, and that has to leave everything as it was."""
        before = self.everything()
        (answer,) = self.run(line)
        assert not answer["ok"], answer
        assert self.everything() == before
        return list(answer["diagnostics"])

    def everything(self) -> list[Json]:
        """All that can be asked of the store: every section of the view, and the status."""
        return self.run({"op": "view", "sections": SECTIONS}, {"op": "status"})

    def view(self, *sections: str) -> Json:
        return dict(self.accept({"op": "view", "sections": list(sections)})["view"])

    def status(self, *sections: str) -> Json:
        return self.accept({"op": "status", **({"sections": list(sections)} if sections else {})})

    def revision(self) -> int:
        return int(self.status("pins")["store_revision"])

    def contract(self, context: str = "pricing", name: str = "discount") -> Json:
        return self._asset("contracts", context, name)

    def interface(self, context: str = "pricing", name: str = "price") -> Json:
        return self._asset("interfaces", context, name)

    def harness(self, context: str = "pricing", name: str = "test-price") -> Json:
        return self._asset("harnesses", context, name)

    def context(self, name: str = "pricing") -> Json:
        found = self.accept({"op": "view", "sections": ["contracts"], "contexts": [name]})
        return dict(found["view"]["contexts"][0])

    def context_revision(self, name: str = "pricing") -> int:
        """The revision of a Context, which nothing but a change request tells."""
        request = {"op": "cr_open", "title": f"at {self.revision()}", "intent": "keep_behavior"}
        return int(self.accept({**request, "keep": [{"context": name}]})["expects"][0]["recorded"])

    def _asset(self, section: str, context: str, name: str) -> Json:
        (found,) = self.accept({"op": "view", "sections": [section], "contexts": [context]})["view"]["contexts"]
        return next(asset for asset in found[section] if asset["name"] == name)


def codes(problems: Sequence[Json]) -> list[str]:
    """The rules of diagnostics or findings, in order."""
    return [problem["code"] for problem in problems]


def fields_of(problems: Sequence[Json]) -> list[tuple[str, str | None]]:
    """Rule and field of each diagnostic, in order."""
    return [(problem["code"], problem.get("field")) for problem in problems]


def names(things: Sequence[Json], key: str = "name") -> list[str]:
    return [thing[key] for thing in things]


def clause(label: str, text: str = "", **fields: Any) -> Json:
    return {"label": label, "text": text or f"the promise {label}", **fields}


def contract(*clauses: Json, **fields: Any) -> Json:
    """The `contract_put` of the examples with other Clauses."""
    return changed(CONTRACT, clauses=list(clauses), **fields)


def clauses_put(*clauses: Json, **fields: Any) -> Json:
    return {"op": "clauses_put", "context": "pricing", "contract": "discount", "clauses": list(clauses), **fields}


def item(key: str, first: int = 1, last: int | None = None, **fields: Any) -> Json:
    return {"key": key, "lines": [first, last or first], **fields}


def case(name: str, items: Sequence[str] = ("price",), clauses: Sequence[str] = (), line: int = 1) -> Json:
    """A Case of one line that cites Items of `price` and Clauses of `discount`."""
    return {
        "name": name,
        "lines": [line, line],
        "items": [{"interface": "price", "key": key} for key in items],
        "clauses": [{"contract": "discount", "label": label} for label in clauses],
    }


def harness(*cases: Json, **fields: Any) -> Json:
    """The `harness_put` of the examples with other Cases."""
    return changed(HARNESS, cases=list(cases), **fields)


TWO_ITEMS: Json = changed(
    INTERFACE, source="def price(): ...\ndef cost(): ...\n", items=[item("price"), item("cost", 2)]
)


def uses(context: str, *used: str) -> Json:
    return {"op": "context_uses", "context": context, "uses": list(used)}


def retire(kind: str, name: str, context: str = "pricing") -> Json:
    return {"op": f"{kind}_retire", "context": context, kind: name}


def retire_context(name: str) -> Json:
    return {"op": "context_retire", "context": name}


def as_put(operation: Json) -> Json:
    """A put operation as an entry of a change set."""
    words = {"context_add": "context", "context_uses": "uses", "base_on_contract": "base_on_contract"}
    word = words.get(operation["op"], operation["op"].removesuffix("_put"))
    return {"put": word, **without(operation, "op")}


def as_retire(operation: Json) -> Json:
    return {"retire": operation["op"].removesuffix("_retire"), **without(operation, "op")}


def change_set(*entries: Json) -> Json:
    """A change set of operations, each written as the operation alone."""
    return {
        "op": "change_set",
        "puts": [as_put(entry) for entry in entries if not entry["op"].endswith("_retire")],
        "retires": [as_retire(entry) for entry in entries if entry["op"].endswith("_retire")],
    }
