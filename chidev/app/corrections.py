"""Finding a text in the records that only grow, and taking it out of them and of the file.

Source: specification, "Correcting a record"; open-points 4 and 19.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from chidev.app import inputs
from chidev.app.change_requests import by_of
from chidev.app.commit import correct, project_of
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.references import given_fields, one_key
from chidev.domain.change_request import By, ChangeRequest, Step
from chidev.domain.correction import LEAST_CHARACTERS, Correction, is_in_mark, redacted
from chidev.domain.crux import Crux
from chidev.domain.record_texts import KINDS, Record, texts, with_texts
from chidev.domain.rule import Refused, Violation
from chidev.domain.rules import correct as rules


class FieldOfRecord(msgspec.Struct, frozen=True):
    """A field by its path, as `assumptions[1].statement`, of the record that has the id."""

    id: str
    field: str


class PlaceAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a text is. Exactly one field is there."""

    change_request: FieldOfRecord | UnsetType = UNSET
    crux: FieldOfRecord | UnsetType = UNSET
    check_run: FieldOfRecord | UnsetType = UNSET


class PlacesAnswer(msgspec.Struct, frozen=True):
    places: Sequence[PlaceAnswer]


class CorrectedAnswer(msgspec.Struct, frozen=True):
    """`cleared`: the file was written again and the old bytes are not in it; else `reason` says why not."""

    corrected: Sequence[PlaceAnswer]
    remaining: Sequence[PlaceAnswer]
    cleared: bool
    reason: str | UnsetType = UNSET


def find_text(operation: inputs.TextFind, services: Services) -> PlacesAnswer:
    """Where a text occurs in the records that a correction can change.

    Raises:
        Refused: `project.none`, `correct.text-empty`.
    """
    if not operation.text:
        raise Refused(rules.TEXT_EMPTY.broken(field="text"))
    store = services.store
    with store.reading():
        project_of(store)
        return PlacesAnswer(_places_of(operation.text, store))


def correct_records(operation: inputs.RecordCorrect, services: Services) -> CorrectedAnswer:
    """Replace a text with a mark in the places that are named, then write the file again without the old bytes.

    Raises:
        Refused: a form that cannot be read; `project.none`; a rule of the family `correct.`; nothing is changed.
    """
    given = _given(operation)
    store, by = services.store, by_of(operation.by)
    remaining: list[PlaceAnswer] = []

    def keep() -> None:
        project_of(store)
        records = _records(store)
        _refuse_absent(operation.text, given, records)
        of_record: dict[str, list[str]] = {}
        for _, id_, field in given:
            of_record.setdefault(id_, []).append(field)
        titles = _Titles(records)
        at = services.clock()
        for id_, fields in of_record.items():
            record = records[id_]
            marked = _marked(record, fields, operation.text, titles)
            store.put_corrected(_with_correction(record, marked, operation.reason, by, at))
        remaining.extend(_places_of(operation.text, store))

    why_not = correct(services, operation.text, keep, lambda: not remaining)
    return CorrectedAnswer(
        corrected=[_place(kind, id_, field) for kind, id_, field in given],
        remaining=remaining,
        cleared=why_not is None,
        reason=UNSET if why_not is None else why_not,
    )


_Given = tuple[str, str, str]  # the kind of a record, its id, a field


def _given(operation: inputs.RecordCorrect) -> list[_Given]:
    """The places of an operation, read.

    Raises:
        Refused: what can be said without the store, all at once.
    """
    problems: list[Violation] = [*one_key(operation.by, "by")]
    for n, place in enumerate(operation.places):
        problems += one_key(place, f"places[{n}]")
    if problems:
        raise Refused(*problems)
    given = [_read(place) for place in operation.places]
    problems += _of_text(operation.text)
    is_text = not problems
    if not given:
        problems.append(rules.PLACES_EMPTY.broken(field="places"))
    first: dict[_Given, int] = {}
    for n, one in enumerate(given):
        if one in first:
            problems.append(rules.PLACE_TWICE.broken(field=f"places[{n}]", first=first[one]))
        first.setdefault(one, n)
    if is_text:
        who = by_of(operation.by).name
        for field, says in (("reason", operation.reason), ("by", who)):
            if operation.text in says:
                problems.append(rules.REASON_HOLDS_TEXT.broken(field=field))
    if problems:
        raise Refused(*problems)
    return given


