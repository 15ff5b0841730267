"""Reading a settings file: its bytes, then its tables as `tomllib` gives them.

Source: specification, "The project and chidev.toml"; chidev-observed 11.
"""

from __future__ import annotations

import codecs
import os
import stat

from chidev.app.ports.settings import SettingsError

LARGEST = 8 * 1024 * 1024  # bytes; a layout of ten thousand places has about one
_LONGEST_REASON = 200  # characters of what the parser says
_BLANK = b" \t\r\n"


def read_tables(root: str, name: str) -> dict[str, object] | None:
    """The tables of a file, e.g. `{"store": {"path": "x.db"}}`; None when there is no file.

    Args:
        root: the project's root, absolute.
        name: the file, relative to the root; it is what a message calls it.

    Raises:
        SettingsError: no regular file, not to be read, over `LARGEST`, not UTF-8, or no TOML.
    """
    data = _read(os.path.join(root, name), name)
    if data is None:
        return None
    return _parsed(data, name) if data.strip(_BLANK) else {}


def _read(path: str, name: str) -> bytes | None:
    try:
        _refuse_what_is_no_file(os.stat(path), name)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)  # a FIFO that came since does not hang
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(path):
            raise SettingsError(f"{name}: is a link to a file that is not there") from None
        return None
    except OSError as error:
        raise SettingsError(f"{name}: cannot be read: {error.strerror}") from None
    with open(descriptor, "rb") as file:
        try:
            _refuse_what_is_no_file(os.fstat(descriptor), name)
            data = file.read(LARGEST + 1)
        except OSError as error:
            raise SettingsError(f"{name}: cannot be read: {error.strerror}") from None
    if len(data) > LARGEST:
        raise SettingsError(f"{name}: is over {LARGEST // 1024**2} MiB, too large for settings")
    return data


def _refuse_what_is_no_file(found: os.stat_result, name: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        what = "a directory" if stat.S_ISDIR(found.st_mode) else "no regular file"
        raise SettingsError(f"{name}: is {what}; settings are read from a file")


def _parsed(data: bytes, name: str) -> dict[str, object]:
    import tomllib

    text = _decoded(data, name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{name}: {_place_and_reason(str(error), text)}") from None
    except ValueError:  # of int(), which reads no more than some thousand digits
        raise SettingsError(f"{name}: cannot be read as TOML: a number has too many digits") from None
    except RecursionError:
        raise SettingsError(f"{name}: cannot be read as TOML: it is nested too deeply") from None


def _decoded(data: bytes, name: str) -> str:
    if data.startswith(codecs.BOM_UTF8):
        raise SettingsError(f"{name}: begins with a byte order mark; save it as UTF-8 without one")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise SettingsError(f"{name}: line {line}, byte {column}: is not UTF-8 text") from None


def _place_and_reason(message: str, text: str) -> str:
    """What the parser says, the place first. It ends its messages with `(at line 1, column 7)` or `(at end of ..)`."""
    import re

    from chidev.app.faults import printable

    reason, _, place = message.rpartition(" (at ")
    found = re.search(r"line (\d+), column (\d+)", place)
    line, column = (int(n) for n in found.groups()) if found else _end_of(text)
    return f"line {line}, column {column}: cannot be read as TOML: {printable(reason or message, _LONGEST_REASON)}"


def _end_of(text: str) -> tuple[int, int]:
    return text.count("\n") + 1, len(text) - text.rfind("\n")
