"""Opening the store file: making it whole, telling what may not be opened, and noticing that it was taken away.

Source: specification, "The store's layout"; design, "The store"; open-points 2.
"""

from __future__ import annotations

import os
import sqlite3
from time import monotonic, sleep

from chidev.app.ports.store import StoreUnusable
from chidev.infra import sqlite_errors
from chidev.infra.sqlite_errors import damaged, refuse_bad_name, told
from chidev.infra.store_layout import APPLICATION_ID, LAYOUT, SCHEMA


def open_file(path: str, *, make: bool, read_only: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode to the store at `path`.

    Args:
        make: make the file, and its directory, when it is not there.
        read_only: never change what is kept.

    Raises:
        StoreUnusable: not there, not a store of ours, of a newer layout, damaged, or not to be opened.
        StoreRefused: `store.locked`.
    """
    try:
        if make and not read_only:
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        if not make or os.path.lexists(path):
            _refuse_what_is_no_file(path)
        connection = _connect(path, make=make and not read_only, may_change=not read_only)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise told(path, error) from None
    except OSError as error:
        raise StoreUnusable(f"{path}: {error.strerror}") from None
    try:
        _refuse_what_is_not_ours(connection, path)
        _refuse_what_was_cut(connection, path)
        if is_writable(connection):
            _set_up(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        connection.close()
        raise told(path, error) from None
    except BaseException:
        connection.close()
        raise
    return connection


def is_writable(connection: sqlite3.Connection) -> bool:
    """Whether the connection was opened to write."""
    return not connection.execute("PRAGMA query_only").fetchone()[0]


def identity(path: str) -> tuple[int, int] | None:
    """Device and inode of the file that has this name now; None when there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _refuse_what_is_no_file(path: str) -> None:
    import stat

    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise StoreUnusable(f"{path}: there is no store here; `chidev exec` with an `init` makes it") from None
    if not stat.S_ISREG(mode):
        raise StoreUnusable(f"{path}: a store is a file, and this is none")


def _may_write(path: str) -> bool:
    """SQLite writes files of its own beside the store, so the directory counts as well."""
    in_directory = os.access(os.path.dirname(path) or ".", os.W_OK)
    return in_directory and (os.access(path, os.W_OK) or not os.path.lexists(path))


def _connect(path: str, *, make: bool, may_change: bool) -> sqlite3.Connection:
    """A store that may be written is opened so, also to read it: SQLite then takes away what it made beside it.

    One that may not is read as it lies there, unless another process has written beside it.
    """
    beside = os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0
    writes = "rwc" if make else "rw"
    mode = writes if _may_write(path) else "ro" if beside else "ro&immutable=1"
    connection = sqlite3.connect(
        f"file:{_quoted(os.path.abspath(path))}?mode={mode}",
        uri=True,
        timeout=sqlite_errors.BUSY_TIMEOUT_S,
        isolation_level=None,
        cached_statements=512,
    )
    try:
        if mode == writes and may_change:
            _fill_when_empty(connection)
        else:
            connection.execute("PRAGMA query_only = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def _quoted(path: str) -> str:
    """A path inside a URI of SQLite, which ends it at `?` and `#`."""
    return path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")


def _set_up(connection: sqlite3.Connection) -> None:
    _use_wal(connection)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")


def _use_wal(connection: sqlite3.Connection) -> None:
    """A new store is changed to WAL once; SQLite does not wait for the others that are about to do the same."""
    give_up_at = monotonic() + sqlite_errors.BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > give_up_at:
                raise
            sleep(0.01)


def _fill_when_empty(connection: sqlite3.Connection) -> None:
    """The tables of the layout, in one transaction, in a file that has none of anybody's."""
    if connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        return
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster, while this one waited.
        if not connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
            for statement in _statements(SCHEMA):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {LAYOUT}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _statements(script: str) -> list[str]:
    """`executescript` would commit first, so the script is split; no statement holds a `;` of its own."""
    bare = "\n".join(line.split("--")[0] for line in script.split("\n"))
    return [statement for statement in bare.split(";") if statement.strip()]


def _refuse_what_is_not_ours(connection: sqlite3.Connection, path: str) -> None:
    try:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        layout = connection.execute("PRAGMA user_version").fetchone()[0]
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise told(path, error) from None
    if not tables and os.path.getsize(path) == 0:
        raise StoreUnusable(f"{path}: the file is empty; `chidev exec` with an `init` makes it a store")
    if application == APPLICATION_ID and layout > LAYOUT:
        raise StoreUnusable(f"{path}: the store has layout {layout}; this version reads layout {LAYOUT}")
    if application != APPLICATION_ID and "asset_names" in tables:
        raise StoreUnusable(
            f"{path}: this is a store of the program chidev for Rust, layout {layout}; "
            f"pytest-chidev has a layout {LAYOUT} of its own and does not read it"
        )
    if application != APPLICATION_ID or layout != LAYOUT:
        raise StoreUnusable(f"{path}: this is a database of another program, not a store of pytest-chidev")
    missing = {"store", "project", "assets", "parts", "citations", "retired"} - tables
    if missing:
        raise damaged(path, f"it has no table `{min(missing)}`")
    _refuse_bad_names(connection, path)


def _refuse_bad_names(connection: sqlite3.Connection, path: str) -> None:
    """A kept name that breaks the rule of names makes the file corrupt. Those of assets are looked at when read."""
    try:
        names = [name for (name,) in connection.execute("SELECT name FROM contexts")]
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise told(path, error) from None
    for name in names:
        refuse_bad_name(path, name)


def _refuse_what_was_cut(connection: sqlite3.Connection, path: str) -> None:
    """SQLite itself reads a file that lost its end until it misses a page.

    The file is not opened to look: closing it would drop the locks that SQLite has on it in this process.
    """
    page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
    expected = connection.execute("PRAGMA page_count").fetchone()[0] * page_bytes
    size = os.path.getsize(path)
    waiting = os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0
    # What waits beside the file may hold the pages that it lacks, as after a disk that was full.
    if not waiting and (size % page_bytes or size < expected):
        raise damaged(path, f"it has {size} bytes of {expected}")
