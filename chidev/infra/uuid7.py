"""Ids that are in the order in which they were made: UUIDs of version 7 (RFC 9562, method 1 for the counter).

Source: open-points 3. Python has a maker of its own from 3.14 on.
"""

from __future__ import annotations

import os
import time

from chidev.domain.identity import Id

_COUNTER_BITS = 12
_RANDOM_BITS = 62


class Uuid7Maker:
    """Makes ids; each is greater than the one before it, also within a millisecond and when the clock goes back."""

    def __init__(self) -> None:
        self._last = 0  # milliseconds and counter, as one number

    def __call__(self) -> Id:
        now = time.time_ns() // 1_000_000 << _COUNTER_BITS
        self._last = max(now, self._last + 1)
        high = (self._last >> _COUNTER_BITS) << 16 | 0x7000 | self._last & 0xFFF
        low = 0b10 << _RANDOM_BITS | int.from_bytes(os.urandom(8)) >> 2
        text = f"{high << 64 | low:032x}"
        return Id(f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}")
