"""Change requests and Cruxes as `status` shows them: what each still misses, and what waits for a decision.

Source: specification, "Opening, and what status and the checks show"; observed answers of `status`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app.ports.store import StoreReader
from chidev.app.view import crux_view
from chidev.domain.change_request import ChangeRequest, Expectation, Step, state_of
from chidev.domain.crux import Crux
from chidev.domain.footprint import Footprint
from chidev.domain.identity import Id
from chidev.domain.named import target_text


class TargetState(msgspec.Struct, frozen=True):
    """`progress` is what the work did to the target: revised, retired or not touched yet."""

    target: str
    progress: str


class KeepState(msgspec.Struct, frozen=True):
    target: str
    moved: bool


class RenamedState(msgspec.Struct, frozen=True):
    """A Clause or an Item that a set gave another name, described with the name it has now."""

    target: str
    from_: str = msgspec.field(name="from")
    to: str


class WorkState(msgspec.Struct, frozen=True):
    """What one change set did for the request."""

    store_revision: int
    moved: Sequence[str]
    renamed: Sequence[RenamedState]


class OutsideState(msgspec.Struct, frozen=True):
    """What one change set moved or renamed outside the frame of the request."""

    store_revision: int
    moved: Sequence[str]


class ByState(msgspec.Struct, frozen=True):
    kind: str
    name: str


class StepState(msgspec.Struct, frozen=True):
    """One step of the history: resolved, reopened or corrected.

    `of` is the title that a duplicate or a superseded points at, `fields` is what was corrected.
    """

    step: str
    resolution: str | None
    of: str | None
    reason: str
    by: ByState
    at: int
    fields: Sequence[str] | UnsetType = UNSET


class ResolutionState(msgspec.Struct, frozen=True):
    """How the request is resolved now."""

    resolution: str
    of: str | None
    reason: str
    by: ByState
    at: int


class RequestState(msgspec.Struct, frozen=True):
    """A change request as it stands."""

    title: str
    situation: str | None
    issuer: str | None
    intent: str
    parent: str | None
    state: str
    cruxes: Sequence[Id]
    assumptions: Sequence[Any]
    targets: Sequence[TargetState]
    keep: Sequence[KeepState]
    work: Sequence[WorkState]
    out_of_frame: Sequence[OutsideState]
    history: Sequence[StepState]
    resolution: ResolutionState | None


class KeepMoved(msgspec.Struct, frozen=True):
    """A request that is not resolved, and what it keeps that moved."""

    cr: str
    moved: Sequence[str]


class AskedState(msgspec.Struct, frozen=True):
    kind: str
    target: str


class OptionState(msgspec.Struct, frozen=True):
    id: Id
    choice: str
    wording: str | None
    consequence: str | None
    expects: Sequence[AskedState]


class RecommendedState(msgspec.Struct, frozen=True):
    option: Id
    choice: str
    reason: str | None
    confidence: int | None


class Awaiting(msgspec.Struct, frozen=True):
    """A Crux that has no decision."""

    id: Id
    raised_in: str
    question: str
    kind: str
    importance: str | None
    options: Sequence[OptionState]
    recommended: RecommendedState | None


class RequestStates:
    """All requests of a store, read once.

    Args:
        only: the name of a Context: requests that are about no target in it are left out.
    """

    def __init__(self, store: StoreReader, only: str | None = None) -> None:
        self._requests = store.change_requests()
        self._cruxes = store.cruxes()
        self._titles = {request.id: request.title for request in self._requests}
        self._cruxes_of: dict[Id, list[Crux]] = {}
        for crux in self._cruxes:
            self._cruxes_of.setdefault(crux.request, []).append(crux)
        self._work: dict[Id, list[Footprint]] = {}
        for footprint in store.footprints():
            self._work.setdefault(footprint.request, []).append(footprint)
        self._names = store.named(set(self._ids()))
        project = store.project()
        self._project_revision = project.revision if project else 0
        self._shown = {request.id for request in self._requests if only is None or self._is_about(request, only)}

    def _ids(self) -> Iterator[Id]:
        for request in self._requests:
            yield from (expected.id for expected in (*request.expects, *request.decided))
        for crux in self._cruxes:
            yield from (asked.id for option in crux.options for asked in option.expects)
        for footprint in (one for some in self._work.values() for one in some):
            yield from (move.place.id for move in footprint.moves)
            yield from (rename.place.id for rename in footprint.renames)

    def _is_about(self, request: ChangeRequest, context: str) -> bool:
        expected = (*request.expects, *request.decided)
        return any(e.id in self._names and self._names[e.id].context == context for e in expected)

    def requests(self) -> Iterator[RequestState]:
        """In the order they were opened."""
        parts: dict[Id, list[Id]] = {}
        for request in self._requests:
            if request.parent:
                parts.setdefault(request.parent, []).append(request.id)
        for request in self._requests:
            if request.id in self._shown:
                yield self._state(request, self._touched(request.id, parts))

    def _touched(self, request: Id, parts: Mapping[Id, Sequence[Id]]) -> set[Id]:
        """What the work of a request and of its parts moved, and all that contains it."""
        with_parts = [request]
        for one in with_parts:
            with_parts += parts.get(one, ())
        touched: set[Id] = set()
        for footprint in (one for part in with_parts for one in self._work.get(part, ())):
            for place in (*(m.place for m in footprint.moves), *(r.place for r in footprint.renames)):
                touched.update(place.holders)
        return touched

    def _state(self, request: ChangeRequest, touched: set[Id]) -> RequestState:
        cruxes = self._cruxes_of.get(request.id, [])
        step = request.resolved
        undecided = sum(crux.answer is None for crux in cruxes)
        work = self._work.get(request.id, [])
        expects = (*request.expects, *request.decided)
        return RequestState(
            title=request.title,
            situation=request.situation,
            issuer=request.issuer,
            intent=request.intent.value,
            parent=self._titles[request.parent] if request.parent else None,
            state=state_of(is_resolved=step is not None, cruxes=len(cruxes), undecided=undecided).value,
            cruxes=[crux.id for crux in cruxes],
            assumptions=request.assumptions,
            targets=[
                TargetState(target_text(e.id, self._names), self._progress(e, touched))
                for e in expects
                if e.kind == "target"
            ],
            keep=[KeepState(target_text(e.id, self._names), self._has_moved(e)) for e in expects if e.kind == "keep"],
            work=[self._work_state(footprint) for footprint in work],
            # A resolved request is a record: nobody is told of its frame any more.
            out_of_frame=list(self._outside(work)) if step is None else [],
            history=[self._step(one) for one in request.history],
            resolution=self._resolution(step) if step else None,
        )

    def _progress(self, expected: Expectation, touched: set[Id]) -> str:
        # The Project holds everything, so that any work touches it; it has no name of its own.
        if expected.target == "project":
            return "revised" if touched else "not touched yet"
        if expected.id not in touched:
            return "not touched yet"
        return "revised" if self._names[expected.id].revision is not None else "retired"

    def _has_moved(self, expected: Expectation) -> bool:
        now = self._project_revision if expected.target == "project" else self._names[expected.id].revision
        return now != expected.recorded

    def _work_state(self, footprint: Footprint) -> WorkState:
        return WorkState(
            footprint.store_revision,
            [target_text(move.place.id, self._names) for move in footprint.moves],
            [
                RenamedState(target_text(rename.place.id, self._names), rename.was, rename.now)
                for rename in footprint.renames
            ],
        )

    def _outside(self, work: Iterable[Footprint]) -> Iterator[OutsideState]:
        for footprint in work:
            places = (*(move.place for move in footprint.moves), *(rename.place for rename in footprint.renames))
            ids = dict.fromkeys(place.id for place in places if place.id in footprint.outside)
            if ids:
                yield OutsideState(footprint.store_revision, [target_text(id_, self._names) for id_ in ids])

    def _step(self, step: Step) -> StepState:
        return StepState(
            step="corrected" if step.corrected else "resolved" if step.resolution else "reopened",
            resolution=step.resolution.value if step.resolution else None,
            of=self._titles[step.of] if step.of else None,
            reason=step.reason,
            by=ByState(step.by.kind, step.by.name),
            at=step.at,
            fields=step.corrected or UNSET,
        )

    def _resolution(self, step: Step) -> ResolutionState:
        told = self._step(step)
        return ResolutionState(str(told.resolution), told.of, told.reason, told.by, told.at)

    def keep_moved(self) -> Iterator[KeepMoved]:
        """The requests that are not resolved and one of whose keeps moved."""
        for request in self._requests:
            if request.id in self._shown and not request.resolved:
                expects = (*request.expects, *request.decided)
                moved = [e.id for e in expects if e.kind == "keep" and self._has_moved(e)]
                if moved:
                    yield KeepMoved(request.title, [target_text(id_, self._names) for id_ in moved])

    def cruxes(self) -> Iterator[dict[str, Any]]:
        """Every Crux as `view` gives it, with titles in place of the ids of requests."""
        for crux in self._cruxes:
            if crux.request in self._shown:
                told: dict[str, Any] = msgspec.to_builtins(crux_view(crux))
                told["raised_in"] = self._titles[crux.request]
                if crux.answer and crux.answer.beyond and crux.answer.beyond.requests:
                    told["answer"]["beyond"] = {"requests": [self._titles[r] for r in crux.answer.beyond.requests]}
                yield told

    def awaiting(self) -> Iterator[Awaiting]:
        for crux in self._cruxes:
            if crux.request in self._shown and crux.answer is None:
                yield self._awaiting(crux)

    def _awaiting(self, crux: Crux) -> Awaiting:
        recommended = crux.recommended
        chosen = crux.option(recommended.option) if recommended else None
        return Awaiting(
            id=crux.id,
            raised_in=self._titles[crux.request],
            question=crux.question,
            kind=crux.kind.value,
            importance=crux.importance.value if crux.importance else None,
            options=[
                OptionState(
                    option.id,
                    option.choice,
                    option.wording,
                    option.consequence,
                    [AskedState(asked.kind, target_text(asked.id, self._names)) for asked in option.expects],
                )
                for option in crux.options
            ],
            recommended=RecommendedState(chosen.id, chosen.choice, recommended.reason, recommended.confidence)
            if recommended and chosen
            else None,
        )
