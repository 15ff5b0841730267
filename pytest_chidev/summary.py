"""The sections that a run adds to pytest's summary.

Findings and faults are printed also with -q; -qq leaves the counts. Nothing is printed outside the summary: editors and
CI read the output of `--collect-only -qq`. Source: pytest-conventions.md, sections 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest

from pytest_chidev.judge import Finding
from pytest_chidev.report import Outcome, count_line, finding_lines, one_line, update_lines


class Asked(msgspec.Struct, frozen=True):
    """What the options ask for. `report` is an absolute path, or None; it asks for a check as well.

    `request` is the title of the change request that an update is work for.
    """

    check: bool
    update: bool
    stale: bool
    report: str | None
    request: str | None = None


def write_summary(terminal: pytest.TerminalReporter, outcome: Outcome, asked: Asked, verbosity: int) -> None:
    """Prints what the run has to say.

    Args:
        verbosity: as pytest counts it: 0, more with each -v, less with each -q.
    """
    if outcome.judged is None and outcome.updated is None and not outcome.faults:
        return  # the run ended before there was anything to look at, and pytest says why
    if outcome.updated is not None and verbosity > -2:
        terminal.write_sep("=", "chidev update")  # not `section`, which forgets the line of progress that is open
        for line in update_lines(outcome.updated):
            terminal.write_line(line)
    told = asked.check or outcome.findings or outcome.faults or _none_stale(outcome, asked)
    if not told or (verbosity <= -2 and not outcome.findings and not outcome.faults):
        return
    terminal.write_sep("=", "chidev findings")
    for fault in outcome.faults:
        terminal.write_line(one_line(f"chidev: error: {fault}"), red=True)
    if verbosity > -2 and outcome.judged is not None:
        for note in outcome.judged.notes:
            terminal.write_line(one_line(f"chidev: {note}"))
    if verbosity > -2:
        _write_findings(terminal, outcome.findings, verbose=verbosity > 0)
    if _none_stale(outcome, asked):
        terminal.write_line("chidev: no test has a stale citation")
    if asked.check or outcome.findings:
        terminal.write_line(count_line(outcome.findings, verbose=verbosity > 0))


def _none_stale(outcome: Outcome, asked: Asked) -> bool:
    return asked.stale and outcome.judged is not None and not outcome.stale()


def _write_findings(terminal: pytest.TerminalReporter, findings: Iterable[Finding], *, verbose: bool) -> None:
    helped: set[str] = set()
    for finding in findings:
        head, *more = finding_lines(finding, verbose=verbose)
        terminal.write_line(head, red=finding.level == "error", yellow=finding.level == "warning")
        for line in more:
            terminal.write_line(line)
        if verbose and finding.help and finding.help not in helped:
            helped.add(finding.help)  # said once, at the first finding that it is for
            terminal.write_line(f"    help: {one_line(finding.help)}")
