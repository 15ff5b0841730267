"""The settings of a project: `chidev.toml`, the person's own file, and the argument that names a store.

Source: specification, "The project and chidev.toml"; open-points 16 and 22.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING

from chidev.app.ports.settings import (
    CheckSetting,
    ExternalSettings,
    KnownCheck,
    MeasureSettings,
    Settings,
    SettingsError,
)
from chidev.infra.judged_rules import read_judged
from chidev.infra.toml_file import read_tables

if TYPE_CHECKING:
    from chidev.infra.toml_table import Problems

PROJECT_FILE = "chidev.toml"
PERSON_FILE = ".chidev/chidev.local.toml"
DEFAULT_STORE = ".chidev/chidev.db"

_PROJECT_TABLES = ("store", "checks", "external", "measure")
_PERSON_TABLES = ("store", "checks")


def load(root: str, store: str | None, cwd: str, known_checks: Collection[KnownCheck]) -> Settings:
    """The settings in force.

    Args:
        root: the project's root, absolute (`project_root.find_root`).
        store: what `--store` says, None without it.
        cwd: the directory chidev runs in, absolute; `store` is relative to it.
        known_checks: the checks of this release. Settings may also name any other of the specification.

    Raises:
        SettingsError: one of the two files cannot be read, or holds what it may not; every problem of that file is
            named (ten at most), each with its place.
    """
    tables = read_tables(root, PROJECT_FILE)
    if tables is None:
        raise SettingsError(f"{PROJECT_FILE}: is not there")
    judged = read_judged(root)
    known_checks = [*known_checks, *(KnownCheck(rule.id) for rule in judged)]
    project = _read(PROJECT_FILE, tables, known_checks) if tables else _File()
    own_tables = read_tables(root, PERSON_FILE)
    person = _read(PERSON_FILE, own_tables, known_checks, project.external) if own_tables else _File()
    return Settings(
        root=root,
        store_path=_store_path(root, store, cwd, person.store or project.store or DEFAULT_STORE),
        project_checks=project.checks,
        person_checks=person.checks,
        measure=project.measure,
        external=project.external,
        judged=judged,
    )


def _store_path(root: str, argument: str | None, cwd: str, setting: str) -> str:
    """Absolute, but as it was written: no link is followed and no `..` taken out."""
    if argument is None:
        return os.path.join(os.path.abspath(root), setting)
    if not argument or "\0" in argument:
        raise SettingsError("--store: is empty or holds the character NUL, expected the path of a file")
    return os.path.join(os.path.abspath(cwd), argument)


class _File:
    """What one file says."""

    store: str | None = None
    checks: tuple[CheckSetting, ...] = ()
    measure: MeasureSettings | None = None
    external: tuple[ExternalSettings, ...] = ()


def _sections(tables: dict[str, object], allowed: tuple[str, ...], problems: Problems) -> dict[str, dict[str, object]]:
    """The tables a file may hold, by name; anything else at its top is refused."""
    from chidev.infra.toml_table import kind_of, shown_key

    sections: dict[str, dict[str, object]] = {}
    for name, value in tables.items():
        where = f"[{shown_key(name)}]"
        if name not in allowed:
            elsewhere = f"may not stand in this file, only in `{PROJECT_FILE}`" if name in _PROJECT_TABLES else ""
            problems.add(where, elsewhere or "is no table of this file" + problems.meant(name, allowed))
        elif isinstance(value, dict):
            sections[name] = value
        else:
            problems.add(where, f"is {kind_of(value)}, expected a table")
    return sections


def _read(
    name: str,
    tables: dict[str, object],
    known_checks: Collection[KnownCheck],
    registered: tuple[ExternalSettings, ...] = (),
) -> _File:
    """Each table by the module of its own; what is imported here costs nothing where the file is empty.

    Args:
        registered: the programs that another file registers.
    """
    from chidev.infra.toml_table import Problems, Table

    problems = Problems(name)
    sections = _sections(tables, _PROJECT_TABLES if name == PROJECT_FILE else _PERSON_TABLES, problems)
    file = _File()
    if "store" in sections:
        table = Table(sections["store"], "[store] ", problems)
        file.store = table.text("path")
        table.done()
    if "external" in sections:
        from chidev.infra.external_settings import read_external

        file.external = read_external(sections["external"], problems)
    if "checks" in sections:
        from chidev.infra.check_settings import all_checks, read_checks

        checks = all_checks(known_checks, file.external or registered)
        file.checks = read_checks(sections["checks"], checks, problems)
    if "measure" in sections:
        from chidev.infra.measure_settings import read_measure

        file.measure = read_measure(sections["measure"], problems)
    problems.raise_any()
    return file
