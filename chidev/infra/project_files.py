"""Texts below the project's root, read as they are.

Source: specification, "Operations" (source_file, code_file); open-points 28.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from errno import EACCES, EISDIR, ELOOP, ENAMETOOLONG, ENOENT, ENOTDIR, ENXIO, EPERM

from chidev.app.ports.files import FileRefused

SIZE_LIMIT_BYTES = 16 * 1024 * 1024
# Part by part and never through a link: the path was resolved before, so a link met now was put there since then.
_FOLDER = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | getattr(os, "O_PATH", os.O_RDONLY)
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
_KINDS: tuple[tuple[Callable[[int], bool], str], ...] = (
    (stat.S_ISDIR, "it is a directory"),
    (stat.S_ISFIFO, "it is a FIFO, not a file"),
    (stat.S_ISSOCK, "it is a socket, not a file"),
    (stat.S_ISLNK, "a part of it was replaced by a link while it was read"),
)
_REASONS = {
    EACCES: "it may not be read",
    EISDIR: "it is a directory",
    ELOOP: "its links lead in a circle",
    ENAMETOOLONG: "the name is too long",
    ENOENT: "there is no such file",
    ENOTDIR: "a part of it is a file, not a directory",
    ENXIO: "it is a device, not a file",
    EPERM: "it may not be read",
}


class DiskFiles:
    """Implements `app.ports.files.ProjectFiles` below a directory.

    Args:
        root: the project's root, absolute; it may be reached through links.
        size_limit_bytes: a larger file is refused.
    """

    def __init__(self, root: str, size_limit_bytes: int = SIZE_LIMIT_BYTES) -> None:
        self._root = root
        self._size_limit_bytes = size_limit_bytes

    def read_text(self, path: str) -> str:
        _refuse_leaving(path)
        try:
            data = self._bytes(path)
        except OSError as error:
            raise FileRefused(path, _reason(error)) from None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise FileRefused(path, f"it is not UTF-8 text (the byte at offset {error.start})") from None

    def _bytes(self, path: str) -> bytes:
        """What the file holds.

        Raises:
            FileRefused: it is outside the root, no regular file, or too large.
            OSError: whatever the system has against it.
        """
        with open(self._opened(path), "rb") as file:
            facts = os.fstat(file.fileno())
            _refuse_kind(path, facts.st_mode)
            if facts.st_size <= self._size_limit_bytes:
                data = file.read(self._size_limit_bytes + 1)
                if len(data) <= self._size_limit_bytes:
                    return data
        raise FileRefused(path, f"it has more than {self._size_limit_bytes} bytes")

    def _opened(self, path: str) -> int:
        """A handle on the file, which was below the root when it was opened. What is no regular file is not opened."""
        named = os.path.join(self._root, path)
        os.stat(named)  # the system's own word first: `realpath` takes "file/." for "file"
        root = os.path.realpath(self._root, strict=True)
        real = os.path.realpath(named, strict=True)
        if os.path.commonpath([root, real]) != root:
            raise FileRefused(path, "it leads out of the project's root")
        *folders, name = os.path.relpath(real, root).split("/")
        folder = os.open(root, _FOLDER)
        try:
            for part in folders:
                inner = os.open(part, _FOLDER, dir_fd=folder)
                os.close(folder)
                folder = inner
            _refuse_kind(path, os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            return os.open(name, _FILE, dir_fd=folder)
        finally:
            os.close(folder)


def _refuse_leaving(path: str) -> None:
    """What can be seen without looking at any file."""
    if not path:
        raise FileRefused(path, "it names no file")
    if "\0" in path or not _is_encodable(path):
        raise FileRefused(path, "no file can have that name")
    if path.startswith("/"):
        raise FileRefused(path, "it is absolute; paths are relative to the project's root")
    if ".." in path.split("/"):
        raise FileRefused(path, "it has a part `..`; paths stay below the project's root")


def _is_encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def _refuse_kind(path: str, mode: int) -> None:
    if not stat.S_ISREG(mode):
        reasons = (reason for is_kind, reason in _KINDS if is_kind(mode))
        raise FileRefused(path, next(reasons, "it is a device, not a file"))


def _reason(error: OSError) -> str:
    """What the system says, as the end of a sentence."""
    said = error.strerror or str(error)
    return _REASONS.get(error.errno or 0, said[:1].lower() + said[1:])
