"""Texts below the project's root, read as they are.

Source: specification, "Operations" (source_file, code_file); open-points 28.
"""

from __future__ import annotations

import os
import stat

from chidev.app.ports.files import FileRefused

SIZE_LIMIT_BYTES = 16 * 1024 * 1024


class DiskFiles:
    """Implements `app.ports.files.ProjectFiles` below a directory.

    Args:
        root: the project's root, absolute.
        size_limit_bytes: a larger file is refused.
    """

    def __init__(self, root: str, size_limit_bytes: int = SIZE_LIMIT_BYTES) -> None:
        self._root = root
        self._size_limit_bytes = size_limit_bytes

    def read_text(self, path: str) -> str:
        self._refuse_leaving(path)
        try:
            data = self._read(path)
        except OSError as error:
            raise FileRefused(path, _reason(error)) from None
        try:
            return data.decode()
        except UnicodeDecodeError as error:
            raise FileRefused(path, f"it is not UTF-8 text (byte {error.start})") from None

    @staticmethod
    def _refuse_leaving(path: str) -> None:
        """What can be seen without looking at any file."""
        if not path or "\0" in path:
            raise FileRefused(path.replace("\0", "\\0"), "it names no file")
        if path.startswith("/"):
            raise FileRefused(path, "it is absolute; paths are relative to the project's root")
        if ".." in path.split("/"):
            raise FileRefused(path, "it has a part `..`; paths stay below the project's root")

    def _read(self, path: str) -> bytes:
        """The bytes of a regular file. What is opened is judged, not what had the name a moment before."""
        handle = os.open(os.path.join(self._root, path), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        with open(handle, "rb") as file:
            facts = os.fstat(handle)
            if not stat.S_ISREG(facts.st_mode):
                raise FileRefused(path, f"it is {_kind(facts.st_mode)}, not a regular file")
            self._refuse_outside(path, handle, facts)
            if facts.st_size > self._size_limit_bytes:
                raise FileRefused(path, f"it has {facts.st_size} bytes; at most {self._size_limit_bytes} are read")
            return file.read(self._size_limit_bytes + 1)

    def _refuse_outside(self, path: str, handle: int, facts: os.stat_result) -> None:
        """A link may lead to another place of the project, and nowhere else."""
        by_handle = f"/proc/self/fd/{handle}"
        real = os.path.realpath(by_handle if os.path.exists(by_handle) else os.path.join(self._root, path))
        now = os.stat(real)
        root = os.path.realpath(self._root)
        same = (now.st_dev, now.st_ino) == (facts.st_dev, facts.st_ino)
        if not same or os.path.commonpath([root, real]) != root:
            raise FileRefused(path, "it leads out of the project's root")


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory"
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a socket" if stat.S_ISSOCK(mode) else "a device"


def _reason(error: OSError) -> str:
    """What the system says, as the end of a sentence."""
    words = {FileNotFoundError: "there is no such file", PermissionError: "it may not be read"}
    said = os.strerror(error.errno) if error.errno else str(error)
    return words.get(type(error), said[:1].lower() + said[1:])
