"""Asking the checks: what they find now, and which there are.

Source: specification, "Operations" (check, check_list).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.commit import project_of
from chidev.app.current_findings import current_findings
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.policy import Policy
from chidev.app.ports.services import Services
from chidev.app.registry import Registry
from chidev.app.unknown import unknown_name
from chidev.domain.rule import CheckKind, Finding, Level, Moment, Refused, Violation
from chidev.domain.rules.check_ids import SPECIFIED_CHECKS


class CheckAnswer(msgspec.Struct, frozen=True):
    """`outside` counts the findings left out; it is there when the answer was narrowed."""

    findings: Sequence[FindingAnswer]
    outside: int | UnsetType = UNSET


def check(operation: inputs.Check, services: Services) -> CheckAnswer:
    """Run every check; narrow only what is answered.

    Raises:
        Refused: `project.none`, or `input.unknown-name` for a Context or a rule that is not there.
    """
    store = services.store
    with store.reading():
        project_of(store)
        refused = list(_unknown_of_check(operation, services))
        if refused:
            raise Refused(*refused)
        found = current_findings(store, services.registry, services.policy, store.outline())
        shown = [f for f in found if _is_asked_for(f, operation)]
        narrowed = operation.context is not None or operation.rules is not None
        return CheckAnswer(answers(shown, store, services.policy), len(found) - len(shown) if narrowed else UNSET)


def _unknown_of_check(operation: inputs.Check, services: Services) -> Iterable[Violation]:
    store = services.store
    if operation.context is not None and store.context_named(operation.context) is None:
        yield unknown_name("context", operation.context, "context", store.context_names())
    known = {*services.registry.executors, *SPECIFIED_CHECKS}
    families = {id_[: id_.index(".") + 1] for id_ in known}
    for n, selector in enumerate(operation.rules or ()):
        if not any(_selects(selector, id_) for id_ in known):
            yield unknown_name("rule", selector, f"rules[{n}]", [*sorted(known), *sorted(families)])


def _selects(selector: str, rule_id: str) -> bool:
    return rule_id.startswith(selector) if selector.endswith(".") else rule_id == selector


def _is_asked_for(finding: Finding, operation: inputs.Check) -> bool:
    if operation.context is not None and operation.context not in finding.within:
        return False
    return operation.rules is None or any(_selects(selector, finding.rule.id) for selector in operation.rules)


class CheckEntry(msgspec.Struct, frozen=True):
    """A check with the level in force; `person` says that the person's own file decides it, or a parameter."""

    id: str
    executor: str
    kind: CheckKind
    default_level: Level
    level: Level
    mandatory: bool
    moments: Sequence[Moment]
    params: dict[str, Any]
    person: bool
    summary: str


class CheckListAnswer(msgspec.Struct, frozen=True):
    """`policy` is a digest of all levels in force."""

    checks: Sequence[CheckEntry]
    policy: str


def check_list(_: inputs.CheckList, services: Services) -> CheckListAnswer:
    registry, policy = services.registry, services.policy
    return CheckListAnswer(checks(registry, policy), policy.digest(registry.checks))


def checks(registry: Registry, policy: Policy) -> list[CheckEntry]:
    """Every check there is, in the order in which findings are told."""
    return [
        CheckEntry(
            id=rule.id,
            executor=registry.executors[rule.id],
            kind=rule.check_kind or CheckKind.STATE,
            default_level=rule.level,
            level=policy.level(rule),
            mandatory=rule.mandatory,
            moments=rule.moments,
            params=policy.params(rule),
            person=policy.set_by_person(rule),
            summary=rule.summary,
        )
        for rule in registry.checks
    ]
