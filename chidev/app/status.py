"""What holds now: Pins, stale citations, change requests, what was retired, findings.

Source: specification, "Operations" (status).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.change_sets import RetiredAnswer, retired_answers
from chidev.app.checks import findings_at
from chidev.app.commit import project_of
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.ports.services import Services
from chidev.app.ports.store import Named, StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import ChangeRequest
from chidev.domain.identity import Id
from chidev.domain.outline import Asset, Outline
from chidev.domain.rule import Moment, Refused
from chidev.domain.rules import pin


class PinState(msgspec.Struct, frozen=True):
    """`state` is unpinned, fresh, stale or gone; `why` has one text a thing that moved."""

    context: str
    interface: str
    state: str
    why: Sequence[str]


class StaleCite(msgspec.Struct, frozen=True):
    """A citation behind its target: the revision it recorded and the one there is now."""

    context: str
    harness: str
    case: str
    target: str
    cited: int
    now: int


class TargetState(msgspec.Struct, frozen=True):
    target: str
    progress: str


class KeepState(msgspec.Struct, frozen=True):
    target: str
    moved: bool


class RequestState(msgspec.Struct, frozen=True):
    """A change request as it stands; nothing resolves one or works for it yet."""

    title: str
    situation: str | None
    issuer: str | None
    intent: str
    parent: str | None
    state: str
    assumptions: Sequence[Any]
    targets: Sequence[TargetState]
    keep: Sequence[KeepState]


class StatusAnswer(msgspec.Struct, frozen=True):
    """What holds now; a section that was not asked for has no key."""

    store_revision: int
    pins: Sequence[PinState] | UnsetType = UNSET
    stale_cites: Sequence[StaleCite] | UnsetType = UNSET
    change_requests: Sequence[RequestState] | UnsetType = UNSET
    retired: Sequence[RetiredAnswer] | UnsetType = UNSET
    findings: Sequence[FindingAnswer] | UnsetType = UNSET


def status(operation: inputs.Status, services: Services) -> StatusAnswer:
    """Every section, or those asked for; with `context` only what is about that Context.

    Raises:
        Refused: `project.none`, or `input.unknown-name` for the Context.
    """
    store, only = services.store, operation.context
    asked = operation.sections or ("pins", "stale_cites", "change_requests", "retired", "findings")
    with store.reading():
        project_of(store)
        if only is not None and store.context_named(only) is None:
            raise Refused(unknown_name("context", only, "context", store.context_names()))
        outline = store.outline()
        findings = findings_at(Moment.CHECK, outline, services.policy) if "findings" in asked else []
        shown = [f for f in findings if only is None or f.within == only]
        return StatusAnswer(
            store_revision=store.revision(),
            pins=list(_pins(outline, store, only)) if "pins" in asked else UNSET,
            stale_cites=list(_stale_cites(outline, only)) if "stale_cites" in asked else UNSET,
            change_requests=list(_requests(store)) if "change_requests" in asked else UNSET,
            retired=[r for r in retired_answers(store.retired()) if only in {None, r.context}]
            if "retired" in asked
            else UNSET,
            findings=answers(shown, store, services.policy) if "findings" in asked else UNSET,
        )


def _pins(outline: Outline, store: StoreReader, only: str | None) -> Iterable[PinState]:
    for interface in outline.assets_of_kind("interface"):
        context = outline.context_name(interface)
        if only in {None, context}:
            yield _pin_state(outline, interface, context)
    gone = store.retired_pins()
    names = store.named(gone) if gone else {}
    for id_ in gone:
        if only in {None, names[id_].context}:
            yield PinState(names[id_].context, f"{names[id_].name} (retired)", "gone", ())


def _pin_state(outline: Outline, interface: Asset, context: str) -> PinState:
    if interface.id not in outline.pins:
        return PinState(context, interface.name, "unpinned", ())
    moved = pin.stale_moves(outline, interface)
    return PinState(context, interface.name, "stale" if moved else "fresh", pin.reasons(outline, moved))


def _stale_cites(outline: Outline, only: str | None) -> Iterable[StaleCite]:
    for cite in outline.cites:
        target = outline.parts[cite.target]
        if target.revision != cite.revision:
            case = outline.parts[cite.case]
            harness = outline.assets[case.asset]
            context = outline.context_name(harness)
            if only in {None, context}:
                name = outline.part_subject(target).name
                yield StaleCite(context, harness.name, case.name, name, cite.revision, target.revision)


def _requests(store: StoreReader) -> Iterable[RequestState]:
    requests = store.change_requests()
    titles = {request.id: request.title for request in requests}
    names = store.named({expected.id for request in requests for expected in request.expects})
    project = store.project()
    for request in requests:
        yield RequestState(
            title=request.title,
            situation=request.situation,
            issuer=request.issuer,
            intent=request.intent.value,
            parent=titles[request.parent] if request.parent else None,
            state="open",
            assumptions=request.assumptions,
            targets=[
                TargetState(_target(e.id, names), "not touched yet") for e in request.expects if e.kind == "target"
            ],
            keep=list(_keeps(request, names, project.revision if project else 0)),
        )


def _keeps(request: ChangeRequest, names: dict[Id, Named], project_revision: int) -> Iterable[KeepState]:
    for expected in request.expects:
        if expected.kind == "keep":
            now = names[expected.id].revision if expected.id in names else project_revision
            yield KeepState(_target(expected.id, names), now != expected.recorded)


def _target(id_: Id, names: dict[Id, Named]) -> str:
    """A target as `status` names it: parts and the Project by their name alone, what holds parts with its kind."""
    if id_ not in names:
        return "project"
    named = names[id_]
    text = named.name if named.kind in {"clause", "item"} else f"{named.kind} {named.name}"
    return text if named.revision is not None else f"{text} (retired)"
