"""The command `chidev` as a process of its own, and what it said."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]
REPOSITORY = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "chidev"]
DEADLINE_S = 60.0
_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH, _CAP_FOWNER = 1, 2, 3


def environment() -> dict[str, str]:
    """The environment in which the code of this repository is found, or that of the installation."""
    paths = [str(REPOSITORY), str(REPOSITORY / "providers"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


@dataclass(frozen=True)
class Ended:
    """How a command ended. `err` is the text of standard error."""

    status: int
    out: bytes
    err: str

    @property
    def answers(self) -> list[Json]:
        """The lines of standard output, each a whole document."""
        assert self.out == b"" or self.out.endswith(b"\n")
        return [json.loads(line) for line in self.out.splitlines()]

    def verdicts(self) -> list[bool]:
        return [answer["ok"] for answer in self.answers]


class Chidev:
    """Runs the command in a directory."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def __call__(
        self,
        *words: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        before: Callable[[], None] | None = None,
        **streams: Any,
    ) -> Ended:
        """Run it to its end.

        Args:
            before: run in the process before the command begins.
            streams: arguments of `subprocess.run` that take the place of ours.
        """
        given: Mapping[str, Any] = {"capture_output": True, "input": stdin, **streams}
        done = subprocess.run(
            [*COMMAND, *words],
            cwd=cwd or self.root,
            env=environment(),
            preexec_fn=before,
            timeout=DEADLINE_S,
            check=False,
            **given,
        )
        return Ended(done.returncode, done.stdout or b"", (done.stderr or b"").decode())

    def exec(self, *lines: Json | bytes, store: str | None = None, before: Callable[[], None] | None = None) -> Ended:
        """Run lines that are all in standard input at once."""
        words = ["exec", *(["--store", store] if store else [])]
        return self(*words, stdin=as_input(*lines), before=before)

    def start(self, *words: str, **streams: Any) -> subprocess.Popen[bytes]:
        """Start it with a pipe at each stream that is not given; whoever starts it ends it."""
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "preexec_fn": _hears_an_interrupt,
            **streams,
        }
        return subprocess.Popen([*COMMAND, *words], cwd=self.root, env=environment(), **pipes)


def _hears_an_interrupt() -> None:
    """A shell that starts the tests in the background has them, and what they start, ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def as_input(*lines: Json | bytes) -> bytes:
    return b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)


def assert_cannot_run(ended: Ended, *words: str) -> None:
    """Nothing was run, and one line says why, with these words in it."""
    assert ended.status == 2, ended
    assert ended.out == b""
    assert ended.err.startswith("chidev: ")
    assert ended.err.count("\n") == 1
    for word in words:
        assert word in ended.err


def without_root_rights() -> None:
    """For `before`: the permissions of files count, also for root."""
    if os.geteuid() == 0:
        system = ctypes.CDLL(None)
        for right in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH, _CAP_FOWNER):
            system.prctl(_PR_CAPBSET_DROP, right, 0, 0, 0)


def with_files_of_at_most(size_bytes: int) -> Callable[[], None]:
    """For `before`: no file can grow over the size, as on a disk that is full."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, size_bytes))

    return limit


def interrupt(process: subprocess.Popen[bytes]) -> Ended:
    """What Ctrl-C does: the signal, and then nothing more is written to the process."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=DEADLINE_S)
    return Ended(process.returncode, out, err.decode())
