"""The how-to pages, each followed on the example project as they say."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs.page import ROOT, Block, Folder, blocks_of

PAGES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs" / "how-to").glob("*.md"))
SET_UP = Block(
    "console",
    None,
    "$ for file in ops/10* ops/20*; do chidev exec $file; done > /dev/null\n"
    "$ pytest --chidev-update -q > /dev/null\n"
    "$ chidev exec ops/30-pins.jsonl > /dev/null\n",
)


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example project with its model put, to be copied."""
    ignored = shutil.ignore_patterns(".chidev", ".*_cache", "__pycache__")
    path = tmp_path_factory.mktemp("example") / "pricing"
    shutil.copytree(ROOT / "examples" / "pricing", path, ignore=ignored)
    Folder(path).follow([SET_UP])
    return path


@pytest.mark.parametrize("page", PAGES)
def test_each_command_prints_what_the_page_shows(page: str, example: Path, tmp_path: Path) -> None:
    project = shutil.copytree(example, tmp_path / "pricing")

    Folder(project).follow(blocks_of(page))
