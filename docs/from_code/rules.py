"""The reference of rules: what each says, and what is answered to the line that breaks it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chidev.app.catalogue import RULES, explanation
from chidev.app.checks import CHECK_RULES
from chidev.app.execution import Answer
from chidev.domain.rule import Example, Rule
from chidev.wiring import execution_of, open_store, project_settings
from docs.from_code.markdown import anchor, json_block, table

Json = dict[str, Any]


def rules() -> str:
    families: dict[str, list[Rule]] = {}
    for rule in RULES.values():
        families.setdefault(rule.id.partition(".")[0], []).append(rule)
    return "\n".join(_family(name, members) for name, members in families.items())


def index() -> str:
    rows = [
        (f"[`{rule.id}`](#{anchor(rule.id)})", rule.kind, rule.level.value, _problem(rule)) for rule in RULES.values()
    ]
    return table(("rule", "kind", "level", "what is wrong"), rows)


def checks() -> str:
    rows = [
        (f"[`{rule.id}`](rules.md#{anchor(rule.id)})", rule.level.value, ", ".join(rule.moments), rule.summary)
        for rule in CHECK_RULES
    ]
    return table(("check", "level", "moments", "finds"), rows)


def _problem(rule: Rule) -> str:
    return rule.summary or rule.message


def _family(name: str, members: Iterable[Rule]) -> str:
    return f"## {name}\n\n" + "\n".join(_rule(rule) for rule in members)


def _rule(rule: Rule) -> str:
    about = explanation(rule)
    facts = [
        f"Kind: {rule.kind}.",
        f"Level: {rule.level.value}{', which no setting lowers' if rule.mandatory else ''}.",
    ]
    if rule.moments:
        facts.append(f"Moments: {', '.join(rule.moments)}.")
    paragraphs = [
        f"### {rule.id}",
        f"{_sentence(_problem(rule))} {' '.join(facts)}",
        f"Message: `{_quoted(rule.message)}`",
    ]
    paragraphs.append(rule.help)
    if rule.values:
        paragraphs.append(table(("value", "what it holds"), ((f"`{k}`", v) for k, v in about["values"].items())))
    if rule.example:
        paragraphs += _shown(rule, rule.example)
    return "\n\n".join(paragraph.rstrip() for paragraph in paragraphs) + "\n"


def _quoted(message: str) -> str:
    """A message in a span of code: its own back ticks would end the span."""
    return message.replace("`", "'")


def _sentence(problem: str) -> str:
    return (problem[0] if problem[0] in "`{" else problem[0].upper()) + problem[1:].rstrip(".") + "."


def _shown(rule: Rule, example: Example) -> list[str]:
    *_, answer = run(example)
    paragraphs = []
    if example.settings:
        paragraphs += ["With these settings:", f"```toml\n{example.settings.strip()}\n```"]
    if example.given:
        paragraphs += ["After these lines:", json_block(*example.given)]
    paragraphs += ["this one breaks it:", json_block(example.breaks)]
    if rule.moments:
        found = next(finding for finding in answer["findings"] if finding["rule"] == rule.id)
        paragraphs += ["and `check` finds:", json_block(found, indent=1)]
    else:
        paragraphs += ["and is answered with:", json_block(answer, indent=1)]
    return paragraphs


def run(example: Example) -> list[Json]:
    """What the lines of an example are answered with; the last is of the line that breaks the rule, or of a `check`."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {"chidev.toml": example.settings, **example.files}.items():
            Path(folder, path).write_text(text, encoding="utf-8")
        told: list[Answer] = []
        settings = project_settings(os.path.realpath(folder), None)
        lines = [*example.given, example.breaks]
        with open_store(settings, make=True) as store:
            execution = execution_of(settings, store, told.extend)
            for number, line in enumerate(lines, 1):
                raw = line if isinstance(line, str) else json.dumps(line)
                execution.run(raw.encode(), number, more_waits=False)
            if told[-1].ok:
                execution.run(b'{"op":"check"}', len(lines) + 1, more_waits=False)
    return [json.loads(answer.encoded()) for answer in told]


SECTIONS = {"rules": rules, "rule-index": index, "checks": checks}
