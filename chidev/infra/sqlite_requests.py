"""The questions a store answers about change requests, Cruxes, the Policy and footprints, in SQL.

Each table is read once for all the records that are asked for.

Source: `app.ports.store.StoreReader`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from chidev.domain.change_request import (
    Address,
    Assumption,
    By,
    ChangeRequest,
    Expectation,
    Intent,
    Resolution,
    Step,
)
from chidev.domain.correction import Correction
from chidev.domain.crux import (
    Answer,
    Asked,
    Basis,
    Beyond,
    Crux,
    CruxKind,
    Decision,
    Form,
    Importance,
    Option,
    Recommended,
)
from chidev.domain.decision_policy import DecisionPolicy, PolicyLine
from chidev.domain.footprint import CaseCites, Footprint, Move, Place, Rename
from chidev.domain.identity import Id
from chidev.domain.named import Named
from chidev.domain.request_outline import RequestLine
from chidev.infra.sqlite_outline import SqliteOutlines

_THOSE = "IN (SELECT value FROM json_each(?))"
_LINE = (
    "SELECT r.id, r.title, r.intent, r.parent, CASE r.resolved WHEN 1 THEN (SELECT s.resolution FROM cr_steps s "
    "WHERE s.request = r.id AND s.corrected IS NULL ORDER BY s.place DESC LIMIT 1) END FROM change_requests r"
)
_NEAR = """
SELECT e.request FROM json_each(?) t JOIN cr_expects e ON e.id = t.value AND e.kind = 'keep'
  JOIN change_requests r ON r.id = e.request AND r.resolved = 0
UNION SELECT d.request FROM json_each(?) t JOIN cr_decided d ON d.id = t.value AND d.kind = 'keep'
  AND d.taken_back_by IS NULL JOIN change_requests r ON r.id = d.request AND r.resolved = 0
UNION SELECT f.request FROM json_each(?) t JOIN footprint_moves m ON m.id = t.value AND m.outside = 1
  JOIN footprints f ON f.id = m.footprint JOIN change_requests r ON r.id = f.request AND r.resolved = 0
UNION SELECT f.request FROM json_each(?) t JOIN footprint_renames m ON m.id = t.value AND m.outside = 1
  JOIN footprints f ON f.id = m.footprint JOIN change_requests r ON r.id = f.request AND r.resolved = 0
"""
# CROSS JOIN keeps the order of the tables: SQLite chose to go through all of cr_decided.
_MEETING = """
WITH asked (id) AS (
  SELECT id FROM cr_expects WHERE request = ?1 AND kind = 'target'
  UNION SELECT asset FROM cr_expects WHERE request = ?1 AND kind = 'target' AND asset IS NOT NULL
  UNION SELECT id FROM cr_decided WHERE request = ?1 AND kind = 'target' AND taken_back_by IS NULL
  UNION SELECT asset FROM cr_decided WHERE request = ?1 AND kind = 'target' AND taken_back_by IS NULL
    AND asset IS NOT NULL
)
SELECT e.request FROM asked a CROSS JOIN cr_expects e ON e.id = a.id AND e.kind = 'keep'
  JOIN change_requests r ON r.id = e.request AND r.resolved = 0
UNION SELECT d.request FROM asked a CROSS JOIN cr_decided d ON d.id = a.id AND d.kind = 'keep'
  AND d.taken_back_by IS NULL JOIN change_requests r ON r.id = d.request AND r.resolved = 0
