"""Findings of a project's own checks over tests, at their places and levels.

Source: specification, "External checks" (what a finding of the project's own is); pytest-conventions.md, section 13.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from chidev.app.external_checks import subjects_in
from chidev.app.policy import Policy, lower
from chidev.app.ports.store import StoreReader
from chidev.app.stamps import SECTIONS
from chidev.app.view import read_view
from chidev.app.view_types import VIEW_VERSION, View
from chidev.domain.rule import Level, Moment, Rule, Subject
from pytest_chidev.collected import Collected, CollectedCase, CollectedFile
from pytest_chidev.findings import LEVELS
from pytest_chidev.judge import Finding, Judged, JudgeError
from pytest_chidev.own_checks import Ask, Found, cases_of

_EMPTY = View(version=VIEW_VERSION, contexts=[], change_requests=[], cruxes=[])


def own_findings(
    collected: Collected, judged: Judged, ask: Ask, policy: Policy, store: StoreReader | None
) -> Iterator[Finding]:
    """What the hook finds, of the rules that are not at level off.

    Args:
        store: None when nothing was ever put.

    Raises:
        JudgeError: a finding about a test that was not collected, or something that is not in the model.
    """
    view = read_view(store, SECTIONS) if store else _EMPTY
    subjects = subjects_in(view)
    places = {nodeid: (file, case) for file in collected.files for case in file.cases for nodeid in case.nodeids}
    for found in ask(cases_of(collected, judged), msgspec.to_builtins(view)):
        rule = Rule(found.rule, found.message, found.help, level=Level.WARNING, moments=(Moment.CHECK,))
        level = lower(policy.level(rule), Level(found.level) if found.level else Level.ERROR)
        if level is not Level.OFF:
            yield _finding(found, level, places, subjects)


def _finding(
    found: Found,
    level: Level,
    places: Mapping[str, tuple[CollectedFile, CollectedCase]],
    subjects: Mapping[tuple[str, str], tuple[Subject, str | None]],
) -> Finding:
    if found.nodeid is not None and found.nodeid not in places:
        raise JudgeError(f"the hook pytest_chidev_checks: `{found.nodeid}` is no collected test with a mark")
    file, case = places[found.nodeid] if found.nodeid is not None else (None, None)
    about: tuple[dict[str, str], ...] = ()
    if found.subject is not None:
        key = (found.subject["kind"], found.subject["id"])
        if key not in subjects:
            raise JudgeError(f"the hook pytest_chidev_checks: the model has no {key[0]} with the id `{key[1]}`")
        about = (msgspec.to_builtins(subjects[key][0]),)
    return Finding(
        rule=found.rule,
        level=LEVELS[level],
        message=found.message,
        nodeid=found.nodeid,
        path=file.path if file else None,
        line=case.code_line if case else None,
        subjects=about,
        help=found.help,
    )
