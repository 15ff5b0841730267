"""What a rule is, what it says when it is broken, and what a check says when it finds something.

A rule is written once, as a `Rule` beside the function that judges it (`domain/rules/<family>.py`). The catalogue,
the diagnostics, the reference page and the tests all read that one object.

Source: specification, "Diagnostics" and "Triggers and moments".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any

import msgspec


class Level(StrEnum):
    """How loudly a rule speaks; an invariant and an input rule are always `error`."""

    OFF = "off"
    NOTE = "note"
    WARNING = "warning"
    ERROR = "error"


class Moment(StrEnum):
    """When a check runs. Source: "Triggers and moments"."""

    EDIT = "edit"
    PIN = "pin"
    RESOLVE = "resolve"
    CHECK = "check"


class CheckKind(StrEnum):
    """`change`: an edit made something stale or out of place. `state`: the model is not finished or not settled."""

    CHANGE = "change"
    STATE = "state"


class Applicability(StrEnum):
    """How far a suggestion can be trusted. Source: "Diagnostics"."""

    MACHINE = "machine"
    REVIEW = "review"
    PLACEHOLDER = "placeholder"


class Subject(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a violation or a finding is about: its kind, its name as `status` shows it, and where it is."""

    kind: str
    name: str
    context: str | None = None
    contract: str | None = None
    interface: str | None = None
    harness: str | None = None


class Suggestion(msgspec.Struct, frozen=True):
    """An operation that mends a violation (or a sentence, when no single operation does)."""

    op: dict[str, Any] | str
    applicability: Applicability


class Example(msgspec.Struct, frozen=True):
    """Operations that are accepted (`given`), then one that breaks the rule (`breaks`). Run by a test.

    `settings` is the text of chidev.toml the example needs; `files` maps paths below the root to their text.
    `breaks` is one line of exec: an operation, or a text that is sent as it is.
    """

    breaks: dict[str, Any] | str
    given: tuple[dict[str, Any], ...] = ()
    settings: str = ""
    files: Mapping[str, str] = {}


class Rule(msgspec.Struct, frozen=True):
    """One rule, whole: what is printed, explained, documented and tested of it.

    A check has `moments` and a `check_kind`; an invariant and an input rule have neither.
    """

    id: str
    message: str
    help: str
    values: Mapping[str, str] = {}
    level: Level = Level.ERROR
    example: Example | None = None
    moments: tuple[Moment, ...] = ()
    check_kind: CheckKind | None = None
    mandatory: bool = False
    params: Mapping[str, bool | int | float | str] = {}
    summary: str = ""
    highest: Level = Level.ERROR  # that any setting can give it

    @property
    def kind(self) -> str:
        """`check`, `input` or `invariant`, as `rules` lists it; `test` is a check where tests are collected."""
        if self.moments or self.id.startswith("test."):
            return "check"
        return "input" if self.id.startswith(("input.", "items.")) else "invariant"

    def broken(
        self,
        *subjects: Subject,
        field: str | None = None,
        did_you_mean: tuple[str, ...] = (),
        suggestions: tuple[Suggestion, ...] = (),
        **values: Any,
    ) -> Violation:
        """A violation of this rule.

        Args:
            field: the path of the input it is about. A value that is called `field` too is given as `field_`.

        Raises:
            TypeError: a value that the rule did not declare, or one that is missing.
        """
        values = {key.rstrip("_"): value for key, value in values.items()}
        self._refuse_undeclared(values)
        return Violation(self, subjects, field, values, suggestions, did_you_mean)

    def found(
        self,
        about: Subject | None,
        identity: tuple[str, str],
        grounds: frozenset[tuple[str, Any]],
        /,
        *,
        within: Collection[str] = (),
        beside: tuple[Subject, ...] = (),
        addressed_as: str | None = None,
        level: Level | None = None,
        judged: Mapping[str, Any] | None = None,
        suggestions: tuple[Suggestion, ...] = (),
        **values: Any,
    ) -> Finding:
        """A finding of this check about one subject.

        Args:
            identity: kind and id of what it is about; with the rule it tells two findings apart.
            grounds: why it is found; an edit answers with a finding that has a ground it did not have before.
            within: the names of the Contexts it is about; none when it is about the Project as a whole.
            beside: what else it is about.
            addressed_as: the id by which a request addresses it, when that is another than its own.
            level: its own, when that is below the one its rule is held to.
            judged: who judged it, on what.
        """
        self._refuse_undeclared(values)
        address = addressed_as or identity[1]
        contexts = frozenset(within)
        return Finding(self, about, identity, grounds, contexts, values, suggestions, beside, address, level, judged)

    def _refuse_undeclared(self, values: Mapping[str, Any]) -> None:
        if values.keys() != self.values.keys():
            odd = sorted(values.keys() ^ self.values.keys())
            raise TypeError(f"{self.id} declares {sorted(self.values)}; differs in {odd}")


class Violation(msgspec.Struct, frozen=True):
    """A rule that an operation broke: why it was refused. `field` is the path of the input it is about."""

    rule: Rule
    subjects: tuple[Subject, ...]
    field: str | None
    values: Mapping[str, Any]
    suggestions: tuple[Suggestion, ...]
    did_you_mean: tuple[str, ...]


class Finding(msgspec.Struct, frozen=True):
    """What a check found about one subject. Its level and its state are given by the policy and the requests, later."""

    rule: Rule
    about: Subject | None
    identity: tuple[str, str]
    grounds: frozenset[tuple[str, Any]]
    within: frozenset[str]
    values: Mapping[str, Any]
    suggestions: tuple[Suggestion, ...]
    beside: tuple[Subject, ...]
    address: str
    level: Level | None = None
    judged: Mapping[str, Any] | None = None

    @property
    def subjects(self) -> tuple[Subject, ...]:
        return (self.about, *self.beside) if self.about else self.beside


class Refused(Exception):
    """An operation broke one or more rules; nothing of it is kept. `violations` is never empty."""

    def __init__(self, *violations: Violation) -> None:
        super().__init__(", ".join(v.rule.id for v in violations))
        self.violations = violations
