"""What SQLite says of locks, disks and damage, told by rule or as a store that cannot be used.

Source: design, "What must always hold"; open-points 11.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from chidev.app.ports.store import StoreRefused, StoreUnusable

BUSY_TIMEOUT_S = 5.0
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")


@contextmanager
def told_by_rule(path: str) -> Iterator[None]:
    """Turns an error of SQLite, or a text that is not UTF-8, into what the store's port raises."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise told(path, error) from None


def told(path: str, error: sqlite3.Error | UnicodeDecodeError) -> StoreRefused | StoreUnusable:
    """A lock, a disk and a file that may not be written refuse an operation; what is damaged stops the run."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreRefused("store.locked", waited_s=BUSY_TIMEOUT_S)
    if code == sqlite3.SQLITE_READONLY:
        return StoreRefused("store.read-only")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return StoreRefused("store.not-written", reason=str(error))
    if code == sqlite3.SQLITE_NOTADB:
        return StoreUnusable(f"{path}: this is no database, so it is no store")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreUnusable(f"{path}: the store cannot be opened: {error}")
    return damaged(path, str(error))


def damaged(path: str, what: str) -> StoreUnusable:
    """A store whose records cannot be read, or do not fit together."""
    return StoreUnusable(f"{path}: the store is damaged: {what}")


def refuse_bad_name(path: str, name: str) -> None:
    """A name of a Context or an asset that breaks the rule of names is damage. Source: "Operations".

    Raises:
        StoreUnusable: it does.
    """
    if not name or not _NAME_CHARACTERS.issuperset(name):
        raise damaged(path, f"it holds the name {name!r}, and a name has only a-z, 0-9, - and _")
