"""Asking the checks: what they find now, and which there are.

Source: specification, "Operations" (check, check_list).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.checks import CHECK_RULES, findings_at
from chidev.app.commit import project_of
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.judged_requests import judged_requests
from chidev.app.policy import Policy
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
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
        refused = list(_unknown_of_check(operation, store))
        if refused:
            raise Refused(*refused)
        found = findings_at(Moment.CHECK, store.outline(), judged_requests(store), services.policy)
        shown = [f for f in found if _is_asked_for(f, operation)]
        narrowed = operation.context is not None or operation.rules is not None
        return CheckAnswer(answers(shown, store, services.policy), len(found) - len(shown) if narrowed else UNSET)


def _unknown_of_check(operation: inputs.Check, store: StoreReader) -> Iterable[Violation]:
    if operation.context is not None and store.context_named(operation.context) is None:
        yield unknown_name("context", operation.context, "context", store.context_names())
    ids = [rule.id for rule in CHECK_RULES]
    known = {*ids, *SPECIFIED_CHECKS}
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
    """A check with the level in force; `person` says that the person's own file decides it."""

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
    return CheckListAnswer(checks(services.policy), services.policy.digest(CHECK_RULES))


def checks(policy: Policy) -> list[CheckEntry]:
    """Every check there is, in the order in which findings are told."""
    return [
        CheckEntry(
            id=rule.id,
            executor="builtin",
            kind=rule.check_kind or CheckKind.STATE,
            default_level=rule.level,
            level=policy.level(rule),
            mandatory=rule.mandatory,
            moments=rule.moments,
            params={},
            person=policy.set_by_person(rule),
            summary=rule.summary,
        )
        for rule in CHECK_RULES
    ]
