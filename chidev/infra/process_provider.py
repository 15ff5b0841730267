"""Items found by a program of the project.

Source: specification, "Provider protocol chidev-items 2" and "Operations" (items left out); open-points 26.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from chidev.app.ports.provider import FoundItem, FoundItems, ProviderRefused
from chidev.app.ports.settings import MeasureSettings

if TYPE_CHECKING:
    from chidev.infra.process import Ended

PROTOCOL = 2
REPLY_LIMIT_BYTES = 4 * 1024 * 1024
DETAIL_LIMIT = 300
_SNIPPET_LIMIT = 160
_FIELD_LIMIT = 40
_COUNT_LIMIT = 2**53  # what every reader of JSON has as a whole number
_REQUIRED, _NONE, _PROTOCOL, _FAILED = ("input.items-required", "items.no-provider", "items.protocol", "items.failed")


class ProcessProvider:
    """Implements `app.ports.provider.ItemsProvider` with the commands of `[measure.items]`.

    Args:
        root: the project's root, in which the program is started.
        measure: the table `[measure]`; None when the project has none.
    """

    def __init__(self, root: str, measure: MeasureSettings | None) -> None:
        self._root = root
        self._measure = measure

    def find_items(self, context: str, interface: str, source: str) -> FoundItems:
        if self._measure is None:
            raise _refused(_NONE, None, "chidev.toml has no table [measure]")
        lang = _language(self._measure, context, interface)
        command = self._measure.items.get(lang)
        if not command:
            raise _refused(_NONE, lang, "[measure.items] has no command for it")
        ended = self._asked(command, source, self._measure.timeout_s)
        _refuse_failure(ended, lang, command[0], self._measure.timeout_s)
        try:
            return _read(ended.stdout, source)
        except _ReplyError as error:
            raise _refused(_PROTOCOL, lang, str(error)) from None

    def _asked(self, command: Sequence[str], source: str, timeout_s: float) -> Ended:
        import json

        from chidev.infra.process import run

        request = json.dumps({"protocol": PROTOCOL, "source": source}, ensure_ascii=False)
        words, env = _bundled(command)
        return run(
            words,
            cwd=self._root,
            stdin=request.encode(),
            timeout_s=timeout_s,
            stdout_limit_bytes=REPLY_LIMIT_BYTES,
            env=env,
        )


def _refused(rule_id: str, lang: str | None, detail: str) -> ProviderRefused:
    from chidev.infra.process import shown

    return ProviderRefused(rule_id, lang, shown(detail, DETAIL_LIMIT))


def _language(measure: MeasureSettings, context: str, interface: str) -> str:
    """The language of an Interface, as its layout says it."""
    entries = [entry for entry in measure.layout if (entry.context, entry.interface) == (context, interface)]
    if not entries:
        raise _refused(_REQUIRED, None, "no [[measure.layout]] is of this Interface")
    for entry in entries:
        if entry.lang is not None:
            return entry.lang
    raise _refused(_REQUIRED, None, "the [[measure.layout]] of this Interface has no `lang`")


def _bundled(command: Sequence[str]) -> tuple[Sequence[str], Mapping[str, str] | None]:
    """A command and its environment; `chidev`, where PATH does not have it, is the one of this very installation.

    The program is started in the project's root, whose modules must not come before those of chidev: hence `-P`.
    """
    if command[0] != "chidev" or not sys.executable or _is_on_path("chidev"):
        return command, None
    imports = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    return [sys.executable, "-P", "-m", "chidev", *command[1:]], {**os.environ, "PYTHONPATH": imports}


def _is_on_path(word: str) -> bool:
    """Like `shutil.which`, whose module takes longer to import than all of this to run."""
    paths = (os.path.join(folder, word) for folder in os.get_exec_path())
    return any(os.path.isfile(path) and os.access(path, os.X_OK) for path in paths)


def _refuse_failure(ended: Ended, lang: str, word: str, timeout_s: float) -> None:
    """Refuse a run that has no reply.

    Raises:
        ProviderRefused: `items.failed`; `items.protocol` for a reply that is too long.
    """
    from chidev.infra.process import Outcome, shown

    name = f"`{shown(word)}`"
    if ended.outcome is Outcome.NOT_STARTED:
        raise _refused(_FAILED, lang, ended.reason)
    if ended.outcome is Outcome.TIMED_OUT:
        raise _refused(_FAILED, lang, f"{name} did not answer within {timeout_s:g} s")
    if ended.outcome is Outcome.OUTPUT_LIMIT:
        raise _refused(_PROTOCOL, lang, f"the reply is longer than {REPLY_LIMIT_BYTES} bytes")
    if ended.exit_code < 0:
        raise _refused(_FAILED, lang, f"{name} was ended by signal {-ended.exit_code}{_last_words(ended.stderr)}")
    if ended.exit_code > 0:
        raise _refused(_FAILED, lang, f"{name} ended with status {ended.exit_code}{_last_words(ended.stderr)}")


def _last_words(stderr: str) -> str:
    """The last line of a program's diagnostics, quoted and short."""
    from chidev.infra.process import shown

    lines = [line.strip() for line in stderr.split("\n") if line.strip()]
    return f', saying "{shown(lines[-1], _SNIPPET_LIMIT)}"' if lines else ""


