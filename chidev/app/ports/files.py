"""What reads a `source_file` or a `code_file`: a text below the project's root.

Source: specification, "Operations" (source_file, code_file); open-points 28.
"""

from __future__ import annotations

from typing import Protocol


class FileRefused(Exception):
    """A path may not be used or its file cannot be read; `path` as it was written, `reason` one short clause."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ProjectFiles(Protocol):
    def read_text(self, path: str) -> str:
        """The text of a file below the root, each character as it is (a carriage return too): `"def f(): ...\\n"`.

        Raises:
            FileRefused: an absolute path, a part `..`, nothing there, no regular file, a real path outside the root,
                text that is not UTF-8, a file over the size limit, or an error of the system.
        """
        ...
