"""The settings of a project, as its files say them, defaults applied.

Source: specification, "The project and chidev.toml", "External checks" and "[measure] in chidev.toml".
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chidev.domain.judged_rule import JudgedRule
from chidev.domain.rule import CheckKind, Level, Moment, Rule

Scalar = bool | int | float | str  # what a parameter of a check may hold


class Layout(msgspec.Struct, frozen=True):
    """Where the code of an Interface, or the source of a Harness, is in the tree; exactly one of the two is named."""

    context: str
    path: str
    interface: str | None = None
    harness: str | None = None
    lang: str | None = None


class SimSettings(msgspec.Struct, frozen=True):
    """One `[measure.sim.<context>]`. `timeout_s` is of one case, `budget_s` of the whole run, second runs included.

    `interpreter` and `program` are commands, e.g. `("python3",)` and `("python3", "{tree}/bank.py")`.
    """

    interpreter: tuple[str, ...]
    program: tuple[str, ...]
    seeds: int = 50
    sample: int = 6
    timeout_s: float = 60.0
    budget_s: float = 600.0


class ExamplesSettings(msgspec.Struct, frozen=True):
    """One `[measure.examples.<context>]`. `timeout_s` is of one example, `budget_s` of the whole run."""

    program: tuple[str, ...]
    timeout_s: float = 10.0
    budget_s: float = 600.0


class MeasureSettings(msgspec.Struct, frozen=True):
    """The table `[measure]`; times in seconds. `mutants` and `items` are by language, `sim` and `examples` by Context.

    `{run}` and `{tree}` stand as they are written, in values of `env` and in the words of a `program` only.
    """

    build: tuple[str, ...] | None = None
    test: tuple[str, ...] | None = None
    copy_exclude: tuple[str, ...] = (".git", "target", ".chidev")
    env: Mapping[str, str] = msgspec.field(default_factory=lambda: {"CARGO_TARGET_DIR": "{run}/target"})
    timeout_s: float = 30.0
    baseline_timeout_s: float = 600.0
    budget_s: float = 900.0
    max_mutants: int = 40
    seed: int = 0
    operators: tuple[str, ...] | None = None
    mutants: Mapping[str, tuple[str, ...]] = {}
    items: Mapping[str, tuple[str, ...]] = {}
    layout: tuple[Layout, ...] = ()
    sim: Mapping[str, SimSettings] = {}
    examples: Mapping[str, ExamplesSettings] = {}


class ExternalSettings(msgspec.Struct, frozen=True):
    """One `[external."ext.<name>"]`: the registration of a program that checks. `timeout_s` is of one call.

    `reads` are sections of the view; `params` are the defaults that `[checks]` may override, in the type given here.
    """

    id: str
    command: str
    moments: tuple[Moment, ...]
    reads: tuple[str, ...]
    args: tuple[str, ...] = ()
    timeout_s: float = 10.0
    gate: bool = False
    params: Mapping[str, Scalar] = {}

    @property
    def rule(self) -> Rule:
        """It as a rule of the catalogue: a gate speaks at error always, the others at warning at most."""
        return Rule(
            id=self.id,
            level=Level.ERROR if self.gate else Level.WARNING,
            highest=Level.ERROR if self.gate else Level.WARNING,
            mandatory=self.gate,
            moments=self.moments,
            check_kind=CheckKind.STATE,
            params=self.params,
            summary=self.id,
            message="{message}",
            help=f"The program `{self.command}` found it, which chidev.toml registers as [external.{self.id}].",
            values={
                "message": "what the program said",
                "stale": "whether the model or the registration moved since it ran",
            },
        )


class KnownCheck(msgspec.Struct, frozen=True):
    """What `[checks]` is judged against: a check that this release has, its parameters with their defaults."""

    id: str
    mandatory: bool = False
    params: Mapping[str, Scalar] = {}


class CheckSetting(msgspec.Struct, frozen=True):
    """One table of `[checks]`: the level, and the parameters, of a rule id or of a family with its dot."""

    selector: str
    level: Level | None
    params: Mapping[str, Scalar] = {}


class Settings(msgspec.Struct, frozen=True):
    """Everything the two files say. `measure` is None when there is no table of that name.

    `store_path` is absolute. `project_checks` come from chidev.toml, `person_checks` from the person's file.
    """

    root: str
    store_path: str
    project_checks: tuple[CheckSetting, ...] = ()
    person_checks: tuple[CheckSetting, ...] = ()
    measure: MeasureSettings | None = None
    external: tuple[ExternalSettings, ...] = ()
    judged: tuple[JudgedRule, ...] = ()


class SettingsError(Exception):
    """Settings that cannot be used; nothing may run. The message names the file, as one line."""

    def __init__(self, message: str) -> None:
        super().__init__(message.replace("\n", "\\n"))
