"""What --chidev-report writes, and that it is written however quiet the run is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugin.conftest import NEW, OLD, Run

Report = Callable[..., dict[str, Any]]
Store = Callable[..., None]

STALE = """
import pytest

@pytest.mark.cites("discount", "C1")
@pytest.mark.parametrize("x", [1, 2])
def test_refuses(x):
    pass
"""


@pytest.fixture(autouse=True)
def project(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)
    store(recorded=["test_price.py::test_refuses"])


def test_the_report_has_every_fact(report: Report) -> None:
    assert report() == {
        "version": 1,
        "findings": [
            {
                "rule": "cite.stale",
                "level": "warning",
                "message": "`test_refuses` cites `discount#C1`, which changed",
                "nodeid": "test_price.py::test_refuses",
                "path": "test_price.py",
                "line": 3,
                "subjects": [],
                "values": {"cites": "discount#C1", "old": OLD, "new": NEW},
                "help": "",
                "suggestions": [],
            }
        ],
        "stale": ["test_price.py::test_refuses[1]", "test_price.py::test_refuses[2]"],
        "summary": {
            "findings": {"error": 0, "warning": 1, "note": 0},
            "states": {"stale": 2},
            "notes": [],
            "faults": [],
            "partial": {},
        },
    }


@pytest.mark.parametrize(
    "args",
    [("-q",), ("-qq",), ("--no-summary",), ("-p", "no:terminal"), ("--collect-only",), ("--chidev-check",)],
    ids=" ".join,
)
def test_it_is_written_however_quiet_the_run_is(report: Report, args: tuple[str, ...]) -> None:
    assert len(report(*args)["findings"]) == 1


def test_two_processes_write_one_report(report: Report) -> None:
    value = report("-n2", process=True)

    assert (len(value["findings"]), len(value["stale"])) == (1, 2)


def test_it_checks_without_another_option(run: Run) -> None:
    result = run("--chidev-report=r.json")

    result.stdout.fnmatch_lines(["*chidev findings*", "test_price.py:3: warning cite.stale: *"])


@pytest.mark.parametrize("path", ["nowhere/r.json", ".", "", "test_price.py/r.json"])
def test_a_place_that_cannot_be_is_a_usage_error(run: Run, path: str) -> None:
    result = run(f"--chidev-report={path}")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"ERROR: chidev: --chidev-report={path}: it*"])


def test_a_disk_that_is_full_is_one_line_and_status_1(run: Run) -> None:
    result = run("--chidev-report=/dev/full")

    result.stdout.fnmatch_lines(["chidev: error: the report /dev/full cannot be written: No space left on device"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)


def test_a_run_that_never_collected_says_so_in_the_report(run: Run, pytester: pytest.Pytester) -> None:
    (pytester.path / "report.json").write_text('{"an": "old report"}')

    run("--chidev-report=report.json", "test_price.py::test_nowhere")

    value = json.loads((pytester.path / "report.json").read_text())
    assert value["version"] == 1
    assert value["findings"] == []


def test_a_fault_is_in_the_report(report: Report, store: Store) -> None:
    store(fault="refuse")

    assert report()["summary"]["faults"] == ["the store `.chidev/chidev.db` is locked"]


def test_a_path_is_relative_to_where_pytest_was_started(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = pytester.mkdir("below")
    monkeypatch.chdir(below)

    run("--chidev-report=r.json", "..")

    assert (below / "r.json").exists()
