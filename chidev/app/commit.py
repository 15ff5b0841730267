"""The only way to the store: what is kept, what the checks say of it, and at which revision.

Source: specification, "Triggers and moments"; design, "How data travels".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from enum import StrEnum

import msgspec

from chidev.app.checks import findings_around, findings_at, introduced
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.draft import Draft
from chidev.app.judged_requests import judged_requests
from chidev.app.policy import Policy
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.domain.identity import Id, NewId
from chidev.domain.project import Project
from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import Applicability, Finding, Moment, Refused, Suggestion
from chidev.domain.rules.project import NONE
from chidev.domain.rules.store import MOVED


class RefusedByChecks(Exception):
    """A change that a gate, or a mandatory check, refused: nothing of it is kept.

    Attributes:
        against: the findings that refused it.
        findings: all that was found.
        external: what the programs said, as the answer tells it.
    """

    def __init__(
        self,
        against: Sequence[FindingAnswer],
        findings: Sequence[FindingAnswer],
        external: Sequence[msgspec.Struct] = (),
    ) -> None:
        super().__init__(", ".join(finding.rule for finding in against))
        self.against = against
        self.findings = findings
        self.external = external


class Trigger(StrEnum):
    """The kind of a use case; it decides which checks are run, and a use case belongs to one for good."""

    EDIT = "edit"
    CONFIRMATION = "confirmation"
    QUESTION = "question"
    RECORD = "record"
    CORRECTION = "correction"


class Runs(msgspec.Struct, frozen=True):
    """What a use case of one kind does, and what it is held to: the checks of its moments, of those a use case has."""

    does: str
    moments: tuple[Moment, ...]
    judges: str
    answers: str
    refused_for: str


RUNS: Mapping[Trigger, Runs] = {
    Trigger.EDIT: Runs(
        does="changes what the model says",
        moments=(Moment.EDIT,),
        judges="the model before the change and after it, around what it touches",
        answers="the findings that it introduced",
        refused_for="what it introduced that a mandatory check finds at error, or a gate",
    ),
    Trigger.CONFIRMATION: Runs(
        does="claims that the model is in a state (`pin`, `cr_resolve`)",
        moments=(Moment.PIN, Moment.RESOLVE),
        judges="the whole model as it would stand",
        answers="every finding of its moment",
        refused_for="what a mandatory check finds at error, or a gate",
    ),
    Trigger.QUESTION: Runs(
        does="asks; only `check_run` keeps something: what the programs said",
        moments=(Moment.CHECK,),
        judges="the whole model as it stands",
        answers="what it asks for",
        refused_for="nothing that a check finds",
    ),
    Trigger.RECORD: Runs(
        does="keeps a fact",
        moments=(),
        judges="nothing",
        answers="what was kept",
        refused_for="nothing that a check finds",
    ),
    Trigger.CORRECTION: Runs(
        does="replaces a text that must not stay with a mark, in records that nothing else changes",
        moments=(),
        judges="nothing",
        answers="where the text was, where it still is, and whether the file is clear of it",
        refused_for="nothing that a check finds",
    ),
}


def project_of(store: StoreReader) -> Project:
    """The Project of a store.

    Raises:
        Refused: `project.none`.
    """
    project = store.project()
    if project is None:
        raise Refused(NONE.broken(suggestions=(Suggestion({"op": "init"}, Applicability.MACHINE),)))
    return project


def edit(services: Services, plan: Callable[[Draft], None], computed_on: int | None = None) -> list[FindingAnswer]:
    """Plan a change, keep it whole, and answer with the findings that it introduced.

    Args:
        plan: makes the change on the draft.
        computed_on: the revision of the store that something slow was computed on before, None when nothing was.

    Raises:
        Refused: a problem of the change, or `store.moved`; nothing is kept.
    """
    store = services.store

    def apply(new_id: NewId) -> list[Finding]:
        if computed_on is not None and store.revision() != computed_on:
            raise Refused(MOVED.broken(expected=computed_on, found=store.revision()))
        draft = Draft(store, project_of(store), new_id)
        plan(draft)
        draft.refuse_problems()
        parts, assets, touched = draft.moved_parts(), draft.moved_assets(), draft.touched()
        around = store.neighbourhood(parts, assets)
        requests = _requests_around(store, draft, touched)
        before = findings_around(parts, around, requests, services.policy)
        draft.write()
        store.count_commit(moves_model=True)
        # A Harness that no longer checks an Interface does not lead to it any more.
        around = store.neighbourhood(parts, assets, around.pins.keys())
        # Nor does a request that was resolved, or a decision that was taken back, lead to what it met.
        requests = _requests_around(store, draft, touched, requests.judged)
        return introduced(before, findings_around(parts, around, requests, services.policy))

    return _kept(services, Moment.EDIT, apply)


def _kept(services: Services, moment: Moment, apply: Callable[[NewId], list[Finding]]) -> list[FindingAnswer]:
    """Keep a change, unless a check refuses it; what its checks and the programs of its moment find.

    Args:
        apply: writes the change and says what the checks of this release find; it is called twice where programs are
            asked, with the same ids, since they are asked about the model as it would be, while nothing is held.

    Raises:
        Refused: by the change itself, or `store.moved`.
        RefusedByChecks: by what a gate or a mandatory check finds.
    """
    store, policy = services.store, services.policy
    if services.registry.external_at(moment):
        from chidev.app.gated_commit import kept_with_programs

        return kept_with_programs(services, moment, apply)
    with store.savepoint():
        found = apply(services.new_id)
        refuse_mandatory(found, store, policy)
        return answers(found, store, policy)


def refuse_mandatory(found: Sequence[Finding], store: StoreReader, policy: Policy) -> None:
    """Raises: RefusedByChecks, when a mandatory check finds something."""
    against = [finding for finding in found if finding.rule.mandatory]
    if against:
        raise RefusedByChecks(answers(against, store, policy), answers(found, store, policy))


def _requests_around(
    store: StoreReader, draft: Draft, touched: Collection[Id], known: Collection[Id] = ()
) -> RequestOutline:
    """The requests that a change may make a check of the edit moment find something about."""
    near = store.requests_near(touched) if touched else set()
    for request in draft.touched_requests:
        near |= {request, *store.requests_meeting(request)}
    near.update(known)
    if not near and not draft.touched_lines:
        return RequestOutline()
    return judged_requests(store, near, draft.touched_lines)


def confirm(services: Services, moment: Moment, keep: Callable[[NewId], Id | None]) -> list[FindingAnswer]:
    """Keep a confirmation and answer with everything that the checks of its moment find in the whole model.

    Args:
        keep: writes it; returns the request that it resolved, which is judged although it is resolved by then.
    """
    store = services.store

    def apply(new_id: NewId) -> list[Finding]:
        resolving = keep(new_id)
        store.count_commit(moves_model=True)
        requests = judged_requests(store, resolving=resolving) if moment is Moment.RESOLVE else RequestOutline()
        return findings_at(moment, store.unsettled(), requests, services.policy)

    return _kept(services, moment, apply)


def record(services: Services, keep: Callable[[], None], *, moves_model: bool = False) -> None:
    """Keep a fact; no check is run."""
    with services.store.savepoint():
        keep()
        services.store.count_commit(moves_model=moves_model)


def correct(services: Services, text: str, keep: Callable[[], None], is_last: Callable[[], bool]) -> str | None:
    """Keep a correction; no check is run. Then clear the file of the text, when no record holds it any more.

    Args:
        keep: takes the text out of records.
        is_last: whether no record holds it, once `keep` was called.

    Returns:
        Why the old bytes may still be in the file; None when it was searched and they are not.
    """
    services.before_slow()
    store = services.store
    with store.savepoint():
        keep()
        store.count_commit(moves_model=False)
    store.close_group()
    return store.clear(text) if is_last() else "the text is in other places still"
