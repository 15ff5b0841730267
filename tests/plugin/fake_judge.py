"""A judge without the core, for the tests of the plugin's hooks. Its store is `store.json` in pytest's root:

    {"texts": {"discount#C1": ["the sentence when it was recorded", "the sentence now"]},
     "recorded": {"test_price.py::test_refuses": ["discount#C1"]},
     "fault": "refuse" | "crash" | "settings"}

A citation is stale when the two sentences differ. An update writes each sentence over the old one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pytest_chidev.collected import Collected, CollectedCase, CollectedFile, Instance
from pytest_chidev.judge import (
    Brought,
    Finding,
    Judged,
    JudgeError,
    Left,
    SettingsError,
    Setup,
    State,
    Updated,
)
from pytest_chidev.own_checks import Ask, cases_of


class FakeJudge:
    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._path = Path(setup.rootpath, "store.json")
        self._store: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        if self._store.get("fault") == "settings":
            raise SettingsError("chidev.toml: the key `stroe` is not known")

    def judge(self, collected: Collected) -> Judged:
        self._maybe_fail()
        findings = [
            Finding(
                rule="test.malformed-citation",
                level="error",
                message=problem.text,
                nodeid=problem.nodeid,
                path=problem.path,
                line=problem.line,
            )
            for problem in collected.problems
        ]
        states: dict[str, State] = {}
        for file in collected.files:
            for case in file.cases:
                findings.extend(self._of_case(file, case))
                states.update({instance.nodeid: self._state(file, case, instance) for instance in case.instances})
            findings.extend(self._gone(file))
        return Judged(findings=tuple(findings), states=states, notes=tuple(self._store.get("notes", ())))

    def own_findings(self, collected: Collected, judged: Judged, ask: Ask) -> tuple[Finding, ...]:
        found = ask(cases_of(collected, judged), {})
        return tuple(Finding(rule=one.rule, level="warning", message=one.message) for one in found)

    def update(self, collected: Collected, request: str | None) -> Updated:
        self._maybe_fail()
        files = [file for file in collected.files if file.cases]
        put = [file for file in files if file.whole]
        brought: list[Brought] = []
        for file in put:
            for case in file.cases:
                span = self._setup.sources[file.path].table.find(case.chain, case.function, case.code_line)
                assert span is not None
                for cited in (citation.compact for citation in case.citations):
                    old, new = self._texts(cited)
                    if old != new:
                        brought.append(Brought(path=file.path, case=case.name, target=cited, old=old, new=new))
                self._store["recorded"][f"{file.path}::{case.name}"] = [c.compact for c in case.citations]
        for one in brought:
            self._store["texts"][one.target] = [one.new, one.new]
        self._path.write_text(json.dumps(self._store), encoding="utf-8")
        left = tuple(Left(file.path, file.partial) for file in files if not file.whole)
        return Updated(put=tuple(file.path for file in put), brought=tuple(brought), left=left)

    def close(self) -> None:
        self._store.clear()

    def _maybe_fail(self) -> None:
        if self._store.get("fault") == "refuse":
            raise JudgeError("the store `.chidev/chidev.db` is locked")
        if self._store.get("fault") == "crash":
            raise ZeroDivisionError("this judge\nis broken")

    def _texts(self, cited: str) -> list[str]:
        texts: list[str] = self._store["texts"].get(cited, ["", ""])
        return texts

    def _state(self, file: CollectedFile, case: CollectedCase, instance: Instance) -> State:
        if instance.malformed:
            return "malformed"
        if any(citation.compact not in self._store["texts"] for citation in instance.citations):
            return "unknown"
        if f"{file.path}::{case.name}" not in self._store["recorded"]:
            return "unrecorded"
        changed = any(len(set(self._texts(citation.compact))) == 2 for citation in instance.citations)
        return "stale" if changed else "current"

    def _of_case(self, file: CollectedFile, case: CollectedCase) -> list[Finding]:
        found: list[Finding] = []
        for cited in (citation.compact for citation in case.citations):
            old, new = self._texts(cited)
            known = cited in self._store["texts"]
            if known and old == new:
                continue
            found.append(
                Finding(
                    rule="cite.stale" if known else "test.unknown-citation",
                    level="warning" if known else "error",
                    message=f"`{case.name}` cites `{cited}`, which {'changed' if known else 'is not there'}",
                    nodeid=f"{file.path}::{case.name}",
                    path=file.path,
                    line=case.code_line,
                    values={"cites": cited, "old": old, "new": new},
                    old=old if known else None,
                    new=new if known else None,
                )
            )
        return found

    def _gone(self, file: CollectedFile) -> list[Finding]:
        names = {f"{file.path}::{case.name}" for case in file.cases}
        recorded = [key for key in self._store["recorded"] if key.startswith(f"{file.path}::")]
        gone = sorted(set(recorded) - names) if file.whole else []
        return [
            Finding(rule="test.gone", level="warning", message=f"`{key}` is gone", path=file.path, line=1)
            for key in gone
        ]
