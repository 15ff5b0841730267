"""External checks: programs of the project that are sent the model and answer with findings.

Source: specification, "External checks" and "Triggers and moments".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from chidev.app import view_types
from chidev.app.external_protocol import EXTERNAL_VERSION, ExternalCall, ExternalReply
from chidev.app.named_subjects import NamedSubjects
from chidev.app.policy import Policy, lower
from chidev.app.ports.programs import Called
from chidev.app.ports.services import Services
from chidev.app.ports.settings import ExternalSettings
from chidev.app.ports.store import StoreReader
from chidev.app.registry import Registry
from chidev.app.stamps import stamp
from chidev.app.view import Views
from chidev.domain.check_run import CheckRun, Evidence, RunFinding
from chidev.domain.rule import Finding, Level, Moment, Subject
from chidev.domain.subject import (
    asset_subject,
    change_request_subject,
    context_subject,
    crux_subject,
    part_subject,
)

_DETAIL = 300  # characters of what is wrong with a reply
ViewsSent = Mapping[tuple[str, ...], view_types.View]


class RunSubject(msgspec.Struct, frozen=True):
    kind: str
    id: str


class RunFindingAnswer(msgspec.Struct, frozen=True):
    """What a program found, at the level that it comes to."""

    subject: RunSubject | None
    message: str
    level: Level


class ExternalAnswer(msgspec.Struct, frozen=True):
    """One program that was run: `failure` says why there is no reply, null when there is one."""

    rule: str
    failure: str | None
    findings: Sequence[RunFindingAnswer]
    input_stamp: str
    config_stamp: str
    evidence: Evidence


class ExternalState(msgspec.Struct, frozen=True):
    """Whether the saved result of a program is of the model and the registration as they are: or unrun, or stale."""

    rule: str
    state: str


def programs_at(services: Services, moment: Moment) -> list[ExternalSettings]:
    """The programs that are started at a moment: those registered for it that are not at level off."""
    return [
        registered
        for registered in services.registry.external_at(moment)
        if services.policy.level(registered.rule) is not Level.OFF
    ]


def views_for(store: StoreReader, programs: Iterable[ExternalSettings]) -> dict[tuple[str, ...], view_types.View]:
    """The part of the model that each program reads, by its sections."""
    views = Views(store)
    return {registered.reads: views.of(registered.reads) for registered in programs}


def config_stamp(registered: ExternalSettings, policy: Policy) -> str:
    """A digest of a registration and of the policy of its rule."""
    rule = registered.rule
    return stamp(
        registered.command,
        registered.args,
        registered.moments,
        registered.reads,
        registered.timeout_s,
        registered.gate,
        sorted(policy.params(rule).items()),
        policy.level(rule),
    )


def run_programs(
    services: Services, moment: Moment, programs: Sequence[ExternalSettings], views: ViewsSent, revision: int
) -> list[CheckRun]:
    """Start each program once, one after another, and read what it answers.

    Args:
        views: what each is sent, by the sections that it reads.
        revision: of the store that they were read at.
    """
    return [_run(services, moment, registered, views[registered.reads], revision) for registered in programs]


def _run(
    services: Services, moment: Moment, registered: ExternalSettings, view: view_types.View, revision: int
) -> CheckRun:
    call = ExternalCall(
        protocol=EXTERNAL_VERSION,
        moment=moment,
        rules=[registered.id],
        read_at=revision,
        params=services.policy.params(registered.rule),
        model=view,
    )
    command = (registered.command, *registered.args)
    called = services.programs.call(command, msgspec.json.encode(call), registered.timeout_s)
    failure, findings = _read(called, registered, view)
    return CheckRun(
        id=services.new_id(),
        rule=registered.id,
        moment=moment,
        store_revision=revision,
        at=services.clock(),
        failure=failure,
        findings=tuple(findings),
        input_stamp=stamp(view),
        config_stamp=config_stamp(registered, services.policy),
        evidence=called.evidence,
    )


def _read(
    called: Called, registered: ExternalSettings, view: view_types.View
) -> tuple[str | None, Sequence[RunFinding]]:
    """Why there is no reply that can be used, or what it finds."""
    if called.failure is not None:
        return called.failure, ()
    try:
        reply = _decoded(called.reply)
    except _ReplyError as error:
        return str(error), ()
    known = subjects_in(view)
    for n, finding in enumerate(reply.findings):
        if finding.rule != registered.id:
            return f"findings[{n}] is of another rule than the one that was asked for", ()
        if not finding.message.strip():
            return f"findings[{n}] has no message", ()
        if finding.subject and (finding.subject.kind, finding.subject.id) not in known:
            return f"findings[{n}] is about something that was not sent", ()
    return None, [
        RunFinding(
            finding.subject.kind if finding.subject else None,
            finding.subject.id if finding.subject else None,
            finding.message,
            Level(finding.level) if finding.level else None,
        )
        for finding in reply.findings
    ]


class _ReplyError(Exception):
    """What is wrong with a reply."""


def _decoded(reply: bytes) -> ExternalReply:
    """The one document of a reply.

    Raises:
        _ReplyError: it is none, or has another form.
    """
    try:
        text = reply.decode()
    except UnicodeDecodeError as error:
        raise _ReplyError(f"the reply is not UTF-8 (the byte at offset {error.start})") from None
    if not text.strip():
        raise _ReplyError("there is no reply")
    try:
        return msgspec.json.decode(text, type=ExternalReply, strict=True)
    except (msgspec.DecodeError, RecursionError) as error:
        raise _ReplyError(f"the reply cannot be read: {str(error)[:_DETAIL]}") from None


def subjects_in(view: view_types.View) -> dict[tuple[str, str], tuple[Subject, str | None]]:
    """Everything a finding may be about, by kind and id: how it is named, and its Context."""
    found: dict[tuple[str, str], tuple[Subject, str | None]] = {}
    for context in view.contexts:
        found["context", context.id] = (context_subject(context.name), context.name)
        for kind, part_kind, field, assets in (
            ("contract", "clause", "clauses", context.contracts),
            ("interface", "item", "items", context.interfaces),
            ("harness", "case", "cases", context.harnesses),
        ):
            for asset in assets or ():
                found[kind, asset.id] = (asset_subject(kind, context.name, asset.name), context.name)
                for part in getattr(asset, field):
                    name = getattr(part, "label", None) or getattr(part, "key", None) or part.name
                    found[part_kind, part.id] = (part_subject(part_kind, context.name, asset.name, name), context.name)
    for request in view.change_requests or ():
        found["change_request", request.id] = (change_request_subject(request.title), None)
    for crux in view.cruxes or ():
        found["crux", crux.id] = (crux_subject(crux.id), None)
    return found


# What a run finds, as findings.


def _level_of(level: Level | None, registered: ExternalSettings, policy: Policy) -> Level:
    """What a level becomes: an error for a gate, else at most what the rule is held to."""
    held_to = policy.level(registered.rule)
    return held_to if registered.gate or level is None else lower(level, held_to)


def findings_of(
    run: CheckRun,
    registered: ExternalSettings,
    policy: Policy,
    named: Mapping[tuple[str, str], tuple[Subject, str | None]],
    *,
    stale: bool = False,
    project: str = "",
) -> Iterator[Finding]:
    """The findings of a run, and one about the whole project when it failed."""
    rule = registered.rule
    found = list(run.findings)
    if run.failure is not None:
        found.append(RunFinding(None, None, f"the check did not run to its end: {run.failure}", None))
    for n, one in enumerate(found):
        subject, context = named.get((one.kind or "", one.id or ""), (None, None))
        if one.kind and subject is None:
            subject = Subject(one.kind, one.id or "")
        yield rule.found(
            subject,
            (one.kind or "project", one.id or project),
            frozenset({("message", (one.message, n))}),
            within=(context,) if context else (),
            level=_level_of(one.level, registered, policy),
            message=one.message,
            stale=stale,
        )


def external_answer(run: CheckRun, registered: ExternalSettings, policy: Policy) -> ExternalAnswer:
    """A run as the answer tells it."""
    found = list(run.findings)
    if run.failure is not None:
        found.append(RunFinding(None, None, f"the check did not run to its end: {run.failure}", None))
    return ExternalAnswer(
        rule=run.rule,
        failure=run.failure,
        findings=[
            RunFindingAnswer(
                RunSubject(one.kind, one.id) if one.kind and one.id else None,
                one.message,
                _level_of(one.level, registered, policy),
            )
            for one in found
        ],
        input_stamp=run.input_stamp,
        config_stamp=run.config_stamp,
        evidence=run.evidence,
    )


class Saved:
    """The saved results of a store beside the model and the registrations as they are now."""

    def __init__(self, store: StoreReader, registry: Registry, policy: Policy, views: Views) -> None:
        self._store = store
        self._views = views
        self._policy = policy
        self._registered = [r for r in registry.external if policy.level(r.rule) is not Level.OFF]
        self._runs = {run.rule: run for run in store.check_runs()} if self._registered else {}
        self._stamps: dict[tuple[str, ...], str] = {}

    def state(self, registered: ExternalSettings) -> str:
        """`unrun`; `current` when the model that it reads and the registration are as they were; else `stale`."""
        run = self._runs.get(registered.id)
        if run is None:
            return "unrun"
        is_current = run.config_stamp == config_stamp(registered, self._policy) and run.input_stamp == self._stamp(
            registered.reads
        )
        return "current" if is_current else "stale"

    def _stamp(self, reads: tuple[str, ...]) -> str:
        if reads not in self._stamps:
            self._stamps[reads] = stamp(self._views.of(reads))
        return self._stamps[reads]

    def states(self) -> Iterator[ExternalState]:
        for registered in self._registered:
            yield ExternalState(registered.id, self.state(registered))

    def said(self, registered: ExternalSettings) -> set[tuple[str | None, str]]:
        """What a current result says, by subject and message: an edit does not tell it again."""
        if self.state(registered) != "current":
            return set()
        run = self._runs[registered.id]
        failure = {(None, f"the check did not run to its end: {run.failure}")} if run.failure is not None else set()
        return {(one.id, one.message) for one in run.findings} | failure

    def findings(self) -> Iterator[Finding]:
        """What the saved results say, those that are stale too."""
        shown = [(r, self._runs[r.id]) for r in self._registered if r.id in self._runs]
        ids = {one.id for _, run in shown for one in run.findings if one.id}
        subjects = NamedSubjects(self._store, ids) if ids else None
        project = self._store.project()
        for registered, run in shown:
            named = {}
            for one in run.findings:
                subject = subjects.subject(one.kind, one.id) if subjects else None
                if subject and subjects:
                    named[one.kind or "", one.id or ""] = (subject, next(iter(subjects.within(one.id)), None))
            yield from findings_of(
                run,
                registered,
                self._policy,
                named,
                stale=self.state(registered) == "stale",
                project=project.id if project else "",
            )


def introduced_by(
    runs: Sequence[CheckRun],
    programs: Sequence[ExternalSettings],
    policy: Policy,
    views: ViewsSent,
    said: Mapping[str, Collection[tuple[str | None, str]]],
    project: str,
) -> list[Finding]:
    """What runs find that was not said before; a gate that failed counts whatever was saved.

    Args:
        said: by rule, what its saved result said of the model as it was before.
    """
    told: list[Finding] = []
    for registered, run in zip(programs, runs, strict=True):
        known = said.get(registered.id, ())
        named = subjects_in(views[registered.reads])
        for finding in findings_of(run, registered, policy, named, project=project):
            subject = None if finding.identity[0] == "project" else finding.identity[1]
            was_said = (subject, finding.values["message"]) in known
            if not was_said or (registered.gate and run.failure is not None):
                told.append(finding)
    return told