def _read(place: inputs.CorrectedPlace) -> _Given:
    (kind,) = given_fields(place)
    ref: inputs.FieldRef = getattr(place, kind)
    return kind, ref.id, ref.field


def _of_text(text: str) -> Iterator[Violation]:
    if not text:
        yield rules.TEXT_EMPTY.broken(field="text")
    elif len(text) < LEAST_CHARACTERS:
        yield rules.TEXT_TOO_SHORT.broken(field="text", characters=len(text), least=LEAST_CHARACTERS)
    elif is_in_mark(text):
        yield rules.TEXT_IN_MARK.broken(field="text")


def _records(store: StoreReader) -> dict[str, Record]:
    """Every record that only grows, by its id, in the order in which they were made of each kind."""
    every: list[Record] = [*store.change_requests(), *store.cruxes(), *store.every_check_run()]
    return {record.id: record for record in every}


def _places_of(text: str, store: StoreReader) -> list[PlaceAnswer]:
    return [
        _place(KINDS[type(record)], record.id, field)
        for record in _records(store).values()
        for field, says in texts(record)
        if text in says
    ]


def _place(kind: str, id_: str, field: str) -> PlaceAnswer:
    return PlaceAnswer(**{kind: FieldOfRecord(id_, field)})


def _refuse_absent(text: str, given: Sequence[_Given], records: Mapping[str, Record]) -> None:
    """Raises: Refused, for each place that is none, else for each that lacks the text."""
    unknown: list[Violation] = []
    absent: list[Violation] = []
    for n, (kind, id_, field) in enumerate(given):
        record = records.get(id_)
        says = dict(texts(record)).get(field) if record and KINDS[type(record)] == kind else None
        word = kind.replace("_", " ")
        if says is None:
            unknown.append(rules.PLACE_UNKNOWN.broken(field=f"places[{n}]", record=word))
        elif text not in says:
            absent.append(rules.TEXT_ABSENT.broken(field=f"places[{n}]", record=word))
    if unknown or absent:
        raise Refused(*(unknown or absent))


class _Titles:
    """The titles of all requests, each of which is the title of one."""

    def __init__(self, records: Mapping[str, Record]) -> None:
        self._of = {record.id: record.title for record in records.values() if isinstance(record, ChangeRequest)}

    def others(self, request: ChangeRequest) -> set[str]:
        return {title for id_, title in self._of.items() if id_ != request.id}

    def changed(self, request: ChangeRequest, title: str) -> None:
        self._of[request.id] = title


def _marked(record: Record, fields: Sequence[str], text: str, titles: _Titles) -> dict[str, str]:
    """What each field says with its mark; a title, and a choice among those of its Crux, stays the only one."""
    says = dict(texts(record))
    for field in fields:
        taken: set[str] = set()
        if isinstance(record, ChangeRequest) and field == "title":
            taken = titles.others(record)
        elif field in _choices(record):
            taken = {says[other] for other in _choices(record) if other != field}
        says[field] = redacted(says[field], text, taken)
    if isinstance(record, ChangeRequest):
        titles.changed(record, says["title"])
    return {field: says[field] for field in fields}


def _choices(record: Record) -> list[str]:
    return [f"options[{n}].choice" for n in range(len(record.options))] if isinstance(record, Crux) else []


def _with_correction(record: Record, marked: Mapping[str, str], reason: str, by: By, at: int) -> Record:
    """A record with its new texts, and with what was done to it."""
    fields = tuple(marked)
    if isinstance(record, ChangeRequest):
        corrected = with_texts(record, marked)
        step = Step(None, None, reason, by, at, fields)
        return msgspec.structs.replace(corrected, history=(*corrected.history, step))
    done = Correction(fields, reason, by, at)
    if isinstance(record, Crux):
        crux = with_texts(record, marked)
        return msgspec.structs.replace(crux, corrections=(*crux.corrections, done))
    run = with_texts(record, marked)
    return msgspec.structs.replace(run, corrections=(*run.corrections, done))
