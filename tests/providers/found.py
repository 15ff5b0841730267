"""Sources of the tests of Python Items, and their Items in short form."""

from __future__ import annotations

import re
import sys
import sysconfig
import textwrap
import tokenize
from pathlib import Path

import pytest

from chidev_provider_python.items import find_items

SINCE_312 = pytest.mark.skipif(sys.version_info < (3, 12), reason="syntax of Python 3.12")
SINCE_313 = pytest.mark.skipif(sys.version_info < (3, 13), reason="syntax of Python 3.13")


def drawn(source: str) -> str:
    """A source as it is drawn in a test: indented, after an empty first line."""
    return textwrap.dedent(source).removeprefix("\n")


def keys(source: str) -> str:
    """The keys in order, with a space between, e.g. `"Cart Cart.total"`."""
    return " ".join(item.key for item in find_items(drawn(source)).items)


def left_out(source: str) -> int:
    return find_items(drawn(source)).left_out


def lines(source: str) -> dict[str, tuple[int, int]]:
    """The first and last line of each key; the source is taken as it is."""
    return {item.key: (item.first, item.last) for item in find_items(source).items}


def marked(source: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """A drawn source without its marks, and the lines that they mark.

    A line that ends in `#< key` is one of that key's lines; the lines between two of one key are its lines too.
    """
    expected: dict[str, tuple[int, int]] = {}
    plain: list[str] = []
    for number, line in enumerate(drawn(source).split("\n"), 1):
        text, _, marks = line.partition("#<")
        plain.append(text.rstrip() if marks else line)
        for key in marks.split():
            expected[key] = (expected.get(key, (number,))[0], number)
    return "\n".join(plain), expected


def modules_of_the_interpreter() -> list[str]:
    """The paths of the modules of the running interpreter's library, its own tests and what is installed left out."""
    root = Path(sysconfig.get_path("stdlib"))
    unwanted = re.compile(r"(^|/)(test|tests|site-packages|idle_test)/")
    paths = [path.relative_to(root).as_posix() for path in root.rglob("*.py")]
    return sorted(str(root / path) for path in paths if not unwanted.search(path))


def text_of(path: str) -> str:
    """The text of a Python file with the line ends it has."""
    with open(path, "rb") as file:
        encoding, _ = tokenize.detect_encoding(file.readline)
    with open(path, encoding=encoding, newline="") as text:
        return text.read()
