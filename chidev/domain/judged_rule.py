"""Rules that no program can judge: a question that an agent answers, and the answers that are kept.

Source: specification, "Judged rule versions"; open-points 1 and 14.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256

import msgspec

from chidev.domain.identity import Id
from chidev.domain.rule import CheckKind, Level, Moment, Rule


class JudgedRule(msgspec.Struct, frozen=True, dict=True):
    """One file of `checks/judged`. `true` and `false` say what the two answers mean, `fix` what to do.

    `when` are hints of when it is worth asking. `subject` is the kind of thing it is asked about.
    """

    id: str
    summary: str
    subject: str
    moments: tuple[Moment, ...]
    level: Level
    question: str
    true: str
    false: str
    fix: str
    when: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """64 hex digits over what decides the answer: id, subject, question, true and false."""
        whole = sha256()
        for word in (self.id, self.subject, self.question, self.true, self.false):
            encoded = word.encode()
            whole.update(b"%d:" % len(encoded) + encoded)
        return whole.hexdigest()

    @cached_property
    def rule(self) -> Rule:
        """It as a rule of the catalogue."""
        return Rule(
            id=self.id,
            level=self.level,
            moments=self.moments,
            check_kind=CheckKind.STATE,
            summary=self.summary,
            message="{message}",
            help=self.fix,
            values={
                "message": "what was found",
                "stale": "whether what it was judged on moved since, or the rule did",
                "judge": "who judged",
                "read_at": "the store revision that was read",
            },
        )


class JudgedFinding(msgspec.Struct, frozen=True):
    """One thing that was found: the subject (no id for the Project), and a stamp of what that said then."""

    kind: str
    id: Id | None
    message: str
    level: Level | None
    stamp: str


class JudgedReport(msgspec.Struct, frozen=True):
    """The latest report of a rule; it replaced all that the rule had.

    `scope` is a stamp over every subject that could be judged; `on_older_revision` says that the model had moved
    since it was read. `at` is in milliseconds since 1970, UTC.
    """

    rule: str
    judge: str
    read_at: int
    at: int
    on_older_revision: bool
    rule_digest: str
    scope: str
    findings: tuple[JudgedFinding, ...]
