"""How long operations take: start, bulk, growth, check and status.

    python -m bench.operations --chidev .venv/bin/chidev
    python -m bench.operations --chidev .venv/bin/chidev --vs other/bin/chidev --sizes 100,1000

It speaks the protocol only, so it measures whatever answers `exec FILE` and `check`. Exit status: 1 when a limit given
here was passed, 2 when a command failed or refused a line.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import model
from bench.timing import CommandFailed, Job, Ratio, Report, Run, environment, in_turns, row, rows, run

_IMPORTS = "import msgspec, sqlite3, argparse, json"  # what any program of this kind needs before it starts
_ENOUGH_FOR_A_RATE = 500


class Project:
    """One program with one model: a folder with a store, and the next operation that changes something in it."""

    def __init__(self, command: Sequence[str], folder: Path, clauses: int, seed: int) -> None:
        self.command = tuple(command)
        self.folder = folder
        self.clauses = clauses
        self._seed = seed
        self._model = model.contexts(clauses, seed)
        self._edition = 0
        self._environment = environment()
        folder.mkdir(parents=True)
        (folder / "chidev.toml").touch()

    def build(self) -> Run:
        """Makes the store anew."""
        shutil.rmtree(self.folder / ".chidev", ignore_errors=True)
        return self.execute(list(model.build(self._model, self._seed)))

    def reword(self, count: int) -> Run:
        return self.execute([model.reword(self._model, *self._next()) for _ in range(count)])

    def put_harness(self, count: int) -> Run:
        return self.execute([model.put_again(self._model, *self._next(), self._seed) for _ in range(count)])

    def status(self) -> Run:
        return self.execute([{"op": "status"}])

    def check(self) -> Run:
        return self._run(["check"], (0, 1))

    def execute(self, operations: Sequence[model.Json]) -> Run:
        """Runs operations in one process.

        Raises:
            CommandFailed: one of them was refused, or not answered: a program that refuses must not look fast.
        """
        (self.folder / "ops.jsonl").write_text(model.lines(operations), encoding="utf-8")
        done = self._run(["exec", "ops.jsonl"], (0, 1))
        answers = done.output.splitlines()
        refused = [answer for answer in answers if json.loads(answer).get("ok") is not True]
        if refused or len(answers) != len(operations):
            first = refused[0].decode()[:1000] if refused else ""
            raise CommandFailed(
                f"{len(operations)} operations, {len(answers)} answers, {len(refused)} refused: {first}"
            )
        return done

    def _run(self, words: Sequence[str], statuses: tuple[int, ...]) -> Run:
        command = [*self.command, *words]
        return run(command, folder=self.folder, environment=self._environment, statuses=statuses)

    def _next(self) -> tuple[int, int]:
        self._edition += 1
        return self._edition, self._edition


class Bench:
    """The same measures of one program, or of two in turns."""

    def __init__(self, asked: argparse.Namespace, work: Path) -> None:
        self._asked = asked
        self._pairs: int = asked.pairs
        commands = {"": asked.chidev} if not asked.vs else {"A ": asked.chidev, "B ": asked.vs}
        self._sizes: list[int] = asked.sizes
        self._projects = {
            (side, size): Project(_absolute(command), work / f"{side.strip() or 'A'}-{size}", size, asked.seed)
            for side, command in commands.items()
            for size in self._sizes
        }
        self._sides = list(commands)
        self._report = Report(f"operations: {asked.chidev}" + (f" (A) and {asked.vs} (B)" if asked.vs else ""))

    def all(self) -> int:
        try:
            self.builds()
            self.start()
            self.questions("check", Project.check, "nothing behind")
            self.questions("status", Project.status, "nothing behind")
            self.growth("reword", Project.reword)
            self.growth("harness_put", Project.put_harness)
            self.rewords()
            self.questions("check", Project.check, "many behind")
        finally:
            status = self._report.finish(self._asked.json)
        return status

    def start(self) -> None:
        """One operation on the smallest model, against an interpreter that does nothing."""
        python = self._asked.python
        folder = self._projects[self._sides[0], self._sizes[0]].folder

        def interpreter(code: str) -> Job:
            return lambda: run([python, "-c", code], folder=folder, environment=environment())

        bare, imports = "the bare interpreter", f"{_IMPORTS[:16]}, sqlite3, .."
        jobs: dict[str, Job] = {bare: interpreter("pass"), imports: interpreter(_IMPORTS)}
        against = {imports: bare}
        for side in self._sides:
            name = f"{side}exec, one reword, {self._sizes[0]} Clauses"
            jobs[name] = _job(self._projects[side, self._sizes[0]], Project.reword, 1)
            against[name] = imports
        self._report.section("start")
        made = rows(in_turns(jobs, max(self._pairs, 9)), against, ("processor", "wall"))
        self._report.add(made)
        for one in made:
            if "exec" in one.what and one.by == "processor" and not one.what.startswith("B "):
                self._report.limit(f"{one.what}, ms of processor time", one.low, self._asked.max_start_ms)

    def builds(self) -> None:
        self._report.section("bulk: the whole model in one process")
        for size in self._sizes:
            runs = in_turns({side: self._projects[side, size].build for side in self._sides}, min(self._pairs, 3))
            self._report.add(
                rows({f"{side}build, {size} Clauses": runs[side] for side in self._sides}, {}, ("processor", "wall"))
            )
            self._rates(f"build, {size} Clauses", runs)

    def rewords(self) -> None:
        count = self._asked.bulk
        self._report.section(f"bulk: {count} rewords in one process")
        for size in self._sizes:
            jobs: dict[str, Job] = {
                side: _job(self._projects[side, size], Project.reword, count) for side in self._sides
            }
            self._rates(f"rewords, {size} Clauses", in_turns(jobs, min(self._pairs, 5)))

    def _rates(self, what: str, runs: dict[str, list[Run]]) -> None:
        """Answers a second of wall time, start and end of the process included. Every line was answered "ok"."""
        rates = {side: [len(one.output.splitlines()) / one.wall_s for one in runs[side]] for side in self._sides}
        count = len(runs[self._sides[0]][0].output.splitlines())
        if count < _ENOUGH_FOR_A_RATE:
            return
        for side in self._sides:
            ratio = Ratio.between(rates["A "], rates["B "], "B") if side == "A " else None
            self._report.add([row(f"{side}{what}, {count} operations", rates[side], "ops/s", "wall", ratio)])
        best = max(rates[self._sides[0]])
        self._report.limit(f"{what}, acknowledged operations a second", best, self._asked.min_rate, "least")

    def growth(self, what: str, operation: Callable[[Project, int], Run]) -> None:
        """An operation in a process of its own, and one more of them in the same process, by the size of the model."""
        more = self._asked.more
        small = self._sizes[0]
        jobs: dict[str, Job] = {}
        for (side, size), project in self._projects.items():
            jobs[f"{side}{size} 1"] = _job(project, operation, 1)
            jobs[f"{side}{size} more"] = _job(project, operation, 1 + more)
        runs = in_turns(jobs, self._pairs)
        self._report.section(f"growth: {what}")
        for side in self._sides:
            alone = {size: [one.processor_s * 1000 for one in runs[f"{side}{size} 1"]] for size in self._sizes}
            least = {size: min(alone[size]) / 1000 for size in self._sizes}
            # The one run is subtracted at its least: its start-up is the same each time, and noise only adds.
            each = {
                size: [(one.processor_s - least[size]) / more * 1000 for one in runs[f"{side}{size} more"]]
                for size in self._sizes
            }
            for kind, values in ((f"one {what}, a process of its own", alone), (f"one more {what}", each)):
                for size in self._sizes:
                    ratio = Ratio.between(values[size], values[small], f"{small} Clauses") if size != small else None
                    self._report.add([row(f"{side}{kind}, {size} Clauses", values[size], "ms", "processor", ratio)])
                    if ratio and side != "B ":
                        least_ratio = min(ratio.median, ratio.of_lows)
                        self._report.limit(f"{kind}, {size} against {small}", least_ratio, self._asked.max_growth)

    def questions(self, what: str, question: Callable[[Project], Run], state: str) -> None:
        self._report.section(f"{what}, {state}")
        for size in self._sizes:
            jobs: dict[str, Job] = {
                f"{side}{what}, {size} Clauses": _asking(self._projects[side, size], question) for side in self._sides
            }
            against = {f"A {what}, {size} Clauses": f"B {what}, {size} Clauses"} if len(self._sides) > 1 else {}
            made = rows(in_turns(jobs, self._pairs), against, ("processor", "wall"))
            self._report.add(made)
            if what == "check":
                least = made[0].low / 1000
                self._report.limit(f"check, {size} Clauses, s of processor time", least, self._asked.max_check_s)


def _job(project: Project, operation: Callable[[Project, int], Run], count: int) -> Job:
    return lambda: operation(project, count)


def _asking(project: Project, question: Callable[[Project], Run]) -> Job:
    return lambda: question(project)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chidev", default="chidev", help="the command to measure, split as a shell does")
    parser.add_argument("--vs", help="another one, measured in turns with the first")
    parser.add_argument("--python", help="the interpreter to compare the start with (default: the one of --chidev)")
    parser.add_argument("--sizes", type=_sizes, default=[100, 1000, 10000], help="Clauses, smallest first")
    parser.add_argument("--pairs", type=int, default=7, help="runs of each side that count")
    parser.add_argument("--more", type=int, default=200, help="operations of which one more is the mean")
    parser.add_argument("--bulk", type=int, default=5000, help="rewords in one process")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", help="make the projects in this folder, which keeps them")
    parser.add_argument("--json", help="write the figures here too")
    parser.add_argument("--max-start-ms", type=float, help="processor time of one exec, the least run")
    parser.add_argument("--min-rate", type=float, help="acknowledged operations a second, the best run")
    parser.add_argument("--max-growth", type=float, help="an edit on each size against the smallest, as a ratio")
    parser.add_argument("--max-check-s", type=float, help="processor time of check at each size, the least run")
    asked = parser.parse_args()
    asked.python = asked.python or _interpreter(_absolute(asked.chidev)[0])
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        try:
            return Bench(asked, Path(asked.work or place)).all()
        except CommandFailed as failed:
            print(failed, file=sys.stderr)
            return 2


def _sizes(text: str) -> list[int]:
    return sorted({int(one) for one in text.split(",")})


def _absolute(command: str) -> list[str]:
    """The words of a command; the runs start in folders of their own, so the program is named from the root."""
    first, *others = shlex.split(command)
    found = shutil.which(first)
    return [str(Path(found).absolute()) if found else first, *others]


def _interpreter(program: str) -> str:
    """The Python of a script that pip made, by its first line; else the one that runs this."""
    with Path(program).open("rb") as file:
        first = file.readline(500).decode("utf-8", "replace").strip()
    return first[2:] if first.startswith("#!") and "python" in first and " " not in first else sys.executable


if __name__ == "__main__":
    sys.exit(main())
