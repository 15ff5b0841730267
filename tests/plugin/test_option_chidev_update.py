"""`pytest --chidev-update` puts what was collected whole, and says what it brought up."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.plugin.conftest import NEW, OLD, Run

Store = Callable[..., None]

TESTS = """
import pytest

@pytest.mark.cites("discount", "C1", "C2")
def test_stale(): pass
"""


@pytest.fixture(autouse=True)
def project(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS, test_other=TESTS.replace('"C1", ', ""))


def recorded(pytester: pytest.Pytester) -> dict[str, Any]:
    value: dict[str, Any] = json.loads((pytester.path / "store.json").read_text(encoding="utf-8"))["recorded"]
    return value


def test_both_sides_of_what_it_brought_up_are_shown(run: Run, pytester: pytest.Pytester) -> None:
    result = run("--chidev-update")

    result.stdout.fnmatch_lines(
        [
            "*= chidev update =*",
            "test_price.py::test_stale now stands on discount#C1 as it is",
            f"    - {OLD}",
            f"    + {NEW}",
            "chidev: 2 test files put, 1 citation brought up",
        ]
    )
    assert recorded(pytester) == {
        "test_other.py::test_stale": ["discount#C2"],
        "test_price.py::test_stale": ["discount#C1", "discount#C2"],
    }


def test_a_second_update_brings_up_nothing(run: Run) -> None:
    run("--chidev-update")

    result = run("--chidev-update")

    assert "chidev: 2 test files put, 0 citations brought up" in result.stdout.lines


def test_with_a_check_the_findings_are_those_after_it(run: Run) -> None:
    result = run("--chidev-update", "--chidev-check")

    assert "chidev: no findings" in result.stdout.lines


def test_only_files_collected_whole_are_put(run: Run, pytester: pytest.Pytester) -> None:
    result = run("--chidev-update", "test_other.py", "test_price.py::test_stale")

    assert list(recorded(pytester)) == ["test_other.py::test_stale"]
    assert "test_price.py was not put: only some of its tests were asked for" in result.stdout.lines


def test_an_error_in_one_file_does_not_hold_up_the_others(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_other="import nowhere_at_all")

    result = run("--chidev-update")

    assert list(recorded(pytester)) == ["test_price.py::test_stale"]
    assert result.ret == pytest.ExitCode.INTERRUPTED


def test_tests_that_fail_are_put_all_the_same(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS.replace("pass", "assert False"))

    run("--chidev-update", "-x")

    assert len(recorded(pytester)) == 2


@pytest.mark.parametrize("how", ["raise KeyboardInterrupt", "pytest.exit('enough')"])
def test_a_run_that_was_interrupted_puts_nothing(run: Run, pytester: pytest.Pytester, how: str) -> None:
    pytester.makepyfile(test_price=TESTS.replace("pass", how))

    result = run("--chidev-update", process=True)

    assert recorded(pytester) == {}
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["chidev: error: nothing was put into the store: the run did not come to its end"])


def test_a_file_that_changes_while_the_tests_run_is_left(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS.replace("pass", "open(__file__, 'a').write('# more')"))

    result = run("--chidev-update")

    assert list(recorded(pytester)) == ["test_other.py::test_stale"]
    assert "test_price.py was not put: it was changed while the tests ran" in result.stdout.lines


def test_it_works_with_collect_only(run: Run, pytester: pytest.Pytester) -> None:
    run("--chidev-update", "--collect-only", "-n2", process=True)

    assert len(recorded(pytester)) == 2


@pytest.mark.parametrize("args", [("-n2",), ("--dist=each", "--tx=popen")], ids=" ".join)
def test_it_is_refused_where_xdist_runs_the_tests(run: Run, args: tuple[str, ...]) -> None:
    result = run("--chidev-update", *args, process=True)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: chidev: --chidev-update runs in one process: *"])


def test_one_process_of_xdist_is_no_distribution(run: Run, pytester: pytest.Pytester) -> None:
    run("--chidev-update", "-n0", process=True)

    assert len(recorded(pytester)) == 2


def test_a_store_that_refuses_is_told_and_nothing_is_put(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    store(fault="refuse")

    result = run("--chidev-update")

    assert recorded(pytester) == {}
    assert "chidev: error: the store `.chidev/chidev.db` is locked" in result.stdout.lines
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_check_alone_never_writes(run: Run, pytester: pytest.Pytester) -> None:
    before = (pytester.path / "store.json").read_bytes()

    run("--chidev-check", "--chidev-report=r.json")

    assert (pytester.path / "store.json").read_bytes() == before
