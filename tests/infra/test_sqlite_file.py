"""How the file of the store is opened, made, and kept from being lost.

Source: design, "The store"; the reasons for each setting are there.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from chidev.app.ports.store import StoreRefused, StoreUnusable
from chidev.domain.identity import Id
from chidev.domain.project import Basis, Context
from chidev.infra import sqlite_errors
from chidev.infra.sqlite_file import open_file
from chidev.infra.sqlite_store import SqliteStore
from chidev.infra.store_layout import APPLICATION_ID, LAYOUT, SCHEMA


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "store.db")


def pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"PRAGMA {name}").fetchone()[0]


def add(store: SqliteStore, name: str) -> None:
    """Add a Context and make it durable."""
    with store.savepoint():
        store.put_context(Context(Id(name), name, 1, Basis.INTERFACE, ()))
        store.count_commit(moves_model=True)
    store.close_group()


# Opening.


@pytest.mark.parametrize(
    ("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("secure_delete", 1)]
)
def test_a_store_is_opened_with_what_keeps_it_safe(path: str, name: str, value: object) -> None:
    with closing(open_file(path, make=True)) as connection:
        assert pragma(connection, name) == value


def test_a_store_waits_for_another_writer(path: str) -> None:
    with closing(open_file(path, make=True)) as connection:
        assert pragma(connection, "busy_timeout") == sqlite_errors.BUSY_TIMEOUT_S * 1000


def test_the_file_says_whose_it_is_and_which_layout_it_has(path: str) -> None:
    open_file(path, make=True).close()

    with closing(sqlite3.connect(path)) as plain:
        assert (pragma(plain, "application_id"), pragma(plain, "user_version")) == (APPLICATION_ID, LAYOUT)


def test_the_layout_is_the_schema_that_is_printed(path: str) -> None:
    open_file(path, make=True).close()

    with closing(sqlite3.connect(path)) as made, closing(sqlite3.connect(":memory:")) as read:
        read.executescript(SCHEMA)
        columns = "SELECT m.name, i.name, i.type FROM sqlite_master m, pragma_table_info(m.name) i ORDER BY 1, i.cid"
        assert made.execute(columns).fetchall() == read.execute(columns).fetchall()


@pytest.mark.parametrize("read_only", [True, False])
def test_a_store_is_only_made_where_that_is_asked_for(path: str, read_only: bool) -> None:
    with pytest.raises(StoreUnusable, match="there is no store here"):
        open_file(path, make=False, read_only=read_only)

    assert not Path(path).exists()


def test_nothing_is_made_for_somebody_who_only_reads(path: str) -> None:
    with pytest.raises(StoreUnusable):
        open_file(path, make=True, read_only=True)

    assert not Path(path).exists()


@pytest.mark.parametrize("name", ["a b.db", "a?b#c%20.db", "ä€.db", "-x.db", "a'b.db", "mode=ro&.db"])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_name_may_be_any_that_a_file_may_have(tmp_path: Path, name: str, read_only: bool) -> None:
    with SqliteStore(str(tmp_path / name), make=True) as store:
        add(store, "one")

    with SqliteStore(str(tmp_path / name), read_only=read_only) as store:
        assert store.context_names() == ["one"]
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_link_to_a_store_is_the_store(tmp_path: Path, path: str) -> None:
    with SqliteStore(path, make=True) as store:
        add(store, "one")
    (tmp_path / "link.db").symlink_to(path)

    with SqliteStore(str(tmp_path / "link.db")) as store:
        add(store, "two")

    with SqliteStore(path) as store:
        assert store.context_names() == ["one", "two"]


def test_a_fifo_is_no_store(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.db")

    with pytest.raises(StoreUnusable, match="a store is a file"):
        open_file(str(tmp_path / "fifo.db"), make=True)


def test_a_store_that_lacks_a_table_is_damaged(path: str) -> None:
    open_file(path, make=True).close()
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("DROP TABLE citations")

    with pytest.raises(StoreUnusable, match="damaged"):
        open_file(path, make=False)


def test_an_older_layout_of_ours_is_told(path: str) -> None:
    open_file(path, make=True).close()
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA user_version = 1")

    with pytest.raises(StoreUnusable):
        open_file(path, make=False)


# Reading only.


def test_a_store_that_is_opened_to_read_refuses_to_write(path: str) -> None:
    SqliteStore(path, make=True).close()

    with SqliteStore(path, read_only=True) as store, pytest.raises(StoreRefused) as refused, store.savepoint():
        pass

    assert refused.value.rule_id == "store.read-only"


def test_a_reader_sees_one_state_while_another_process_writes(path: str) -> None:
    with SqliteStore(path, make=True) as writer, SqliteStore(path, read_only=True) as reader:
        add(writer, "one")
        with reader.reading():
            before = reader.context_names()
            add(writer, "two")
            assert reader.context_names() == before == ["one"]
        assert reader.context_names() == ["one", "two"]


# Two connections.


HELD = (
    "import sqlite3, sys; other = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None);"
    "other.execute('PRAGMA journal_mode = DELETE')"
)


def test_opening_a_store_gives_up_no_lock_that_the_process_has(path: str) -> None:
    """Whoever opens and closes the file itself, beside SQLite, drops the POSIX locks of the process, and another

    process that ends then takes the `-wal` away while this one still commits into it.
    """
    with SqliteStore(path, make=True) as first:
        add(first, "one")
        SqliteStore(path).close()
        SqliteStore(path, read_only=True).close()

        other = subprocess.run([sys.executable, "-c", HELD, path], capture_output=True, text=True, check=False)

        assert "locked" in other.stderr
        add(first, "two")
    with SqliteStore(path) as store:
        assert store.context_names() == ["one", "two"]


def test_a_writer_waits_its_time_and_is_refused(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_errors, "BUSY_TIMEOUT_S", 0.05)
    with SqliteStore(path, make=True) as one, SqliteStore(path) as other:
        with one.savepoint():
            one.count_commit(moves_model=True)
        with pytest.raises(StoreRefused) as refused, other.savepoint():
            pass
        one.close_group()
        add(other, "after")

        assert refused.value.rule_id == "store.locked"
        assert other.revision() == 2


def test_a_store_that_is_taken_away_keeps_nothing_of_the_group(path: str) -> None:
    with SqliteStore(path, make=True) as store:
        add(store, "one")
        with store.savepoint():
            store.put_context(Context(Id("two"), "two", 1, Basis.INTERFACE, ()))
        Path(path).rename(f"{path}.away")

        with pytest.raises(StoreRefused) as refused:
            store.close_group()

        assert refused.value.rule_id == "store.gone"
        assert store.context_names() == ["one"]
        assert not store.group_is_open()
