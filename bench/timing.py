"""Timing of commands: fresh processes, in turns, told as the least, the median and the ratio of neighbours.

Each run is a process of its own. Its processor time is that of the whole tree (what the kernel counts for the process
and the children that it waited for), in seconds of user and system time together. The runs of several jobs are
interleaved (A B, B A, A B, ...), so that a slow spell of the machine meets all of them, and a ratio is taken between
runs that were neighbours.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

By = Literal["processor", "wall"]


@dataclass(frozen=True, slots=True)
class Run:
    """One process, from its start to its end."""

    processor_s: float
    wall_s: float
    output: bytes
    status: int

    def seconds(self, by: By) -> float:
        return self.processor_s if by == "processor" else self.wall_s


class CommandFailed(Exception):
    """A command that was to be timed ended with a status that it should not have, or took too long."""


Job = Callable[[], Run]


def run(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    statuses: Iterable[int] = (0,),
    limit_s: float = 600,
) -> Run:
    """Runs one command in a process group of its own and waits for it.

    Standard output goes to a file, as it would in CI; a command that passes `limit_s` is killed with its group.

    Raises:
        CommandFailed: the exit status is none of `statuses`.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(  # wait4 below says the processor time of this child alone
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, process_group=0
        )
        watch = threading.Timer(limit_s, _kill, [process.pid])
        watch.start()
        try:
            _, ended, usage = os.wait4(process.pid, 0)
            wall_s = time.perf_counter() - start
        except BaseException:
            _kill(process.pid)
            raise
        finally:
            watch.cancel()
        process.returncode = status = os.waitstatus_to_exitcode(ended)
        out.seek(0)
        err.seek(0)
        output = out.read()
        if status not in tuple(statuses):
            said = (output[-1500:] + err.read()[-1500:]).decode("utf-8", "replace")
            raise CommandFailed(f"status {status} after {wall_s:.1f} s: {' '.join(command)}\n{said}")
    return Run(usage.ru_utime + usage.ru_stime, wall_s, output, status)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def in_turns(jobs: Mapping[str, Job], pairs: int) -> dict[str, list[Run]]:
    """Each job `pairs` times, forwards and backwards in turn. One more run of each before it is not counted."""
    for job in jobs.values():
        job()
    runs: dict[str, list[Run]] = {name: [] for name in jobs}
    for turn in range(pairs):
        for name in list(jobs) if turn % 2 == 0 else reversed(list(jobs)):
            runs[name].append(jobs[name]())
    return runs


@dataclass(frozen=True, slots=True)
class Ratio:
    """How many times as much as `against`: the median over neighbouring runs, and the least and greatest of them."""

    against: str
    median: float
    low: float
    high: float
    of_lows: float  # of the least of each side; on a busy machine often the steadier figure

    @classmethod
    def between(cls, values: Sequence[float], others: Sequence[float], against: str) -> Ratio:
        each = [value / other for value, other in zip(values, others, strict=True) if other > 0]
        if not each or min(others) <= 0:  # a difference of two runs that noise has eaten
            return cls(against, float("nan"), float("nan"), float("nan"), float("nan"))
        return cls(against, statistics.median(each), min(each), max(each), min(values) / min(others))


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: what was measured, in `unit`, and what it is against another row."""

    what: str
    unit: str
    by: By
    low: float
    median: float
    high: float
    ratio: Ratio | None = None


def row(what: str, values: Sequence[float], unit: str, by: By, ratio: Ratio | None = None) -> Row:
    return Row(what, unit, by, min(values), statistics.median(values), max(values), ratio)


def rows(
    runs: Mapping[str, Sequence[Run]], against: Mapping[str, str], bys: Sequence[By] = ("processor",)
) -> list[Row]:
    """The time of each job in milliseconds; `against` names, for some jobs, the job that they are compared with."""
    made = []
    for by in bys:
        values = {name: [one.seconds(by) * 1000 for one in those] for name, those in runs.items()}
        for name, mine in values.items():
            other = against.get(name)
            ratio = Ratio.between(mine, values[other], other) if other else None
            made.append(row(name, mine, "ms", by, ratio))
    return made


class Report:
    """Prints rows as they come and keeps them, with the limits that were passed."""

    _WIDTH = 58

    def __init__(self, title: str) -> None:
        self.title = title
        self.rows: list[Row] = []
        self.passed: list[str] = []
        print(f"{title}\n{machine()}")

    def section(self, name: str) -> None:
        print(f"\n{name:<{self._WIDTH}} {'least':>9} {'median':>9} {'most':>9} {'':<6} {'of':<9} ratio")

    def add(self, those: Iterable[Row]) -> None:
        for one in those:
            self.rows.append(one)
            print(_line(one, self._WIDTH), flush=True)

    def limit(self, what: str, value: float, limit: float | None, at: Literal["most", "least"] = "most") -> None:
        """Notes a figure on the wrong side of a limit. A figure that could not be told (NaN) is on the wrong side."""
        if limit is not None and not (value <= limit if at == "most" else value >= limit):
            self.passed.append(f"{what}: {value:.3g}, at {at} {limit:g} was asked")

    def finish(self, json_file: str | None) -> int:
        """Exit status: 1 when a limit was passed."""
        if json_file:
            whole = {
                "title": self.title,
                "machine": machine(),
                "rows": [dataclasses.asdict(one) for one in self.rows],
                "passed": self.passed,
            }
            Path(json_file).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
        for line in self.passed:
            print(f"limit passed: {line}", file=sys.stderr)
        return 1 if self.passed else 0


def _line(one: Row, width: int) -> str:
    digits = 0 if one.low >= 1000 else 2 if one.low < 10 else 1
    figures = " ".join(f"{figure:>9.{digits}f}" for figure in (one.low, one.median, one.high))
    line = f"{one.what:<{width}} {figures} {one.unit:<6} {one.by:<9}"
    if one.ratio:
        spread = f"[{one.ratio.low:.3f}..{one.ratio.high:.3f}]"
        line += f" {one.ratio.median:.3f} {spread} of the least {one.ratio.of_lows:.3f}, against {one.ratio.against}"
    return line.rstrip()


def machine() -> str:
    """What a figure hangs on, without naming the machine."""
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    today = time.strftime("%Y-%m-%d")
    return f"{today}, Python {platform.python_version()} drives it, {os.cpu_count()} cores, load {load}"


def environment() -> dict[str, str]:
    """Ours, without what would change what is measured."""
    kept = dict(os.environ)
    for name in ("PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"):
        kept.pop(name, None)
    return kept | {"PYTHONHASHSEED": "0"}
