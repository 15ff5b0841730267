"""What a person who runs `pytest --chidev-check` reads at the end of the run, and its exit status."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.plugin.conftest import Run

STALE = """
import pytest

@pytest.mark.cites("discount", "C1")
def test_refuses():
    pass

@pytest.mark.cites("discount", "C2")
def test_keeps():
    pass
"""
UNKNOWN = """
import pytest

@pytest.mark.cites("discont", "C1")
def test_refuses():
    pass
"""
STALE_LINE = "test_price.py:3: warning cite.stale: `test_refuses` cites `discount#C1`, which changed"

Store = Callable[..., None]


def assert_found(result: pytest.RunResult, *lines: str) -> None:
    """Exactly these lines stand in the section of findings, before the counts."""
    text = result.stdout.str()
    assert text.count("= chidev findings =") == 1
    section = text.split(" chidev findings ", 1)[1].splitlines()[1:]
    end = next(number for number, line in enumerate(section) if line.startswith("chidev: ") and "error:" not in line)
    assert section[:end] == list(lines)


def test_a_stale_citation_is_one_line_with_its_place(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check")

    assert_found(result, STALE_LINE)
    result.assert_outcomes(passed=2)


def test_a_warning_leaves_the_exit_status(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check")

    assert result.ret == pytest.ExitCode.OK
    assert "chidev: 1 warning (more: pytest --chidev-check -v)" in result.stdout.lines


def test_an_error_fails_a_run_whose_tests_pass(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=UNKNOWN)

    result = run("--chidev-check")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=1)
    assert "chidev: 1 error (more: pytest --chidev-check -v)" in result.stdout.lines


def test_a_run_without_findings_says_so(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price="def test_plain(): pass")

    result = run("--chidev-check")

    assert_found(result)
    assert "chidev: no findings" in result.stdout.lines


def test_verbose_shows_both_sentences_word_by_word(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check", "-v")

    assert_found(result, STALE_LINE, "    a discount over [-100%-]{+90%+} is refused")


def test_collect_only_checks_and_runs_no_test(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=UNKNOWN)

    result = run("--chidev-check", "--collect-only")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "chidev: 1 error (more: pytest --chidev-check -v)" in result.stdout.lines
    result.assert_outcomes()


def test_the_list_of_collect_only_is_not_disturbed(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check", "--collect-only", "-qq")

    assert result.stdout.lines[0] == "test_price.py: 2"
    assert result.stdout.lines[-1] == "chidev: 1 warning (more: pytest --chidev-check -v)"
    result.stdout.no_fnmatch_line("*cite.stale*")


def test_quiet_still_names_each_finding(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check", "-q")

    assert_found(result, STALE_LINE)


def test_no_summary_prints_nothing_and_keeps_the_status(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=UNKNOWN)

    result = run("--chidev-check", "--no-summary", "--no-header")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.no_fnmatch_line("*chidev*")


def test_without_a_terminal_the_status_is_kept(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=UNKNOWN)

    result = run("--chidev-check", "-p", "no:terminal")

    assert result.ret == pytest.ExitCode.TESTS_FAILED


@pytest.mark.parametrize("args", [("-p", "no:cacheprovider"), ("-x",), ("--ff",), ("--maxfail=1",)], ids=" ".join)
def test_other_options_change_nothing(run: Run, pytester: pytest.Pytester, args: tuple[str, ...]) -> None:
    pytester.makepyfile(test_price=STALE)

    result = run("--chidev-check", *args)

    assert_found(result, STALE_LINE)


def test_the_first_failure_with_x_does_not_hide_a_finding(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_a="def test_fails(): assert False", test_price=UNKNOWN)

    result = run("--chidev-check", "-x")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "chidev: 1 error (more: pytest --chidev-check -v)" in result.stdout.lines


def test_two_processes_give_one_answer(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE, test_other=UNKNOWN)

    result = run("--chidev-check", "-n", "2", process=True)

    assert_found(
        result,
        "test_other.py:3: error test.unknown-citation: `test_refuses` cites `discont#C1`, which is not there",
        STALE_LINE,
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=3)


@pytest.mark.parametrize(
    "args", [("--dist", "each", "--tx", "2*popen"), ("-n2", "-x"), ("-n2", "--collect-only")], ids=" ".join
)
def test_xdist_in_other_ways_gives_one_answer(run: Run, pytester: pytest.Pytester, args: tuple[str, ...]) -> None:
    pytester.makepyfile(test_a="def test_fails(): assert False", test_price=STALE)

    result = run("--chidev-check", *args, process=True)

    assert_found(result, STALE_LINE)


def test_asynchronous_tests_are_told_as_others_are(run: Run, pytester: pytest.Pytester) -> None:
    pytest.importorskip("pytest_asyncio")
    pytester.makepyfile(
        test_price=STALE.replace("\ndef test_refuses", "\n@pytest.mark.asyncio\nasync def test_refuses")
    )

    result = run("--chidev-check", process=True)

    assert_found(result, STALE_LINE)
    result.assert_outcomes(passed=2)


def test_a_crashed_worker_is_passed_over(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_a="import os\ndef test_dies():\n    if os.environ['PYTEST_XDIST_WORKER'] == 'gw0': os._exit(3)",
        test_price=STALE,
    )

    result = run("--chidev-check", "-n", "2", process=True)

    assert_found(result, STALE_LINE)


def test_a_store_that_gives_no_answer_is_one_line_and_status_1(
    run: Run, store: Store, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_price=STALE)
    store(fault="refuse")

    result = run("--chidev-check")

    assert "chidev: error: the store `.chidev/chidev.db` is locked" in result.stdout.lines
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)


def test_a_fault_of_ours_is_one_line_and_the_tests_run(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)
    store(fault="crash")

    result = run("--chidev-check")

    result.stdout.fnmatch_lines(
        ["chidev: error: a fault of pytest-chidev at fake_judge.py:*: ZeroDivisionError: this judge?nis broken"]
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)


def test_a_fault_in_the_workers_is_told_once(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)
    store(fault="refuse")

    result = run("--chidev-check", "-n2", process=True)

    assert result.stdout.str().count("is locked") == 1
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_settings_at_fault_are_a_usage_error(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=STALE)
    store(fault="settings")

    result = run("--chidev-check")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: chidev: chidev.toml: the key `stroe` is not known"])


def test_a_note_is_told_before_the_findings(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price="def test_plain(): pass")
    store(notes=["the store is empty: run `chidev exec ops.jsonl`"])

    result = run("--chidev-check")

    result.stdout.fnmatch_lines(["chidev: the store is empty: run `chidev exec ops.jsonl`", "chidev: no findings"])


def test_a_wrong_argument_is_left_to_pytest(run: Run) -> None:
    result = run("--chidev-check", "nowhere.py")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stdout.no_fnmatch_line("*chidev findings*")


def test_the_marker_is_listed_also_without_an_option(run: Run) -> None:
    result = run("--markers")

    result.stdout.fnmatch_lines(["@pytest.mark.cites(contract, *labels): *"])
