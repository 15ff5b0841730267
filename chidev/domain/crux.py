"""Cruxes: a choice that nobody can derive, and the decision that was taken.

Source: specification, "Crux, Policy and Assumption".
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from chidev.domain.change_request import Address, By
from chidev.domain.correction import Correction
from chidev.domain.identity import Id


class CruxKind(StrEnum):
    """Why there is a choice: the text reads more than one way, two promises cannot both hold, the words of the model
    are in question, or a test and the promise it checks read differently."""

    AMBIGUITY = "ambiguity"
    CONFLICT = "conflict"
    MODEL = "model"
    DISAGREEMENT = "disagreement"


class Importance(StrEnum):
    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Asked(msgspec.Struct, frozen=True):
    """What an option asks of a target: `kind` is target or keep, `target` what kind of thing the id is of."""

    kind: str
    target: str
    id: Id


class Option(msgspec.Struct, frozen=True):
    """`wording` is the exact new text of the definitions, `consequence` what else choosing it affects."""

    id: Id
    choice: str
    wording: str | None
    consequence: str | None
    expects: tuple[Asked, ...]


class Recommended(msgspec.Struct, frozen=True):
    """`confidence` is a percentage from 0 to 100."""

    option: Id
    reason: str | None
    confidence: int | None


class Form(StrEnum):
    """How a question was answered."""

    CHOSEN = "chosen"
    WORDED = "worded"
    UNSPECIFIED = "unspecified"
    WITHDRAWN = "withdrawn"


class Decision(msgspec.Struct, frozen=True):
    """`option` goes with chosen, `wording` with worded, `keep` (what must still hold) with unspecified."""

    form: Form
    option: Id | None = None
    wording: str | None = None
    keep: tuple[str, ...] = ()
    reason: str | None = None


class Basis(msgspec.Struct, frozen=True):
    """A line of the Policy, with its text and the revision of the Policy then; or, without one, an arbitrary reason."""

    line: str | None = None
    text: str | None = None
    policy_revision: int | None = None
    reason: str | None = None


class Beyond(msgspec.Struct, frozen=True):
    """Where what the decision added outside its request went: to other requests, or, without any, nowhere: why."""

    requests: tuple[Id, ...] = ()
    declined: str | None = None


class Answer(msgspec.Struct, frozen=True):
    """`at` is in milliseconds since 1970, UTC."""

    id: Id
    decision: Decision
    basis: Basis
    by: By
    at: int
    beyond: Beyond | None = None


class Crux(msgspec.Struct, frozen=True):
    """`request` is the one it was raised in and stops; `supersedes` the Crux whose decision it replaces."""

    id: Id
    request: Id
    kind: CruxKind
    question: str
    importance: Importance | None
    findings: tuple[Address, ...]
    options: tuple[Option, ...]
    recommended: Recommended | None
    supersedes: Id | None
    answer: Answer | None = None
    corrections: tuple[Correction, ...] = ()

    def option(self, id_: str) -> Option | None:
        return next((option for option in self.options if option.id == id_), None)

    @property
    def decides(self) -> bool:
        """Whether it has a decision that another can replace: a withdrawal is none."""
        return self.answer is not None and self.answer.decision.form is not Form.WITHDRAWN

    @property
    def replaces(self) -> bool:
        """Whether it holds the place of the decision it supersedes: one that was withdrawn replaced nothing."""
        return self.answer is None or self.decides
