"""What `pytest_chidev_checks` is given and returns.

Source: pytest-conventions.md, section 13; specification, "External checks" (what a finding of the project's own is).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from pytest_chidev.collected import Collected
from pytest_chidev.judge import Judged

_ID = re.compile(r"ext\.[a-z0-9-]+(\.[a-z0-9-]+)*\Z")


class Case(msgspec.Struct, frozen=True):
    """A collected test with a mark `cites`, however many parameter sets it has.

    Attributes:
        name: `TestPrice::test_refuses`, `test_refuses`. path: relative to pytest's root, with "/".
        line: where its code begins, from 1; None when it runs from another file.
        nodeids: its items, never empty.
        cites: what it cites: `discount#C1`, `price::Cart.total`.
        states: of each item: current, stale, unrecorded, unknown, malformed.
    """

    name: str
    path: str
    line: int | None
    nodeids: tuple[str, ...]
    cites: tuple[str, ...]
    states: tuple[str, ...]


class Found(msgspec.Struct, frozen=True):
    """One thing that a check of the project found.

    Attributes:
        rule: begins with `ext.`; a setting `[checks]` can name one that begins with `ext.pytest.`.
        nodeid: of the test it is about. subject: what of the model it is about, `{"kind": "clause", "id": ...}`.
        level: below the one the settings hold the rule to; without one it is that one, a warning by default.
        help: what to do about it.
    """

    rule: str
    message: str
    nodeid: str | None = None
    subject: Mapping[str, str] | None = None
    level: Literal["error", "warning", "note"] | None = None
    help: str = ""


Ask = Callable[[Sequence[Case], Mapping[str, Any]], Sequence[Found]]
"""Asks all that implement the hook."""


class OwnCheckError(Exception):
    """What the hook returned is no finding. The text is one sentence."""


def cases_of(collected: Collected, judged: Judged) -> list[Case]:
    """The collected tests as the hook is given them."""
    return [
        Case(
            name=case.name,
            path=file.path,
            line=case.code_line,
            nodeids=case.nodeids,
            cites=tuple(citation.compact for citation in case.citations),
            states=tuple(judged.states.get(nodeid, "unknown") for nodeid in case.nodeids),
        )
        for file in collected.files
        for case in file.cases
    ]


def found_by(results: Iterable[Any]) -> Iterator[Found]:
    """What the implementations returned, one by one.

    Raises:
        OwnCheckError: something of it is no finding.
    """
    for result in results:
        if result is None:
            continue
        if isinstance(result, str | Mapping | Found) or not isinstance(result, Iterable):
            raise OwnCheckError(f"it returned {_kind(result)}, expected findings in a list")
        for found in result:
            yield _read(found)


def _read(found: object) -> Found:
    if not isinstance(found, Found):
        raise OwnCheckError(f"it returned {_kind(found)} among its findings, expected `Found`")
    try:
        msgspec.convert(msgspec.to_builtins(found), Found)
    except (msgspec.ValidationError, TypeError) as error:
        raise OwnCheckError(f"it returned a finding that cannot be read: {error}") from None
    if not _ID.match(found.rule):
        raise OwnCheckError(f"it returned a finding of {found.rule!r}, expected an id as `ext.pytest.naming`")
    if not found.message.strip():
        raise OwnCheckError(f"it returned a finding of {found.rule!r} without a message")
    if found.subject is not None and found.subject.keys() != {"kind", "id"}:
        raise OwnCheckError(f"it returned a finding of {found.rule!r} whose subject is not a kind and an id")
    return found


def _kind(value: object) -> str:
    return f"`{type(value).__name__}`"
