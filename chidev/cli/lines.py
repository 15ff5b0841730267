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
    """Lines as bytes without their line feed, each with whether more input is waiting already.

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

    def __iter__(self) -> Iterator[tuple[bytes, bool]]:
        rest: list[bytes] = []
        while chunk := self._read():
            *lines, tail = chunk.split(b"\n")
            if lines:
                lines[0] = b"".join([*rest, lines[0]])
                rest = []
                last = lines.pop()
                for line in lines:
                    yield line, True
                yield last, bool(tail) or self._more_waits()
            if tail:
                rest.append(tail)
        if rest:
            yield b"".join(rest), False

    def _read(self) -> bytes:
        try:
            return os.read(self._handle, _CHUNK_BYTES)
        except OSError as error:
            error.filename = self._path or "standard input"
            raise

    def _more_waits(self) -> bool:
        """Whether reading would not wait. The end of the input counts as waiting: it comes at once."""
        from select import select

        return bool(select([self._handle], [], [], 0)[0])
