"""The test files of a run: each is read once, and its digest, its lines and the text that is kept are of those bytes.

Source: pytest-conventions.md, section 5.
"""

from __future__ import annotations

import hashlib
import os
import stat
from functools import cached_property

from pytest_chidev.case_lines import LineTable, line_table

MOST_BYTES = 64 * 1024 * 1024
"""A test file is not larger; what is would not be kept by the store either."""


class SourceFile:
    """The bytes of one file as they were when it was read.

    Attributes:
        data: the bytes; b"" when the file could not be read.
        problem: why it could not be read, or why it has no lines; None when all is well.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.data = b""
        self._unread: str | None = None
        try:
            self.data = read_regular(path)
        except OSError as error:
            self._unread = f"cannot be read: {error.strerror or error}"

    @property
    def problem(self) -> str | None:
        return self._unread or self.table.problem

    @property
    def text(self) -> str:
        """The text as Python reads it (coding line, no byte order mark), its line ends kept; "" with a problem."""
        return self.table.text

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the bytes, in hexadecimal."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def table(self) -> LineTable:
        """The lines of its tests; parsed when first asked for."""
        return line_table(self.data)

    def moved(self) -> bool:
        """Whether the file holds other bytes now, or can no longer be read."""
        if self._unread:
            return False
        try:
            return read_regular(self.path) != self.data
        except OSError:
            return True


class SourceFiles:
    """The files below a root by the path that node ids have (relative to the root, with "/")."""

    def __init__(self, rootpath: str) -> None:
        self.rootpath = rootpath
        self._files: dict[str, SourceFile] = {}

    def __getitem__(self, path: str) -> SourceFile:
        """The file, read at the first call. A file that cannot be read is one with a `problem`."""
        if path not in self._files:
            self._files[path] = SourceFile(os.path.normpath(os.path.join(self.rootpath, path)))
        return self._files[path]

    def moved(self) -> frozenset[str]:
        """The paths of the files that were read and hold other bytes now."""
        return frozenset(path for path, file in self._files.items() if file.moved())


def read_regular(path: str) -> bytes:
    """The bytes of a regular file; a FIFO or a device is never opened.

    Raises:
        OSError: it is not there, not regular, too large, or cannot be read.
    """
    facts = os.stat(path)
    if not stat.S_ISREG(facts.st_mode):
        raise OSError("it is not a regular file")
    if facts.st_size > MOST_BYTES:
        raise OSError(f"it is larger than {MOST_BYTES} bytes")
    with open(path, "rb") as file:
        return file.read()
