"""The record of a change request: opening it, what is assumed of it, how it ends and begins again.

Source: specification, "Change requests" and "Lifecycle and resolution".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from chidev.app import inputs
from chidev.app.commit import confirm, edit, project_of
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.references import (
    KINDS,
    Reference,
    Resolver,
    malformed_addresses,
    malformed_evidence,
    malformed_targets,
    one_key,
    targets_twice,
)
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import (
    Address,
    Assumption,
    By,
    ChangeRequest,
    Expectation,
    Intent,
    Resolution,
    Step,
)
from chidev.domain.footprint import Frame
from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Moment, Refused, Violation
from chidev.domain.rules.cr.request import (
    NOT_RESOLVED,
    PARENT_ITSELF,
    REFERENCE_ITSELF,
    TITLE_TAKEN,
    already_resolved,
    crux_unanswered,
    parent_open,
)
from chidev.domain.subject import change_request_subject


class ExpectAnswer(msgspec.Struct, frozen=True):
    """What the request recorded of one reference."""

    kind: str
    target: inputs.TargetRef
    recorded: int


class CrAnswer(msgspec.Struct, frozen=True):
    cr: Id
    expects: Sequence[ExpectAnswer]
    findings: Sequence[FindingAnswer]


class RecordAnswer(msgspec.Struct, frozen=True):
    """What the record of a request introduced, or, where it is resolved, all that is found then."""

    findings: Sequence[FindingAnswer]


def open_request(operation: inputs.CrOpen, services: Services) -> CrAnswer:
    """Keep the request with the revisions that its targets have now.

    Raises:
        Refused: a reference that cannot be read, `input.unknown-name` for each name that is none, `cr.title-taken`,
            `cr.parent-itself`, `cr.target-twice`.
    """
    _refuse(_malformed(operation))
    kept: list[tuple[ChangeRequest, list[ExpectAnswer]]] = []

    def plan(draft: Draft) -> None:
        resolver = Resolver(draft)
        references = resolver.references(operation, "")
        addresses = resolver.addresses(operation.addresses, "addresses")
        parent = _parent(draft, resolver, operation)
        if draft.store.change_request_titled(operation.title):
            draft.states.append(TITLE_TAKEN.broken(change_request_subject(operation.title), field="title"))
        draft.states.extend(targets_twice(operation.title, references))
        draft.refuse_problems()
        references.sort(key=lambda reference: KINDS.index(reference.target.place.kind))
        request = _request(draft.new_id(), operation, references, addresses, parent)
        answers = [ExpectAnswer(one.kind, one.ref, one.target.revision) for one in references]
        kept.append((request, answers))
        draft.touched_requests.add(request.id)
        draft.writes.append(lambda: draft.store.add_change_request(request))

    findings = edit(services, plan)
    request, answers = kept[-1]
    return CrAnswer(request.id, answers, findings)


def _parent(draft: Draft, resolver: Resolver, operation: inputs.CrOpen) -> Id | None:
    if operation.parent is None:
        return None
    if operation.parent == operation.title:
        draft.states.append(PARENT_ITSELF.broken(change_request_subject(operation.title), field="parent"))
        return None
    parent = resolver.request(operation.parent, "parent")
    return parent.id if parent else None


def _request(
    id_: Id,
    operation: inputs.CrOpen,
    references: Sequence[Reference],
    addresses: Sequence[Address],
    parent: Id | None,
) -> ChangeRequest:
    return ChangeRequest(
        id=id_,
        title=operation.title,
        intent=Intent(operation.intent),
        situation=operation.situation,
        issuer=operation.issuer,
        parent=parent,
        expects=tuple(
            Expectation(one.kind, one.target.place.kind, one.target.place.id, one.target.revision) for one in references
        ),
        addresses=tuple(addresses),
        assumptions=tuple(_assumption(assumption) for assumption in operation.assumptions),
    )


def _assumption(given: inputs.AssumptionInput | inputs.CrAssume) -> Assumption:
    return Assumption(given.statement, given.reason, msgspec.to_builtins(given.evidence))


def _malformed(operation: inputs.CrOpen) -> Iterator[Violation]:
    """What the types do not say: one key in a reference, a path of evidence that stays in the repository."""
    yield from malformed_targets(operation, "")
    yield from malformed_addresses(operation.addresses, "addresses")
    for n, assumption in enumerate(operation.assumptions):
        yield from malformed_evidence(assumption.evidence, f"assumptions[{n}].evidence")


def _refuse(violations: Iterator[Violation]) -> None:
    """Raises: Refused, with all of these violations, when there are any."""
    if found := list(violations):
        raise Refused(*found)


def assume(operation: inputs.CrAssume, services: Services) -> RecordAnswer:
    """Append an assumption.

    Raises:
        Refused: evidence that cannot be read, `input.unknown-name`, `cr.already-resolved`.
    """
    _refuse(malformed_evidence(operation.evidence, "evidence"))

    def plan(draft: Draft) -> None:
        request = open_request_titled(draft, operation.title, "title")
        draft.refuse_problems()
        if request:
            draft.touched_requests.add(request.id)
            draft.writes.append(lambda: draft.store.add_assumption(request.id, _assumption(operation)))

    return RecordAnswer(edit(services, plan))


def open_request_titled(draft: Draft, title: str, field: str) -> ChangeRequest | None:
    """The request of a title; when there is none, or it is resolved, the problem is kept on the draft."""
    request = Resolver(draft).request(title, field)
    if request and request.resolved:
        draft.states.append(already_resolved(title, resolution_text(request, draft.store), field))
    return request


def resolution_text(request: ChangeRequest, store: StoreReader) -> str:
    """How a request was resolved, as a text: `done`, or `duplicate` of another's title."""
    step = request.resolved
    if step is None or step.resolution is None:
        return "open"
    return f"{step.resolution} of `{store.titles([step.of])[step.of]}`" if step.of else step.resolution.value


