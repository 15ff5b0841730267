"""The processes of one run, found and ended, those too that left its process group.

- Where this process has one thread and no child (a command of chidev), it takes in the orphans of its descendants for
  the time of the run. Every process below it is then of the run, whatever became of its group, session or environment.
- Elsewhere (threads, xdist, no Linux) what is below the program is of the run, and what inherited a word in its
  environment that no other run has. Taking in orphans would mix those of several runs, and of other libraries.

Source: design, "What must always hold".
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic, sleep
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

MARK = "CHIDEV_RUN"  # in the environment of a program: the words of the runs it is part of
_GIVE_UP_S = 2.0  # what cannot be killed for so long is another user's, or waits for a device
_UNSURE_S = 0.05  # a process that is becoming another program has no environment for less than that
_UNSURE_LOOKS = 5  # in a row that found nothing; other programs of a busy machine come and go all the time
_PAUSE_S = 0.001
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_PR_SET_CHILD_SUBREAPER, _PR_GET_CHILD_SUBREAPER = 36, 37  # <linux/prctl.h>
_PF_KTHREAD = 0x00200000  # <linux/sched.h>


class Stopped(BaseException):
    """A signal came that ends a process which does not handle it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class ProcessTree:
    """A program and what it starts, and what is changed in this process for the time of it.

    `begin` and, however it goes on, `finish` are called once; `start` and `end` between them.
    """

    def __init__(self) -> None:
        self._word = os.urandom(8).hex()
        self._process: subprocess.Popen[bytes] | None = None
        self._was_subreaper: int | None = None  # None: orphans are not taken in
        self._handled: list[int] = []
        self._marked = _Marked(self._word)
        self._is_group_ended = self._is_ended = self._is_finished = False

    def begin(self) -> None:
        """Take in orphans where each that comes is one of this run, and let no signal end this process at once.

        A signal that nobody handles raises `Stopped`; only the main thread can be given any.
        """
        import threading

        if _is_alone():
            self._was_subreaper = _subreaper()
        if self._was_subreaper is not None:
            _set_subreaper(1)
        else:
            self._marked.begin()
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                if signal.getsignal(number) is signal.SIG_DFL:
                    self._handled.append(number)
                    signal.signal(number, _stop)

    def start(self, command: Sequence[str], cwd: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """Start the program, with a word in its environment; a run inside another is part of both.

        Raises:
            OSError, ValueError: it cannot be started.
        """
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
        begin = monotonic()
        if self._process and not self._is_group_ended:
            self._end_group(self._process)
        while not self._is_ended and monotonic() - begin < _GIVE_UP_S:
            if self._kill_members() or self._marked.is_unsure(monotonic() - begin):
                sleep(_PAUSE_S)
            else:
                break
        self._is_ended = True
        status = self._process.returncode if self._process else None
        return -signal.SIGKILL if status is None else status

    def _end_group(self, leader: subprocess.Popen[bytes]) -> None:
        """Kill the group at once, so that none can fork away from it, and what left it while its parents live."""
        below = list(_below(leader.pid))
        _attempt(os.killpg, leader.pid, signal.SIGKILL)
        self._is_group_ended = True
        for pid in below:
            _attempt(os.kill, pid, signal.SIGKILL)
        leader.poll()

    def _kill_members(self) -> bool:
        """Kill each process as it is found, and reap those that came to this one; whether there was any."""
        found = False
        for pid in self._members():
            found = True
            _attempt(os.kill, pid, signal.SIGKILL)
            if self._process and pid == self._process.pid:
                self._process.poll()
            elif self._process is None:  # an exception came before its number was known
                _attempt(os.waitpid, pid, 0)
            elif self._was_subreaper is not None:
                _attempt(os.waitpid, pid, os.WNOHANG)
        return found

    def _members(self) -> Iterator[int]:
        if self._was_subreaper is not None:
            yield from _below(os.getpid())
            return
        if self._process and self._process.returncode is None:
            yield self._process.pid
        for pid in self._marked.found():
            yield from [*_below(pid), pid]


class _Marked:
    """The processes that inherited a word in their environment.

    One that has ended shows no environment, nor does one that is just becoming another program. In the first case it
    may have left a child that is not listed yet: another look is needed. In the second it is looked at for a while.
    """

    def __init__(self, word: str) -> None:
        self._word = word.encode()
        self._older: set[int] = set()
        self._bare: set[int] = set()
        self._bare_before: set[int] = set()
        self._dead: set[int] = set()  # not looked at again: ended, or a thread of the kernel
        self._empty_looks = 0

    def begin(self) -> None:
        """Note what is there before the run; none of it is of the run."""
        self._older = set(_processes())

    def found(self) -> Iterator[int]:
        """One look at every process, the newest first: what keeps moving is among them."""
        self._dead.update(pid for pid in self._bare & self._bare_before if not _is_program(pid))
        self._bare_before, self._bare = self._bare - self._dead, set()
        for pid in sorted(set(_processes()) - self._dead, reverse=True):
            environment = _environment(pid)
            if self._word in environment:
                self._empty_looks = 0
                yield pid
            elif not environment:
                (self._dead if pid in self._older else self._bare).add(pid)

    def is_unsure(self, since_s: float) -> bool:
        """Whether the last look, which found none, may have missed one; so many seconds after the first."""
        self._empty_looks += 1
        if self._bare - self._bare_before and self._empty_looks < _UNSURE_LOOKS:
            return True
        return since_s < _UNSURE_S and any(_is_program(pid) for pid in self._bare & self._bare_before)


def _stop(number: int, _: FrameType | None) -> None:
    raise Stopped(number)


def _attempt(act: Callable[[int, int], object], pid: int, argument: int) -> None:
    """Do something to a process that may have ended, or may be another user's."""
    try:
        act(pid, argument)
    except (ProcessLookupError, ChildProcessError, PermissionError):
        pass


def _is_alone() -> bool:
    """Whether this process has one thread and no child, and can only be given orphans of its own."""
    if os.getpid() == 1 or not _has_proc():
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


def _has_proc() -> bool:
    """Whether the system lists processes, their children and environments as files; psutil is not imported then."""
    return os.path.exists("/proc/thread-self/children")


def _processes() -> list[int]:
    """Every process but this one."""
    if not _has_proc():
        import psutil

        return [pid for pid in psutil.pids() if pid != os.getpid()]
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()]


