"""Running a program as data: without a shell, within a time, its output capped, and nothing of it left behind.

Source: design, "What must always hold"; open-points 26.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from time import monotonic, sleep

import msgspec

_CHUNK_BYTES = 1 << 16
_STDERR_KEPT_BYTES = 4096
_GRACE_S = 0.2  # a child in the background may hold the output open after the program has ended
_REAP_S = 2.0
_PR_SET_CHILD_SUBREAPER = 36
_PR_GET_CHILD_SUBREAPER = 37


class Outcome(StrEnum):
    """How a run ended; whatever it was, no process of it is left."""

    ENDED = "ended"
    TIMED_OUT = "timed out"
    OUTPUT_LIMIT = "output limit"
    NOT_STARTED = "not started"


class Ended(msgspec.Struct, frozen=True):
    """What a program left: `exit_code` is negative for a signal, `reason` says why it could not be started."""

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
    """Run a program and end its whole process tree, however it ends.

    Args:
        command: the program and its arguments. A first word with a slash is relative to `cwd`, else PATH is walked.
        stdin: what it is sent; one that does not read it is no failure.
        timeout_s: seconds from the start until it is ended.
        stdout_limit_bytes: a program that prints more is ended.
        env: its whole environment; None is this process's own.
    """
    deadline = monotonic() + timeout_s
    with _tree() as end_tree:
        try:
            process = subprocess.Popen(
                [_located(command[0], cwd), *command[1:]],
                cwd=cwd,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            return Ended(Outcome.NOT_STARTED, reason=_why_not(error, command[0]))
        pipes = _Pipes(process, stdin, stdout_limit_bytes)
        try:
            outcome = pipes.drain(deadline)
        finally:
            end_tree(process)
            pipes.close()
    tail = bytes(pipes.stderr).decode("utf-8", "replace")
    return Ended(outcome, process.returncode, bytes(pipes.stdout), tail)


def _located(word: str, cwd: str) -> str:
    return os.path.join(cwd, word) if "/" in word else word


def _why_not(error: OSError, word: str) -> str:
    if isinstance(error, FileNotFoundError):
        return f"`{word}` is not there, or the program its first line names is not"
    said = os.strerror(error.errno) if error.errno else str(error)
    return f"`{word}` cannot be started: {said[:1].lower()}{said[1:]}"


class _Pipes:
    """The three pipes of a program, served together so that none of them blocks another."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, stdout_limit_bytes: int) -> None:
        self._process = process
        self._to_send = memoryview(stdin)
        self._limit_bytes = stdout_limit_bytes
        self.stdout = bytearray()
        self.stderr = bytearray()
        self._selector = selectors.DefaultSelector()
        for pipe, event in (
            (process.stdin, selectors.EVENT_WRITE),
            (process.stdout, selectors.EVENT_READ),
            (process.stderr, selectors.EVENT_READ),
        ):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                self._selector.register(pipe, event)

    def drain(self, deadline: float) -> Outcome:
        """Serve the pipes until they are closed and the program has ended, or it has to be ended."""
        ended_at: float | None = None
        while True:
            now = monotonic()
            if now >= deadline:
                return Outcome.TIMED_OUT
            if ended_at is None and _has_ended(self._process):
                ended_at = now
            if ended_at is not None and (not self._reads() or now - ended_at > _GRACE_S):
                return Outcome.ENDED
            # Once both outputs are closed only the end of the program is waited for.
            wait_s = 0.002 if not self._reads() else 0.02
            for key, _ in self._selector.select(min(wait_s, deadline - now)) if self._selector.get_map() else ():
                self._serve(key)
            if not self._selector.get_map():
                sleep(0.002)
            if len(self.stdout) > self._limit_bytes:
                return Outcome.OUTPUT_LIMIT

    def _reads(self) -> bool:
        return any(key.events & selectors.EVENT_READ for key in self._selector.get_map().values())

    def _serve(self, key: selectors.SelectorKey) -> None:
        if key.events & selectors.EVENT_WRITE:
            self._send(key)
            return
        data = os.read(key.fd, _CHUNK_BYTES)
        if not data:
            self._selector.unregister(key.fileobj)
        elif key.fileobj is self._process.stdout:
            self.stdout += data
        else:
            self.stderr += data
            del self.stderr[:-_STDERR_KEPT_BYTES]

    def _send(self, key: selectors.SelectorKey) -> None:
        try:
            self._to_send = self._to_send[os.write(key.fd, self._to_send[:_CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._to_send = memoryview(b"")
        if not self._to_send and self._process.stdin:
            self._selector.unregister(key.fileobj)
            self._process.stdin.close()

    def close(self) -> None:
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # it never read what it was sent


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program has ended; it is not reaped, so that its process group keeps its number."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):
        return process.poll() is not None
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


@contextmanager
def _tree() -> Iterator[_EndTree]:
    """What ends the tree of a program that is started inside; orphans of it come to this process meanwhile."""
    adopts = _set_subreaper(adopt=True)
    end = _EndTree()
    try:
        yield end
    finally:
        if adopts:
            _set_subreaper(adopt=False)


class _EndTree:
    """Ends a program, its process group, and what left the group."""

    def __init__(self) -> None:
        self._others = set(_descendants())

    def __call__(self, process: subprocess.Popen[bytes]) -> None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # the group is gone already
        process.wait()
        give_up_at = monotonic() + _REAP_S
        while (left := set(_descendants()) - self._others) and monotonic() < give_up_at:
            for pid in left:
                _kill(pid)
            sleep(0.005)


def _descendants() -> list[int]:
    import psutil

    return [child.pid for child in psutil.Process().children(recursive=True)]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, os.WNOHANG)
    except (ProcessLookupError, ChildProcessError):
        return  # ended by itself, or a child of one that is about to end


def _set_subreaper(*, adopt: bool) -> bool:
    """Whether this made the process take in orphans of its descendants; it does so on Linux."""
    import sys

    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if adopt:
        already = ctypes.c_int()
        libc.prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(already), 0, 0, 0)
        if already.value:
            return False
    return bool(libc.prctl(_PR_SET_CHILD_SUBREAPER, int(adopt), 0, 0, 0) == 0)
