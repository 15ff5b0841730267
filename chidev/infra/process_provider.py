"""Items found by a program of the project.

Source: specification, "Provider protocol chidev-items 2" and "Operations" (items left out); open-points 26.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from chidev.app.ports.provider import FoundItem, FoundItems, ProviderRefused
from chidev.app.ports.settings import MeasureSettings

PROTOCOL = 2
REPLY_LIMIT_BYTES = 4 * 1024 * 1024
_REQUIRED, _NONE, _PROTOCOL, _FAILED = (
    "input.items-required",
    "items.no-provider",
    "items.protocol",
    "items.failed",
)


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
        measure, lang, command = self._chosen(context, interface)
        reply = self._asked(command, lang, source, measure.timeout_s)
        try:
            return _read(reply, source)
        except ValueError as error:
            raise ProviderRefused(_PROTOCOL, lang, str(error)) from None

    def _chosen(self, context: str, interface: str) -> tuple[MeasureSettings, str, Sequence[str]]:
        """The settings, the language of an Interface, and the command that finds its Items."""
        if self._measure is None:
            raise ProviderRefused(_NONE, None, "chidev.toml has no table [measure]")
        for entry in self._measure.layout:
            if (entry.context, entry.interface) == (context, interface) and entry.lang is not None:
                command = self._measure.items.get(entry.lang)
                if command is None:
                    raise ProviderRefused(_NONE, entry.lang, f"[measure.items] has no command for {entry.lang}")
                return self._measure, entry.lang, command
        raise ProviderRefused(_REQUIRED, None, "no [[measure.layout]] entry says the language of the Interface")

    def _asked(self, command: Sequence[str], lang: str, source: str, timeout_s: float) -> bytes:
        """What the program answered.

        Raises:
            ProviderRefused: `items.failed`, or `items.protocol` for a reply that is too long.
        """
        from chidev.infra.process import Outcome, run

        request = json.dumps({"protocol": PROTOCOL, "source": source}, ensure_ascii=False).encode()
        words, env = _bundled(command)
        ended = run(
            words,
            cwd=self._root,
            stdin=request,
            timeout_s=timeout_s,
            stdout_limit_bytes=REPLY_LIMIT_BYTES,
            env=env,
        )
        if ended.outcome is Outcome.NOT_STARTED:
            raise ProviderRefused(_FAILED, lang, ended.reason)
        if ended.outcome is Outcome.TIMED_OUT:
            raise ProviderRefused(_FAILED, lang, f"`{command[0]}` did not answer within {timeout_s:g} seconds")
        if ended.outcome is Outcome.OUTPUT_LIMIT:
            raise ProviderRefused(_PROTOCOL, lang, f"the reply is longer than {REPLY_LIMIT_BYTES} bytes")
        if ended.exit_code:
            raise ProviderRefused(_FAILED, lang, f"`{command[0]}` {_ending(ended.exit_code)}{_said(ended.stderr)}")
        return ended.stdout


def _bundled(command: Sequence[str]) -> tuple[Sequence[str], Mapping[str, str] | None]:
    """The command `chidev` of this very installation, where PATH does not have it."""
    from shutil import which

    if command[0] != "chidev" or which("chidev"):
        return command, None
    paths = os.pathsep.join(path for path in sys.path if path)
    return [sys.executable, "-m", "chidev", *command[1:]], {**os.environ, "PYTHONPATH": paths}


def _ending(exit_code: int) -> str:
    return f"ended with status {exit_code}" if exit_code > 0 else f"was ended by signal {-exit_code}"


def _said(stderr: str) -> str:
    """The last line of its diagnostics, quoted and short."""
    lines = [line for line in stderr.split("\n") if line.strip()]
    return f": {lines[-1].strip()[:200]!r}" if lines else ""


def _read(reply: bytes, source: str) -> FoundItems:
    """A reply, checked against the protocol and the code.

    Raises:
        ValueError: the first thing that is wrong, with its place.
    """
    document = _decoded(reply)
    if not isinstance(document, dict):
        raise ValueError("the reply is no object")
    protocol = document.get("protocol")
    if protocol != PROTOCOL or type(protocol) is not int:
        raise ValueError(f"the reply is not of protocol {PROTOCOL}")
    _refuse_fields(document, {"protocol", "items", "left_out"}, "")
    left_out = document["left_out"]
    if type(left_out) is not int or left_out < 0:
        raise ValueError("`left_out` is no number of declarations")
    if not isinstance(document["items"], list):
        raise ValueError("`items` is no list")
    count = source.count("\n") + (not source.endswith("\n") and source != "")
    return FoundItems(tuple(_item(item, f"items[{n}]", count) for n, item in enumerate(document["items"])), left_out)


def _decoded(reply: bytes) -> Any:
    try:
        return json.loads(reply.decode(), object_pairs_hook=_object, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("the reply is nested too deep") from None
    except UnicodeDecodeError:
        raise ValueError("the reply is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"the reply is not one JSON document (character {error.pos + 1})") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("the reply has a key twice in one object")
    return made


def _no_constant(word: str) -> Any:
    raise ValueError(f"the reply has {word}, which is no JSON")


def _refuse_fields(document: Mapping[str, Any], fields: set[str], place: str) -> None:
    for odd in sorted(document.keys() - fields):
        raise ValueError(f"`{place}{odd[:60]!s}` is no field of the protocol")
    for missing in sorted(fields - document.keys()):
        raise ValueError(f"`{place}{missing}` is missing")


def _item(item: Any, place: str, count: int) -> FoundItem:
    if not isinstance(item, dict):
        raise ValueError(f"`{place}` is no object")
    _refuse_fields(item, {"key", "lines"}, f"{place}.")
    key, lines = item["key"], item["lines"]
    if not isinstance(key, str) or not key or "\n" in key or "\r" in key or not _is_utf8(key):
        raise ValueError(f"`{place}.key` is no key: not empty, one line")
    if not isinstance(lines, list) or len(lines) != 2 or any(type(line) is not int for line in lines):
        raise ValueError(f"`{place}.lines` is no first and last line")
    first, last = lines
    if not 1 <= first <= last <= count:
        raise ValueError(f"`{place}.lines` are not lines of the code, which has {count}")
    return FoundItem(key, first, last)


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
