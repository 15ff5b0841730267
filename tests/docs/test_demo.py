"""`make demo` does its job wherever the project is installed, and leaves the repository as it was."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.docs.page import ROOT


class Shown(msgspec.Struct, frozen=True):
    """One run of the demo: how it ended, and the files of the example before and after it."""

    ended: Any
    before: list[Path]
    after: list[Path]


@pytest.fixture(scope="module")
def demo() -> Shown:
    program = ROOT / "examples" / "demo.py"
    before = example_files()
    ended = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, cwd="/")
    return Shown(ended, before, example_files())


def example_files() -> list[Path]:
    return sorted(path for path in (ROOT / "examples").rglob("*") if not {".mypy_cache", ".ruff_cache"} & {*path.parts})


def test_it_ends_well_and_complains_of_nothing(demo: Shown) -> None:
    assert (demo.ended.returncode, demo.ended.stderr) == (0, "")


def test_nothing_is_found_before_the_promise_is_reworded(demo: Shown) -> None:
    before, _, after = demo.ended.stdout.partition("$ chidev exec ops/40-reworded.jsonl")

    assert "chidev: no findings" in before
    assert "chidev: no findings" not in after


def test_the_stale_tests_are_told_with_the_old_and_the_new_words(demo: Shown) -> None:
    told = re.findall(r"(tests/\w+\.py):\d+: warning cite\.stale: .*\n    (.*)", demo.ended.stdout)

    words = "a discount over [-100%-]{+90%+} is refused"
    assert told == [("tests/test_cart.py", words), ("tests/test_discount.py", words)]


def test_the_example_is_left_as_it_was(demo: Shown) -> None:
    assert demo.after == demo.before
