"""Text for a person: as wide as the terminal, with styles only where a terminal shows them.

Source: pytest-conventions.md, section 9 in spirit (no colour when piped); design, "Libraries" (rich).
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from textwrap import wrap

PLAIN_WIDTH = 100  # columns, where there is no terminal
NARROWEST = 40  # columns; below it words are broken at every turn
STEP = 2  # columns of one indent
STYLES = {"heading": "bold", "error": "red", "warning": "yellow", "note": "cyan", "weak": "dim"}


class Page:
    """Lines of a page, wrapped to a width."""

    def __init__(self, width: int) -> None:
        self._width = max(width, NARROWEST)
        self.lines: list[tuple[str, str]] = []

    def heading(self, text: str) -> None:
        """A line of its own, with an empty one before it unless it is the first."""
        if self.lines:
            self.lines.append(("", ""))
        self.add(text, style="heading")

    def add(self, text: str, indent: int = 0, style: str = "", mark: str = "") -> None:
        """A text of one or more lines; what does not fit goes below its beginning.

        Args:
            indent: how many steps to the right.
            mark: what stands before the first line, such as `- `.
        """
        left = " " * (indent * STEP)
        for n, line in enumerate(text.splitlines() or [""]):
            first = left + (mark if n == 0 else " " * len(mark))
            shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in line)
            wrapped = wrap(
                shown,
                self._width,
                initial_indent=first,
                subsequent_indent=left + " " * len(mark),
                break_on_hyphens=False,
            )
            self.lines += [(one, style) for one in wrapped or [first.rstrip()]]

    def items(self, texts: Iterable[str], indent: int = 0, style: str = "") -> None:
        """Each text with a mark before it."""
        for text in texts:
            self.add(text, indent, style, mark="- ")


def terminal_width() -> int:
    """The columns of the terminal, or of `COLUMNS`; without either, those of a plain page."""
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        return shutil.get_terminal_size((PLAIN_WIDTH, 24)).columns
    return PLAIN_WIDTH


def print_page(page: Page) -> None:
    """Print the lines; rich colours them on a terminal, unless `NO_COLOR` is set."""
    if not sys.stdout.isatty():
        sys.stdout.write("".join(f"{line}\n" for line, _ in page.lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for line, style in page.lines:
        console.print(Text(line, STYLES.get(style, "")))
