"""The outline of the model, whole or around a change, read with a few queries.

Source: `app.ports.store.StoreReader`, outline and neighbourhood.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Any, TypeVar

from chidev.domain.identity import Id
from chidev.domain.outline import Asset, Cite, Outline, Part
from chidev.domain.pin import Ground, Pin, Role
from chidev.domain.project import Basis, Context
from chidev.infra.sqlite_errors import damaged, refuse_bad_name, told_by_rule

_THOSE = "(SELECT value FROM json_each(?))"
_KINDS = {"contract": 0, "interface": 1, "harness": 2}
_Word = TypeVar("_Word", bound=StrEnum)


class SqliteOutlines:
    """The part of a store that reads outlines.

    Args:
        connection: in autocommit mode; whoever owns it closes it.
        path: of the store, as it is named when it is damaged.
    """

    def __init__(self, connection: sqlite3.Connection, path: str) -> None:
        self._connection = connection
        self._path = path

    def outline(self) -> Outline:
        assets = [self._asset(*row) for row in self._rows("SELECT id, context, kind, name, revision FROM assets")]
        parts = [Part(*row) for row in self._rows("SELECT id, asset, name, revision FROM parts ORDER BY asset, place")]
        cites = [Cite(*row) for row in self._rows("SELECT case_id, target, revision FROM citations")]
        return self._outline("", (), assets, parts, cites, self._pins("WHERE p.latest = 1", ()))

    def unsettled(self) -> Outline:
        interfaces = self._suspected_interfaces()
        cites = self._cites_around((), interfaces) if interfaces else []
        cited = self._parts_of(cites)
        uncited = [
            Part(*row)
            for row in self._rows(
                "SELECT p.id, p.asset, p.name, p.revision FROM assets a JOIN parts p ON p.asset = a.id "
                "WHERE a.kind <> 'harness' AND NOT EXISTS (SELECT 1 FROM citations c WHERE c.target = p.id) "
                "ORDER BY p.asset, p.place"
            )
        ]
        assets = [self._asset(*row) for row in self._rows("SELECT id, context, kind, name, revision FROM assets")]
        pinned = {interface for (interface,) in self._rows("SELECT interface FROM pins WHERE latest = 1")}
        return self._outline("", (), assets, [*cited, *uncited], cites, self._pins_of(interfaces), pinned)

    def neighbourhood(self, parts: Collection[Id], assets: Collection[Id], pinned: Collection[Id] = ()) -> Outline:
        interfaces = self._pinned_interfaces(assets, pinned) if assets or pinned else []
        if not parts and not interfaces:
            return Outline((), (), (), (), (), {}, {})
        cites = self._cites_around(parts, interfaces)
        found = self._parts_of(cites)
        pins = self._pins_of(interfaces)
        holders = {part.asset for part in found}.union(interfaces, (g.asset for pin in pins for g in pin.basis))
        around = [
            self._asset(*row)
            for row in self._rows(
                f"SELECT id, context, kind, name, revision FROM assets WHERE id IN {_THOSE}", (_ids(holders),)
            )
        ]
        contexts = _ids({asset.context for asset in around})
        return self._outline(f"WHERE id IN {_THOSE}", (contexts,), around, found, cites, pins)

    def _parts_of(self, cites: Collection[Cite]) -> list[Part]:
        """The Cases and the targets of citations, in order."""
        ids = {cite.case for cite in cites} | {cite.target for cite in cites}
        rows = self._rows(
            f"SELECT id, asset, name, revision FROM parts WHERE id IN {_THOSE} ORDER BY asset, place", (_ids(ids),)
        )
        return [Part(*row) for row in rows]

    def _pins_of(self, interfaces: Collection[Id]) -> list[Pin]:
        return self._pins(f"WHERE p.latest = 1 AND p.interface IN {_THOSE}", (_ids(interfaces),)) if interfaces else []

    def _pinned_interfaces(self, assets: Collection[Id], pinned: Collection[Id]) -> list[Id]:
        """The live Interfaces with a Pin that one of the assets may make stale, and those of `pinned`."""
        return self._live(
            "SELECT p.interface FROM pin_basis b JOIN pins p ON p.id = b.pin AND p.latest = 1 "
            f"WHERE b.asset IN {_THOSE} UNION SELECT c.interface FROM checked_by c "
            f"JOIN pins p ON p.interface = c.interface AND p.latest = 1 WHERE c.harness IN {_THOSE} "
            # What came to be cited after the Pin was made is in no basis yet.
            "UNION SELECT c.interface FROM parts t JOIN citations x ON x.target = t.id "
            "JOIN parts k ON k.id = x.case_id JOIN checked_by c ON c.harness = k.asset "
            f"JOIN pins p ON p.interface = c.interface AND p.latest = 1 WHERE t.asset IN {_THOSE} "
            "UNION SELECT value FROM json_each(?)",
            (*(_ids(assets),) * 3, _ids(pinned)),
        )

    def _suspected_interfaces(self) -> list[Id]:
        """The live Interfaces whose Pin stands on an asset that moved, or that a Harness checks which it does not know.

        Whatever else a Pin would stand on now comes with a Harness that moved.
        """
        return self._live(
            "SELECT p.interface FROM pins p JOIN pin_basis b ON b.pin = p.id LEFT JOIN assets a ON a.id = b.asset "
            "WHERE p.latest = 1 AND a.revision IS NOT b.revision "
            "UNION SELECT c.interface FROM checked_by c JOIN pins p ON p.interface = c.interface AND p.latest = 1 "
            "WHERE NOT EXISTS (SELECT 1 FROM pin_basis b WHERE b.pin = p.id AND b.asset = c.harness)",
            (),
        )

    def _live(self, query: str, values: tuple[Any, ...]) -> list[Id]:
        """Those of some Interfaces that are not retired."""
        found = [interface for (interface,) in self._rows(query, values)]
        live = self._rows(f"SELECT id FROM assets WHERE id IN {_THOSE}", (_ids(found),)) if found else []
        return [interface for (interface,) in live]

    def _cites_around(self, parts: Collection[Id], interfaces: Collection[Id]) -> list[Cite]:
        """All that the Cases cite which cite one of the parts, or an Item of one of the Interfaces."""
        rows = self._rows(
            "SELECT case_id, target, revision FROM citations WHERE case_id IN ("
            f"SELECT case_id FROM citations WHERE target IN {_THOSE} UNION "
            f"SELECT c.case_id FROM parts t JOIN citations c ON c.target = t.id WHERE t.asset IN {_THOSE})",
            (_ids(parts), _ids(interfaces)),
        )
        return [Cite(*row) for row in rows]

    def _outline(
        self,
        where: str,
        values: tuple[Any, ...],
        assets: Collection[Asset],
        parts: Collection[Part],
        cites: list[Cite],
        pins: list[Pin],
        pinned: Collection[Id] | None = None,
    ) -> Outline:
        uses: dict[Id, list[Id]] = {}
        whole = not where  # around a change nobody asks which Contexts use which
        for context, used in (
            self._rows("SELECT context, used FROM context_uses ORDER BY context, place") if whole else ()
        ):
            uses.setdefault(context, []).append(used)
        contexts = [
            Context(id_, name, revision, self._word(Basis, basis), tuple(uses.get(id_, ())))
            for id_, name, revision, basis in self._rows(
                f"SELECT id, name, revision, basis FROM contexts {where} ORDER BY id", values
            )
        ]
        self._refuse_misfits({context.id for context in contexts}, assets, parts, cites)
        ordered = sorted(assets, key=lambda asset: (asset.context, _KINDS[asset.kind], asset.id))
        by_asset: dict[Id, list[Part]] = {}
        for part in parts:
            by_asset.setdefault(part.asset, []).append(part)
        in_order = [part for asset in ordered for part in by_asset.get(asset.id, ())]
        live = {asset.id for asset in ordered}
        gone = {ground.asset for pin in pins for ground in pin.basis} - live
        texts, names = self._texts(in_order, cites), self._gone_names(gone)
        return Outline(contexts, ordered, in_order, cites, pins, texts, names, pinned)

    def _refuse_misfits(
        self, contexts: set[Id], assets: Collection[Asset], parts: Collection[Part], cites: Collection[Cite]
    ) -> None:
        """A record that refers to nothing is damage; what reads the outline need not look for it."""
        asset_ids = {asset.id for asset in assets}
        part_ids = {part.id for part in parts}
        referred = {cite.case for cite in cites} | {cite.target for cite in cites}
        odd = {a.context for a in assets} - contexts | {p.asset for p in parts} - asset_ids | referred - part_ids
        if odd:
            raise damaged(self._path, f"{min(odd)} is referred to, and is not there")

    def _texts(self, parts: Iterable[Part], cites: Iterable[Cite]) -> dict[tuple[Id, int], str]:
        """Old and new text of every target that a citation is behind of."""
        now = {part.id: part.revision for part in parts}
        wanted = {(cite.target, cite.revision) for cite in cites if now[cite.target] != cite.revision}
        wanted |= {(target, now[target]) for target, _ in wanted}
        if not wanted:
            return {}
        # By part and revision: a part may have had many texts.
        rows = self._rows(
            "SELECT t.part, t.revision, x.text FROM json_each(?) w JOIN part_texts t "
            "ON t.part = json_extract(w.value, '$[0]') AND t.revision = json_extract(w.value, '$[1]') "
            "JOIN texts x ON x.digest = t.text",
            (json.dumps(list(wanted)),),
        )
        return {(part, revision): text for part, revision, text in rows}

    def _gone_names(self, ids: Collection[Id]) -> dict[Id, str]:
        if not ids:
            return {}
        return dict(self._rows(f"SELECT id, asset_name FROM retired WHERE id IN {_THOSE}", (_ids(ids),)))

    def _pins(self, where: str, values: tuple[Any, ...]) -> list[Pin]:
        basis: dict[tuple[Id, Id, str], list[Ground]] = {}
        for id_, interface, code, asset, role, revision in self._rows(
            "SELECT p.id, p.interface, hex(p.code), b.asset, b.role, b.revision "
            f"FROM pins p JOIN pin_basis b ON b.pin = p.id {where} ORDER BY p.id",
            values,
        ):
            basis.setdefault((id_, interface, code.lower()), []).append(Ground(asset, self._word(Role, role), revision))
        return [Pin(*pin, tuple(grounds)) for pin, grounds in basis.items()]

    def _asset(self, id_: Id, context: Id, kind: str, name: str, revision: int) -> Asset:
        if kind not in _KINDS:
            raise damaged(self._path, f"{kind!r} is no kind of asset")
        refuse_bad_name(self._path, name)
        return Asset(id_, context, kind, name, revision)

    def _word(self, kind: type[_Word], word: str) -> _Word:
        """A word of a record, as the value it stands for."""
        try:
            return kind(word)
        except ValueError:
            raise damaged(self._path, f"{word!r} is no {kind.__name__.lower()}") from None

    def _rows(self, query: str, values: tuple[Any, ...] = ()) -> list[Any]:
        with told_by_rule(self._path):
            return self._connection.execute(query, values).fetchall()

    def _row(self, query: str, values: tuple[Any, ...] = ()) -> Any:
        with told_by_rule(self._path):
            return self._connection.execute(query, values).fetchone()

    def _number(self, query: str, values: tuple[Any, ...] = ()) -> int:
        return int(self._row(query, values)[0])


def _ids(ids: Collection[Id]) -> str:
    return json.dumps(list(ids))
