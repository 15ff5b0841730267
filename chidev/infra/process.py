"""Running a program as data: no shell, a time it has, capped output, and nothing of it left behind.

How the processes of a run are found, so that they can be ended, those too that left its process group:

- Where this process has one thread and no child (a command of chidev), it takes in the orphans of its descendants for
  the time of the run. Every process below it is then of the run, whatever became of its group, session or environment.
- Elsewhere (threads, xdist, no Linux) what is below the program is of the run, and what inherited a word in its
  environment that no other run has. Taking in orphans would mix those of several runs, and of other libraries.

Source: design, "What must always hold"; open-points 26.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from time import monotonic, sleep
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

if TYPE_CHECKING:
    import selectors
    import subprocess

MARK = "CHIDEV_RUN"  # in the environment of a program: the words of the runs it is part of
_CHUNK_BYTES = 1 << 16
_STDERR_KEPT_BYTES = 4096
_GRACE_S = 0.2  # a child in the background may hold the output open after the program has ended
_GIVE_UP_S = 2.0  # what cannot be killed for so long is another user's, or waits for a device
_PAUSE_S = 0.001
_POLL_S = 0.01
_WORD_SHOWN = 80
_PR_SET_CHILD_SUBREAPER, _PR_GET_CHILD_SUBREAPER = 36, 37  # <linux/prctl.h>
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


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
    tree = _Tree()
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
    except _Stopped as stopped:
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


class _Stopped(BaseException):
    """A signal came that ends a process which does not handle it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _stop(number: int, _: FrameType | None) -> None:
    raise _Stopped(number)


class _Tree:
    """The processes of a run, and what this process is changed in for the time of it."""

    def __init__(self) -> None:
        self._word = os.urandom(8).hex()
        self._process: subprocess.Popen[bytes] | None = None
        self._was_subreaper: int | None = None  # None: orphans are not taken in
        self._handled: list[int] = []
        self._is_ended = self._is_finished = False

    def begin(self) -> None:
        """Take in orphans where each that comes is one of this run, and let no signal end this process at once.

        A signal that nobody handles raises `_Stopped`; only the main thread can be given any.
        """
        import threading

        if _is_alone():
            self._was_subreaper = _subreaper()
        if self._was_subreaper is not None:
            _set_subreaper(1)
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is signal.SIG_DFL:
                    self._handled.append(number)
                    signal.signal(number, _stop)

    def start(self, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the program, with a word in its environment; a run inside another is part of both."""
        import subprocess

        self._process = subprocess.Popen(
            command,
            bufsize=0,
            cwd=cwd,
            env={**env, MARK: f"{env[MARK]} {self._word}" if MARK in env else self._word},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        return self._process

    def finish(self) -> None:
        """End the tree and leave this process as it was before; signals wait, so that nothing is done by half."""
        if self._is_finished:
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
            self.end()
            if self._was_subreaper is not None:
                _set_subreaper(self._was_subreaper)
            for number in self._handled:
                signal.signal(number, signal.SIG_DFL)
            self._is_finished = True
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def end(self) -> int:
        """Kill what there is until there is nothing; what is started meanwhile is found in the next round.

        Returns: the status of the program, negative for a signal.
        """
        give_up_at = monotonic() + _GIVE_UP_S
        if self._process and not self._is_ended:
            below = list(_below(self._process.pid))  # once their parent has ended, nothing tells whose they are
            _attempt(os.killpg, self._process.pid, signal.SIGKILL)  # all of it at once: none can fork away
            for pid in below:
                _attempt(os.kill, pid, signal.SIGKILL)
            self._process.poll()
        while not self._is_ended and monotonic() < give_up_at:
            if self._kill_members():
                sleep(_PAUSE_S)
            else:
                self._is_ended = True
        status = self._process.returncode if self._process else None
        return -signal.SIGKILL if status is None else status

    def _kill_members(self) -> bool:
        """Kill each process as it is found, and reap those that came to this one; whether any is left."""
        left = False
        for pid in self._members():
            left = True
            _attempt(os.kill, pid, signal.SIGKILL)
            if self._process and pid == self._process.pid:
                self._process.poll()
            elif self._process is None:  # an exception came before its number was known
                _attempt(os.waitpid, pid, 0)
            elif self._was_subreaper is not None:
                _attempt(os.waitpid, pid, os.WNOHANG)
        return left

    def _members(self) -> Iterator[int]:
        if self._was_subreaper is not None:
            yield from _below(os.getpid())
            return
        if self._process and self._process.returncode is None:
            yield self._process.pid
        for pid in _with_word(self._word.encode()):
            yield from [*_below(pid), pid]


def _attempt(act: Callable[[int, int], object], pid: int, argument: int) -> None:
    """Do something to a process that may have ended, or may be another user's."""
    try:
        act(pid, argument)
    except (ProcessLookupError, ChildProcessError, PermissionError):
        pass


def _is_alone() -> bool:
    """Whether this process has one thread and no child, and can only be given orphans of its own."""
    if os.getpid() == 1 or not os.path.exists("/proc/thread-self/children"):
        return False  # the first process of a container is given the orphans of all
    return len(os.listdir("/proc/self/task")) == 1 and not _children(os.getpid())


def _subreaper() -> int | None:
    """Whether this process takes in the orphans of its descendants, 0 or 1; None where the system has no such thing."""
    try:
        import ctypes

        value = ctypes.c_int()
        failed = ctypes.CDLL(None).prctl(_PR_GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        return None
    return None if failed else value.value


def _set_subreaper(value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, ctypes.c_ulong(value), 0, 0, 0)


def _below(root: int) -> Iterator[int]:
    """The descendants of a process, parents first."""
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        waiting.extend(children)
        yield from children


def _children(pid: int) -> list[int]:
    """The children of a process, ended ones that were not reaped too; none when it is gone."""
    if not os.path.exists("/proc/thread-self/children"):
        return _children_by_psutil(pid)
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for task in tasks for child in _bytes_of(f"/proc/{pid}/task/{task}/children").split()]


def _with_word(word: bytes) -> Iterator[int]:
    """The processes whose environment has a word; one that has ended has no environment any more."""
    if not os.path.exists("/proc/self/environ"):
        yield from _with_word_by_psutil(word.decode())
        return
    others = (name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid())
    yield from (int(name) for name in others if word in _bytes_of(f"/proc/{name}/environ"))


def _bytes_of(path: str) -> bytes:
    """A file of /proc; empty when its process is gone or another user's."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def _children_by_psutil(pid: int) -> list[int]:
    import psutil

    try:
        return [child.pid for child in psutil.Process(pid).children()]
    except psutil.Error:
        return []


def _with_word_by_psutil(word: str) -> Iterator[int]:
    import psutil

    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and word in process.environ().get(MARK, ""):
                yield process.pid
        except (psutil.Error, OSError):
            continue
