"""Stamps: digests of what a check was given, which tell whether that moved since.

Source: specification, "External checks", "Judged rule versions" and "Operations" (view: stamps).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET

from chidev.app import view_types
from chidev.domain.source import lines_of, split_lines

_ENCODER = msgspec.json.Encoder()
SECTIONS = ("contracts", "interfaces", "harnesses", "change_requests", "cruxes")


def stamp(*values: Any) -> str:
    """64 hex digits over some values, each as JSON."""
    whole = sha256()
    for value in values:
        encoded = _ENCODER.encode(value)
        whole.update(b"%d:" % len(encoded) + encoded)
    return whole.hexdigest()


def subject_stamps(kind: str, view: view_types.View) -> Iterator[tuple[str | None, str]]:
    """The id and the stamp of each thing of a kind: of its entry in the view, and of what it cannot be read without.

    Args:
        view: with every section. The Project has no id.
    """
    if kind == "project":
        yield None, stamp(view)
    elif kind == "change_request":
        yield from _requests(view)
    else:
        for context in view.contexts:
            if kind == "context":
                yield context.id, stamp(context)
            elif kind == "clause":
                yield from ((c.id, stamp(c)) for contract in _of(context.contracts) for c in contract.clauses)
            elif kind == "case":
                yield from _cases(context)
            else:
                for interface in _of(context.interfaces):
                    if kind == "interface":
                        yield interface.id, stamp(interface)
                    else:
                        yield from _items(interface)


def _of(section: Any) -> Sequence[Any]:
    return () if section is UNSET else section


def _requests(view: view_types.View) -> Iterator[tuple[str, str]]:
    raised: dict[str, list[view_types.CruxView]] = {}
    for crux in _of(view.cruxes):
        raised.setdefault(crux.raised_in, []).append(crux)
    for request in _of(view.change_requests):
        yield request.id, stamp(request, raised.get(request.id, []))


def _items(interface: view_types.InterfaceView) -> Iterator[tuple[str, str]]:
    lines = split_lines(interface.source)
    for item in interface.items:
        yield item.id, stamp(item.key, item.revision, lines_of(lines, *item.lines))


def _cases(context: view_types.ContextView) -> Iterator[tuple[str, str]]:
    for harness in _of(context.harnesses):
        lines = [] if harness.source is UNSET else split_lines(harness.source)
        for case in harness.cases:
            code = "" if case.lines is UNSET else lines_of(lines, *case.lines)
            yield case.id, stamp(case.name, case.revision, case.cites, code)
