"""Taking a text out of records that otherwise only grow, and out of the file.

Source: specification, "Correcting a record"; design, "What must always hold"; open-points 4.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence

from chidev.domain.change_request import ChangeRequest
from chidev.domain.check_run import CheckRun
from chidev.domain.correction import Correction
from chidev.domain.crux import Crux
from chidev.domain.identity import Id
from chidev.infra.sqlite_request_writer import SqliteRequestWriter

_LEAST_PIECE_BYTES = 8
_PIECE_BYTES = 1000  # a page has room for several, so that one of them is whole on it


class SqliteCorrections(SqliteRequestWriter):
    """The part of a store that corrects records and clears the file."""

    def put_corrected(self, record: ChangeRequest | Crux | CheckRun) -> None:
        if isinstance(record, ChangeRequest):
            self._put_request(record)
        elif isinstance(record, Crux):
            self._put_crux(record)
            self._add_correction(record.id, record.corrections)
        else:
            self._put_run(record)
            self._add_correction(record.id, record.corrections)
        self._connection.execute("UPDATE store SET clear_due = 1")

    def _put_request(self, request: ChangeRequest) -> None:
        self._connection.execute(
            "UPDATE change_requests SET title = ?, situation = ?, issuer = ? WHERE id = ?",
            (request.title, request.situation, request.issuer, request.id),
        )
        self._write_all(
            "UPDATE cr_assumptions SET statement = ?, reason = ?, evidence = ? WHERE request = ? AND place = ?",
            [
                (one.statement, one.reason, json.dumps(one.evidence, ensure_ascii=False), request.id, place)
                for place, one in enumerate(request.assumptions)
            ],
        )
        known = self._number("SELECT count(*) FROM cr_steps WHERE request = ?", (request.id,))
        self._write_all(
            "UPDATE cr_steps SET reason = ?, by_name = ? WHERE request = ? AND place = ?",
            [(step.reason, step.by.name, request.id, place) for place, step in enumerate(request.history[:known])],
        )
        for step in request.history[known:]:
            self.add_step(request.id, step)

    def _put_crux(self, crux: Crux) -> None:
        reason = crux.recommended.reason if crux.recommended else None
        self._connection.execute(
            "UPDATE cruxes SET question = ?, recommended_reason = ? WHERE id = ?", (crux.question, reason, crux.id)
        )
        self._write_all(
            "UPDATE crux_options SET choice = ?, wording = ?, consequence = ? WHERE id = ?",
            [(option.choice, option.wording, option.consequence, option.id) for option in crux.options],
        )
        if crux.answer:
            decision, basis, beyond = crux.answer.decision, crux.answer.basis, crux.answer.beyond
            self._connection.execute(
                "UPDATE crux_answers SET wording = ?, reason = ?, policy_text = ?, arbitrary = ?, by_name = ?, "
                "declined = ? WHERE crux = ?",
                (
                    *(decision.wording, decision.reason, basis.text, basis.reason, crux.answer.by.name),
                    *(beyond.declined if beyond else None, crux.id),
                ),
            )
            self._write_all(
                "UPDATE crux_keeps SET text = ? WHERE crux = ? AND place = ?",
                [(text, crux.id, place) for place, text in enumerate(decision.keep)],
            )

    def _put_run(self, run: CheckRun) -> None:
        self._connection.execute(
            "UPDATE check_runs SET failure = ?, command = ?, stderr = ? WHERE id = ?",
            (run.failure, run.evidence.command, run.evidence.stderr, run.id),
        )
        self._write_all(
            "UPDATE check_run_findings SET message = ? WHERE run = ? AND place = ?",
            [(finding.message, run.id, place) for place, finding in enumerate(run.findings)],
        )

    def _add_correction(self, record: Id, corrections: Sequence[Correction]) -> None:
        """The texts of the corrections that were there, and those that are new."""
        self._write_all(
            "INSERT OR REPLACE INTO corrections VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (record, place, json.dumps(one.fields), one.reason, one.by.kind, one.by.name, one.at)
                for place, one in enumerate(corrections)
            ],
        )

    def clear(self, text: str) -> str | None:
        why_not = self._written_again()
        if why_not is None and _is_in(text, self._connection.serialize()):
            why_not = "the bytes are still in the file: something else that is kept there, as a Clause, has the text"
        return why_not

    def clear_when_due(self) -> None:
        """Write the file again when a correction could not; whether that works is told by nobody now."""
        if not self._connection.in_transaction and self._number("SELECT clear_due FROM store"):
            self._written_again()

    def _written_again(self) -> str | None:
        """Write the whole file anew, and what waits beside it into it; why that did not come to its end, or None."""
        try:
            self._connection.execute("VACUUM")
            if self._is_busy():
                return "another process reads the store as it was; the next `chidev exec` after it clears the file"
            self._connection.execute("UPDATE store SET clear_due = 0")
            if self._is_busy():
                return "another process began to read the store meanwhile"
        except sqlite3.Error as error:
            return f"the file could not be written again: {error}"
        return None

    def _is_busy(self) -> bool:
        """Whether something is left beside the file, since another process still needs it."""
        busy = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        beside = self._path + "-wal"
        return bool(busy) or (os.path.exists(beside) and os.path.getsize(beside) > 0)


def _is_in(text: str, file: bytes) -> bool:
    """Whether a text is in the bytes of a store, as it is or as JSON has it, also where it runs from page to page."""
    for says in {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}:
        whole = says.encode()
        count = max(2, -(-len(whole) // _PIECE_BYTES))
        size = -(-len(whole) // count)
        pieces = [whole[at : at + size] for at in range(0, len(whole), size)] if size >= _LEAST_PIECE_BYTES else []
        if any(piece in file for piece in (whole, *pieces)):
            return True
    return False
