"""What the tests of pages take for the same, and what not."""

from __future__ import annotations

import pytest

from tests.docs.page import Block, Command, commands_of, matches

PRINTED = ["== 1 passed in 0.01s ==", "", "chidev: no findings"]


@pytest.mark.parametrize(
    "shown",
    [
        PRINTED,
        ["=== 1 passed in 2.50s ===", "", "chidev: no findings"],
        ["...", "chidev: no findings"],
        ["== 1 passed...", "...", "chidev: ..."],
        ["..."],
    ],
)
def test_times_widths_and_what_is_left_out_may_differ(shown: list[str]) -> None:
    assert matches(shown, PRINTED)


@pytest.mark.parametrize(
    "shown",
    [
        [],
        ["..", "...", "chidev: no findings"],
        PRINTED[:-1],
        [*PRINTED, "more"],
        ["== 2 passed in 0.01s ==", "", "chidev: no findings"],
        ["...", "chidev: no finding"],
    ],
)
def test_any_other_line_does_not(shown: list[str]) -> None:
    assert not matches(shown, PRINTED)


def test_a_console_block_is_commands_and_what_they_print() -> None:
    block = Block("console", None, "$ true\n$ echo a; echo\na\n\n")

    assert list(commands_of(block)) == [Command("true", []), Command("echo a; echo", ["a"])]
    assert matches([], [""])
