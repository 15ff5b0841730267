"""Programs for tests that start none."""

from __future__ import annotations

from collections.abc import Sequence

from chidev.app.ports.programs import Called
from chidev.domain.check_run import Evidence


class NoPrograms:
    """Implements `app.ports.programs.Programs` where there is none."""

    def call(self, command: Sequence[str], request: bytes, timeout_s: float) -> Called:
        return Called(f"`{command[0]}` is not there", b"", Evidence(command[0], None, ""))
