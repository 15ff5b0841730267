"""The texts of the records that only grow: what somebody wrote in them, each by the name of its field.

Source: specification, "Correcting a record"; open-points 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import msgspec

from chidev.domain.change_request import ChangeRequest
from chidev.domain.check_run import CheckRun
from chidev.domain.crux import Crux

Record = ChangeRequest | Crux | CheckRun
_AnyRecord = TypeVar("_AnyRecord", ChangeRequest, Crux, CheckRun)

_TEXT = "a text"
_EVERY_TEXT = "all texts in it, however deep"
_BY = {"name": _TEXT}
_CORRECTIONS = [{"reason": _TEXT, "by": _BY}]
_TEXTS: Mapping[type, Any] = {
    ChangeRequest: {
        "title": _TEXT,
        "situation": _TEXT,
        "issuer": _TEXT,
        "assumptions": [{"statement": _TEXT, "reason": _TEXT, "evidence": _EVERY_TEXT}],
        "history": [{"reason": _TEXT, "by": _BY}],
    },
    Crux: {
        "question": _TEXT,
        "options": [{"choice": _TEXT, "wording": _TEXT, "consequence": _TEXT}],
        "recommended": {"reason": _TEXT},
        "answer": {
            "decision": {"wording": _TEXT, "keep": [_TEXT], "reason": _TEXT},
            "basis": {"text": _TEXT, "reason": _TEXT},
            "by": _BY,
            "beyond": {"declined": _TEXT},
        },
        "corrections": _CORRECTIONS,
    },
    CheckRun: {
        "failure": _TEXT,
        "findings": [{"message": _TEXT}],
        "evidence": {"command": _TEXT, "stderr": _TEXT},
        "corrections": _CORRECTIONS,
    },
}
KINDS: Mapping[type, str] = {ChangeRequest: "change_request", Crux: "crux", CheckRun: "check_run"}


def texts(record: Record) -> Iterator[tuple[str, str]]:
    """Each text of a record by its field, as `assumptions[1].statement`."""
    found: dict[str, str] = {}

    def note(field: str, text: str) -> str:
        found[field] = text
        return text

    _changed(msgspec.to_builtins(record), _TEXTS[type(record)], "", note)
    yield from found.items()


def with_texts(record: _AnyRecord, new: Mapping[str, str]) -> _AnyRecord:
    """The record with other texts in some fields."""
    changed = _changed(msgspec.to_builtins(record), _TEXTS[type(record)], "", new.get)
    return msgspec.convert(changed, type(record))


def _changed(value: Any, texts_in: Any, field: str, change: Callable[[str, str], str]) -> Any:
    """A value with each of its texts as `change` gives it."""
    if value is None:
        return None
    if isinstance(value, str):
        return change(field, value)
    if isinstance(value, list | tuple):
        inner = texts_in[0] if isinstance(texts_in, list) else texts_in
        return [_changed(one, inner, f"{field}[{n}]", change) for n, one in enumerate(value)]
    if isinstance(value, dict):
        parts = texts_in if isinstance(texts_in, dict) else dict.fromkeys(value, texts_in)
        below = f"{field}." if field else ""
        return {
            key: _changed(one, parts[key], below + key, change) if key in parts else one for key, one in value.items()
        }
    return value
