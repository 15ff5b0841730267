"""`make demo` does its job wherever the project is installed, and leaves the repository as it was."""

from __future__ import annotations

import subprocess
import sys

from tests.docs.page import ROOT


def demo() -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROOT / "examples" / "demo.py")], capture_output=True, text=True, check=False, cwd="/"
    )


def test_it_shows_the_stale_tests_with_the_old_and_the_new_words() -> None:
    ended = demo()

    assert (ended.returncode, ended.stderr) == (0, "")
    assert "chidev: no findings" in ended.stdout
    for test in ("tests/test_cart.py:34", "tests/test_discount.py:10"):
        assert f"{test}: warning cite.stale" in ended.stdout
    assert ended.stdout.count("a discount over [-100%-]{+90%+} is refused") == 2


def test_it_leaves_the_example_as_it_was() -> None:
    before = sorted((ROOT / "examples").rglob("*"))

    demo()

    assert sorted((ROOT / "examples").rglob("*")) == before
