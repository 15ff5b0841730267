"""The records of requests in memory: the half of `MemoryStore` that change requests, Cruxes and footprints are in."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import msgspec

from chidev.domain.change_request import Assumption, ChangeRequest, Expectation, Resolution, Step
from chidev.domain.check_run import CheckRun
from chidev.domain.crux import Answer, Crux
from chidev.domain.decision_policy import DecisionPolicy
from chidev.domain.footprint import Footprint, OutsideMove, Place, outside_moves
from chidev.domain.identity import Id
from chidev.domain.judged_rule import JudgedReport
from chidev.domain.named import Named
from chidev.domain.project import Project
from chidev.domain.request_outline import Derived, Expected, RequestLine, RequestOutline, Undecided


@dataclass(frozen=True)
class Asked:
    """What a decision asks of a target: `by` is the Crux that took it back, None while it stands."""

    crux: Id
    request: Id
    expected: Expectation
    by: Id | None = None


@dataclass
class Records:
    """Everything that is recorded of requests; the values are frozen."""

    requests: dict[Id, ChangeRequest] = field(default_factory=dict)
    cruxes: dict[Id, Crux] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    policy: DecisionPolicy = field(default_factory=DecisionPolicy)
    footprints: list[Footprint] = field(default_factory=list)
    runs: list[CheckRun] = field(default_factory=list)
    reports: dict[str, JudgedReport] = field(default_factory=dict)

    def copy(self) -> Records:
        return replace(
            self,
            requests=dict(self.requests),
            cruxes=dict(self.cruxes),
            asked=list(self.asked),
            footprints=list(self.footprints),
            runs=list(self.runs),
            reports=dict(self.reports),
        )


class Rest(Protocol):
    """What the rest of the store answers."""

    @property
    def records(self) -> Records: ...
    def named(self, ids: Collection[Id]) -> dict[Id, Named]: ...
    def places(self, ids: Collection[Id]) -> dict[Id, Place]: ...
    def project(self) -> Project | None: ...


class MemoryRequests(Rest):
    """Implements what `app.ports.store` says of requests, as plainly as it can be said."""

    def change_requests(self) -> list[ChangeRequest]:
        return [
            msgspec.structs.replace(request, decided=tuple(_once(self._standing(request.id))))
            for _, request in sorted(self.records.requests.items())
        ]

    def _standing(self, request: Id, without: Id | None = None) -> Iterator[Expectation]:
        """What the decisions that stand ask, in the order of their Cruxes."""
        asked = sorted(self.records.asked, key=lambda asked: asked.crux)
        return (one.expected for one in asked if one.request == request and one.by is None and one.crux != without)

    def change_request_titled(self, title: str) -> ChangeRequest | None:
        return next((request for request in self.change_requests() if request.title == title), None)

    def change_request_titles(self) -> list[str]:
        return [request.title for request in self.change_requests()]

    def titles(self, requests: Collection[Id]) -> dict[Id, str]:
        return {request.id: request.title for request in self.change_requests() if request.id in requests}

    def parts_of_request(self, request: Id) -> list[RequestLine]:
        return [_line(part) for part in self.change_requests() if part.parent == request]

    def requests_addressing(self, subjects: Collection[Id]) -> dict[tuple[str, Id | None], list[RequestLine]]:
        found: dict[tuple[str, Id | None], list[RequestLine]] = {}
        for request in self.change_requests():
            for address in request.addresses:
                if address.id is None or address.id in subjects:
                    found.setdefault((address.rule, address.id), []).append(_line(request))
        return found

    def decided_without(self, request: Id, crux: Id) -> list[Expectation]:
        return _once(self._standing(request, crux))

    def crux(self, id_: str) -> Crux | None:
        return self.records.cruxes.get(Id(id_))

    def cruxes(self, request: Id | None = None) -> list[Crux]:
        cruxes = [crux for _, crux in sorted(self.records.cruxes.items())]
        return [crux for crux in cruxes if request is None or crux.request == request]

    def crux_ids(self) -> list[Id]:
        return sorted(self.records.cruxes)

    def superseding(self, crux: Id) -> list[Crux]:
        return [other for other in self.cruxes() if other.supersedes == crux]

    def decision_policy(self) -> DecisionPolicy:
        return self.records.policy

    def footprints(self, request: Id | None = None) -> list[Footprint]:
        return [one for one in self.records.footprints if request is None or one.request == request]

    def requests_near(self, touched: Collection[Id]) -> set[Id]:
        near = set()
        for request in self.change_requests():
            keeps = {e.id for e in (*request.expects, *request.decided) if e.kind == "keep"}
            outside = {id_ for footprint in self.footprints(request.id) for id_ in footprint.outside}
            if not request.resolved and (keeps | outside) & set(touched):
                near.add(request.id)
        return near

    def requests_meeting(self, request: Id) -> set[Id]:
        asked = {id_ for e in self._expects() if e.request == request and e.kind == "target" for id_ in (e.id, e.asset)}
        opened = {other.id for other in self.change_requests() if not other.resolved}
        return {e.request for e in self._expects() if e.kind == "keep" and e.id in asked and e.request in opened}

    def request_outline(
        self, judged: Collection[Id] | None = None, lines: Collection[str] = (), resolving: Id | None = None
    ) -> RequestOutline:
        requests = self.change_requests()
        whole = judged is None
        chosen = {request.id for request in requests} if judged is None else set(judged)
        opened = {request.id for request in requests if not request.resolved}
        kept = {e.id for e in self._expects() if e.request in chosen and e.kind == "keep"}
        expects = [
            e
            for e in self._expects()
            if e.request in chosen or (e.kind == "target" and e.request in opened and {e.id, e.asset} & kept)
        ]
        derived = list(self._derived(None if whole else lines))
        named = chosen | {e.request for e in expects} | {one.request for one in derived}
        outside = [move for id_ in sorted(chosen & (opened | {resolving})) for move in self._outside(Id(str(id_)))]
        project = self.project()
        return RequestOutline(
            requests=[_line(request) for request in requests if request.id in named],
            judged=chosen,
            parents=[request.parent for request in requests if request.parent] if whole else (),
            expects=expects,
            names=self.named({e.id for e in expects} | {move.place.id for move in outside}),
            project_revision=project.revision if project else 0,
            outside=outside,
            worked=self._worked(requests) if whole else {},
            undecided=[Undecided(c.id, c.request, c.question) for c in self.cruxes() if not c.answer] if whole else (),
            derived=derived,
            resolving=resolving,
        )

    def _expects(self) -> Iterator[Expected]:
        for request in self.change_requests():
            for is_own, asked in ((True, request.expects), (False, request.decided)):
                for e in asked:
                    place = self.places([e.id]).get(e.id)
                    asset = place.asset if place else None
                    yield Expected(request.id, e.kind, e.target, e.id, asset, e.recorded, is_own)

    def _derived(self, lines: Collection[str] | None) -> Iterator[Derived]:
        for crux in self.cruxes():
            basis = crux.answer.basis if crux.answer else None
            if basis and basis.line and (lines is None or basis.line in lines):
                now = self.records.policy.text_of(basis.line)
                yield Derived(crux.id, crux.request, crux.question, basis.line, basis.text or "", now)

    def _outside(self, request: Id) -> list[OutsideMove]:
        return [move for move in outside_moves(self.footprints(request)) if not move.is_taken_back]

    def _worked(self, requests: Sequence[ChangeRequest]) -> dict[Id, set[Id]]:
        wanted = {r.id for r in requests if r.resolved and r.resolved.resolution is Resolution.DONE}
        for _ in requests:
            wanted |= {request.id for request in requests if request.parent in wanted}
        project = self.project()
        worked: dict[Id, set[Id]] = {}
        for footprint in self.records.footprints:
            if footprint.request in wanted:
                at = [*(move.place for move in footprint.moves), *(rename.place for rename in footprint.renames)]
                held = {id_ for place in at for id_ in place.holders} | {project.id if project else Id("")}
                worked.setdefault(footprint.request, set()).update(held)
        return worked

    def check_runs(self) -> list[CheckRun]:
        latest = {run.rule: run for run in self.records.runs}
        return [run for _, run in sorted(latest.items())]

    def every_check_run(self) -> list[CheckRun]:
        return list(self.records.runs)

    def judged_reports(self) -> list[JudgedReport]:
        return [report for _, report in sorted(self.records.reports.items())]

    # Writing.

    def add_check_run(self, run: CheckRun) -> None:
        self.records.runs.append(run)

    def put_corrected(self, record: ChangeRequest | Crux | CheckRun) -> None:
        if isinstance(record, ChangeRequest):
            self.records.requests[record.id] = record
        elif isinstance(record, Crux):
            self.records.cruxes[record.id] = record
        else:
            self.records.runs = [record if run.id == record.id else run for run in self.records.runs]

    def clear(self, text: str) -> str | None:
        return None

    def put_judged_report(self, report: JudgedReport) -> None:
        self.records.reports[report.rule] = report

    def add_change_request(self, request: ChangeRequest) -> None:
        self.records.requests[request.id] = request

    def add_step(self, request: Id, step: Step) -> None:
        old = self.records.requests[request]
        self.records.requests[request] = msgspec.structs.replace(old, history=(*old.history, step))

    def add_assumption(self, request: Id, assumption: Assumption) -> None:
        old = self.records.requests[request]
        self.records.requests[request] = msgspec.structs.replace(old, assumptions=(*old.assumptions, assumption))

    def add_crux(self, crux: Crux) -> None:
        self.records.cruxes[crux.id] = crux

    def add_answer(self, crux: Id, answer: Answer) -> None:
        self.records.cruxes[crux] = msgspec.structs.replace(self.records.cruxes[crux], answer=answer)

    def add_decided(self, crux: Id, request: Id, expects: Sequence[Expectation]) -> None:
        self.records.asked += [Asked(crux, request, expected) for expected in expects]

    def take_back(self, decided: Id, by: Id) -> None:
        self.records.asked[:] = [
            replace(asked, by=by) if asked.crux == decided else asked for asked in self.records.asked
        ]

    def put_decision_policy(self, policy: DecisionPolicy) -> None:
        self.records.policy = policy

    def add_footprint(self, footprint: Footprint) -> None:
        self.records.footprints.append(footprint)


def _line(request: ChangeRequest) -> RequestLine:
    step = request.resolved
    return RequestLine(request.id, request.title, request.intent, request.parent, step.resolution if step else None)


def _once(expects: Iterator[Expectation]) -> list[Expectation]:
    """What was asked of each target, as it was asked first."""
    found: dict[Id, Expectation] = {}
    for expected in expects:
        found.setdefault(expected.id, expected)
    return list(found.values())
