"""What starts a program of the project and gives it a document.

Source: specification, "External checks"; design, "What must always hold".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from chidev.domain.check_run import Evidence


class Called(msgspec.Struct, frozen=True):
    """How a call ended: `failure` says in words why there is no reply, None when `reply` has what was printed."""

    failure: str | None
    reply: bytes
    evidence: Evidence


class Programs(Protocol):
    """Programs run as data: without a shell, from the root, capped, with all that they started ended."""

    def call(self, command: Sequence[str], request: bytes, timeout_s: float) -> Called:
        """Start a program, give it a request on its standard input, and wait for it to end.

        Args:
            command: e.g. `("./tools/check", "--strict")`; a name without a slash is found on PATH.
        """
        ...
