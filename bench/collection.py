"""What the plugin adds to pytest: `--collect-only` with and without `--chidev-check`, and a run with no option of ours.

    python -m bench.collection --python .venv/bin/python --tests 10000

The suite is written for the run: files of 50 tests, each citing a Clause and an Item. It is measured with nothing
recorded, and with everything recorded. Exit status: 1 when `--max-ratio` was passed, 2 when a command failed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

from bench.timing import CommandFailed, Job, Report, environment, in_turns, rows, run

_PER_FILE = 50
_CLAUSES = 9
_CONTRACTS = 20


def write_suite(folder: Path, tests: int) -> None:
    """A project with `tests` marked tests, their promises in `ops.jsonl`, and no store yet."""
    (folder / "chidev.toml").touch()
    (folder / "pytest.ini").write_text("[pytest]\nchidev_context = bench\ntestpaths = tests\n", encoding="utf-8")
    (folder / "tests").mkdir()
    for index in range(-(-tests // _PER_FILE)):
        count = min(_PER_FILE, tests - index * _PER_FILE)
        lines = ["import pytest", "", 'pytestmark = pytest.mark.cites("api::f")', ""]
        for n in range(count):
            lines += [f'@pytest.mark.cites("k{index % _CONTRACTS}", "C{n % _CLAUSES + 1}")', f"def test_{n}():"]
            lines += ["    pass", ""]
        (folder / "tests" / f"test_m{index:05}.py").write_text("\n".join(lines), encoding="utf-8")
    clauses = [{"label": f"C{n}", "text": f"promise {n} is kept"} for n in range(1, _CLAUSES + 1)]
    operations: list[dict[str, object]] = [{"op": "init"}, {"op": "context_add", "name": "bench"}]
    operations += [
        {"op": "contract_put", "context": "bench", "name": f"k{n}", "title": "Promises", "clauses": clauses}
        for n in range(_CONTRACTS)
    ]
    item = {"key": "f", "lines": [1, 1]}
    operations.append(
        {"op": "interface_put", "context": "bench", "name": "api", "source": "def f(): ...\n", "items": [item]}
    )
    text = "".join(json.dumps(operation) + "\n" for operation in operations)
    (folder / "ops.jsonl").write_text(text, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", default=sys.executable, help="an interpreter that has pytest-chidev installed")
    parser.add_argument("--tests", type=int, default=10000)
    parser.add_argument("--pairs", type=int, default=7, help="runs of each side that count")
    parser.add_argument("--max-ratio", type=float, help="of the collection with everything recorded, processor time")
    parser.add_argument("--json", help="write the figures here too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        try:
            return measured(asked, Path(place))
        except CommandFailed as failed:
            print(failed, file=sys.stderr)
            return 2


def measured(asked: argparse.Namespace, folder: Path) -> int:
    write_suite(folder, asked.tests)
    report = Report(f"collection of {asked.tests} tests: {asked.python}")

    def job(*words: str) -> Job:
        return lambda: run([asked.python, *words], folder=folder, environment=environment(), statuses=(0, 1))

    collect = ("-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-qq")
    plain, checked = "plain", "with --chidev-check"
    job("-m", "chidev", "exec", "ops.jsonl")()
    report.section("nothing recorded")
    report.add(
        rows(in_turns({plain: job(*collect), checked: job(*collect, "--chidev-check")}, asked.pairs), {checked: plain})
    )
    job(*collect, "--chidev-update")()
    report.section("everything recorded")
    made = rows(
        in_turns({plain: job(*collect), checked: job(*collect, "--chidev-check")}, asked.pairs), {checked: plain}
    )
    report.add(made)
    ratio = made[1].ratio
    if ratio:
        report.limit("collection with --chidev-check against plain", ratio.median, asked.max_ratio)
    report.section("no option of ours, one test")
    one = ("-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-qq", "tests/test_m00000.py::test_0")
    off, on = "with -p no:chidev", "with the plugin loaded"
    idle = {off: job(*one, "-p", "no:chidev", "-o", "markers=cites"), on: job(*one)}
    report.add(rows(in_turns(idle, max(asked.pairs, 15)), {on: off}))
    return report.finish(asked.json)


if __name__ == "__main__":
    sys.exit(main())
