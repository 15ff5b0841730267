"""When a run has seen every test file, so that one it did not see is gone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_chidev.selection import Selection

Complete = Callable[..., bool]


@pytest.fixture
def complete(pytester: pytest.Pytester) -> Complete:
    """Whether a run with these arguments, in which nothing special happened, is complete."""
    pytester.mkdir("tests")

    def ask(*args: str) -> bool:
        selection = Selection(pytester.parseconfig(*args))
        selection.modified([], [])
        return selection.complete()

    return ask


@pytest.mark.parametrize("args", [(), (".",), ("tests", "../{name}")], ids=" ".join)
def test_a_run_over_the_root_is_complete(complete: Complete, pytester: pytest.Pytester, args: tuple[str, ...]) -> None:
    assert complete(*(arg.format(name=pytester.path.name) for arg in args))


@pytest.mark.parametrize("args", [("tests",), ("--lf",), ("--ignore=tests",), ("--ignore-glob=x*",)], ids=" ".join)
def test_a_narrowed_run_is_not(complete: Complete, args: tuple[str, ...]) -> None:
    assert not complete(*args)


def test_a_run_over_testpaths_is_complete(complete: Complete, pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\ntestpaths = tests\n")

    assert complete()
    assert not complete("tests")


def test_a_run_from_a_folder_below_is_not(
    complete: Complete, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\n")
    monkeypatch.chdir(pytester.path / "tests")

    assert not complete()


def test_a_collection_that_was_cut_short_is_not(pytester: pytest.Pytester) -> None:
    assert not Selection(pytester.parseconfig()).complete()