def frame_of(request: ChangeRequest, project: Id) -> Frame:
    """What the work of a request may move. Source: "Attribution and frame"."""
    return Frame(project, frozenset(expected.id for expected in request.targets))


def resolve(operation: inputs.CrResolve, services: Services) -> RecordAnswer:
    """Record how a request ended, and judge the whole model.

    Raises:
        Refused: in this order: a form that cannot be read; `input.unknown-name` of the title; `cr.already-resolved`;
            `cr.crux-unanswered`; the title of a duplicate or a superseded (`input.unknown-name`,
            `cr.reference-itself`); `cr.parent-open`.
    """
    _refuse(_malformed_resolution(operation))
    store = services.store

    def keep(_: NewId) -> Id:
        project_of(store)
        request = store.change_request_titled(operation.title)
        if request is None:
            raise Refused(unknown_name("change request", operation.title, "title", store.change_request_titles()))
        if request.resolved:
            raise Refused(already_resolved(request.title, resolution_text(request, store), "title"))
        waiting = [crux for crux in store.cruxes(request.id) if crux.answer is None]
        if waiting:
            raise Refused(crux_unanswered(request.title, [(crux.id, crux.question) for crux in waiting]))
        resolution, of = _resolution(operation, store)
        parts = [part.title for part in store.parts_of_request(request.id) if part.resolution is None]
        if parts:
            raise Refused(parent_open(request.title, parts))
        step = Step(resolution, of, operation.reason, by_of(operation.by), services.clock())
        store.add_step(request.id, step)
        return request.id

    return RecordAnswer(confirm(services, Moment.RESOLVE, keep))


def _malformed_resolution(operation: inputs.CrResolve) -> Iterator[Violation]:
    if isinstance(operation.resolution, inputs.ResolutionRef):
        yield from one_key(operation.resolution, "resolution")
    yield from one_key(operation.by, "by")


def _resolution(operation: inputs.CrResolve, store: StoreReader) -> tuple[Resolution, Id | None]:
    """The resolution and the request it points at, read from the store."""
    given = operation.resolution
    if not isinstance(given, inputs.ResolutionRef):
        return Resolution(given), None
    kind = Resolution.DUPLICATE if isinstance(given.duplicate, str) else Resolution.SUPERSEDED
    title = str(getattr(given, kind))
    field = f"resolution.{kind}"
    if title == operation.title:
        raise Refused(REFERENCE_ITSELF.broken(change_request_subject(title), field=field, resolution=kind.value))
    other = store.change_request_titled(title)
    if other is None:
        raise Refused(unknown_name("change request", title, field, store.change_request_titles()))
    return kind, other.id


def reopen(operation: inputs.CrReopen, services: Services) -> RecordAnswer:
    """Record that a request is open again.

    Raises:
        Refused: `by` cannot be read, `input.unknown-name`, `cr.not-resolved`.
    """
    _refuse(one_key(operation.by, "by"))

    def plan(draft: Draft) -> None:
        request = Resolver(draft).request(operation.title, "title")
        if request and not request.resolved:
            draft.states.append(NOT_RESOLVED.broken(change_request_subject(operation.title), field="title"))
        draft.refuse_problems()
        if request:
            step = Step(None, None, operation.reason, by_of(operation.by), services.clock())
            draft.touched_requests.add(request.id)
            draft.writes.append(lambda: draft.store.add_step(request.id, step))

    return RecordAnswer(edit(services, plan))


def by_of(given: inputs.ByInput) -> By:
    """Who decided; exactly one field was given."""
    return By("person", given.person) if isinstance(given.person, str) else By("role", str(given.role))
