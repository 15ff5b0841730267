"""What the README shows is what a person gets who does it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.page import ROOT, Folder, blocks_of

README = "README.md"


def test_the_first_screen_is_what_its_example_prints(tmp_path: Path) -> None:
    blocks = blocks_of(README)
    first_screen = next(block for block in blocks if block.language == "console")
    rest = [block for block in blocks if block is not first_screen]

    Folder(tmp_path).follow([*rest, first_screen])


def test_the_first_screen_shows_a_marked_test_the_command_and_its_finding() -> None:
    head = (ROOT / README).read_text(encoding="utf-8").split("\n")[:40]

    assert [
        word
        for word in ("pytest.mark.cites", "$ pytest --chidev-check", "make demo", "make test")
        if word not in "\n".join(head)
    ] == []


@pytest.mark.parametrize("page", [README, "CONTRIBUTING.md", "CHANGELOG.md", "changelog.d/README.md"])
def test_every_link_leads_to_something_of_the_repository(page: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / page).read_text(encoding="utf-8"))

    assert [link for link in links if not (ROOT / page).parent.joinpath(link).exists()] == []
