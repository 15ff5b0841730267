"""Lines of a file or of standard input, as they come.

Source: specification, "Operations" (exec); design, "The store" (groups while more input is waiting).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Self

_CHUNK_BYTES = 1 << 18


class LineSource:
    """Lines as bytes without their line feed; None comes before reading on would have to wait.

    Only a line feed ends a line; the last line may lack it.

    Args:
        path: relative to the working directory; None is standard input.

    Raises:
        OSError: when it is entered, or while it is read.
    """

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._handle = 0

    def __enter__(self) -> Self:
        if self._path is not None:
            self._handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if self._path is not None:
            os.close(self._handle)

    def __iter__(self) -> Iterator[bytes | None]:
        rest: list[bytes] = []
        while True:
            if not self._is_ready():
                yield None
            chunk = self._read()
            if not chunk:
                break
            *lines, tail = chunk.split(b"\n")
            if lines:
                yield b"".join([*rest, lines[0]])
                yield from lines[1:]
                rest = []
            if tail:
                rest.append(tail)
        if rest:
            yield b"".join(rest)

    def _read(self) -> bytes:
        try:
            return os.read(self._handle, _CHUNK_BYTES)
        except OSError as error:
            error.filename = self._path or "standard input"
            raise

    def _is_ready(self) -> bool:
        """Whether reading would not wait; a regular file and the end of an input are always ready."""
        from select import select

        return bool(select([self._handle], [], [], 0)[0])