class _ReplyError(Exception):
    """What is wrong with a reply, with its place."""


def _read(reply: bytes, source: str) -> FoundItems:
    """A reply, checked against the protocol and the code.

    Raises:
        _ReplyError: the first thing that is wrong.
    """
    document = _decoded(reply)
    if not isinstance(document, dict):
        raise _ReplyError("the reply is not an object")
    protocol = document.get("protocol")
    if protocol != PROTOCOL or type(protocol) is not int:
        raise _ReplyError(f"`protocol` is not {PROTOCOL}")
    _refuse_fields(document, {"protocol", "items", "left_out"}, "")
    left_out, items = document["left_out"], document["items"]
    if type(left_out) is not int or not 0 <= left_out < _COUNT_LIMIT:
        raise _ReplyError("`left_out` is not a number of declarations")
    if not isinstance(items, list):
        raise _ReplyError("`items` is not a list")
    lines = source.count("\n") + (not source.endswith("\n") and source != "")
    return FoundItems(tuple(_item(item, f"items[{n}]", lines) for n, item in enumerate(items)), left_out)


def _decoded(reply: bytes) -> Any:
    """The one JSON document of a reply."""
    import json

    try:
        return json.loads(reply.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        raise _ReplyError("the reply is nested too deep") from None
    except UnicodeDecodeError as error:
        raise _ReplyError(f"the reply is not UTF-8 (the byte at offset {error.start})") from None
    except json.JSONDecodeError as error:
        raise _ReplyError(f"the reply is not one JSON document (at character {error.pos + 1})") from None
    except ValueError:
        raise _ReplyError("the reply has a number of too many digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise _ReplyError(f"the reply has {_field(key)} twice in one object")
        made[key] = value
    return made


def _no_constant(word: str) -> Any:
    raise _ReplyError(f"the reply has {word}, which is not JSON")


def _refuse_fields(document: Mapping[str, Any], fields: set[str], place: str) -> None:
    """Refuse an object that has not exactly these fields; `place` is where it is, e.g. `items[3].`."""
    for missing in sorted(fields - document.keys()):
        raise _ReplyError(f"`{place}{missing}` is missing")
    for unknown in sorted(document.keys() - fields):
        where = f"`{place[:-1]}`" if place else "the reply"
        raise _ReplyError(f"{where} has {_field(unknown)}, which the protocol does not have")


def _item(item: Any, place: str, lines: int) -> FoundItem:
    """An Item of code that has so many lines."""
    if not isinstance(item, dict):
        raise _ReplyError(f"`{place}` is not an object")
    _refuse_fields(item, {"key", "lines"}, f"{place}.")
    key, range_ = item["key"], item["lines"]
    if not isinstance(key, str) or not key or "\n" in key or "\r" in key:
        raise _ReplyError(f"`{place}.key` is not a text of one line that is not empty")
    if not _is_utf8(key):
        raise _ReplyError(f"`{place}.key` has half of a surrogate pair")
    if not isinstance(range_, list) or [type(line) for line in range_] != [int, int]:
        raise _ReplyError(f"`{place}.lines` is not a first and a last line")
    if not 1 <= range_[0] <= range_[1] <= lines:
        raise _ReplyError(f"`{place}.lines` are not lines of the code, which has {lines}")
    return FoundItem(key, range_[0], range_[1])


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _field(name: str) -> str:
    """A field as it is told. What a program made up is not repeated: only what looks like the name of a field is."""
    looks_so = name.isascii() and name.isidentifier() and len(name) <= _FIELD_LIMIT
    return f"the field `{name}`" if looks_so else "a field"
