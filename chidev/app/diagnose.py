"""Violations and findings as they are printed: the one place that turns rules into words.

Source: specification, "Diagnostics".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chidev.app.policy import Policy, lower
from chidev.app.ports.store import StoreReader, StoreRefused, StoreUnusable
from chidev.domain.identity import Id
from chidev.domain.request_outline import RequestLine
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
    """A finding, printed; `about` is absent when it is about the Project.

    `addressed_by` has the titles of the requests that deal with it, and is absent when none does. Of what a program or
    a judge said, `stale` is there when that may no longer hold, and `judged` says who judged, on what.
    """

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
    addressed_by: Sequence[str] = ()
    stale: bool = False
    judged: Mapping[str, Any] | None = None


class Addressed:
    """Which findings a change request deals with. Source: "Change-request addresses".

    Args:
        requests: by rule and subject, the requests that name them; the Project is None.
        project: the id of the Project.
    """

    def __init__(self, requests: Mapping[tuple[str, Id | None], Sequence[RequestLine]], project: str | None) -> None:
        self._requests = requests
        self._project = project

    def requests(self, finding: Finding) -> Sequence[RequestLine]:
        """The requests that name the rule and the subject, in the order they were opened."""
        subject = None if finding.address == self._project else Id(finding.address)
        return self._requests.get((finding.rule.id, subject), ())

    def state(self, finding: Finding) -> str:
        """`open`; `addressed` while a request that is not resolved names it; `decided` when all that do are."""
        requests = self.requests(finding)
        if not requests:
            return "open"
        return "decided" if all(request.resolution for request in requests) else "addressed"


def addressed(findings: Iterable[Finding], store: StoreReader) -> Addressed:
    """Which requests deal with some findings."""
    project = store.project()
    return Addressed(
        store.requests_addressing({Id(finding.address) for finding in findings}), project.id if project else None
    )


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
    requests = addressed(findings, store)
    return [
        FindingAnswer(
            code=finding.rule.id,
            rule=finding.rule.id,
            level=lower(policy.level(finding.rule), finding.level or Level.ERROR),
            message=_message(finding.rule.message, finding.subjects, finding.values),
            state=requests.state(finding),
            subjects=finding.subjects,
            values=finding.values,
            help=finding.rule.help,
            suggestions=finding.suggestions,
            did_you_mean=(),
            about=finding.about.name if finding.about else None,
            addressed_by=tuple(request.title for request in requests.requests(finding)),
            stale=finding.values.get("stale") is True,
            judged=finding.judged,
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
    if template == "{message}":  # what a program or a judge said is all there is to say
        return str(_clipped(values["message"]))
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
