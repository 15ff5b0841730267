"""Writing the records of change requests, Cruxes, the Policy and footprints.

Source: `app.ports.store.Store`; the tables are in `store_layout.py`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from chidev.domain.change_request import Assumption, ChangeRequest, Expectation, Step
from chidev.domain.crux import Answer, Crux
from chidev.domain.decision_policy import DecisionPolicy
from chidev.domain.footprint import Footprint, Place
from chidev.domain.identity import Id
from chidev.infra.sqlite_reader import SqliteReader


class SqliteRequestWriter(SqliteReader):
    """The part of a store that writes the records of requests."""

    def add_change_request(self, request: ChangeRequest) -> None:
        self._connection.execute(
            "INSERT INTO change_requests VALUES (?, ?, ?, ?, ?, ?, 0)",
            (request.id, request.title, request.intent, request.situation, request.issuer, request.parent),
        )
        assets = self._assets_of([e.id for e in request.expects])
        self._write_all(
            "INSERT INTO cr_expects VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (request.id, n, e.kind, e.target, e.id, assets.get(e.id), e.recorded)
                for n, e in enumerate(request.expects)
            ],
        )
        self._write_all(
            "INSERT INTO cr_addresses VALUES (?, ?, ?, ?, ?)",
            [(request.id, n, a.rule, a.kind, a.id) for n, a in enumerate(request.addresses)],
        )
        for assumption in request.assumptions:
            self.add_assumption(request.id, assumption)

    def _assets_of(self, ids: Collection[Id]) -> dict[Id, Id | None]:
        """What some Clauses, Items and Cases are in."""
        return {id_: place.asset for id_, place in self.places(ids).items()}

    def add_step(self, request: Id, step: Step) -> None:
        place = self._number("SELECT count(*) FROM cr_steps WHERE request = ?", (request,))
        self._connection.execute(
            "INSERT INTO cr_steps VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(request, place, step.resolution, step.of, step.reason, step.by.kind, step.by.name, step.at),
                json.dumps(step.corrected) if step.corrected else None,
            ),
        )
        if not step.corrected:
            self._connection.execute(
                "UPDATE change_requests SET resolved = ? WHERE id = ?", (step.resolution is not None, request)
            )

    def add_assumption(self, request: Id, assumption: Assumption) -> None:
        import msgspec

        place = self._number("SELECT count(*) FROM cr_assumptions WHERE request = ?", (request,))
        evidence = msgspec.json.encode(assumption.evidence).decode()
        self._connection.execute(
            "INSERT INTO cr_assumptions VALUES (?, ?, ?, ?, ?)",
            (request, place, assumption.statement, assumption.reason, evidence),
        )

    def add_crux(self, crux: Crux) -> None:
        recommended = crux.recommended
        self._connection.execute(
            "INSERT INTO cruxes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(crux.id, crux.request, crux.kind, crux.question, crux.importance, crux.supersedes),
                *((recommended.option, recommended.reason, recommended.confidence) if recommended else (None,) * 3),
            ),
        )
        self._write_all(
            "INSERT INTO crux_findings VALUES (?, ?, ?, ?, ?)",
            [(crux.id, n, a.rule, a.kind, a.id) for n, a in enumerate(crux.findings)],
        )
        self._write_all(
            "INSERT INTO crux_options VALUES (?, ?, ?, ?, ?, ?)",
            [(o.id, crux.id, n, o.choice, o.wording, o.consequence) for n, o in enumerate(crux.options)],
        )
        self._write_all(
            "INSERT INTO crux_asks VALUES (?, ?, ?, ?, ?)",
            [(o.id, n, a.kind, a.target, a.id) for o in crux.options for n, a in enumerate(o.expects)],
        )

    def add_answer(self, crux: Id, answer: Answer) -> None:
        decision, basis, beyond = answer.decision, answer.basis, answer.beyond
        self._connection.execute(
            "INSERT INTO crux_answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(crux, answer.id, decision.form, decision.option, decision.wording, decision.reason),
                *(basis.line, basis.text, basis.policy_revision, basis.reason),
                *(answer.by.kind, answer.by.name, answer.at, beyond.declined if beyond else None),
            ),
        )
        self._write_all(
            "INSERT INTO crux_keeps VALUES (?, ?, ?)", [(crux, n, text) for n, text in enumerate(decision.keep)]
        )
        self._write_all(
            "INSERT INTO crux_beyond VALUES (?, ?, ?)",
            [(crux, n, request) for n, request in enumerate(beyond.requests if beyond else ())],
        )

    def add_decided(self, crux: Id, request: Id, expects: Sequence[Expectation]) -> None:
        assets = self._assets_of([e.id for e in expects])
        self._write_all(
            "INSERT INTO cr_decided VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
            [(crux, n, request, e.kind, e.target, e.id, assets.get(e.id), e.recorded) for n, e in enumerate(expects)],
        )

    def take_back(self, decided: Id, by: Id) -> None:
        self._connection.execute("UPDATE cr_decided SET taken_back_by = ? WHERE crux = ?", (by, decided))

    def put_decision_policy(self, policy: DecisionPolicy) -> None:
        self._connection.execute(
            "INSERT INTO policy VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET revision = excluded.revision",
            (policy.revision,),
        )
        self._connection.execute("DELETE FROM policy_lines")
        self._write_all(
            "INSERT INTO policy_lines VALUES (?, ?, ?, ?)",
            [(line.id, n, line.text, line.changed_at) for n, line in enumerate(policy.lines)],
        )

    def add_footprint(self, footprint: Footprint) -> None:
        self._connection.execute(
            "INSERT INTO footprints VALUES (?, ?, ?)", (footprint.id, footprint.request, footprint.store_revision)
        )
        outside = footprint.outside
        self._write_all(
            "INSERT INTO footprint_moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (footprint.id, n, *_row(m.place), m.before, m.after, m.was, m.now, m.own, m.place.id in outside)
                for n, m in enumerate(footprint.moves)
            ],
        )
        self._write_all(
            "INSERT INTO footprint_renames VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (footprint.id, n, *_row(r.place), r.was, r.now, r.place.id in outside)
                for n, r in enumerate(footprint.renames)
            ],
        )
        self._write_all(
            "INSERT INTO footprint_cites VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (footprint.id, cites.case, n, *_row(place))
                for cites in footprint.cites
                for n, place in enumerate(cites.targets)
            ],
        )

    def _write_all(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        if rows:
            self._connection.executemany(statement, rows)


def _row(place: Place) -> tuple[Any, ...]:
    return place.kind, place.id, place.context, place.asset
