"""Asking for the rules: all of them, or one explained.

Source: specification, "Diagnostics" (rules, explain).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.catalogue import RULES
from chidev.app.ports.services import Services
from chidev.app.unknown import unknown_name
from chidev.domain.rule import Level, Moment, Refused


class RuleEntry(msgspec.Struct, frozen=True):
    """A rule with the level in force: of an invariant and an input rule, always error."""

    id: str
    kind: str
    level: Level
    summary: str


class RulesAnswer(msgspec.Struct, frozen=True):
    rules: Sequence[RuleEntry]


class ExplainAnswer(msgspec.Struct, frozen=True):
    """`values` are the keys of the values that a diagnostic carries, `meanings` what each is.

    `example` is an operation that violates the rule, as JSON text; a check has `executor` and `moments` besides.
    """

    id: str
    kind: str
    level: Level
    mandatory: bool
    summary: str
    help: str
    values: Sequence[str]
    meanings: Mapping[str, str]
    example: str | UnsetType = UNSET
    executor: str | UnsetType = UNSET
    moments: Sequence[Moment] | UnsetType = UNSET


def rules(_: inputs.Rules, services: Services) -> RulesAnswer:
    """Every rule that an operation can meet; those of collected tests are told by pytest alone."""
    return RulesAnswer(
        [
            RuleEntry(rule.id, rule.kind, services.policy.level(rule), rule.summary or rule.message)
            for rule in (*RULES.values(), *services.registry.own.values())
        ]
    )


def explain(operation: inputs.Explain, services: Services) -> ExplainAnswer:
    """Raises: Refused, `input.unknown-name`."""
    own = services.registry.own
    rule = RULES.get(operation.rule) or own.get(operation.rule)
    if rule is None:
        raise Refused(unknown_name("rule", operation.rule, "rule", [*RULES, *own]))
    example = rule.example.breaks if rule.example else UNSET
    return ExplainAnswer(
        id=rule.id,
        kind=rule.kind,
        level=services.policy.level(rule),
        mandatory=rule.mandatory,
        summary=rule.summary or rule.message,
        help=rule.help,
        values=list(rule.values),
        meanings=rule.values,
        example=json.dumps(example, ensure_ascii=False) if isinstance(example, dict) else example,
        executor=services.registry.executors.get(rule.id, UNSET),
        moments=rule.moments or UNSET,
    )
