"""`pytest --chidev-stale` runs the tests with a stale citation and no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugin.conftest import TEXTS, Run

Store = Callable[..., None]

TESTS = """
import pytest

@pytest.mark.cites("discount", "C2")
@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.cites("discount#C1"))])
def test_some(x): pass

@pytest.mark.cites("discount", "C1")
def test_stale(): pass

def test_plain(): assert False
"""


@pytest.fixture(autouse=True)
def project(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS)
    store(recorded=["test_price.py::test_some", "test_price.py::test_stale"])


@pytest.mark.parametrize("args", [(), ("--collect-only",)], ids=" ".join)
def test_only_stale_tests_are_selected(run: Run, args: tuple[str, ...]) -> None:
    result = run("--chidev-stale", "-vv", *args)

    result.stdout.fnmatch_lines(["*collected 4 items / 2 deselected / 2 selected"])
    assert result.ret == pytest.ExitCode.OK


def test_they_run_in_two_processes(run: Run) -> None:
    result = run("--chidev-stale", "-n2", process=True)

    result.assert_outcomes(passed=2)


def test_findings_are_told_only_with_a_check(run: Run) -> None:
    alone, both = run("--chidev-stale"), run("--chidev-stale", "--chidev-check")

    alone.stdout.no_fnmatch_line("*chidev findings*")
    assert "chidev: 2 warnings (more: pytest --chidev-check -v)" in both.stdout.lines


def test_it_narrows_further_what_other_options_select(run: Run) -> None:
    result = run("--chidev-stale", "-k", "some")

    result.assert_outcomes(passed=1, deselected=3)


def test_after_lf_only_the_stale_of_the_failed_are_run(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS.replace("def test_stale(): pass", "def test_stale(): assert False"))
    run()

    result = run("--chidev-stale", "--lf")

    result.assert_outcomes(failed=1, deselected=1)


def test_nothing_stale_runs_nothing_and_says_so(run: Run, store: Store) -> None:
    store(texts={key: [new, new] for key, (_, new) in TEXTS.items()})

    result = run("--chidev-stale")

    assert result.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert "chidev: no test has a stale citation" in result.stdout.lines


@pytest.mark.parametrize("args", [(), ("-n2",)], ids=" ".join)
def test_without_an_answer_no_test_is_run(run: Run, store: Store, args: tuple[str, ...]) -> None:
    store(fault="refuse")

    result = run("--chidev-stale", *args, process=bool(args))

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(deselected=0 if args else 4)
    result.stdout.fnmatch_lines(["chidev: error: the store `.chidev/chidev.db` is locked"])


def test_it_does_not_go_with_an_update(run: Run) -> None:
    result = run("--chidev-stale", "--chidev-update")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: chidev: --chidev-update and --chidev-stale exclude each other: *"])
