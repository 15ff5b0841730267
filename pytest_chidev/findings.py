"""Findings of a run, made of the rules of the core.

Source: open-points 6 and 7; users.md, 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from chidev.app.diagnose import FindingAnswer, sentence
from chidev.app.policy import Policy
from chidev.domain.rule import Finding as ModelFinding
from chidev.domain.rule import Level, Rule
from chidev.domain.rules import cite
from pytest_chidev import judge
from pytest_chidev.collected import CollectedCase, CollectedFile
from pytest_chidev.judge import Finding

LEVELS: Mapping[Level, judge.Level] = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "note"}


def told(
    rule: Rule, policy: Policy, path: str | None, line: int | None, nodeid: str | None, **values: Any
) -> Iterator[Finding]:
    """A finding of the family `test.`, at the level the settings give it; none when that is off.

    Args:
        values: as `Rule.broken` takes them; close names (`did_you_mean`) are among the values of the finding.
    """
    level = policy.level(rule)
    if level is Level.OFF:
        return
    broken = rule.broken(**values)
    close = {"did_you_mean": list(broken.did_you_mean)} if broken.did_you_mean else {}
    yield Finding(
        rule=rule.id,
        level=LEVELS[level],
        message=sentence(broken),
        nodeid=nodeid,
        path=path,
        line=line,
        values={**broken.values, **close},
        help=rule.help,
    )


def of_answer(
    finding: ModelFinding, answer: FindingAnswer, place: tuple[CollectedFile, CollectedCase] | None
) -> Finding:
    """A finding of the model, at the test it is about when that was collected."""
    plain = msgspec.to_builtins(answer)
    old, new = _sides(finding)
    file, case = place or (None, None)
    return Finding(
        rule=answer.rule,
        level=LEVELS[answer.level],
        message=answer.message,
        nodeid=f"{file.path}::{case.name}" if file and case else None,
        path=file.path if file else None,
        line=case.code_line if case else None,
        subjects=tuple(plain["subjects"]),
        values=plain["values"] | _dealt_with(answer),
        help=answer.help,
        suggestions=tuple(plain["suggestions"]),
        old=old,
        new=new,
        owed=answer.state == "open",
        addressed_by=tuple(answer.addressed_by),
    )


def _dealt_with(answer: FindingAnswer) -> dict[str, Any]:
    """The state of a finding, and the titles of the change requests that deal with it when there are any."""
    titles = list(answer.addressed_by)
    return {"state": answer.state} | ({"addressed_by": titles} if titles else {})


def _sides(finding: ModelFinding) -> tuple[str | None, str | None]:
    """The old and the new text of what moved, for the word diff."""
    if finding.rule is not cite.STALE:
        return None, None
    targets = [target for target in finding.values["targets"] if target["old"] is not None]
    if not targets:
        return None, None
    return "; ".join(t["old"] for t in targets), "; ".join(t["new"] for t in targets)
