"""Judged rules: giving an agent what it is to judge, keeping what it reports, and showing that.

Source: specification, "Judged rule versions" and "Operations" (view: what a judged rule is given); open-points 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs, view_types
from chidev.app.commit import project_of, record
from chidev.app.draft import Draft
from chidev.app.named_subjects import NamedSubjects
from chidev.app.policy import Policy, lower
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.references import Resolver, one_key
from chidev.app.registry import Registry
from chidev.app.stamps import SECTIONS, stamp, subject_stamps
from chidev.app.unknown import unknown_name
from chidev.app.view import Views, read_view
from chidev.domain.identity import Id
from chidev.domain.judged_rule import JudgedFinding, JudgedReport, JudgedRule
from chidev.domain.rule import Finding, Level, Moment, Refused, Violation
from chidev.domain.rules.input import INVALID
from chidev.domain.rules.judged import RULE_VERSION


class JudgedBy(msgspec.Struct, frozen=True):
    """Who judged, on what."""

    judge: str
    read_at: int
    on_older_revision: bool
    rule_digest: str


class RuleToJudge(msgspec.Struct, frozen=True):
    """A judged rule as an agent reads it: `state` is never, current or stale."""

    id: str
    subject: str
    summary: str
    question: str
    true: str
    false: str
    fix: str
    when: Sequence[str]
    moments: Sequence[Moment]
    default_level: Level
    level: Level
    rule_digest: str
    state: str
    judged: JudgedBy | UnsetType = UNSET


class ModelToJudge(view_types.View, frozen=True):
    """The view of every section, and the revision it was read at."""

    store_revision: int = 0


class CheckRulesAnswer(msgspec.Struct, frozen=True):
    store_revision: int
    model: ModelToJudge
    rules: Sequence[RuleToJudge]


class ReportAnswer(msgspec.Struct, frozen=True):
    """`findings` and `replaced` count what is kept now, and what the rule had before."""

    rule: str
    rule_digest: str
    state: str
    findings: int
    replaced: int
    on_older_revision: bool
    store_revision: int


class JudgedState(msgspec.Struct, frozen=True):
    """A judged rule whose report is not current: never or stale."""

    rule: str
    subject: str
    summary: str
    state: str


class Judgments:
    """The reports of a store beside the rules as they are now.

    Args:
        views: what the model says; it is read only when there is a report.
    """

    def __init__(self, store: StoreReader, registry: Registry, views: Views) -> None:
        self._store = store
        self._rules = {rule.id: rule for rule in registry.judged}
        self.reports = {report.rule: report for report in store.judged_reports() if report.rule in self._rules}
        self._views = views
        self._stamps: dict[str, Mapping[str | None, str]] = {}

    def stamps(self, kind: str) -> Mapping[str | None, str]:
        """The stamp of each thing of a kind as it is now."""
        if kind not in self._stamps:
            self._stamps[kind] = dict(subject_stamps(kind, self._views.of(SECTIONS)))
        return self._stamps[kind]

    def scope(self, kind: str) -> str:
        return stamp(sorted(self.stamps(kind).items(), key=str))

    def state(self, rule: JudgedRule) -> str:
        """`never`; `current`; `stale` when the rule or anything it is about moved since it was read."""
        report = self.reports.get(rule.id)
        if report is None:
            return "never"
        is_current = (
            report.rule_digest == rule.digest
            and not report.on_older_revision
            and report.scope == self.scope(rule.subject)
        )
        return "current" if is_current else "stale"

    def is_stale(self, report: JudgedReport, finding: JudgedFinding) -> bool:
        """Whether what a finding is about, or its rule, moved since it was read."""
        rule = self._rules[report.rule]
        if report.rule_digest != rule.digest or report.on_older_revision:
            return True
        return self.stamps(finding.kind).get(finding.id) != finding.stamp

    def findings(self, policy: Policy) -> Iterator[Finding]:
        """What was reported, of the rules that are not at level off."""
        reports = [r for r in self.reports.values() if policy.level(self._rules[r.rule].rule) is not Level.OFF]
        ids = {finding.id for report in reports for finding in report.findings if finding.id}
        named = NamedSubjects(self._store, ids) if ids else None
        project = self._store.project()
        for report in reports:
            rule = self._rules[report.rule].rule
            for finding in report.findings:
                yield rule.found(
                    named.subject(finding.kind, finding.id) if named else None,
                    (finding.kind, finding.id or (project.id if project else "")),
                    frozenset({("message", finding.message)}),
                    within=tuple(named.within(finding.id)) if named else (),
                    level=finding.level,
                    judged=msgspec.to_builtins(_judged_by(report)),
                    message=finding.message,
                    stale=self.is_stale(report, finding),
                    judge=report.judge,
                    read_at=report.read_at,
                )


def _judged_by(report: JudgedReport) -> JudgedBy:
    return JudgedBy(report.judge, report.read_at, report.on_older_revision, report.rule_digest)


def judged_states(judgments: Judgments, registry: Registry, policy: Policy) -> Iterator[JudgedState]:
    """The judged rules, not at level off, that have no current report."""
    for rule in registry.judged:
        state = judgments.state(rule)
        if state != "current" and policy.level(rule.rule) is not Level.OFF:
            yield JudgedState(rule.id, rule.subject, rule.summary, state)


def check_rules(operation: inputs.CheckRules, services: Services) -> CheckRulesAnswer:
    """The judged rules of a moment, or the one that is named, with the model to judge.

    Raises:
        Refused: `project.none`; `input.unknown-name` for a rule or a Context.
    """
    store, registry = services.store, services.registry
    with store.reading():
        project_of(store)
        refused = list(_unknown(operation, store, [rule.id for rule in registry.judged]))
        if refused:
            raise Refused(*refused)
        views = Views(store)
        only = operation.context
        shown = views.of(SECTIONS) if only is None else read_view(store, SECTIONS, [only])
        judgments = Judgments(store, registry, views)
        revision = store.revision()
        chosen = [
            rule
            for rule in registry.judged
            if services.policy.level(rule.rule) is not Level.OFF
            and operation.rule in {None, rule.id}
            and (operation.moment is None or Moment(operation.moment) in rule.moments)
        ]
        return CheckRulesAnswer(
            store_revision=revision,
            model=ModelToJudge(
                shown.version, shown.contexts, shown.change_requests, shown.cruxes, store_revision=revision
            ),
            rules=[_to_judge(rule, judgments, services.policy) for rule in chosen],
        )


def _unknown(operation: inputs.CheckRules, store: StoreReader, rules: Sequence[str]) -> Iterator[Violation]:
    if operation.rule is not None and operation.rule not in rules:
        yield unknown_name("rule", operation.rule, "rule", rules)
    if operation.context is not None and store.context_named(operation.context) is None:
        yield unknown_name("context", operation.context, "context", store.context_names())


def _to_judge(rule: JudgedRule, judgments: Judgments, policy: Policy) -> RuleToJudge:
    report = judgments.reports.get(rule.id)
    return RuleToJudge(
        id=rule.id,
        subject=rule.subject,
        summary=rule.summary,
        question=rule.question,
        true=rule.true,
        false=rule.false,
        fix=rule.fix,
        when=rule.when,
        moments=rule.moments,
        default_level=rule.level,
        level=policy.level(rule.rule),
        rule_digest=rule.digest,
        state=judgments.state(rule),
        judged=_judged_by(report) if report else UNSET,
    )


def report_findings(operation: inputs.FindingReport, services: Services) -> ReportAnswer:
    """Keep a report; it replaces the one that the rule had.

    Raises:
        Refused: a form that cannot be read; `input.unknown-name` for the rule or a subject; `judged.rule-version`;
            `input.invalid` for a subject of another kind or named twice, a level above the rule's, a revision to come.
    """
    rules = {rule.id: rule for rule in services.registry.judged}
    rule = rules.get(operation.rule)
    malformed = list(_malformed(operation, rule, services.policy))
    if malformed:
        raise Refused(*malformed)
    store = services.store
    answers: list[ReportAnswer] = []

    def keep() -> None:
        draft = Draft(store, project_of(store), services.new_id)
        subjects = _subjects(operation, Resolver(draft))
        if rule is None:
            draft.names.insert(0, unknown_name("rule", operation.rule, "rule", rules))
            raise Refused(*draft.names)
        draft.states += _outdated(operation, rule, store.revision())
        draft.states += _twice(subjects)
        draft.refuse_problems()
        judgments = Judgments(store, services.registry, Views(store))
        stamps = judgments.stamps(rule.subject)
        report = JudgedReport(
            rule=rule.id,
            judge=operation.judge,
            read_at=operation.read_at,
            at=services.clock(),
            on_older_revision=store.model_revision() > operation.read_at,
            rule_digest=rule.digest,
            scope=judgments.scope(rule.subject),
            findings=tuple(
                JudgedFinding(rule.subject, id_, given.message, _level(given), stamps.get(id_, ""))
                for given, id_ in zip(operation.findings, subjects, strict=True)
            ),
        )
        had = judgments.reports.get(rule.id)
        store.put_judged_report(report)
        answers.append(
            ReportAnswer(
                rule=rule.id,
                rule_digest=rule.digest,
                state="stale" if report.on_older_revision else "current",
                findings=len(report.findings),
                replaced=len(had.findings) if had else 0,
                on_older_revision=report.on_older_revision,
                store_revision=store.revision() + 1,
            )
        )

    record(services, keep)
    return answers[-1]


def _level(given: inputs.ReportedFinding) -> Level | None:
    return Level(given.level) if given.level else None


def _malformed(operation: inputs.FindingReport, rule: JudgedRule | None, policy: Policy) -> Iterator[Violation]:
    """What the types do not say: the kind of each subject, and a level that the rule may have."""
    for n, given in enumerate(operation.findings):
        at = f"findings[{n}]"
        subject = given.subject if isinstance(given.subject, inputs.SubjectRef) else None
        problems = [] if subject is None else list(one_key(subject, f"{at}.subject"))
        yield from problems
        if rule and not problems:
            yield from _of_another_kind(subject, rule, f"{at}.subject")
        if rule and given.level:
            yield from _above(Level(given.level), policy.level(rule.rule), f"{at}.level")


def _of_another_kind(subject: inputs.SubjectRef | None, rule: JudgedRule, at: str) -> Iterator[Violation]:
    if subject is None and rule.subject != "project":
        yield INVALID.broken(field=at, detail=f"the rule is about a {_said(rule.subject)}, and none is named")
    elif subject is not None and getattr(subject, rule.subject, UNSET) is UNSET:
        yield INVALID.broken(field=at, detail=f"the rule is about a {_said(rule.subject)}, and another is named")


def _above(level: Level, held_to: Level, at: str) -> Iterator[Violation]:
    if lower(level, held_to) is not level:
        detail = f"the level `{level}` is above `{held_to}`, which the rule is held to"
        yield INVALID.broken(field=at, detail=detail)


def _said(kind: str) -> str:
    return kind.replace("_", " ")


def _subjects(operation: inputs.FindingReport, resolver: Resolver) -> list[Id | None]:
    """The id of each subject; a name that is none is kept on the draft."""
    found: list[Id | None] = []
    for n, given in enumerate(operation.findings):
        if isinstance(given.subject, inputs.SubjectRef):
            target = resolver.target(given.subject, f"findings[{n}].subject")
            found.append(target.place.id if target else None)
        else:
            found.append(None)
    return found


def _outdated(operation: inputs.FindingReport, rule: JudgedRule, revision: int) -> Iterator[Violation]:
    """What was read is not what there is: another version of the rule, or a revision that is to come."""
    if operation.rule_digest != rule.digest:
        yield RULE_VERSION.broken(field="rule_digest", rule=rule.id, given=operation.rule_digest, now=rule.digest)
    if operation.read_at > revision:
        yield INVALID.broken(field="read_at", detail=f"the store is at revision {revision}")


def _twice(subjects: Sequence[Id | None]) -> Iterator[Violation]:
    seen: set[Id | None] = set()
    for n, id_ in enumerate(subjects):
        if id_ in seen:
            yield INVALID.broken(field=f"findings[{n}].subject", detail="the subject is named twice")
        seen.add(id_)
