"""Change requests: what is asked, of which targets, what is to stay, and how each ended.

Source: specification, "Change requests", "Lifecycle and resolution" and "Change-request addresses".
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import msgspec

from chidev.domain.identity import Id


class Intent(StrEnum):
    CHANGE_BEHAVIOR = "change_behavior"
    KEEP_BEHAVIOR = "keep_behavior"


class Expectation(msgspec.Struct, frozen=True):
    """A target the request asks to have revised or retired (`target`) or to stay as it is (`keep`).

    `recorded` is the revision it had when it was asked.
    """

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


class By(msgspec.Struct, frozen=True):
    """Who decided, as it was declared: `kind` is person or role."""

    kind: str
    name: str


class Resolution(StrEnum):
    """How a request ends; the last two point at another request."""

    DONE = "done"
    WONT_DO = "wont_do"
    INVALID = "invalid"
    DUPLICATE = "duplicate"
    SUPERSEDED = "superseded"


class Step(msgspec.Struct, frozen=True):
    """One step of the history: `resolution` is None where the request was reopened, or a text of it corrected.

    `of` is the request that a duplicate or a superseded points at; `at` is in milliseconds since 1970, UTC.
    `corrected` has the fields of a correction, which changes no state.
    """

    resolution: Resolution | None
    of: Id | None
    reason: str
    by: By
    at: int
    corrected: tuple[str, ...] = ()


class RequestState(StrEnum):
    """`decided`: Cruxes were raised in it, and each has a decision."""

    OPEN = "open"
    DECIDED = "decided"
    RESOLVED = "resolved"


class ChangeRequest(msgspec.Struct, frozen=True):
    """A request with all that was recorded of it, but for its Cruxes and its work.

    `decided` are the expectations of the decisions that stand, each target once.
    """

    id: Id
    title: str
    intent: Intent
    situation: str | None
    issuer: str | None
    parent: Id | None
    expects: tuple[Expectation, ...]
    addresses: tuple[Address, ...]
    assumptions: tuple[Assumption, ...]
    decided: tuple[Expectation, ...] = ()
    history: tuple[Step, ...] = ()

    @property
    def resolved(self) -> Step | None:
        """The step it is resolved by; None while it is open."""
        last = next((step for step in reversed(self.history) if not step.corrected), None)
        return last if last and last.resolution else None

    @property
    def targets(self) -> Iterable[Expectation]:
        return (expected for expected in self.expects if expected.kind == "target")


def state_of(*, is_resolved: bool, cruxes: int, undecided: int) -> RequestState:
    """The state of a request with so many Cruxes, of which so many have no decision."""
    if is_resolved:
        return RequestState.RESOLVED
    return RequestState.DECIDED if cruxes and not undecided else RequestState.OPEN
