"""The reference of rules: what each says, and what is answered to the line that breaks it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from chidev.app.catalogue import RULES, explanation
from chidev.app.checks import CHECK_RULES
from chidev.domain.rule import Example, Rule
from chidev.domain.rules.cr.examples import CRUX, OPTION
from docs.from_code.markdown import anchor, json_block, table

Json = dict[str, Any]
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def rules() -> str:
    sections: dict[str, list[str]] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # each example is a process of its own
        for rule, section in zip(RULES.values(), pool.map(_rule, RULES.values()), strict=True):
            sections.setdefault(rule.id.partition(".")[0], []).append(section)
    return "\n".join("\n".join([f"## {family}\n", *members]) for family, members in sections.items())


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
        f"Message: {_quoted(rule.message)}",
    ]
    paragraphs.append(rule.help)
    if rule.values:
        paragraphs.append(table(("value", "what it holds"), ((f"`{k}`", v) for k, v in about["values"].items())))
    if rule.example:
        paragraphs += _shown(rule, rule.example, *run(rule.example))
    return "\n\n".join(paragraph.rstrip() for paragraph in paragraphs) + "\n"


def _quoted(message: str) -> str:
    """A message in a span of code; its own back ticks do not end the span."""
    return f"`` {message} ``" if "`" in message else f"`{message}`"


def _sentence(problem: str) -> str:
    return (problem[0] if problem[0] in "`{" else problem[0].upper()) + problem[1:].rstrip(".") + "."


def _shown(rule: Rule, example: Example, answer: Json, check: Json) -> list[str]:
    paragraphs = []
    if example.settings:
        paragraphs += ["With these settings:", f"```toml\n{example.settings.strip()}\n```"]
    if example.given:
        paragraphs += ["After these lines:", json_block(*example.given)]
    paragraphs += ["This line breaks it:", json_block(example.breaks)]
    if rule.moments:
        found = next(finding for finding in check["findings"] if finding["rule"] == rule.id)
        paragraphs += ["`check` then finds:", json_block(found, indent=1)]
    else:
        paragraphs += ["It is answered with:", json_block(answer, indent=1)]
    return paragraphs


def run(example: Example) -> tuple[Json, Json]:
    """What the line that breaks a rule is answered with, and what a `check` after it is; ids are told by name."""
    lines = [*example.given, example.breaks, {"op": "check"}]
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {"chidev.toml": example.settings, **example.files}.items():
            Path(folder, path).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, path).write_text(text, encoding="utf-8")
        with subprocess.Popen(
            [sys.executable, "-m", "chidev", "exec"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as program:
            answers, ids = _talk(program, lines)
    told = [json.loads(_UUID.sub(lambda id_: ids.get(id_[0], "<an id>"), json.dumps(answer))) for answer in answers]
    return told[-2], told[-1]


def _talk(program: subprocess.Popen[str], lines: list[Json | str]) -> tuple[list[Json], dict[str, str]]:
    """The answers to lines that are sent one after another, and what stands in an example for the ids in them."""
    if program.stdin is None or program.stdout is None:
        raise RuntimeError("a program without its streams")
    answers: list[Json] = []
    ids: dict[str, str] = {}
    for line in lines:
        text = line if isinstance(line, str) else json.dumps(line)
        for id_, name in ids.items():
            text = text.replace(name, id_)
        program.stdin.write(text + "\n")
        program.stdin.flush()
        answers.append(json.loads(program.stdout.readline()))
        if "crux" in answers[-1]:
            ids[answers[-1]["crux"]] = "<the id of the second Crux>" if ids else CRUX
            ids.setdefault(answers[-1]["options"][0]["id"], OPTION if OPTION not in ids.values() else "<an id>")
    return answers, ids


SECTIONS = {"rules": rules, "rule-index": index, "checks": checks}
