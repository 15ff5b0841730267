"""Harnesses and their Cases: what a put makes of them, and what it refuses.

Source: specification, "Operations" (harness_put).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum

import msgspec

from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Violation
from chidev.domain.rules.cite import NO_ITEM
from chidev.domain.rules.harness import CASE_TWICE, LINES_OUTSIDE
from chidev.domain.source import has_lines, lines_of, split_lines
from chidev.domain.subject import case_subject, harness_subject


class HarnessKind(StrEnum):
    TESTS = "tests"


class Citation(msgspec.Struct, frozen=True):
    """What a Case cites: an Item or a Clause, at the revision it had when the Harness was put."""

    target: Id
    kind: str
    revision: int


class Case(msgspec.Struct, frozen=True):
    """One test. Its id is its identity; its revision counts changes of its text and of what it cites."""

    id: Id
    name: str
    first: int
    last: int
    revision: int
    cites: tuple[Citation, ...]


class Harness(msgspec.Struct, frozen=True):
    """A Harness with its source and its Cases in order."""

    id: Id
    context: Id
    name: str
    kind: HarnessKind
    revision: int
    source: str
    cases: tuple[Case, ...]

    @property
    def parts(self) -> tuple[Case, ...]:
        return self.cases


class CasePlace(msgspec.Struct, frozen=True):
    """A Case as a put gives it, its citations resolved to what they name."""

    name: str
    first: int
    last: int
    cites: tuple[Citation, ...]


def put_harness(
    old: Harness | None, context: Id, name: str, source: str, places: Sequence[CasePlace], new_id: NewId
) -> Harness:
    """The Harness that a put makes; `violations_of_put` has found nothing against it.

    Its revision moves when its source, or which Cases it has in which order, or one of them changes.
    """
    old_lines = split_lines(old.source) if old else []
    lines = split_lines(source)
    had = {case.name: case for case in old.cases} if old else {}
    cases = tuple(_case(had.get(place.name), place, old_lines, lines, new_id) for place in places)
    if old is None:
        return Harness(new_id(), context, name, HarnessKind.TESTS, 1, source, cases)
    moved = source != old.source or [(c.id, c.revision) for c in cases] != [(c.id, c.revision) for c in old.cases]
    return Harness(old.id, context, old.name, old.kind, old.revision + moved, source, cases)


def _case(old: Case | None, place: CasePlace, old_lines: Sequence[str], lines: Sequence[str], new_id: NewId) -> Case:
    cites = tuple(dict.fromkeys(place.cites))
    if old is None:
        return Case(new_id(), place.name, place.first, place.last, 1, cites)
    moved = set(cites) != set(old.cites) or lines_of(old_lines, old.first, old.last) != lines_of(
        lines, place.first, place.last
    )
    return Case(old.id, place.name, place.first, place.last, old.revision + moved, cites)


def violations_of_put(context: str, name: str, source: str, cases: Sequence[CasePlace], at: str) -> Iterator[Violation]:
    """Every problem of the Cases of one put that can be seen without the rest of the model."""
    lines = split_lines(source)
    for n, case in enumerate(cases):
        if not has_lines(lines, case.first, case.last):
            yield LINES_OUTSIDE.broken(
                harness_subject(context, name),
                case_subject(context, name, case.name),
                field=f"{at}cases[{n}].lines",
                first=case.first,
                last=case.last,
                count=len(lines),
                name=case.name,
            )
        if not any(citation.kind == "item" for citation in case.cites):
            yield NO_ITEM.broken(case_subject(context, name, case.name), field=f"{at}cases[{n}].items", name=case.name)
    for case_name, times in Counter(case.name for case in cases).items():
        if times > 1:
            yield CASE_TWICE.broken(
                harness_subject(context, name),
                case_subject(context, name, case_name),
                field=f"{at}cases",
                name=case_name,
                count=times,
            )
