"""Contracts and their Clauses: what a put makes of them, and what it refuses.

Source: specification, "Operations" (contract_put, clauses_put).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Violation
from chidev.domain.rules.contract import LABEL_TWICE
from chidev.domain.rules.input import RENAME_CONFLICT, REPLACES_KEPT, UNKNOWN_NAME
from chidev.domain.subject import clause_subject, context_subject, contract_subject


class Clause(msgspec.Struct, frozen=True):
    """One promise. Its id is its identity, the label its name; its revision counts changes of the sentence only."""

    id: Id
    label: str
    revision: int
    text: str

    @property
    def name(self) -> str:
        return self.label


class Contract(msgspec.Struct, frozen=True):
    """A Contract with its Clauses in order."""

    id: Id
    context: Id
    name: str
    revision: int
    title: str
    clauses: tuple[Clause, ...]

    @property
    def parts(self) -> tuple[Clause, ...]:
        return self.clauses


class ClauseWords(Protocol):
    """A Clause as a put gives it; `replaces` is the label it had."""

    @property
    def label(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def replaces(self) -> str | None: ...


def put_contract(
    old: Contract | None, context: Id, name: str, title: str, clauses: Sequence[ClauseWords], new_id: NewId
) -> Contract:
    """The Contract that a whole put makes; `violations_of_put` has found nothing against it."""
    had = {c.label: c for c in old.clauses} if old else {}
    parts = tuple(_clause(had.get(words.replaces or words.label), words, new_id) for words in clauses)
    if old is None:
        return Contract(new_id(), context, name, 1, title, parts)
    return _revised(old, title, parts)


def put_clauses(old: Contract, clauses: Sequence[ClauseWords], remove: Sequence[str], new_id: NewId) -> Contract:
    """The Contract with some Clauses changed, added or removed; those not named stay, in their order."""
    by_old_label = {words.replaces or words.label: words for words in clauses}
    parts = [
        _clause(clause, by_old_label[clause.label], new_id) if clause.label in by_old_label else clause
        for clause in old.clauses
        if clause.label not in remove
    ]
    had = {c.label for c in old.clauses}
    parts += [_clause(None, words, new_id) for words in clauses if (words.replaces or words.label) not in had]
    return _revised(old, old.title, tuple(parts))


def _clause(old: Clause | None, words: ClauseWords, new_id: NewId) -> Clause:
    if old is None:
        return Clause(new_id(), words.label, 1, words.text)
    return Clause(old.id, words.label, old.revision + (old.text != words.text), words.text)


def _revised(old: Contract, title: str, clauses: tuple[Clause, ...]) -> Contract:
    """A new label alone moves nothing: what counts is the title, which Clauses in which order, and their sentences."""
    moved = title != old.title or [(c.id, c.revision) for c in clauses] != [(c.id, c.revision) for c in old.clauses]
    return Contract(old.id, old.context, old.name, old.revision + moved, title, clauses)


def violations_of_put(
    context: str,
    name: str,
    old: Contract | None,
    clauses: Sequence[ClauseWords],
    remove: Sequence[str] | None,
    at: str,
) -> Iterator[Violation]:
    """Every problem of the Clauses of one put, whole or in part, that can be seen without the rest of the model.

    Args:
        context, name: the names of the Context and of the Contract.
        remove: the labels to remove; None for a whole put.
        at: the path of the entry the Clauses are written in, with its dot (`puts[0].`), or empty.
    """
    subjects = (context_subject(context), contract_subject(context, name))
    had = tuple(c.label for c in old.clauses) if old else ()
    given = Counter(words.label for words in clauses)
    replaced = Counter(words.replaces for words in clauses if words.replaces)
    removed = Counter(remove or ())
    yield from _unknown_labels(context, name, had, clauses, remove or (), at)
    for label in replaced:
        if label in given:
            yield REPLACES_KEPT.broken(*subjects, field=f"{at}clauses", key=label)
    new = set() if remove is not None else given.keys() - set(had)
    for label in new:
        if given[label] > 1:
            yield _label_twice(context, name, label, given[label], at)
    twice = [(label, "label") for label, times in given.items() if times > 1 and label not in new]
    twice += [(label, "replaces") for label, times in replaced.items() if times > 1]
    twice += [(label, "remove") for label, n in removed.items() if n > 1 or label in given or label in replaced]
    for label, side in twice:
        yield RENAME_CONFLICT.broken(
            *subjects, field=f"{at}{'remove' if side == 'remove' else 'clauses'}", key=label, side=side
        )


def _unknown_labels(
    context: str, name: str, had: tuple[str, ...], clauses: Sequence[ClauseWords], remove: Sequence[str], at: str
) -> Iterator[Violation]:
    named = [
        ("replaces", f"clauses[{n}].replaces", words.replaces) for n, words in enumerate(clauses) if words.replaces
    ]
    named += [("remove", f"remove[{n}]", label) for n, label in enumerate(remove)]
    for field, path, label in named:
        if label not in had:
            yield UNKNOWN_NAME.broken(
                contract_subject(context, name),
                field=at + path,
                did_you_mean=had,
                kind="clause",
                name=label,
                field_=field,
            )


def labels_twice(context: str, contract: Contract, at: str) -> Iterator[Violation]:
    """`contract.label-twice` for each label that two Clauses of the result have."""
    for label, times in Counter(c.label for c in contract.clauses).items():
        if times > 1:
            yield _label_twice(context, contract.name, label, times, at)


def _label_twice(context: str, name: str, label: str, times: int, at: str) -> Violation:
    return LABEL_TWICE.broken(
        contract_subject(context, name),
        clause_subject(context, name, label),
        field=f"{at}clauses",
        label=label,
        count=times,
    )
