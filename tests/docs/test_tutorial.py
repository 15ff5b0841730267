"""The tutorial, followed from an empty folder to its end."""

from __future__ import annotations

from pathlib import Path

from tests.docs.page import Folder, blocks_of


def test_each_command_prints_what_the_tutorial_shows(tmp_path: Path) -> None:
    Folder(tmp_path).follow(blocks_of("docs/tutorial.md"))
