"""The tutorials: the first from an empty folder to its end, the second on the example project."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.docs.page import ROOT, Folder, blocks_of


def test_each_command_prints_what_the_tutorial_shows(tmp_path: Path) -> None:
    Folder(tmp_path).follow(blocks_of("docs/tutorial.md"))


def test_a_request_becomes_pinned_code_as_its_page_shows(tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns(".chidev", ".*_cache", "__pycache__")
    project = shutil.copytree(ROOT / "examples" / "pricing", tmp_path / "pricing", ignore=ignored)

    Folder(project).follow(blocks_of("docs/from-a-request.md"))
