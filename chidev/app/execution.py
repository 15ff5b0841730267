"""Running operations one after another, and answering each once what it did is durable.

Operations that wait together are kept in one group, a savepoint each, and answered after the group is committed.

Source: specification, "Operations" (exec); design, "The store".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

import msgspec

from chidev.app.commit import RefusedByChecks
from chidev.app.diagnose import Diagnostic, FindingAnswer, diagnostics, store_violation
from chidev.app.operations import BY_TYPE
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreRefused
from chidev.app.protocol import Line, read_line
from chidev.domain.rule import Refused, Violation

GROUP_S = 0.05  # how long a group is open at most
_ENCODER = msgspec.json.Encoder()


class Refusal(msgspec.Struct, frozen=True):
    """The answer to a line that was refused."""

    diagnostics: Sequence[Diagnostic]


class CheckedRefusal(msgspec.Struct, frozen=True):
    """The answer to a change that checks refused: what was found against it, all that was found, what programs said."""

    diagnostics: Sequence[FindingAnswer]
    findings: Sequence[FindingAnswer]
    external: Sequence[msgspec.Struct]


class Answer(msgspec.Struct, frozen=True):
    """The answer to one line: the verdict, where it came from, and the fields of its operation."""

    ok: bool
    line: int
    op: str | None
    fields: msgspec.Struct

    def encoded(self) -> bytes:
        """One line of JSON without its line feed; the verdict comes first. Source: users.md, second part, 2."""
        head = {"ok": self.ok, "line": self.line} | ({"op": self.op} if self.op is not None else {})
        fields = _ENCODER.encode(self.fields)
        return _ENCODER.encode(head)[:-1] + (b"," + fields[1:] if len(fields) > 2 else b"}")


class Execution:
    """Runs the lines of one input.

    Args:
        services: makes the ports of the run; it is given what makes durable what waits (`Services.before_slow`).
        tell: is given answers, in order, once they are durable; also an empty list.
    """

    def __init__(
        self, services: Callable[[Callable[[], None]], Services], tell: Callable[[Sequence[Answer]], None]
    ) -> None:
        self._services = services(self.close_group)
        self._tell = tell
        self._waiting: list[Answer] = []
        self._opened_at: float | None = None
        self.refused = False

    def run(self, raw: bytes, number: int) -> None:
        """Run one line; its answer comes when the group is closed. Blank lines have none.

        Whoever reads the lines closes the group before it waits for one, and at the end.
        """
        if raw.strip():
            # Answering may close the group, which begins a new list.
            answer = self._answer(read_line(raw, number))
            self._waiting.append(answer)
        if self._opened_at is None or monotonic() - self._opened_at > GROUP_S:
            self.close_group()

    def close_group(self) -> None:
        """Make durable what waits and tell it; when that fails, everything of the group is told as refused."""
        try:
            self._services.store.close_group()
        except StoreRefused as error:
            self._refuse_group(error)
        told, self._waiting, self._opened_at = self._waiting, [], None
        self.refused |= any(not answer.ok for answer in told)
        self._tell(told)

    def _answer(self, line: Line) -> Answer:
        if line.operation is None:
            return _refused(line, line.violations)
        try:
            fields: Any = BY_TYPE[type(line.operation)].does(line.operation, self._services)
        except Refused as refused:
            return _refused(line, refused.violations)
        except RefusedByChecks as refused:
            checked = CheckedRefusal(refused.against, refused.findings, refused.external)
            return Answer(ok=False, line=line.number, op=line.op, fields=checked)
        except StoreRefused as error:
            if not self._services.store.group_is_open():
                self._refuse_group(error)
            return Answer(ok=False, line=line.number, op=line.op, fields=_store_refusal(error))
        if self._opened_at is None and self._services.store.group_is_open():
            self._opened_at = monotonic()
        return Answer(ok=True, line=line.number, op=line.op, fields=fields)

    def _refuse_group(self, error: StoreRefused) -> None:
        """Nothing of the open group was kept: neither what it wrote nor what was answered from it is true."""
        if self._opened_at is not None:
            refusal = _store_refusal(error)
            self._waiting = [
                Answer(ok=False, line=answer.line, op=answer.op, fields=refusal) if answer.ok else answer
                for answer in self._waiting
            ]
            self._opened_at = None


def _refused(line: Line, violations: Sequence[Violation]) -> Answer:
    return Answer(ok=False, line=line.number, op=line.op, fields=Refusal(diagnostics(violations)))


def _store_refusal(error: StoreRefused) -> Refusal:
    return Refusal(diagnostics([store_violation(error)]))
