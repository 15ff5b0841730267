"""The tables `[checks."<id>"]` and `[checks."<family>."]`: the levels and the parameters of the checks.

Source: specification, "The project and chidev.toml", "Operations" (what a selector is) and the tables of checks;
open-points 6 and 16.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from chidev.app.ports.settings import CheckSetting, ExternalSettings, KnownCheck, Scalar
from chidev.domain.rule import Level
from chidev.domain.rules.check_ids import SPECIFIED_CHECKS
from chidev.infra.toml_table import Problems, Table, kind_of, printable

MANDATORY = frozenset({"sim.nondeterministic"})

_LEVELS = tuple(level.value for level in Level)
_OWN_FAMILIES = ("judged.", "ext.")  # of a project's own checks; it may have none
_OF_PYTEST = "ext.pytest."  # which there are is known to the hooks of the tests alone


def all_checks(known: Iterable[KnownCheck], external: Iterable[ExternalSettings]) -> dict[str, KnownCheck]:
    """Every check that settings may name, by id; what this release knows of one comes before the specification."""
    specified = (KnownCheck(id_, id_ in MANDATORY) for id_ in SPECIFIED_CHECKS)
    registered = (KnownCheck(it.id, it.gate, it.params) for it in external)
    return {check.id: check for group in (specified, known, registered) for check in group}


def read_checks(
    values: dict[str, object], checks: Mapping[str, KnownCheck], problems: Problems
) -> tuple[CheckSetting, ...]:
    """The settings, in the order of the file; not to be used when it added to `problems`."""
    settings = Table(values, "[checks] ", problems)
    return tuple(_setting(selector, table, settings, checks) for selector, table in settings.tables())


def _setting(selector: str, table: Table, settings: Table, checks: Mapping[str, KnownCheck]) -> CheckSetting:
    selected = _selected(selector, checks)
    if not (selected or selector in _OWN_FAMILIES or selector.startswith(_OF_PYTEST)):
        settings.refuse(selector, _unknown(selector, table, checks, settings.problems))
        return CheckSetting(selector, None)
    level = _level(table)
    if selector in checks and checks[selector].mandatory and level not in {None, Level.ERROR}:
        table.refuse("level", f"is `{level}`; this check always speaks at `error`, no setting lowers it")
    params = table.scalars("params")
    _judge_params(table, params, selected)
    table.done()
    return CheckSetting(selector, level, params)


def _selected(selector: str, checks: Mapping[str, KnownCheck]) -> list[KnownCheck]:
    """The checks that an id, or a family with its dot, stands for. Source: "Operations", check."""
    if not selector.endswith("."):
        return [checks[selector]] if selector in checks else []
    return [check for id_, check in checks.items() if id_.startswith(selector)]


def _unknown(selector: str, table: Table, checks: Mapping[str, KnownCheck], problems: Problems) -> str:
    what = "is a family that no check is of" if selector.endswith(".") else "is the id of no check"
    inner = next((key for key, value in table.values.items() if isinstance(value, dict)), None)
    if inner is not None and _selected(f"{selector}.{inner}", checks):
        return f'{what}; an id is written in quotes: [checks."{selector}.{inner}"]'
    return what + problems.meant(selector, _selectors(checks))


def _selectors(checks: Iterable[str]) -> Collection[str]:
    ids = list(checks)
    return [*ids, *dict.fromkeys(id_[: id_.index(".") + 1] for id_ in ids if "." in id_)]


def _level(table: Table) -> Level | None:
    word = table.text("level")
    if word is None:
        return None
    if word not in _LEVELS:
        table.refuse("level", f"is `{printable(word)}`, expected one of `off`, `note`, `warning`, `error`")
        return None
    return Level(word)


def _judge_params(table: Table, params: Mapping[str, Scalar], selected: Collection[KnownCheck]) -> None:
    """An override has a name that a selected check declares, and the type of its default. Source: "External checks"."""
    inner = table.table("params") if params else None
    if inner is None:
        return
    declared = {name: default for check in selected for name, default in check.params.items()}
    for name, value in params.items():
        if name not in declared:
            inner.refuse(name, "is no parameter of it" + inner.problems.meant(name, declared))
        for check in selected:
            default = check.params.get(name, value)
            if type(default) is not type(value):
                inner.refuse(name, f"is {kind_of(value)}, but of {check.id} it is {kind_of(default)}")
