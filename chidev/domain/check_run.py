"""The runs of external checks: what a program of the project said of the model, and how it ended.

Source: specification, "External checks".
"""

from __future__ import annotations

import msgspec

from chidev.domain.correction import Correction
from chidev.domain.identity import Id
from chidev.domain.rule import Level, Moment


class RunFinding(msgspec.Struct, frozen=True):
    """What the program found: about a thing of the model that it was sent, or without one about the whole project."""

    kind: str | None
    id: str | None
    message: str
    level: Level | None


class Evidence(msgspec.Struct, frozen=True):
    """How the program ran: its path, its exit status (the negative number of the signal that ended it; null when it did
    not start or was ended for its time), and the end of what it said."""

    command: str
    exit_code: int | None
    stderr: str


class CheckRun(msgspec.Struct, frozen=True):
    """One run; the latest of a rule is the saved result. `failure` says in words why there is no reply.

    `input_stamp` is a digest of the model that was sent, `config_stamp` of the registration and the policy of the rule.
    """

    id: Id
    rule: str
    moment: Moment
    store_revision: int
    at: int
    failure: str | None
    findings: tuple[RunFinding, ...]
    input_stamp: str
    config_stamp: str
    evidence: Evidence
    corrections: tuple[Correction, ...] = ()
