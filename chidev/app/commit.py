"""The only way to the store: what is kept, what the checks say of it, and at which revision.

Source: specification, "Triggers and moments"; design, "How data travels".
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum

from chidev.app.checks import findings_around, findings_at, introduced
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.draft import Draft
from chidev.app.judged_requests import judged_requests
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.domain.identity import Id
from chidev.domain.project import Project
from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import Moment, Refused
from chidev.domain.rules.project import NONE
from chidev.domain.rules.store import MOVED


class Trigger(StrEnum):
    """The kind of a use case; it decides which checks are run, and a use case belongs to one for good."""

    EDIT = "edit"
    CONFIRMATION = "confirmation"
    QUESTION = "question"
    RECORD = "record"


def project_of(store: StoreReader) -> Project:
    """The Project of a store.

    Raises:
        Refused: `project.none`.
    """
    project = store.project()
    if project is None:
        raise Refused(NONE.broken())
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
    with store.savepoint():
        if computed_on is not None and store.revision() != computed_on:
            raise Refused(MOVED.broken(expected=computed_on, found=store.revision()))
        draft = Draft(store, project_of(store), services.new_id)
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
        after = findings_around(parts, around, requests, services.policy)
        return answers(introduced(before, after), store, services.policy)


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


def confirm(services: Services, moment: Moment, keep: Callable[[], Id | None]) -> list[FindingAnswer]:
    """Keep a confirmation and answer with everything that the checks of its moment find in the whole model.

    Args:
        keep: writes it; returns the request that it resolved, which is judged although it is resolved by then.
    """
    store = services.store
    with store.savepoint():
        resolving = keep()
        store.count_commit(moves_model=True)
        requests = judged_requests(store, resolving=resolving) if moment is Moment.RESOLVE else RequestOutline()
        return answers(findings_at(moment, store.unsettled(), requests, services.policy), store, services.policy)


def record(services: Services, keep: Callable[[], None], *, moves_model: bool = False) -> None:
    """Keep a fact; no check is run."""
    with services.store.savepoint():
        keep()
        services.store.count_commit(moves_model=moves_model)
