"""A page of documentation as something that can be followed: its files are written, its commands are run.

A code block with a `title` is the file of that name. A block `console` holds commands, each after `$ `, and what they
print: a line `...` stands for any lines, `...` at the end of a line for its rest. Times, ids and the width of pytest's
rules are not compared.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]
_FENCE = re.compile(r"^( *)```([a-z]*)(?: +title=\"([^\"]+)\")?[^\n`]*\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_PASSING = (
    (re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"\bin \d+\.\d+s"), "in <time>"),
    (re.compile(r"={2,}"), "=="),
    (re.compile(r" +(?=\[ *\d+%\])"), " "),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"), "<date>"),
)


class Block(msgspec.Struct, frozen=True):
    """One code block: its language, the name of the file that it is, and its text without the indentation."""

    language: str
    title: str | None
    text: str


class Command(msgspec.Struct, frozen=True):
    """One command of a console block, and the lines that it prints."""

    words: str
    prints: list[str]


def blocks_of(path: str) -> list[Block]:
    """The code blocks of a page, in order.

    Args:
        path: relative to the root of the repository.
    """
    page = (ROOT / path).read_text(encoding="utf-8")
    return [
        Block(language, title, re.sub(rf"^{indent}", "", text, flags=re.MULTILINE))
        for indent, language, title, text in _FENCE.findall(page)
    ]


def commands_of(block: Block) -> Iterator[Command]:
    for text in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        words, *prints = text.rstrip("\n").split("\n")
        yield Command(words, prints)


class Folder:
    """An empty folder in which pages are followed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_", "COLUMNS"))
        }
        # As in an environment where nothing is installed but pytest and this project.
        self._environment |= {
            "PATH": os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]),
            "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:asyncio --color=no",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHON": sys.executable,
        }

    def follow(self, blocks: Sequence[Block]) -> None:
        """Write and run blocks in their order; each command has to print what the page says."""
        for block in blocks:
            if block.title:
                file = self._path / block.title
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block.text, encoding="utf-8")
            elif block.language == "console":
                for command in commands_of(block):
                    self._run(command)

    def _run(self, command: Command) -> None:
        ended = subprocess.run(
            ["bash", "-c", command.words],
            cwd=self._path,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        printed = (ended.stdout + ended.stderr).rstrip("\n").split("\n")
        assert matches(command.prints, printed), f"$ {command.words}\n" + "\n".join(printed)


def matches(expected: Sequence[str], printed: Sequence[str]) -> bool:
    """Whether lines that were printed are those that a page shows."""
    pattern = "".join(_line_pattern(line) for line in expected)
    text = "".join(_steady(line) + "\n" for line in printed if line or len(printed) > 1)
    return re.fullmatch(pattern, text) is not None


def _line_pattern(line: str) -> str:
    if line == "...":
        return r"(?:[^\n]*\n)*"
    if line.endswith("..."):
        return re.escape(_steady(line[:-3])) + r"[^\n]*\n"
    return re.escape(_steady(line)) + "\n"


def _steady(line: str) -> str:
    for passing, word in _PASSING:
        line = passing.sub(word, line)
    return line.rstrip()
