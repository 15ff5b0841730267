"""Change requests: what is asked, of which targets, and what is to stay.

Source: specification, "Change requests" and "Change-request addresses".
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec

from chidev.domain.identity import Id


class Intent(StrEnum):
    CHANGE_BEHAVIOR = "change_behavior"
    KEEP_BEHAVIOR = "keep_behavior"


class Expectation(msgspec.Struct, frozen=True):
    """A target the request asks to have revised or retired (`target`) or to stay as it is (`keep`)."""

    kind: str
    target: str
    id: Id
    recorded: int


class Address(msgspec.Struct, frozen=True):
    """A finding the request is about: a rule and a subject; without one, the Project."""

    rule: str
    kind: str | None
    id: Id | None


class Assumption(msgspec.Struct, frozen=True):
    """A reading of the request's words, why, and what it rests on (as the operation gave it)."""

    statement: str
    reason: str
    evidence: list[dict[str, Any]]


class ChangeRequest(msgspec.Struct, frozen=True):
    """A request that is open: nothing resolves one yet."""

    id: Id
    title: str
    intent: Intent
    situation: str | None
    issuer: str | None
    parent: Id | None
    expects: tuple[Expectation, ...]
    addresses: tuple[Address, ...]
    assumptions: tuple[Assumption, ...]
