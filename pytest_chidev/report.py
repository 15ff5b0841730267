"""What a run says: lines for the terminal, and the JSON of --chidev-report.

Text of the user's (names, sentences) never breaks a line. Source: open-points.md, 7; users.md, 1, 2 and 9.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from pytest_chidev.collected import Collected
from pytest_chidev.judge import Finding, Judged, Level, Updated

LEVELS: tuple[Level, ...] = ("error", "warning", "note")
VERSION = 1


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """All that one run has to say; what it did not do is None.

    Attributes:
        findings: those that are told; one at level error that is still owed fails the run.
        faults: what kept the plugin from its work, one sentence each; any of them fails the run.
    """

    findings: tuple[Finding, ...] = ()
    collected: Collected | None = None
    judged: Judged | None = None
    updated: Updated | None = None
    faults: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return bool(self.faults) or any(f.level == "error" and f.owed for f in self.findings)

    def stale(self) -> list[str]:
        """The node ids of the items with a stale citation, sorted."""
        states = self.judged.states if self.judged else {}
        return sorted(nodeid for nodeid, state in states.items() if state == "stale")


def sorted_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """By place, those about the model last; the order does not hang on the judge."""
    return tuple(sorted(findings, key=lambda f: (f.path is None, f.path or "", f.line or 0, f.rule, f.message)))


def finding_lines(finding: Finding, *, verbose: bool) -> Iterator[str]:
    """`path:line: level rule: message`; with `verbose` the two sides below it.

    Of what a program or a judge said once, it tells when that may no longer hold.
    """
    place = f"{finding.path}:{finding.line}: " if finding.line is not None else f"{finding.path}: "
    dealt_with = f" (the change request {_titles(finding)} deals with it)" if finding.addressed_by else ""
    stale = " (stale: what was judged has changed since)" if finding.values.get("stale") is True else ""
    says = f"{finding.message}{stale}{dealt_with}"
    yield one_line(f"{place if finding.path else ''}{finding.level} {finding.rule}: {says}")
    if verbose and finding.old is not None and finding.new is not None:
        yield "    " + one_line(word_diff(finding.old, finding.new))


def update_lines(updated: Updated) -> Iterator[str]:
    """What an update put, brought up (both sides, whole) and left."""
    for brought in updated.brought:
        yield one_line(f"{brought.path}::{brought.case} now stands on {brought.target} as it is")
        yield "    - " + one_line(brought.old)
        yield "    + " + one_line(brought.new)
    for left in updated.left:
        yield one_line(f"{left.path} was not put: {left.reason}")
    if updated.stayed:
        yield f"{_counted(updated.stayed, 'citation')} outside the frame of the change request stayed behind"
    put, brought_up = _counted(len(updated.put), "test file"), _counted(len(updated.brought), "citation")
    yield f"chidev: {put} put, {brought_up} brought up"


def count_line(findings: Sequence[Finding], *, verbose: bool) -> str:
    """How many findings there are of each level, and what shows more of them.

    `chidev: 1 error, 2 warnings (more: pytest --chidev-check -v)`
    """
    if not findings:
        return "chidev: no findings"
    counts = Counter(finding.level for finding in findings)
    told = ", ".join(_counted(counts[level], level) for level in LEVELS if counts[level])
    return f"chidev: {told} (more: {'chidev status' if verbose else 'pytest --chidev-check -v'})"


def report_text(outcome: Outcome) -> str:
    """The file of --chidev-report: JSON, version 1; fields are added to it and never changed.

    `summary` has the number of findings by level, of items by state, `notes`, `faults` (not empty: the rest says
    nothing), and `partial`: the files that were not collected whole, with the reason.
    """
    files = outcome.collected.files if outcome.collected else ()
    counts = Counter(finding.level for finding in outcome.findings)
    states = Counter(outcome.judged.states.values()) if outcome.judged else Counter[str]()
    value = {
        "version": VERSION,
        "findings": [_plain(finding) for finding in outcome.findings],
        "stale": outcome.stale(),
        "summary": {
            "findings": {level: counts[level] for level in LEVELS},
            "states": dict(sorted(states.items())),
            "notes": list(outcome.judged.notes) if outcome.judged else [],
            "faults": list(outcome.faults),
            "partial": {file.path: file.partial for file in files if file.partial},
        },
    }
    return json.dumps(value, indent=1, default=str) + "\n"


def word_diff(old: str, new: str) -> str:
    """Both sentences in one, word by word: `over [-100%-]{+90%+} is refused`; only white space differing is said."""
    from difflib import SequenceMatcher

    before, after = old.split(), new.split()
    if before == after:
        return f"{new} (only white space differs)" if old != new else new
    words: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            words.extend(before[a:b])
            continue
        gone, come = " ".join(before[a:b]), " ".join(after[c:d])
        words.append((f"[-{gone}-]" if gone else "") + (f"{{+{come}+}}" if come else ""))
    return " ".join(words)


def one_line(text: str) -> str:
    """The text with line ends and control characters written as escapes."""
    return text if text.isprintable() else "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _plain(finding: Finding) -> dict[str, object]:
    value: dict[str, object] = msgspec.structs.asdict(finding)
    for ours in ("old", "new", "owed", "addressed_by"):  # `values` has these facts
        del value[ours]
    return value


def _titles(finding: Finding) -> str:
    return ", ".join(f"`{title}`" for title in finding.addressed_by)


def _counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
