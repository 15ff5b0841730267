"""The questions a store answers, in SQL.

Source: `app.ports.store.StoreReader`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from chidev.app.ports.store import Citing
from chidev.domain.contract import Clause, Contract
from chidev.domain.harness import Case, Citation, Harness, HarnessKind
from chidev.domain.identity import Id
from chidev.domain.interface import Interface, Item
from chidev.domain.outline import Asset, Part
from chidev.domain.project import Basis, Context, Project
from chidev.domain.retirement import Retired
from chidev.infra.sqlite_checks import SqliteChecks
from chidev.infra.sqlite_errors import damaged, told_by_rule

_ASSET = "SELECT id, context, kind, name, revision FROM assets "
_KIND_ORDER = "CASE kind WHEN 'contract' THEN 0 WHEN 'interface' THEN 1 ELSE 2 END"
# Rows of one Context are stored in the order of `place`; an inner ORDER BY makes it sure.
_USES = (
    "(SELECT group_concat(used, ' ') FROM (SELECT used FROM context_uses WHERE context = contexts.id ORDER BY place))"
)
_CITING = """
SELECT c.case_id, k.name, h.id, h.name, x.id, x.name, t.id, t.name, c.kind, a.id, a.name, y.id, y.name
FROM citations c JOIN parts k ON k.id = c.case_id JOIN assets h ON h.id = k.asset JOIN contexts x ON x.id = h.context
     JOIN parts t ON t.id = c.target JOIN assets a ON a.id = t.asset JOIN contexts y ON y.id = a.context
