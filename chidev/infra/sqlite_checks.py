"""The records of external and judged checks, in SQL.

Source: `app.ports.store`; the tables are in `store_layout.py`.
"""

from __future__ import annotations

from typing import Any

from chidev.domain.check_run import CheckRun, Evidence, RunFinding
from chidev.domain.judged_rule import JudgedFinding, JudgedReport
from chidev.domain.rule import Level, Moment
from chidev.infra.sqlite_request_outline import SqliteRequestOutlines


class SqliteChecks(SqliteRequestOutlines):
    """The part of a store that keeps what checks said that are not of this release."""

    def model_revision(self) -> int:
        return self._number("SELECT model_revision FROM store")

    def check_runs(self) -> list[CheckRun]:
        return self._check_runs("WHERE latest = 1 ORDER BY rule")

    def every_check_run(self) -> list[CheckRun]:
        return self._check_runs("ORDER BY id")

    def _check_runs(self, which: str) -> list[CheckRun]:
        rows = self._rows(
            "SELECT id, rule, moment, store_revision, at, failure, input_stamp, config_stamp, command, exit_code, "
            f"stderr FROM check_runs {which}"
        )
        if not rows:
            return []
        ids = [row[0] for row in rows]
        found = self._grouped("check_run_findings", "run", "kind, id, message, level", ids)
        corrections = self._corrections(ids)
        return [
            CheckRun(
                id=id_,
                rule=rule,
                moment=self._word(Moment, moment),
                store_revision=revision,
                at=at,
                failure=failure,
                findings=tuple(
                    RunFinding(kind, subject, message, self._level(level))
                    for kind, subject, message, level in found.get(id_, ())
                ),
                input_stamp=input_stamp,
                config_stamp=config_stamp,
                evidence=Evidence(command, exit_code, stderr),
                corrections=corrections.get(id_, ()),
            )
            for id_, rule, moment, revision, at, failure, input_stamp, config_stamp, command, exit_code, stderr in rows
        ]

    def _level(self, word: str | None) -> Level | None:
        return self._word(Level, word) if word else None

    def judged_reports(self) -> list[JudgedReport]:
        rows = self._rows(
            "SELECT rule, judge, read_at, at, older, rule_digest, scope FROM judged_reports ORDER BY rule"
        )
        if not rows:
            return []
        found = self._grouped("judged_findings", "rule", "kind, id, message, level, stamp", None)
        return [
            JudgedReport(
                rule,
                judge,
                read_at,
                at,
                bool(older),
                digest,
                scope,
                tuple(
                    JudgedFinding(kind, id_, message, self._level(level), stamp)
                    for kind, id_, message, level, stamp in found.get(rule, ())
                ),
            )
            for rule, judge, read_at, at, older, digest, scope in rows
        ]

    # Writing.

    def add_check_run(self, run: CheckRun) -> None:
        self._connection.execute("UPDATE check_runs SET latest = 0 WHERE rule = ? AND latest = 1", (run.rule,))
        self._connection.execute(
            "INSERT INTO check_runs VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(run.id, run.rule, run.moment, run.store_revision, run.at, run.failure),
                *(run.input_stamp, run.config_stamp),
                *(run.evidence.command, run.evidence.exit_code, run.evidence.stderr),
            ),
        )
        rows: list[tuple[Any, ...]] = [
            (run.id, n, finding.kind, finding.id, finding.message, finding.level)
            for n, finding in enumerate(run.findings)
        ]
        self._connection.executemany("INSERT INTO check_run_findings VALUES (?, ?, ?, ?, ?, ?)", rows)

    def put_judged_report(self, report: JudgedReport) -> None:
        self._connection.execute("DELETE FROM judged_findings WHERE rule = ?", (report.rule,))
        self._connection.execute(
            "INSERT OR REPLACE INTO judged_reports VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                *(report.rule, report.judge, report.read_at, report.at),
                *(report.on_older_revision, report.rule_digest, report.scope),
            ),
        )
        rows: list[tuple[Any, ...]] = [
            (report.rule, n, finding.kind, finding.id, finding.message, finding.level, finding.stamp)
            for n, finding in enumerate(report.findings)
        ]
        self._connection.executemany("INSERT INTO judged_findings VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
