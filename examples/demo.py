"""`make demo`: a promise is reworded, and pytest names the tests that are behind it.

Runs the commands of examples/pricing in a copy, so that nothing here changes, with the programs that are installed
beside the Python that runs this. Ends with status 0 when each command did what it says.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path

PRICING = Path(__file__).with_name("pricing")
NOT_COPIED = shutil.ignore_patterns(".chidev", ".*_cache", "__pycache__")


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="chidev-demo-") as folder:
        shop = Shop(Path(shutil.copytree(PRICING, Path(folder, "pricing"), ignore=NOT_COPIED)))
        say("A shop promises things about its prices. The promises and the Interfaces go into a store:")
        shop.exec("ops/10-promises.jsonl")
        shop.exec("ops/20-interfaces.jsonl")
        say("Its tests say with a marker what they stand for. That is recorded, and the code is pinned:")
        shop.pytest("--chidev-update", "-q")
        shop.exec("ops/30-pins.jsonl")
        say("From now on a run says whether tests and promises still fit:")
        shop.pytest("--chidev-check", "-q")
        say("Somebody rewords a promise. No test fails for that, since no code has changed:")
        shop.exec("ops/40-reworded.jsonl", show=True)
        say("But the tests that stand for it are told, with what was said before and what is said now:")
        shop.pytest("--chidev-check", "-v")
        say("They alone can be run. Whoever has read them records them anew with --chidev-update.")
        shop.pytest("--chidev-stale", "-q")
    return 0


def say(text: str) -> None:
    print(f"\n# {text}", flush=True)


class Shop:
    """A copy of the example project, and its commands."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        scripts = sysconfig.get_path("scripts")
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        self._environment |= {
            "PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)]),
            "PYTEST_ADDOPTS": "--no-header --color=no -p no:cacheprovider -p no:asyncio",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def exec(self, file: str, *, show: bool = False) -> None:
        """Run operations, and say in one line what was answered; with `show` what the lines were."""
        print(f"$ chidev exec {file}", flush=True)
        if show:
            print(self._folder.joinpath(file).read_text(encoding="utf-8").rstrip())
        answers = [json.loads(line) for line in self._run("chidev", "exec", file).splitlines()]
        rules = Counter(finding["rule"] for finding in answers[-1].get("findings", ()))
        found = ", ".join(f"{count} {rule}" for rule, count in rules.items())
        print(f"{len(answers)} accepted{f'; found: {found}' if found else ''}", flush=True)

    def pytest(self, *options: str) -> None:
        """Run the tests, and print what pytest prints."""
        print(f"$ pytest {' '.join(options)}", flush=True)
        print(self._run("pytest", *options).rstrip(), flush=True)

    def _run(self, *command: str) -> str:
        """What a command prints.

        Raises:
            SystemExit: it did not end with status 0.
        """
        program = shutil.which(command[0], path=self._environment["PATH"])
        if program is None:
            raise SystemExit(f"demo: there is no command {command[0]}: run `make demo`, or install pytest-chidev first")
        ended = subprocess.run(
            [program, *command[1:]],
            cwd=self._folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            raise SystemExit(f"{ended.stdout}{ended.stderr}demo: {' '.join(command)} ended with {ended.returncode}")
        return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
