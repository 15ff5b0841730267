"""External checks as processes.

Source: specification, "External checks"; users.md, second part, 9.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from chidev.app.ports.programs import Called
from chidev.domain.check_run import Evidence

REPLY_LIMIT_BYTES = 4 * 1024 * 1024
_STDERR_KEPT = 2000  # characters


class ProcessPrograms:
    """Implements `app.ports.programs.Programs`.

    Args:
        root: the project's root, in which programs are started.
    """

    def __init__(self, root: str) -> None:
        self._root = root

    def call(self, command: Sequence[str], request: bytes, timeout_s: float) -> Called:
        from chidev.infra.process import Outcome, run, shown

        ended = run(command, cwd=self._root, stdin=request, timeout_s=timeout_s, stdout_limit_bytes=REPLY_LIMIT_BYTES)
        name = f"`{shown(command[0])}`"
        failure = {
            Outcome.NOT_STARTED: ended.reason,
            Outcome.TIMED_OUT: f"{name} did not answer within {timeout_s:g} s",
            Outcome.OUTPUT_LIMIT: f"{name} printed more than {REPLY_LIMIT_BYTES} bytes",
        }.get(ended.outcome)
        exit_code = ended.exit_code if ended.outcome is Outcome.ENDED else None
        if exit_code is not None and exit_code < 0:
            failure = f"{name} was ended by signal {-exit_code}"
        elif exit_code:
            failure = f"{name} ended with status {exit_code}"
        evidence = Evidence(self._resolved(command[0]), exit_code, ended.stderr[-_STDERR_KEPT:])
        return Called(failure, b"" if failure else ended.stdout, evidence)

    def _resolved(self, word: str) -> str:
        """The path of the program: from the root when it has a slash, else where PATH has it; the name if nowhere."""
        if "/" in word:
            return os.path.normpath(os.path.join(self._root, word))
        from shutil import which

        return which(word) or word
