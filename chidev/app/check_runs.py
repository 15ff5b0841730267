"""Asking everything, the project's programs too, and keeping what they say.

Source: specification, "Triggers and moments" (questions) and "External checks".
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from chidev.app import inputs
from chidev.app.commit import project_of
from chidev.app.current_findings import current_findings
from chidev.app.diagnose import FindingAnswer, answers
from chidev.app.external_checks import ExternalAnswer, external_answer, programs_at, run_programs, views_for
from chidev.app.ports.services import Services
from chidev.domain.rule import Moment, Refused
from chidev.domain.rules.store import MOVED


class CheckRunAnswer(msgspec.Struct, frozen=True):
    """What `check` answers now, and how each program that was started ended."""

    findings: Sequence[FindingAnswer]
    external: Sequence[ExternalAnswer]


def check_run(_: inputs.CheckRun, services: Services) -> CheckRunAnswer:
    """Start the programs of the check moment, while nothing is held, and keep their results, also a gate's errors.

    Raises:
        Refused: `project.none`; `store.moved` when somebody else wrote meanwhile, and nothing is kept.
    """
    store, policy = services.store, services.policy
    programs = programs_at(services, Moment.CHECK)
    if programs:
        services.before_slow()
    with store.reading():
        project_of(store)
        revision, views = store.revision(), views_for(store, programs)
    runs = run_programs(services, Moment.CHECK, programs, views, revision)
    with store.savepoint():
        if store.revision() != revision:
            raise Refused(MOVED.broken(expected=revision, found=store.revision()))
        for run in runs:
            store.add_check_run(run)
        store.count_commit(moves_model=False)
        found = current_findings(store, services.registry, policy, store.outline())
        return CheckRunAnswer(
            findings=answers(found, store, policy),
            external=[external_answer(run, program, policy) for run, program in zip(runs, programs, strict=True)],
        )
