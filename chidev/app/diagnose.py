"""Violations and findings as they are printed: the one place that turns rules into words.

Source: specification, "Diagnostics".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chidev.app.policy import Policy
from chidev.app.ports.store import StoreReader, StoreRefused, StoreUnusable
from chidev.domain.identity import Id
from chidev.domain.rule import Finding, Level, Subject, Suggestion, Violation
from chidev.domain.rules import store as store_rules

_STORE_RULES = {rule.id: rule for rule in store_rules.RULES}
_LONGEST_WORD = 300  # characters of one value inside a message
_LONGEST_VALUE = 2000  # characters of one text of a refusal; the input may hold megabytes


class Diagnostic(msgspec.Struct, frozen=True, omit_defaults=True):
    """A violation, printed."""

    code: str
    level: Level
    message: str
    subjects: Sequence[Subject]
    values: Mapping[str, Any]
    help: str
    suggestions: Sequence[Suggestion]
    did_you_mean: Sequence[str]
    field: str | None = None


class FindingAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finding, printed; `about` is absent when it is about the Project."""

    code: str
    rule: str
    level: Level
    message: str
    state: str
    subjects: Sequence[Subject]
    values: Mapping[str, Any]
    help: str
    suggestions: Sequence[Suggestion]
    did_you_mean: Sequence[str]
    about: str | None = None


class Addressed:
    """Which findings an open change request deals with. Source: "Change-request addresses".

    Args:
        requests: by rule and subject, the requests that name them.
    """

    def __init__(self, requests: Mapping[tuple[str, Id | None], Sequence[Id]]) -> None:
        self._requests = requests

    def state(self, finding: Finding) -> str:
        """`open`, or `addressed` while a request that is open names the rule and the subject."""
        return "addressed" if (finding.rule.id, finding.identity[1]) in self._requests else "open"


def diagnostics(violations: Iterable[Violation]) -> list[Diagnostic]:
    return [
        Diagnostic(
            code=violation.rule.id,
            level=Level.ERROR,
            message=_message(violation.rule.message, violation.subjects, violation.values),
            subjects=[_clipped_subject(subject) for subject in violation.subjects],
            values={key: _clipped(value) for key, value in violation.values.items()},
            help=violation.rule.help,
            suggestions=violation.suggestions,
            did_you_mean=violation.did_you_mean,
            field=violation.field,
        )
        for violation in violations
    ]


def answers(findings: Sequence[Finding], store: StoreReader, policy: Policy) -> list[FindingAnswer]:
    """Findings as they are printed, at the level in force and with the state that the change requests give them."""
    if not findings:
        return []
    addressed = Addressed(store.requests_addressing({Id(finding.identity[1]) for finding in findings}))
    return [
        FindingAnswer(
            code=finding.rule.id,
            rule=finding.rule.id,
            level=policy.level(finding.rule),
            message=_message(finding.rule.message, finding.subjects, finding.values),
            state=addressed.state(finding),
            subjects=finding.subjects,
            values=finding.values,
            help=finding.rule.help,
            suggestions=finding.suggestions,
            did_you_mean=(),
            about=finding.about.name if finding.about else None,
        )
        for finding in findings
    ]


def sentence(problem: Violation | StoreRefused | StoreUnusable) -> str:
    """A problem as one line for a person."""
    if isinstance(problem, StoreUnusable):
        return str(problem)
    violation = problem if isinstance(problem, Violation) else store_violation(problem)
    return _message(violation.rule.message, violation.subjects, violation.values)


def store_violation(error: StoreRefused) -> Violation:
    """What a store did not keep, by rule."""
    return _STORE_RULES[error.rule_id].broken(**error.values)


def _message(template: str, subjects: Sequence[Subject], values: Mapping[str, Any]) -> str:
    """`{subject}` is the first subject, `{others}` the rest; every other word in braces is a value."""
    words = {key: _word(value) for key, value in values.items()}
    words["subject"] = _word(subjects[0].name) if subjects else ""
    words["others"] = ", ".join(f"`{_word(subject.name)}`" for subject in subjects[1:])
    return template.format(**words)


def _word(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return value if len(value) <= _LONGEST_WORD else value[:_LONGEST_WORD] + "..."


def _clipped(value: Any) -> Any:
    if isinstance(value, str) and len(value) > _LONGEST_VALUE:
        return value[:_LONGEST_VALUE] + "..."
    return value


def _clipped_subject(subject: Subject) -> Subject:
    return msgspec.structs.replace(subject, name=_clipped(subject.name))
