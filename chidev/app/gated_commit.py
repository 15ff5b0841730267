"""Keeping a change that programs of the project are asked about first.

The change is made and taken back, so that the model as it would be can be sent; the programs run while nothing is held;
then the change is made again, with the same ids, on a store that did not move.

Source: specification, "External checks".
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from chidev.app.commit import RefusedByChecks, refuse_mandatory
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.external_checks import (
    Saved,
    ViewsSent,
    external_answer,
    introduced_by,
    programs_at,
    run_programs,
    views_for,
)
from chidev.app.ports.services import Services
from chidev.app.view import Views
from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Finding, Moment, Refused
from chidev.domain.rules.store import MOVED


class _Rehearsal(msgspec.Struct):
    """What the change would leave: the views for the programs, and what saved results said before it."""

    revision: int
    project: str
    said: dict[str, set[tuple[str | None, str]]]
    views: ViewsSent


class _Ids:
    """Ids that are given once more, in the same order, after `again`."""

    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id
        self._given: list[Id] = []
        self._next = 0

    def __call__(self) -> Id:
        if self._next == len(self._given):
            self._given.append(self._new_id())
        self._next += 1
        return self._given[self._next - 1]

    def again(self) -> None:
        self._next = 0


def kept_with_programs(
    services: Services, moment: Moment, apply: Callable[[NewId], list[Finding]]
) -> list[FindingAnswer]:
    """See `commit.edit` and `commit.confirm`; what was waiting to be kept is made durable first."""
    store, policy = services.store, services.policy
    programs = programs_at(services, moment)
    services.before_slow()
    ids = _Ids(services.new_id)
    rehearsal = _rehearse(services, moment, lambda: apply(ids))
    runs = run_programs(services, moment, programs, rehearsal.views, rehearsal.revision)
    told = introduced_by(runs, programs, policy, rehearsal.views, rehearsal.said, rehearsal.project)
    ids.again()
    with store.savepoint():
        if store.revision() != rehearsal.revision:
            raise Refused(MOVED.broken(expected=rehearsal.revision, found=store.revision()))
        found = [*apply(ids), *told]
        against = [finding for finding in found if finding.rule.mandatory]
        if against:
            external = [external_answer(run, asked, policy) for run, asked in zip(runs, programs, strict=True)]
            raise RefusedByChecks(answers(against, store, policy), answers(found, store, policy), external)
        for run in runs:
            store.add_check_run(run)
        return answers(found, store, policy)


def _rehearse(services: Services, moment: Moment, apply: Callable[[], list[Finding]]) -> _Rehearsal:
    """Make the change, read the model that it leaves, and take it back; the store is free afterwards.

    Raises:
        Refused, RefusedByChecks: the change itself is refused; no program is started.
    """
    store = services.store
    programs = programs_at(services, moment)
    try:
        with store.savepoint():
            revision = store.revision()
            said = _said_before(services, moment)
            refuse_mandatory(apply(), store, services.policy)
            project = store.project()
            return _Rehearsal(revision, project.id if project else "", said, views_for(store, programs))
    finally:
        store.drop_group()


def _said_before(services: Services, moment: Moment) -> dict[str, set[tuple[str | None, str]]]:
    """What an edit does not answer for: what was said of the model before it. A confirmation answers for all."""
    if moment is not Moment.EDIT:
        return {}
    saved = Saved(services.store, services.registry, services.policy, Views(services.store))
    return {registered.id: saved.said(registered) for registered in programs_at(services, moment)}
