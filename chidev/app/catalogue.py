"""Every rule there is: what an operation is refused for, what its input must be, and what the checks find.

Source: specification, "Diagnostics" (rules, explain).
"""

from __future__ import annotations

from typing import Any

from chidev.app.checks import CHECK_RULES
from chidev.domain.rule import Rule
from chidev.domain.rules import (
    change_set,
    cite,
    context,
    contract,
    correct,
    cr,
    crux,
    harness,
    interface,
    judged,
    pin,
    policy,
    project,
    store,
    test,
)
from chidev.domain.rules import input as input_rules

INVARIANTS: tuple[Rule, ...] = (
    *project.RULES,
    *context.RULES,
    *contract.RULES,
    *interface.RULES,
    *harness.RULES,
    *cite.RULES,
    *pin.RULES,
    *change_set.RULES,
    *cr.RULES,
    *crux.RULES,
    *policy.RULES,
    *judged.RULES,
    *correct.RULES,
    *store.RULES,
)
RULES: dict[str, Rule] = {rule.id: rule for rule in (*INVARIANTS, *input_rules.RULES, *CHECK_RULES, *test.RULES)}


def explanation(rule: Rule) -> dict[str, Any]:
    """All that is known of a rule, for a person or a program."""
    about: dict[str, Any] = {
        "id": rule.id,
        "kind": rule.kind,
        "level": rule.level.value,
        "mandatory": rule.mandatory,
        "summary": rule.summary or rule.message,
        "help": rule.help,
        "values": dict(rule.values),
    }
    if rule.moments:
        about["moments"] = [moment.value for moment in rule.moments]
    if rule.example:
        about["example"] = rule.example.breaks
    return about
