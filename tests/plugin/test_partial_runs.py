"""A run that saw only a part says nothing of what it did not see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.plugin.conftest import Run

Report = Callable[..., dict[str, Any]]
Store = Callable[..., None]

ONE = """
import pytest

@pytest.mark.cites("discount#C2")
def test_one(): pass

@pytest.mark.cites("discount#C2")
def test_two(): pass
"""
RECORDED = ["test_one.py::test_one", "test_one.py::test_two", "test_one.py::test_was"]
GONE = ["`test_one.py::test_was` is gone"]


@pytest.fixture(autouse=True)
def project(run: Run, store: Store, pytester: pytest.Pytester) -> None:
    """One file with two tests, of which a third was recorded, and another file."""
    pytester.makepyfile(test_one=ONE, test_other="def test_other(): pass")
    store(recorded=RECORDED)


def messages(report: dict[str, Any]) -> list[str]:
    return [finding["message"] for finding in report["findings"]]


@pytest.mark.parametrize(
    "args",
    [(), (".",), ("test_one.py",), ("--ff",), ("-k", "not other"), ("-x",)],
    ids=" ".join,
)
def test_a_file_collected_whole_tells_what_is_gone(report: Report, args: tuple[str, ...]) -> None:
    assert messages(report(*args)) == GONE


def test_a_file_whose_last_mark_went_is_still_looked_at(report: Report, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one="def test_one(): pass")

    assert len(messages(report())) == 3


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("test_one.py", "test_one.py::test_one"), "only some of its tests were asked for"),
        ((".", "test_one.py::test_one"), "only some of its tests were asked for"),
        (("test_one.py::test_one",), "only some of its tests were asked for"),
        (("-k", "one and not two"), "tests of it were deselected"),
        (("-m", "cites and not cites"), "tests of it were deselected"),
        (("--deselect", "test_one.py::test_two"), "tests of it were deselected"),
        (("--lf",), "--lf was given"),
    ],
)
def test_a_narrowed_run_does_not(report: Report, args: tuple[str, ...], reason: str) -> None:
    value = report(*args)

    assert messages(value) == []
    assert value["summary"]["partial"]["test_one.py"] == reason


def test_a_stepwise_run_does_not(report: Report, run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one=ONE.replace("def test_two(): pass", "def test_two(): assert False"))
    run("--sw")

    value = report("--sw")

    assert value["summary"]["partial"] == {"test_one.py": "tests of it were deselected"}


def test_items_that_a_conftest_drops_are_noticed(report: Report, pytester: pytest.Pytester) -> None:
    with (pytester.path / "conftest.py").open("a") as conftest:
        conftest.write("\ndef pytest_collection_modifyitems(items):\n    del items[0]\n")

    assert report()["summary"]["partial"] == {"test_one.py": "tests of it were taken out"}


def test_a_skipped_module_is_not_whole(report: Report, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one="import pytest\npytest.skip('x', allow_module_level=True)")

    assert messages(report()) == []


@pytest.mark.parametrize("fault", ["def test_one(:", "import nowhere_at_all", "raise Exception('\\ud800')"])
def test_a_file_with_an_error_is_not_whole_and_the_others_are_judged(
    report: Report, store: Store, pytester: pytest.Pytester, fault: str
) -> None:
    pytester.makepyfile(test_other=fault)
    store(recorded=[*RECORDED, "test_other.py::test_was"])

    assert messages(report()) == GONE


def test_an_error_with_x_cuts_collection_short(report: Report, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_a="import nowhere_at_all")

    value = report("-x")

    assert messages(value) == []


def test_a_module_named_with_pyargs_is_not_taken_for_whole(report: Report) -> None:
    assert messages(report("--pyargs", "test_one")) == []


def test_a_run_below_a_folder_leaves_the_rest_alone(report: Report, pytester: pytest.Pytester) -> None:
    pytester.mkdir("below").joinpath("test_below.py").write_text("def test_x(): pass")

    assert messages(report("below")) == []


def test_both_processes_of_xdist_see_what_is_partial(report: Report) -> None:
    value = report("-n2", "-k", "one and not two", process=True)

    assert messages(value) == []
    assert value["summary"]["partial"]["test_one.py"] == "tests of it were deselected"


def test_xdist_tells_what_is_gone_once(report: Report) -> None:
    assert messages(report("-n2", process=True)) == GONE
