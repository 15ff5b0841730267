"""The time of day, as records keep it."""

from __future__ import annotations

from time import time_ns


def now_ms() -> int:
    """Milliseconds since 1970, UTC."""
    return time_ns() // 1_000_000
