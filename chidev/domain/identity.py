"""What an id is: a text that is given once and never again, also after the thing it named is retired."""

from __future__ import annotations

from collections.abc import Callable
from typing import NewType

Id = NewType("Id", str)
NewId = Callable[[], Id]
