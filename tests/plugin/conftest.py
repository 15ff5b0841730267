"""A small project below pytester: two promises, one reworded, and a judge that needs no core."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import pytest_chidev

Run = Callable[..., pytest.RunResult]

CONFTEST = """
import pytest
from fake_judge import FakeJudge
from pytest_chidev.judge import JUDGE_FACTORY

def pytest_configure(config):
    config.stash[JUDGE_FACTORY] = FakeJudge
"""

OLD = "a discount over 100% is refused"
NEW = "a discount over 90% is refused"
TEXTS = {"discount#C1": [OLD, NEW], "discount#C2": ["it is kept", "it is kept"], "price::Cart.total": ["t", "t"]}


def _loading() -> tuple[str, ...]:
    """`-p` for the plugin, unless it is installed: an entry point and a `-p` would register it twice."""
    installed = any(entry.value == "pytest_chidev.plugin" for entry in entry_points(group="pytest11"))
    return () if installed else ("-p", "pytest_chidev.plugin")


@pytest.fixture
def store(pytester: pytest.Pytester) -> Callable[..., None]:
    """Writes the fake judge's store: `store(recorded=[...])` for the tests that were put, other keys as they are."""

    def write(recorded: tuple[str, ...] | list[str] = (), **more: Any) -> None:
        value = {"texts": TEXTS, "recorded": {key: [] for key in recorded}, **more}
        (pytester.path / "store.json").write_text(json.dumps(value), encoding="utf-8")

    return write


@pytest.fixture
def run(pytester: pytest.Pytester, store: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest with the plugin and the fake judge in the test's folder.

    `process=True` for what needs a process of its own: xdist, and what ends a process.
    """
    repository = Path(pytest_chidev.__file__).parents[1]
    monkeypatch.setenv("PYTHONPATH", str(repository))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeini("[pytest]\nstrict_markers = true\n")
    pytester.makeconftest(CONFTEST)
    fake = Path(__file__).with_name("fake_judge.py").read_text(encoding="utf-8")
    (pytester.path / "fake_judge.py").write_text(fake, encoding="utf-8")
    store()

    def run_pytest(*args: str, process: bool = False, plugins: tuple[object, ...] = ()) -> pytest.RunResult:
        if process:
            result = pytester.runpytest_subprocess(*_loading(), *args)
        else:
            # In our process the warnings of pytest-asyncio would be our errors.
            result = pytester.runpytest_inprocess(*_loading(), "-p", "no:asyncio", *args, plugins=list(plugins))
        assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
        return result

    return run_pytest


@pytest.fixture
def report(run: Run, pytester: pytest.Pytester) -> Callable[..., dict[str, Any]]:
    """Runs with --chidev-report and answers with what it wrote."""

    def read(*args: str, process: bool = False) -> dict[str, Any]:
        run("--chidev-report=report.json", *args, process=process)
        value: dict[str, Any] = json.loads((pytester.path / "report.json").read_text(encoding="utf-8"))
        return value

    return read
