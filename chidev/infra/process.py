"""Running a program as data: no shell, a time it has, capped output, and nothing of it left behind.

Source: design, "What must always hold"; open-points 26.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from enum import StrEnum
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from chidev.infra.process_tree import ProcessTree, Stopped

if TYPE_CHECKING:
    import selectors
    import subprocess

_CHUNK_BYTES = 1 << 16
_STDERR_KEPT_BYTES = 4096
_GRACE_S = 0.2  # a child in the background may hold the output open after the program has ended
_POLL_S = 0.01
_WORD_SHOWN = 80


class Outcome(StrEnum):
    """How a run ended; whatever it was, no process of it is left."""

    ENDED = "ended"
    TIMED_OUT = "timed out"
    OUTPUT_LIMIT = "output limit"
    NOT_STARTED = "not started"


class Ended(msgspec.Struct, frozen=True):
    """What is known of a run.

    Attributes:
        exit_code: the program's status, or the number of the signal that ended it, negative.
        stdout: what it printed, `stdout_limit_bytes` of it at most.
        stderr: the end of its diagnostics, 4096 bytes at most; what is not UTF-8 in it is replaced.
        reason: why it could not be started, one line that begins with its name; else empty.
    """

    outcome: Outcome
    exit_code: int = 0
    stdout: bytes = b""
    stderr: str = ""
    reason: str = ""


def run(
    command: Sequence[str],
    *,
    cwd: str,
    stdin: bytes,
    timeout_s: float,
    stdout_limit_bytes: int,
    env: Mapping[str, str] | None = None,
) -> Ended:
    """Run a program in a session of its own and end its whole process tree, however it ends.

    An exception that comes meanwhile (`KeyboardInterrupt`) leaves this function after the tree was ended.

    Args:
        command: the program and its arguments. A first word with a slash is relative to `cwd`, else PATH is walked.
        stdin: what it is sent; one that does not read it is no failure.
        timeout_s: seconds from the call until it is ended.
        stdout_limit_bytes: a program that prints more is ended.
        env: its whole environment; None is this process's own. `CHIDEV_RUN` is added to either.
    """
    deadline = monotonic() + timeout_s
    tree = ProcessTree()
    try:
        try:
            tree.begin()
            try:
                process = tree.start(command, cwd, os.environ if env is None else env)
            except (OSError, ValueError) as error:
                return Ended(Outcome.NOT_STARTED, reason=_why_not_started(error, command[0], cwd))
            with _Pipes(process, stdin, stdout_limit_bytes) as pipes:
                outcome = pipes.drain(deadline)
                exit_code = tree.end()
        finally:
            try:
                tree.finish()
            finally:
                tree.finish()  # a second Ctrl-C in the very moment in which the first one began to finish it
    except Stopped as stopped:
        os.kill(os.getpid(), stopped.number)
        raise
    stderr = pipes.stderr.decode("utf-8", "replace")
    return Ended(outcome, exit_code, bytes(pipes.stdout[:stdout_limit_bytes]), stderr)


def shown(text: str, limit: int = _WORD_SHOWN) -> str:
    """A text that came from outside as part of one line: what cannot be printed is escaped, a long one is cut."""
    line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text[: limit + 1])
    return line if len(line) <= limit else line[: limit - 3] + "..."


def _why_not_started(error: OSError | ValueError, word: str, cwd: str) -> str:
    """The reason, beginning with the program's name; a bare word is not looked for a second time."""
    if isinstance(error, ValueError):
        clause = f"cannot be started: {shown(str(error))}"  # a NUL in a word, say
    elif error.filename == cwd:
        clause = f"cannot be started in `{shown(cwd)}`: {_said(error)}"
    elif "/" in word:
        clause = _why_not_executed(error, os.path.join(cwd, word))
    elif isinstance(error, FileNotFoundError):
        clause = "is not on PATH, or the interpreter that its first line names is not there"
    else:
        clause = f"cannot be started: {_said(error)}"
    return f"`{shown(word)}` {clause}"


