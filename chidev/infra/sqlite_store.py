"""The store in SQLite: rows in, plain values out.

Source: design, "The store"; the tables are in `store_layout.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Self

from chidev.app.ports.store import StoreRefused
from chidev.domain.contract import Contract
from chidev.domain.harness import Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface
from chidev.domain.pin import Pin
from chidev.domain.project import Context, Project
from chidev.domain.retirement import Retired
from chidev.infra import sqlite_file
from chidev.infra.sqlite_corrections import SqliteCorrections
from chidev.infra.sqlite_errors import told_by_rule


class SqliteStore(SqliteCorrections):
    """Implements `app.ports.store.Store` over one connection.

    Args:
        path: the store file; with `make` it is made when it is not there.

    Raises:
        StoreUnusable: see `sqlite_file.open_file`.
    """

    def __init__(self, path: str, *, make: bool = False, read_only: bool = False) -> None:
        super().__init__(sqlite_file.open_file(path, make=make, read_only=read_only), path)
        self._identity = sqlite_file.identity(path)
        self._writable = sqlite_file.is_writable(self._connection)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget an open group and close the file."""
        self.drop_group()
        self._connection.close()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        if not self._writable:
            raise StoreRefused("store.read-only")
        with told_by_rule(self._path):
            if not self._connection.in_transaction:
                self._connection.execute("BEGIN IMMEDIATE")
            self._connection.execute("SAVEPOINT operation")
        try:
            with told_by_rule(self._path):
                yield
                self._connection.execute("RELEASE operation")
        except BaseException:
            # A full disk can make SQLite end the whole transaction by itself.
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO operation")
                self._connection.execute("RELEASE operation")
            raise

    def close_group(self) -> None:
        if not self._connection.in_transaction:
            return
        if sqlite_file.identity(self._path) != self._identity:
            self.drop_group()
            raise StoreRefused("store.gone")
        try:
            with told_by_rule(self._path):
                self._connection.execute("COMMIT")
        except StoreRefused:
            self.drop_group()
            raise

    def drop_group(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def group_is_open(self) -> bool:
        """Whether savepoints were kept that are not durable yet."""
        return self._connection.in_transaction

    # Writing.

    def count_commit(self, moves_model: bool) -> None:
        # Both sides of an UPDATE see the row as it was.
        self._connection.execute(
            "UPDATE store SET revision = revision + 1, model_revision = CASE ? WHEN 1 THEN revision + 1 "
            "ELSE model_revision END",
            (moves_model,),
        )

    def add_project(self, project: Project) -> None:
        self._connection.execute("INSERT INTO project VALUES (1, ?, ?)", (project.id, project.revision))

    def set_project_revision(self, revision: int) -> None:
        self._connection.execute("UPDATE project SET revision = ?", (revision,))

    def put_context(self, context: Context) -> None:
        self._connection.execute(
            "INSERT INTO contexts VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE "
            "SET revision = excluded.revision, basis = excluded.basis",
            (context.id, context.name, context.revision, context.basis),
        )
        self._connection.execute("DELETE FROM context_uses WHERE context = ?", (context.id,))
        self._write_all(
            "INSERT INTO context_uses VALUES (?, ?, ?)",
            [(context.id, place, used) for place, used in enumerate(context.uses)],
        )

    def remove_context(self, context: Id) -> None:
        self._connection.execute("DELETE FROM context_uses WHERE context = ?", (context,))
        self._connection.execute("DELETE FROM contexts WHERE id = ?", (context,))

    def put_contract(self, old: Contract | None, new: Contract) -> None:
        self._put_asset(new, "contract", title=new.title, is_new=old is None)
        self._put_parts(new.id, old.clauses if old else (), new.clauses)
        had = {clause.id: clause.revision for clause in old.clauses} if old else {}
        self._add_texts((c.id, c.revision, c.text) for c in new.clauses if had.get(c.id) != c.revision)

    def put_interface(self, old: Interface | None, new: Interface) -> None:
        self._put_asset(new, "interface", source=self._text(new.source), is_new=old is None)
        self._put_parts(new.id, old.items if old else (), new.items)
        had = {item.id: item.revision for item in old.items} if old else {}
        self._add_texts((i.id, i.revision, i.signature) for i in new.items if had.get(i.id) != i.revision)

    def put_harness(self, old: Harness | None, new: Harness) -> None:
        source = self._text(new.source)
        self._put_asset(new, "harness", harness_kind=new.kind, source=source, is_new=old is None)
        kept = {case.id: case.cites for case in old.cases} if old else {}
        stays = {case.id for case in new.cases}
        moved = [case for case in new.cases if kept.get(case.id) != case.cites]
        self._write_all(
            "DELETE FROM citations WHERE case_id = ?",
            [(id_,) for id_ in kept if id_ not in stays] + [(case.id,) for case in moved if case.id in kept],
        )
        self._put_parts(new.id, old.cases if old else (), new.cases)
        self._write_all(
            "INSERT INTO citations VALUES (?, ?, ?, ?, ?)",
            [
                (case.id, place, cite.target, cite.kind, cite.revision)
                for case in moved
                for place, cite in enumerate(case.cites)
            ],
        )

        if moved or kept.keys() - stays:
            self._put_checked(new.id)

    def _put_checked(self, harness: Id) -> None:
        self._connection.execute("DELETE FROM checked_by WHERE harness = ?", (harness,))
        self._connection.execute(
            "INSERT INTO checked_by SELECT DISTINCT t.asset, k.asset FROM parts k "
            "JOIN citations c ON c.case_id = k.id AND c.kind = 'item' JOIN parts t ON t.id = c.target "
            "WHERE k.asset = ?",
            (harness,),
        )

    def _put_asset(
        self,
        asset: Contract | Interface | Harness,
        kind: str,
        *,
        is_new: bool,
        title: str | None = None,
        harness_kind: str | None = None,
        source: bytes | None = None,
    ) -> None:
        if is_new:
            self._connection.execute(
                "INSERT INTO assets VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (asset.id, asset.context, kind, asset.name, asset.revision, title, harness_kind, source),
            )
        else:
            self._connection.execute(
                "UPDATE assets SET revision = ?, title = ?, harness_kind = ?, source = ? WHERE id = ?",
                (asset.revision, title, harness_kind, source, asset.id),
            )

    def _put_parts(self, asset: Id, old: Sequence[Any], new: Sequence[Any]) -> None:
        """Write the parts that differ; `old` and `new` are Clauses, Items or Cases."""
        was = {part.id: _part_row(asset, place, part) for place, part in enumerate(old)}
        rows = [_part_row(asset, place, part) for place, part in enumerate(new)]
        gone = was.keys() - {row[0] for row in rows}
        self._write_all("DELETE FROM parts WHERE id = ?", [(id_,) for id_ in gone])
        self._write_all(
            "INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)",
            [row for row in rows if was.get(row[0]) != row],
        )

    def _add_texts(self, texts: Iterable[tuple[Id, int, str]]) -> None:
        rows = [(id_, revision, text, _digest(text)) for id_, revision, text in texts]
        self._write_all("INSERT OR IGNORE INTO texts VALUES (?, ?)", [(digest, text) for _, _, text, digest in rows])
        self._write_all(
            "INSERT INTO part_texts VALUES (?, ?, ?)", [(id_, revision, digest) for id_, revision, _, digest in rows]
        )

    def _text(self, text: str) -> bytes:
        digest = _digest(text)
        self._connection.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", (digest, text))
        return digest

    def remove_asset(self, asset: Id) -> None:
        self._connection.execute(
            "DELETE FROM citations WHERE case_id IN (SELECT id FROM parts WHERE asset = ?)", (asset,)
        )
        self._connection.execute("DELETE FROM checked_by WHERE harness = ?", (asset,))
        self._connection.execute("DELETE FROM parts WHERE asset = ?", (asset,))
        self._connection.execute("DELETE FROM assets WHERE id = ?", (asset,))

    def add_retired(self, retired: Sequence[Retired], context: Id) -> None:
        place = self._connection.execute("SELECT coalesce(max(place), 0) FROM retired").fetchone()[0]
        self._write_all(
            "INSERT INTO retired VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (r.id, place + n, r.kind, context, r.context, r.asset, r.part, r.holder, r.last_revision, r.at)
                for n, r in enumerate(retired, 1)
            ],
        )

    def add_pin(self, pin: Pin, code: str) -> None:
        self._connection.execute("UPDATE pins SET latest = 0 WHERE interface = ? AND latest = 1", (pin.interface,))
        self._connection.execute("INSERT INTO pins VALUES (?, ?, 1, ?)", (pin.id, pin.interface, self._text(code)))
        self._write_all(
            "INSERT INTO pin_basis VALUES (?, ?, ?, ?)",
            [(pin.id, ground.asset, ground.role, ground.revision) for ground in pin.basis],
        )


def _part_row(asset: Id, place: int, part: Any) -> tuple[Any, ...]:
    return (
        part.id,
        asset,
        place,
        part.name,
        part.revision,
        getattr(part, "first", None),
        getattr(part, "last", None),
    )


def _digest(text: str) -> bytes:
    return sha256(text.encode()).digest()