"""
_PLACES = (
    f"SELECT id, 'context', id, NULL FROM contexts WHERE id {_THOSE}",
    f"SELECT id, kind, context, NULL FROM assets WHERE id {_THOSE}",
    (
        "SELECT p.id, CASE a.kind WHEN 'contract' THEN 'clause' WHEN 'interface' THEN 'item' ELSE 'case' END, "
        f"a.context, a.id FROM parts p JOIN assets a ON a.id = p.asset WHERE p.id {_THOSE}"
    ),
    f"SELECT id, kind, context, holder FROM retired WHERE id {_THOSE}",
)


_NAMED = (
    f"SELECT id, 'context', name, NULL, NULL, revision FROM contexts WHERE id {_THOSE}",
    (
        "SELECT a.id, a.kind, x.name, a.name, NULL, a.revision FROM assets a JOIN contexts x ON x.id = a.context "
        f"WHERE a.id {_THOSE}"
    ),
    (
        "SELECT p.id, CASE a.kind WHEN 'contract' THEN 'clause' WHEN 'interface' THEN 'item' ELSE 'case' END, "
        "x.name, a.name, p.name, p.revision FROM parts p JOIN assets a ON a.id = p.asset "
        f"JOIN contexts x ON x.id = a.context WHERE p.id {_THOSE}"
    ),
    f"SELECT id, kind, context_name, asset_name, part_name, NULL FROM retired WHERE id {_THOSE}",
)


class SqliteRequests(SqliteOutlines):
    """The part of a store that reads the records of requests."""

    def change_request_titled(self, title: str) -> ChangeRequest | None:
        found = self._change_requests("WHERE title = ?", (title,))
        return found[0] if found else None

    def change_requests(self) -> list[ChangeRequest]:
        return self._change_requests("", ())

    def change_request_titles(self) -> list[str]:
        return [title for (title,) in self._rows("SELECT title FROM change_requests ORDER BY id")]

    def titles(self, requests: Collection[Id]) -> dict[Id, str]:
        return dict(self._rows(f"SELECT id, title FROM change_requests WHERE id {_THOSE}", (ids_json(requests),)))

    def parts_of_request(self, request: Id) -> list[RequestLine]:
        return self._lines("WHERE r.parent = ?", (request,))

    def requests_addressing(self, subjects: Collection[Id]) -> dict[tuple[str, Id | None], list[RequestLine]]:
        rows = self._rows(
            f"SELECT rule, id, request FROM cr_addresses WHERE id {_THOSE} OR id IS NULL ORDER BY request",
            (ids_json(subjects),),
        )
        lines = self._lines(f"WHERE r.id {_THOSE}", (ids_json({row[2] for row in rows}),)) if rows else []
        known = {line.id: line for line in lines}
        found: dict[tuple[str, Id | None], list[RequestLine]] = {}
        for rule, subject, request in rows:
            found.setdefault((rule, subject), []).append(known[request])
        return found

    def decided_without(self, request: Id, crux: Id) -> list[Expectation]:
        rows = self._rows(
            "SELECT kind, target, id, recorded FROM cr_decided WHERE request = ? AND crux <> ? "
            "AND taken_back_by IS NULL ORDER BY crux, place",
            (request, crux),
        )
        return list(_first_of_each(rows))

    def named(self, ids: Collection[Id]) -> dict[Id, Named]:
        those = json.dumps(list(ids))
        found: dict[Id, Named] = {}
        for query in _NAMED:
            found.update({id_: Named(*row) for id_, *row in self._rows(query, (those,))})
        return found

    def places(self, ids: Collection[Id]) -> dict[Id, Place]:
        those = (ids_json(ids),)
        rows = [row for query in _PLACES for row in self._rows(query, those)] if ids else []
        return {id_: _place(kind, id_, context, asset) for id_, kind, context, asset in rows}

    def requests_near(self, touched: Collection[Id]) -> set[Id]:
        if not self._row("SELECT 1 FROM change_requests LIMIT 1"):
            return set()
        return {request for (request,) in self._rows(_NEAR, (ids_json(touched),) * 4)}

    def requests_meeting(self, request: Id) -> set[Id]:
        return {other for (other,) in self._rows(_MEETING, (request,))}

    def crux(self, id_: str) -> Crux | None:
        found = self._cruxes("WHERE id = ?", (id_,))
        return found[0] if found else None

    def cruxes(self, request: Id | None = None) -> list[Crux]:
        return self._cruxes("", ()) if request is None else self._cruxes("WHERE request = ?", (request,))

    def crux_ids(self) -> list[Id]:
        return [id_ for (id_,) in self._rows("SELECT id FROM cruxes ORDER BY id")]

    def superseding(self, crux: Id) -> list[Crux]:
        return self._cruxes("WHERE supersedes = ?", (crux,))

    def decision_policy(self) -> DecisionPolicy:
        row = self._row("SELECT revision FROM policy")
        if row is None:
            return DecisionPolicy()
        lines = self._rows("SELECT id, text, changed_at FROM policy_lines ORDER BY place")
        return DecisionPolicy(row[0], tuple(PolicyLine(*line) for line in lines))

    def footprints(self, request: Id | None = None) -> list[Footprint]:
        if request is None:
            return self._footprints("", ())
        return self._footprints("WHERE f.request = ?", (request,))

    # How the records are put together.

    def _lines(self, where: str, values: tuple[Any, ...]) -> list[RequestLine]:
        return [
            RequestLine(
                id_,
                title,
                self._word(Intent, intent),
                parent,
                self._word(Resolution, resolution) if resolution else None,
            )
            for id_, title, intent, parent, resolution in self._rows(f"{_LINE} {where} ORDER BY r.id", values)
        ]

    def _change_requests(self, where: str, values: tuple[Any, ...]) -> list[ChangeRequest]:
        rows = self._rows(
            f"SELECT id, title, intent, situation, issuer, parent FROM change_requests {where} ORDER BY id", values
        )
        if not rows:
            return []
        of = None if not where else [row[0] for row in rows]
        expects = self._grouped("cr_expects", "request", "kind, target, id, recorded", of)
        addresses = self._grouped("cr_addresses", "request", "rule, kind, id", of)
        assumptions = self._grouped("cr_assumptions", "request", "statement, reason, evidence", of)
        steps = self._grouped(
            "cr_steps", "request", "resolution, of_request, reason, by_kind, by_name, at, corrected", of
        )
        decided = self._grouped(
            "cr_decided", "request", "kind, target, id, recorded", of, "taken_back_by IS NULL", "crux, place"
        )
        return [
            ChangeRequest(
                id_,
                title,
                self._word(Intent, intent),
                situation,
                issuer,
                parent,
                tuple(Expectation(*row) for row in expects.get(id_, ())),
                tuple(Address(*row) for row in addresses.get(id_, ())),
                tuple(Assumption(says, why, json.loads(what)) for says, why, what in assumptions.get(id_, ())),
                _first_of_each(decided.get(id_, ())),
                tuple(self._step(*row) for row in steps.get(id_, ())),
            )
            for id_, title, intent, situation, issuer, parent in rows
        ]

    def _step(
        self, resolution: str | None, of: Id | None, reason: str, kind: str, name: str, at: int, corrected: str | None
    ) -> Step:
        fields = tuple(json.loads(corrected)) if corrected else ()
        return Step(self._word(Resolution, resolution) if resolution else None, of, reason, By(kind, name), at, fields)

    def _corrections(self, of: Collection[Id] | None) -> Mapping[Id, tuple[Correction, ...]]:
        """Of Cruxes and of runs of checks, by the id of the record."""
        rows = self._grouped("corrections", "record", "fields, reason, by_kind, by_name, at", of)
        return {
            record: tuple(
                Correction(tuple(json.loads(fields)), why, By(kind, name), at) for fields, why, kind, name, at in some
            )
            for record, some in rows.items()
        }

    def _grouped(
        self,
        table: str,
        owner: str,
        columns: str,
        of: Collection[Id] | None,
        condition: str = "1",
        order: str = "place",
    ) -> Mapping[Id, list[tuple[Any, ...]]]:
        """The rows of a table by the record that owns them, each in order; `of` None is of all records."""
        where = f"WHERE {condition}" if of is None else f"WHERE {condition} AND {owner} {_THOSE}"
        values = () if of is None else (ids_json(of),)
        grouped: dict[Id, list[tuple[Any, ...]]] = {}
        query = f"SELECT {owner}, {columns} FROM {table} {where} ORDER BY {owner}, {order}"
        for id_, *row in self._rows(query, values):
            grouped.setdefault(id_, []).append(tuple(row))
        return grouped

    def _cruxes(self, where: str, values: tuple[Any, ...]) -> list[Crux]:
        rows = self._rows(
            "SELECT id, request, kind, question, importance, supersedes, recommended_option, recommended_reason, "
            f"recommended_confidence FROM cruxes {where} ORDER BY id",
            values,
        )
        if not rows:
            return []
        of = None if not where else [row[0] for row in rows]
        findings = self._grouped("crux_findings", "crux", "rule, kind, id", of)
        options = self._grouped("crux_options", "crux", "id, choice, wording, consequence", of)
        chosen = None if of is None else [option[0] for some in options.values() for option in some]
        asks = self._grouped("crux_asks", "option", "kind, target, id", chosen)
        answers = self._answers(of)
        corrections = self._corrections(of)
        return [
            Crux(
                id=id_,
                request=request,
                kind=self._word(CruxKind, kind),
                question=question,
                importance=self._word(Importance, importance) if importance else None,
                findings=tuple(Address(*row) for row in findings.get(id_, ())),
                options=tuple(
                    Option(option_id, choice, wording, consequence, tuple(Asked(*a) for a in asks.get(option_id, ())))
                    for option_id, choice, wording, consequence in options.get(id_, ())
                ),
                recommended=Recommended(option, reason, confidence) if option else None,
                supersedes=supersedes,
                answer=answers.get(id_),
                corrections=corrections.get(id_, ()),
            )
            for id_, request, kind, question, importance, supersedes, option, reason, confidence in rows
        ]

    def _answers(self, of: Collection[Id] | None) -> Mapping[Id, Answer]:
        keeps = self._grouped("crux_keeps", "crux", "text", of)
        beyond = self._grouped("crux_beyond", "crux", "request", of)
        rows = self._grouped(
            "crux_answers",
            "crux",
            "id, form, option, wording, reason, policy_line, policy_text, policy_revision, arbitrary, "
            "by_kind, by_name, at, declined",
            of,
            order="id",
        )
        found: dict[Id, Answer] = {}
        for crux, (
            (id_, form, option, wording, reason, line, text, revision, arbitrary, *who, at, declined),
        ) in rows.items():
            requests = tuple(request for (request,) in beyond.get(crux, ()))
            found[crux] = Answer(
                id=id_,
                decision=Decision(
                    self._word(Form, form), option, wording, tuple(text for (text,) in keeps.get(crux, ())), reason
                ),
                basis=Basis(line, text, revision, arbitrary),
                by=By(*who),
                at=at,
                beyond=Beyond(requests, declined) if requests or declined else None,
            )
        return found

    def _footprints(self, where: str, values: tuple[Any, ...]) -> list[Footprint]:
        rows = self._rows(f"SELECT f.id, f.request, f.store_revision FROM footprints f {where} ORDER BY f.id", values)
        if not rows:
            return []
        of = None if not where else [row[0] for row in rows]
        columns = "kind, id, context, asset"
        moves = self._grouped("footprint_moves", "footprint", f"{columns}, before, after, was, now, own, outside", of)
        renames = self._grouped("footprint_renames", "footprint", f"{columns}, was, now, outside", of)
        cites = self._grouped("footprint_cites", "footprint", f"case_id, {columns}", of, order="case_id, place")
        return [
            Footprint(
                id_,
                request,
                revision,
                tuple(_move(*row[:-1]) for row in moves.get(id_, ())),
                tuple(Rename(_place(*row[:4]), *row[4:6]) for row in renames.get(id_, ())),
                _case_cites(cites.get(id_, ())),
                frozenset(row[1] for row in (*moves.get(id_, ()), *renames.get(id_, ())) if row[-1]),
            )
            for id_, request, revision in rows
        ]


def ids_json(ids: Collection[str]) -> str:
    """Ids as the one value of a query that reads them with json_each."""
    return json.dumps(list(ids))


def _first_of_each(rows: Iterable[tuple[Any, ...]]) -> tuple[Expectation, ...]:
    """What was asked of each target, as the first decision that stands recorded it."""
    found: dict[Id, Expectation] = {}
    for row in rows:
        found.setdefault(row[2], Expectation(*row))
    return tuple(found.values())


def _place(kind: str, id_: Id, context: Id | None, asset: Id | None) -> Place:
    return Place(kind, id_, None if kind == "context" else context, asset)


def _move(
    kind: str,
    id_: Id,
    context: Id | None,
    asset: Id | None,
    before: int | None,
    after: int | None,
    was: str | None,
    now: str | None,
    own: int,
) -> Move:
    return Move(_place(kind, id_, context, asset), before, after, was, now, bool(own))


def _case_cites(rows: Iterable[tuple[Any, ...]]) -> tuple[CaseCites, ...]:
    grouped: dict[Id, list[Place]] = {}
    for case, *place in rows:
        grouped.setdefault(case, []).append(_place(*place))
    return tuple(CaseCites(case, tuple(places)) for case, places in grouped.items())