def _below(root: int) -> Iterator[int]:
    """The descendants of a process, parents first."""
    waiting = [root]
    while waiting:
        children = _children(waiting.pop())
        waiting.extend(children)
        yield from children


def _children(pid: int) -> list[int]:
    """The children of a process, ended ones that were not reaped too; none when it is gone."""
    if not _has_proc():
        return _children_by_psutil(pid)
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    return [int(child) for task in tasks for child in _bytes_of(f"/proc/{pid}/task/{task}/children").split()]


def _environment(pid: int) -> bytes:
    """The environment of a process; empty when it is gone or another user's."""
    return _bytes_of(f"/proc/{pid}/environ") if _has_proc() else _environment_by_psutil(pid)


def _is_program(pid: int) -> bool:
    """Whether a process is running a program of this user: it is no thread of the kernel and has not ended."""
    state, _, _, _, _, _, flags, *_ = (_bytes_of(f"/proc/{pid}/stat").rpartition(b")")[2] or b"Z 0 0 0 0 0 0").split()
    try:
        is_ours = os.stat(f"/proc/{pid}").st_uid == os.geteuid()
    except OSError:
        return False
    return is_ours and state not in {b"Z", b"X"} and not int(flags) & _PF_KTHREAD


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


def _environment_by_psutil(pid: int) -> bytes:
    import psutil

    try:
        return psutil.Process(pid).environ().get(MARK, "").encode()
    except (psutil.Error, OSError):
        return b""
