"""`chidev explain RULE`: what a rule says, why it holds, how to mend a violation, and what breaks it.

Source: specification, "Diagnostics"; users.md, second part, 10.
"""

from __future__ import annotations

import argparse
import json
import sys
from textwrap import fill

from chidev.app.catalogue import RULES, explanation
from chidev.app.unknown import unknown_name


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("rule", nargs="?", help="the id of a rule; without it all are listed")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when there is no such rule."""
    if arguments.rule is None:
        rows = [{"id": rule.id, "kind": rule.kind, "level": rule.level.value} for rule in RULES.values()]
        print(json.dumps(rows) if arguments.json else "\n".join(f"{r['kind']:10} {r['id']}" for r in rows))
        return 0
    rule = RULES.get(arguments.rule)
    if rule is None:
        close = unknown_name("rule", arguments.rule, None, RULES).did_you_mean
        print(f"chidev: there is no rule `{arguments.rule}`{_maybe(close)}", file=sys.stderr)
        return 1
    about = explanation(rule)
    print(json.dumps(about, ensure_ascii=False) if arguments.json else _as_text(about))
    return 0


def _maybe(close: tuple[str, ...]) -> str:
    return f"; did you mean {', '.join(f'`{name}`' for name in close)}?" if close else ""


def _as_text(about: dict[str, object]) -> str:
    facts = [f"{about['id']}  ({about['kind']}, {about['level']})", "", _filled(about["summary"]), ""]
    facts.append(_filled(about["help"]))
    values = about["values"]
    if isinstance(values, dict) and values:
        facts += ["", "values:", *(f"  {key}: {says}" for key, says in values.items())]
    if "moments" in about and isinstance(about["moments"], list):
        facts += ["", f"moments: {', '.join(about['moments'])}"]
    if "example" in about:
        example = about["example"]
        line = example if isinstance(example, str) else json.dumps(example, ensure_ascii=False)
        facts += ["", "breaks it:", f"  {line}"]
    return "\n".join(facts)


def _filled(text: object) -> str:
    """Lines of at most 100 characters; a command such as `pytest --chidev-update` is not broken at its hyphens."""
    return fill(str(text), 100, break_on_hyphens=False)
