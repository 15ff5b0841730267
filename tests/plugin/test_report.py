"""How a finding and an update read on a terminal."""

from __future__ import annotations

import json

import pytest

from pytest_chidev.judge import Finding, Judged, Left, Updated
from pytest_chidev.report import (
    Outcome,
    count_line,
    finding_lines,
    report_text,
    sorted_findings,
    update_lines,
    word_diff,
)


def finding(**more: object) -> Finding:
    return Finding(**{"rule": "cite.stale", "level": "warning", "message": "m", **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "diff"),
    [
        ("a b c", "a x c", "a [-b-]{+x+} c"),
        ("a b", "a b c d", "a b {+c d+}"),
        ("a b c", "c", "[-a b-] c"),
        ("", "a", "{+a+}"),
        ("a", "", "[-a-]"),
        ("a  b", "a b", "a b (only white space differs)"),
    ],
)
def test_two_sentences_are_shown_as_one(old: str, new: str, diff: str) -> None:
    assert word_diff(old, new) == diff


def test_text_of_the_user_never_breaks_a_line() -> None:
    (line,) = finding_lines(finding(message="a\nb\x1b[31m", path="t.py", line=3), verbose=False)

    assert line == "t.py:3: warning cite.stale: a\\nb\\x1b[31m"


def test_a_finding_about_the_model_has_no_place_and_comes_last() -> None:
    model, test = finding(rule="pin.stale"), finding(path="t.py", line=3)

    assert [next(finding_lines(f, verbose=False)) for f in sorted_findings([model, test])] == [
        "t.py:3: warning cite.stale: m",
        "warning pin.stale: m",
    ]


def test_counts_are_told_by_level() -> None:
    levels = ("note", "warning", "error", "warning")

    assert count_line([finding(level=level) for level in levels], verbose=False) == (
        "chidev: 1 error, 2 warnings, 1 note (more: pytest --chidev-check -v)"
    )


def test_an_update_says_what_it_left_and_why() -> None:
    updated = Updated(put=("a.py",), left=(Left("b.py", "--lf was given"),))

    assert list(update_lines(updated)) == [
        "b.py was not put: --lf was given",
        "chidev: 1 test file put, 0 citations brought up",
    ]


def test_an_error_that_is_not_owed_is_told_and_fails_no_run() -> None:
    owed, addressed = finding(level="error"), finding(level="error", owed=False)

    assert Outcome(findings=(owed,)).failed
    assert not Outcome(findings=(addressed,)).failed


def test_a_lone_surrogate_does_not_keep_the_report_from_being_written() -> None:
    outcome = Outcome(findings=(finding(message="\ud800"),), judged=Judged())

    assert json.loads(report_text(outcome).encode())["findings"][0]["message"] == "\ud800"
