"""The tables `[external."ext.<name>"]`: which programs of the project check its model.

Source: specification, "External checks" and "Triggers and moments" (the old words).
"""

from __future__ import annotations

import re

from chidev.app.ports.settings import ExternalSettings
from chidev.domain.rule import Moment
from chidev.infra.toml_table import Problems, Table, printable

READS = ("contracts", "interfaces", "harnesses", "change_requests", "cruxes")

_ID = re.compile(r"ext\.[a-z0-9-]+(\.[a-z0-9-]+)*")
_RENAMED_MOMENTS = {"put": "edit"}
_DEFAULT = ExternalSettings("", "", (), ())


def read_external(values: dict[str, object], problems: Problems) -> tuple[ExternalSettings, ...]:
    """The registrations, in the order of the file; not to be used when it added to `problems`."""
    registrations = Table(values, "[external] ", problems)
    return tuple(_registration(id_, table, registrations) for id_, table in registrations.tables())


def _registration(id_: str, table: Table, registrations: Table) -> ExternalSettings:
    if not _ID.fullmatch(id_):
        shown = f"is `{printable(id_)}`" if id_ else "is empty"
        registrations.refuse(id_, f"{shown}, expected an id as `ext.naming`: `ext.`, then words of a-z, 0-9 and -")
    command = table.text("command", required=True)
    read = ExternalSettings(
        id=id_,
        command=command or "",
        moments=_moments(table),
        reads=table.words("reads", READS, {}) or (),
        args=table.texts("args", empty=True, blanks=True) or (),
        timeout_s=table.time("timeout", _DEFAULT.timeout_s),
        gate=table.truth("gate", _DEFAULT.gate),
        params=table.scalars("params"),
    )
    table.done()
    return read


def _moments(table: Table) -> tuple[Moment, ...]:
    if "hooks" in table.values:
        table.refuse("hooks", "is called `moments` now")
        table.skip("hooks", "moments")
        return ()
    words = table.words("moments", tuple(Moment), _RENAMED_MOMENTS) or ()
    return tuple(Moment(word) for word in words if word in tuple(Moment))
