"""Which directory is the project: the nearest one upwards that has a `chidev.toml`.

Source: specification, "The project and chidev.toml".
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from chidev.app.ports.settings import SettingsError

MARK = "chidev.toml"
RENAMED = {"checks.toml": MARK, ".chidev/checks.local.toml": ".chidev/chidev.local.toml"}


def find_root(start: str) -> str:
    """The absolute path of the project's root, e.g. `"/home/ann/shop"`; links in `start` are not resolved.

    The file is not opened here: whether it can be read is for `settings.load` to say.

    Args:
        start: the directory chidev runs in.

    Raises:
        SettingsError: no directory up to the top has the file; it is there and is no file; a directory on the way up
            to the root (the root included) has a file under a name of earlier versions. What is above the root does
            not matter.

    Source: specification, "The project and chidev.toml"; what earlier versions called the files: chidev-observed 11.
    """
    if "\0" in start or not os.path.isdir(start):
        raise SettingsError(f"{start!r}: there is no such directory to look for a project from")
    old: list[str] = []
    for directory in _upwards(os.path.abspath(start)):
        old += [f"{path}: {told}" for path, told in _old_names(directory)]
        if _is_marked(directory):
            if old:
                raise SettingsError("; ".join(old))
            return directory
    missing = f"{start}: no `{MARK}` here or in any directory above; an empty one makes a directory a project"
    raise SettingsError("; ".join([missing, *old]))


def _upwards(directory: str) -> Iterator[str]:
    yield directory
    while (parent := os.path.dirname(directory)) != directory:
        directory = parent
        yield directory


def _is_marked(directory: str) -> bool:
    """Whether the file is there.

    Raises:
        SettingsError: something else has its name, or the directory cannot be looked into.
    """
    path = os.path.join(directory, MARK)
    mode = _mode(path)
    if mode is None:
        return False
    if stat.S_ISLNK(mode):
        try:
            mode = os.stat(path).st_mode
        except OSError as error:
            raise SettingsError(f"{path}: is a link that leads nowhere ({error.strerror})") from None
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "no regular file"
        raise SettingsError(f"{path}: is {what}; a project is marked by a file of this name")
    return True


def _old_names(directory: str) -> Iterator[tuple[str, str]]:
    for old, new in RENAMED.items():
        path = os.path.join(directory, old)
        mode = _mode(path)
        if mode is not None and not stat.S_ISDIR(mode):
            yield path, f"a file of this name is no longer read; call it `{new}`, or move what it says there"


def _mode(path: str) -> int | None:
    """The mode of what has this name, a link not followed; None when nothing has it."""
    try:
        return os.lstat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(f"{path}: cannot be looked for: {error.strerror}") from None