"""

_THOSE = "IN (SELECT value FROM json_each(?))"


class SqliteReader(SqliteChecks):
    """Implements `app.ports.store.StoreReader` over one connection."""

    @contextmanager
    def reading(self) -> Iterator[None]:
        if self._connection.in_transaction:
            yield
            return
        with told_by_rule(self._path):
            self._connection.execute("BEGIN")
        try:
            yield
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def revision(self) -> int:
        return self._number("SELECT revision FROM store")

    def project(self) -> Project | None:
        row = self._row("SELECT id, revision FROM project")
        return Project(*row) if row else None

    def contexts(self) -> list[Context]:
        return self._contexts("", ())

    def context_named(self, name: str) -> Context | None:
        found = self._contexts("WHERE name = ?", (name,))
        return found[0] if found else None

    def context_names(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT name FROM contexts ORDER BY id")]

    def users_of(self, context: Id) -> list[Context]:
        return self._contexts("WHERE id IN (SELECT context FROM context_uses WHERE used = ?)", (context,))

    def assets(self, context: Id) -> list[Asset]:
        return [
            self._asset(*row)
            for row in self._rows(f"{_ASSET} WHERE context = ? ORDER BY {_KIND_ORDER}, id", (context,))
        ]

    def asset_named(self, context: Id, kind: str, name: str) -> Asset | None:
        row = self._row(f"{_ASSET} WHERE context = ? AND kind = ? AND name = ?", (context, kind, name))
        return self._asset(*row) if row else None

    def asset_names(self, context: Id, kind: str) -> list[str]:
        names = self._rows("SELECT name FROM assets WHERE context = ? AND kind = ? ORDER BY id", (context, kind))
        return [name for (name,) in names]

    def is_retired_name(self, context: Id, kind: str, name: str) -> bool:
        found = self._row(
            "SELECT 1 FROM retired WHERE context = ? AND kind = ? AND asset_name = ?", (context, kind, name)
        )
        return found is not None

    def contract(self, asset: Asset) -> Contract:
        title = self._text_of("SELECT title FROM assets WHERE id = ?", asset.id)
        rows = self._rows(
            "SELECT p.id, p.name, p.revision, x.text FROM parts p "
            "JOIN part_texts t ON t.part = p.id AND t.revision = p.revision JOIN texts x ON x.digest = t.text "
            "WHERE p.asset = ? ORDER BY p.place",
            (asset.id,),
        )
        return Contract(asset.id, asset.context, asset.name, asset.revision, title, tuple(Clause(*row) for row in rows))

    def interface(self, asset: Asset) -> Interface:
        rows = self._rows(
            "SELECT p.id, p.name, p.first_line, p.last_line, p.revision, x.text FROM parts p "
            "JOIN part_texts t ON t.part = p.id AND t.revision = p.revision JOIN texts x ON x.digest = t.text "
            "WHERE p.asset = ? ORDER BY p.place",
            (asset.id,),
        )
        items = tuple(Item(*row) for row in rows)
        return Interface(asset.id, asset.context, asset.name, asset.revision, self._source(asset.id), items)

    def harness(self, asset: Asset) -> Harness:
        kind = self._word(HarnessKind, self._text_of("SELECT harness_kind FROM assets WHERE id = ?", asset.id))
        cites: dict[Id, list[Citation]] = {}
        for case, *cite in self._rows(
            "SELECT c.case_id, c.target, c.kind, c.revision FROM parts p JOIN citations c ON c.case_id = p.id "
            "WHERE p.asset = ? ORDER BY p.place, c.place",
            (asset.id,),
        ):
            cites.setdefault(case, []).append(Citation(*cite))
        cases = tuple(
            Case(id_, name, first, last, revision, tuple(cites.get(id_, ())))
            for id_, name, first, last, revision in self._rows(
                "SELECT id, name, first_line, last_line, revision FROM parts WHERE asset = ? ORDER BY place",
                (asset.id,),
            )
        )
        return Harness(asset.id, asset.context, asset.name, kind, asset.revision, self._source(asset.id), cases)

    def parts(self, asset: Id) -> list[Part]:
        rows = self._rows("SELECT id, asset, name, revision FROM parts WHERE asset = ? ORDER BY place", (asset,))
        return [Part(*row) for row in rows]

    def citing(self, targets: Collection[Id]) -> list[Citing]:
        rows = self._rows(
            f"{_CITING} WHERE c.target IN (SELECT value FROM json_each(?)) ORDER BY h.id, k.place, c.place",
            (json.dumps(list(targets)),),
        )
        return [Citing(*row) for row in rows]

    def cited_from(self, context: Id) -> list[Citing]:
        rows = self._rows(
            f"{_CITING} WHERE h.context = ? AND a.context <> h.context ORDER BY h.id, k.place, c.place", (context,)
        )
        return [Citing(*row) for row in rows]

    def pin_code(self, pin: Id) -> str:
        return self._text_of("SELECT x.text FROM pins p JOIN texts x ON x.digest = p.code WHERE p.id = ?", pin)

    def retired(self) -> list[Retired]:
        rows = self._rows(
            "SELECT kind, id, context_name, asset_name, part_name, holder, last_revision, at "
            "FROM retired ORDER BY place"
        )
        return [Retired(*row) for row in rows]

    def retired_pins(self) -> list[Id]:
        rows = self._rows(
            "SELECT interface FROM pins WHERE latest = 1 "
            "AND interface NOT IN (SELECT id FROM assets) ORDER BY interface"
        )
        return [interface for (interface,) in rows]

    def _contexts(self, where: str, values: tuple[Any, ...]) -> list[Context]:
        rows = self._rows(f"SELECT id, name, revision, basis, {_USES} FROM contexts {where} ORDER BY id", values)
        return [
            Context(id_, name, revision, self._word(Basis, basis), tuple(uses.split()) if uses else ())
            for id_, name, revision, basis, uses in rows
        ]

    def _source(self, asset: Id) -> str:
        return self._text_of("SELECT x.text FROM assets a JOIN texts x ON x.digest = a.source WHERE a.id = ?", asset)

    def _text_of(self, query: str, id_: Id) -> str:
        row = self._row(query, (id_,))
        if row is None:
            raise damaged(self._path, f"what {id_} refers to is not there")
        return str(row[0])
