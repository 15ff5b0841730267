"""The outline of requests, whole or around a change, read with a few queries.

Source: `app.ports.store.StoreReader.request_outline`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from chidev.domain.change_request import Resolution
from chidev.domain.footprint import OutsideMove, outside_moves
from chidev.domain.identity import Id
from chidev.domain.request_outline import Derived, Expected, RequestLine, RequestOutline, Undecided
from chidev.infra.sqlite_requests import SqliteRequests, ids_json

_THOSE = "IN (SELECT value FROM json_each(?))"
_OWN = "SELECT e.request, e.kind, e.target, e.id, e.asset, e.recorded, 1, '', e.place FROM cr_expects e"
_DECIDED = "SELECT d.request, d.kind, d.target, d.id, d.asset, d.recorded, 0, d.crux, d.place FROM cr_decided d"


class SqliteRequestOutlines(SqliteRequests):
    """The part of a store that reads what the checks of requests judge."""

    def request_outline(
        self, judged: Collection[Id] | None = None, lines: Collection[str] = (), resolving: Id | None = None
    ) -> RequestOutline:
        whole = judged is None
        expects = self._all_expects() if judged is None else self._expects_around(judged)
        derived = self._derived(None if whole else lines)
        named = {*(judged or ()), *(e.request for e in expects), *(one.request for one in derived)}
        requests = self._lines("", ()) if whole else self._lines(f"WHERE r.id {_THOSE}", (ids_json(named),))
        judged = [request.id for request in requests] if judged is None else judged
        outside = self._outside(requests, judged, resolving)
        project = self._row("SELECT revision FROM project")
        targets = {expected.id for expected in expects} | {move.place.id for move in outside}
        return RequestOutline(
            requests=requests,
            judged=judged,
            parents=[parent for (parent,) in self._rows(_PARENTS)] if whole else (),
            expects=expects,
            names=self.named(targets) if targets else {},
            project_revision=project[0] if project else 0,
            outside=outside,
            worked=self._worked(requests) if whole else {},
            undecided=[Undecided(*row) for row in self._rows(_UNDECIDED)] if whole else (),
            derived=derived,
            resolving=resolving,
        )

    def _all_expects(self) -> list[Expected]:
        return _expected([*self._rows(_OWN), *self._rows(f"{_DECIDED} WHERE d.taken_back_by IS NULL")])

    def _expects_around(self, judged: Collection[Id]) -> list[Expected]:
        """What some requests ask, and what open ones target of what they keep."""
        those = ids_json(judged)
        rows = self._rows(f"{_OWN} WHERE e.request {_THOSE}", (those,))
        rows += self._rows(f"{_DECIDED} WHERE d.request {_THOSE} AND d.taken_back_by IS NULL", (those,))
        kept = ids_json({row[3] for row in rows if row[1] == "keep"})
        if kept != "[]":
            for query, alias, standing in ((_OWN, "e", ""), (_DECIDED, "d", "AND d.taken_back_by IS NULL ")):
                for column in ("id", "asset"):
                    rows += self._rows(
                        f"{query} JOIN change_requests r ON r.id = {alias}.request AND r.resolved = 0 "
                        f"WHERE {alias}.{column} {_THOSE} AND {alias}.kind = 'target' {standing}"
                        f"AND {alias}.request NOT {_THOSE}",
                        (kept, those),
                    )
        return _expected(rows)

    def _derived(self, lines: Collection[str] | None) -> list[Derived]:
        if lines is not None and not lines:
            return []
        where = "" if lines is None else f"AND a.policy_line {_THOSE}"
        rows = self._rows(
            "SELECT a.crux, c.request, c.question, a.policy_line, a.policy_text, l.text FROM crux_answers a "
            "JOIN cruxes c ON c.id = a.crux LEFT JOIN policy_lines l ON l.id = a.policy_line "
            f"WHERE a.policy_line IS NOT NULL {where} ORDER BY a.crux",
            () if lines is None else (ids_json(lines),),
        )
        return [Derived(*row) for row in rows]

    def _outside(
        self, requests: Sequence[RequestLine], judged: Collection[Id], resolving: Id | None
    ) -> list[OutsideMove]:
        """What the sets of open requests left moved outside their frames."""
        wanted = set(judged)
        of = [r.id for r in requests if r.id in wanted and (r.resolution is None or r.id == resolving)]
        footprints = self._footprints(
            f"WHERE f.request {_THOSE} AND (EXISTS (SELECT 1 FROM footprint_moves m WHERE m.footprint = f.id "
            "AND m.outside = 1) OR EXISTS (SELECT 1 FROM footprint_renames m WHERE m.footprint = f.id "
            "AND m.outside = 1))",
            (ids_json(of),),
        )
        by_request: dict[Id, list[Any]] = {}
        for footprint in footprints:
            by_request.setdefault(footprint.request, []).append(footprint)
        return [move for request in of for move in outside_moves(by_request.get(request, ())) if not move.is_taken_back]

    def _worked(self, requests: Sequence[RequestLine]) -> Mapping[Id, Collection[Id]]:
        """What the sets of the requests that were resolved as done, and of their parts, moved, with what holds it."""
        parts: dict[Id, list[Id]] = {}
        for request in requests:
            if request.parent:
                parts.setdefault(request.parent, []).append(request.id)
        wanted = dict.fromkeys(request.id for request in requests if request.resolution is Resolution.DONE)
        for request_id in (todo := list(wanted)):
            for part in parts.get(request_id, ()):
                if part not in wanted:
                    wanted[part] = None
                    todo.append(part)
        worked: dict[Id, set[Id]] = {}
        project = self._row("SELECT id FROM project")
        for table in ("footprint_moves", "footprint_renames"):
            for request_id, *ids in self._rows(
                f"SELECT f.request, m.id, m.context, m.asset FROM footprints f JOIN {table} m ON m.footprint = f.id "
                f"WHERE f.request {_THOSE}",
                (ids_json(wanted),),
            ):
                worked.setdefault(request_id, set(project)).update(id_ for id_ in ids if id_)
        return worked


_PARENTS = "SELECT DISTINCT parent FROM change_requests WHERE parent IS NOT NULL"
_UNDECIDED = (
    "SELECT c.id, c.request, c.question FROM cruxes c "
    "WHERE NOT EXISTS (SELECT 1 FROM crux_answers a WHERE a.crux = c.id) ORDER BY c.id"
)


def _expected(rows: Sequence[tuple[Any, ...]]) -> list[Expected]:
    """Request by request, own ones first, then Crux by Crux; what two decisions ask of a target is told once."""
    found: dict[tuple[Id, Id, int], Expected] = {}
    for request, kind, target, id_, asset, recorded, is_own, *_ in sorted(
        rows, key=lambda row: (row[0], -row[6], *row[7:])
    ):
        expected = Expected(request, kind, target, id_, asset, recorded, is_own == 1)
        found.setdefault((request, id_, is_own), expected)
    return list(found.values())
