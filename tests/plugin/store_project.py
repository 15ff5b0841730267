"""A pytest project whose promises are in a real store, below pytester."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.running import CONTEXT, INIT, Json, Project

QUIET = '[checks."pin."]\nlevel = "off"\n'  # nothing here is about Pins
OLD = "a discount over 100% is refused"
NEW = "a discount over 90% is refused"
KEPT = "what is refused is kept"

CONTRACT: Json = {
    "op": "contract_put",
    "context": "pricing",
    "name": "discount",
    "title": "Discount",
    "clauses": [{"label": "C1", "text": OLD}, {"label": "C2", "text": KEPT}],
}
INTERFACE: Json = {
    "op": "interface_put",
    "context": "pricing",
    "name": "price",
    "source": "def price(total: int) -> int: ...\nclass Cart:\n    def total(self) -> int: ...\n",
    "items": [{"key": "price", "lines": [1, 1]}, {"key": "Cart.total", "lines": [3, 3]}],
}
PROMISES: Sequence[Json] = (INIT, CONTEXT, CONTRACT, INTERFACE)
REWORDED: Json = {
    "op": "clauses_put",
    "context": "pricing",
    "contract": "discount",
    "clauses": [{"label": "C1", "text": NEW}],
}
RETYPED: Json = {**INTERFACE, "source": INTERFACE["source"].replace("total: int", "total: float")}

TESTS = """import pytest

pytestmark = pytest.mark.cites("price::price")


@pytest.mark.cites("discount", "C1")
def test_refuses():
    pass


@pytest.mark.cites("discount", "C2")
@pytest.mark.cites("price::Cart.total")
def test_keeps():
    pass
"""
LINE_OF_REFUSES, LINE_OF_KEEPS = 6, 11
SETTLED = ("discount#C1", "discount#C2", "price::Cart.total", "price::price")
BEHIND = "the Case `test_refuses` of the Harness `test-price` is behind the clause `discount C1` (revision 1, now 2)"
STALE_LINE = f"test_price.py:6: warning cite.stale: {BEHIND}"


def inner_run(pytester: pytest.Pytester, *args: str, process: bool = False) -> pytest.RunResult:
    """pytest below pytest, in which nothing of ours may break."""
    # The plugin of hypothesis imports all of it for its summary, anew in each run below pytest.
    common = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    if process:
        result = pytester.runpytest_subprocess(*common, *args)
    else:
        # In our process the warnings of pytest-asyncio would be our errors.
        result = pytester.runpytest_inprocess(*common, "-p", "no:asyncio", *args)
    said = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in said
    assert "a fault of pytest-chidev" not in said
    return result


class StoreProject:
    """A directory with chidev.toml, a test file and, once something is put, a store.

    Args:
        settings: what chidev.toml says.
        promises: operations to begin with; none makes no store.
    """

    def __init__(self, pytester: pytest.Pytester, settings: str = QUIET, promises: Sequence[Json] = PROMISES) -> None:
        self.pytester = pytester
        self.root = pytester.path
        self.model = Project(self.root, settings)
        pytester.makeini("[pytest]\nchidev_context = pricing\nstrict_markers = true\n")
        if promises:
            self.put(*promises)

    @property
    def store(self) -> Path:
        return self.root / ".chidev" / "chidev.db"

    def put(self, *lines: Json) -> None:
        self.model.accepted(*lines)

    def settings(self, text: str) -> None:
        (self.root / "chidev.toml").write_text(text, encoding="utf-8")

    def file(self, text: str | bytes = TESTS, path: str = "test_price.py") -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
        return place

    def run(self, *args: str, process: bool = False) -> pytest.RunResult:
        return inner_run(self.pytester, *args, process=process)

    def check(self, *args: str) -> list[str]:
        """The lines that a check prints between its heading and its counts."""
        return findings_of(self.run("--chidev-check", *args))

    def update(self, *args: str) -> pytest.RunResult:
        result = self.run("--chidev-update", *args)
        assert "chidev: error" not in result.stdout.str()
        return result

    def settled(self) -> None:
        """The usual test file, put as it is."""
        self.file()
        self.update()

    def report(self, *args: str, process: bool = False) -> dict[str, Any]:
        """What a run with --chidev-report wrote."""
        self.run("--chidev-report=report.json", *args, process=process)
        value: dict[str, Any] = json.loads((self.root / "report.json").read_text(encoding="utf-8"))
        return value

    def states(self, *args: str) -> dict[str, str]:
        """The state of each test by the last part of its node id, as the JUnit file has it."""
        from xml.etree import ElementTree

        self.run("--chidev-check", "--junit-xml=junit.xml", *args)
        found = {}
        for case in ElementTree.parse(self.root / "junit.xml").iter("testcase"):
            for one in case.iter("property"):
                if one.get("name") == "chidev.state":
                    found[case.get("name", "")] = one.get("value", "")
        return found

    def cases(self, harness: str = "test-price", context: str = "pricing") -> dict[str, Json]:
        """The recorded Cases of a Harness by name."""
        return {case["name"]: case for case in self.model.harness(context, harness)["cases"]}

    def source(self, harness: str = "test-price") -> str:
        return str(self.model.harness("pricing", harness)["source"])

    def revision(self) -> int:
        return self.model.revision()


def findings_of(result: pytest.RunResult) -> list[str]:
    """The section of findings without its counts."""
    text = result.stdout.str()
    assert text.count(" chidev findings ==") == 1, text
    section = text.split(" chidev findings ==", 1)[1].splitlines()[1:]
    end = next(
        number
        for number, line in enumerate(section)
        if line.startswith("chidev: ") and ("error" not in line or line[8].isdigit())
        if "the store is empty" not in line
    )
    return section[:end]


def rules_of(report: dict[str, Any]) -> list[str]:
    return [finding["rule"] for finding in report["findings"]]


def everything_in(folder: Path) -> dict[str, tuple[int, int]]:
    """Each file and folder below it, with its time of change and its size."""
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in sorted(folder.rglob("*"))}