def _why_not_executed(error: OSError, path: str) -> str:
    if os.path.isdir(path):
        return "is a directory"
    if isinstance(error, FileNotFoundError | NotADirectoryError) and not os.path.exists(path):
        return "is not there"
    if isinstance(error, FileNotFoundError | PermissionError) and os.access(path, os.X_OK):
        return f"cannot be started: the interpreter that its first line names: {_said(error)}"
    return f"cannot be started: {_said(error)}"


def _said(error: OSError) -> str:
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]


class _Pipes:
    """The three pipes of a program, served together so that none of them blocks another."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, stdout_limit_bytes: int) -> None:
        import selectors

        self._process = process
        self._to_send = memoryview(stdin)
        self._limit_bytes = stdout_limit_bytes
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._selector = selectors.DefaultSelector()
        self._handles = [pipe.fileno() for pipe in (process.stdin, process.stdout, process.stderr) if pipe]
        serve = (self._send, self._take_stdout, self._take_stderr)
        events = (selectors.EVENT_WRITE, selectors.EVENT_READ, selectors.EVENT_READ)
        for handle, event, function in zip(self._handles, events, serve, strict=True):
            os.set_blocking(handle, False)
            self._selector.register(handle, event, function)
        self._reading = 2
        self._has_ended = False
        self._end_handle = _end_handle(process.pid)
        if self._end_handle is not None:
            self._selector.register(self._end_handle, selectors.EVENT_READ, self._note_end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()
        if self._end_handle is not None:
            os.close(self._end_handle)

    def drain(self, deadline: float) -> Outcome:
        """Serve the pipes until the program has ended and its output is read, or it has to be ended."""
        until = deadline
        while (left_s := until - monotonic()) > 0:
            self._wait(left_s)
            if len(self.stdout) > self._limit_bytes:
                return Outcome.OUTPUT_LIMIT
            if self._has_ended and not self._reading:
                return Outcome.ENDED
            if self._has_ended and until == deadline:
                until = min(deadline, monotonic() + _GRACE_S)
        return Outcome.ENDED if self._has_ended else Outcome.TIMED_OUT

    def _wait(self, at_most_s: float) -> None:
        polls = self._end_handle is None and not self._has_ended
        for key, _ in self._selector.select(min(at_most_s, _POLL_S) if polls else at_most_s):
            key.data(key)
        if polls:
            self._has_ended = _is_zombie(self._process)

    def _note_end(self, key: selectors.SelectorKey) -> None:
        self._has_ended = True
        self._selector.unregister(key.fileobj)

    def _take_stdout(self, key: selectors.SelectorKey) -> None:
        self.stdout += self._read(key)

    def _take_stderr(self, key: selectors.SelectorKey) -> None:
        self.stderr += self._read(key)
        del self.stderr[:-_STDERR_KEPT_BYTES]

    def _read(self, key: selectors.SelectorKey) -> bytes:
        data = os.read(key.fd, _CHUNK_BYTES)
        if not data:
            self._reading -= 1
            self._selector.unregister(key.fileobj)
        return data

    def _send(self, key: selectors.SelectorKey) -> None:
        try:
            self._to_send = self._to_send[os.write(key.fd, self._to_send[:_CHUNK_BYTES]) :]
        except BrokenPipeError:
            self._to_send = self._to_send[:0]
        if not self._to_send and self._process.stdin:
            self._selector.unregister(key.fileobj)
            self._process.stdin.close()


def _end_handle(pid: int) -> int | None:
    """What becomes readable when a child ends; None where the system has no such thing."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None


def _is_zombie(process: subprocess.Popen[bytes]) -> bool:
    """Whether a child has ended; where that can be told it is not reaped, so that its group keeps its number."""
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True  # this process ignores the ends of its children
