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
from chidev.app.commit import project_of
from chidev.app.current_findings import current_findings
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.request_states import Awaiting, KeepMoved, RequestState, RequestStates
from chidev.app.unknown import unknown_name
from chidev.app.view import Views
from chidev.domain.outline import Asset, Outline
from chidev.domain.rule import Refused
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


class PolicyLineState(msgspec.Struct, frozen=True):
    id: str
    text: str


class PolicyState(msgspec.Struct, frozen=True):
    """The lines a decision may be derived from now; the revision is 1 before the first put."""

    revision: int
    lines: Sequence[PolicyLineState]


class StatusAnswer(msgspec.Struct, frozen=True):
    """What holds now; a section that was not asked for has no key."""

    store_revision: int
    pins: Sequence[PinState] | UnsetType = UNSET
    stale_cites: Sequence[StaleCite] | UnsetType = UNSET
    change_requests: Sequence[RequestState] | UnsetType = UNSET
    cruxes: Sequence[Any] | UnsetType = UNSET
    awaiting: Sequence[Awaiting] | UnsetType = UNSET
    keep_moved: Sequence[KeepMoved] | UnsetType = UNSET
    policy: PolicyState | UnsetType = UNSET
    retired: Sequence[RetiredAnswer] | UnsetType = UNSET
    external: Sequence[Any] | UnsetType = UNSET
    judged: Sequence[Any] | UnsetType = UNSET
    findings: Sequence[FindingAnswer] | UnsetType = UNSET


_OF_ASSETS = ("pins", "stale_cites", "findings")
_OF_REQUESTS = ("change_requests", "cruxes", "awaiting", "keep_moved")
_SECTIONS = (*_OF_ASSETS, *_OF_REQUESTS, "policy", "retired", "external", "judged")


def status(operation: inputs.Status, services: Services) -> StatusAnswer:
    """Every section, or those asked for; with `context` only what is about that Context.

    Raises:
        Refused: `project.none`, or `input.unknown-name` for the Context.
    """
    store, only = services.store, operation.context
    asked = operation.sections or _SECTIONS
    with store.reading():
        project_of(store)
        if only is not None and store.context_named(only) is None:
            raise Refused(unknown_name("context", only, "context", store.context_names()))
        sections: dict[str, Any] = {}
        views = Views(store)
        if any(section in asked for section in _OF_ASSETS):
            outline = store.outline()
            sections["pins"] = list(_pins(outline, store, only)) if "pins" in asked else UNSET
            sections["stale_cites"] = list(_stale_cites(outline, only)) if "stale_cites" in asked else UNSET
            sections["findings"] = _findings(outline, services, only, views) if "findings" in asked else UNSET
        if any(section in asked for section in _OF_REQUESTS):
            states = RequestStates(store, only)
            sections |= {word: list(getattr(states, _METHODS[word])()) for word in _OF_REQUESTS if word in asked}
        if "policy" in asked:
            policy = store.decision_policy()
            lines = [PolicyLineState(line.id, line.text) for line in policy.lines]
            sections["policy"] = PolicyState(policy.revision, lines)
        if "retired" in asked:
            sections["retired"] = [r for r in retired_answers(store.retired()) if only in {None, r.context}]
        if "external" in asked:
            sections["external"] = _external(services, views)
        if "judged" in asked:
            sections["judged"] = _judged(services, views)
        return StatusAnswer(store.revision(), **sections)


_METHODS = {"change_requests": "requests", "cruxes": "cruxes", "awaiting": "awaiting", "keep_moved": "keep_moved"}


def _findings(outline: Outline, services: Services, only: str | None, views: Views) -> list[FindingAnswer]:
    store, policy = services.store, services.policy
    found = current_findings(store, services.registry, policy, outline, views)
    return answers([f for f in found if only is None or only in f.within], store, policy)


def _external(services: Services, views: Views) -> list[Any]:
    """Whether each program was run on what there is now; of the whole Project, whatever Context is asked for."""
    if not services.registry.external:
        return []
    from chidev.app.external_checks import Saved

    return list(Saved(services.store, services.registry, services.policy, views).states())


def _judged(services: Services, views: Views) -> list[Any]:
    """The judged rules that wait for somebody to judge."""
    if not services.registry.judged:
        return []
    from chidev.app.judged import Judgments, judged_states

    registry = services.registry
    return list(judged_states(Judgments(services.store, registry, views), registry, services.policy))


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
