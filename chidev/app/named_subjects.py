"""Subjects of findings by their ids, as they are named now.

Source: specification, "Retiring" (names with `(retired)`) and "Diagnostics".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from chidev.app.ports.store import StoreReader
from chidev.domain.identity import Id
from chidev.domain.named import Named
from chidev.domain.rule import Subject
from chidev.domain.subject import (
    asset_subject,
    change_request_subject,
    context_subject,
    crux_subject,
    part_subject,
)


class NamedSubjects:
    """The names of some things, read once.

    Args:
        ids: of Contexts, assets, parts, change requests and Cruxes.
    """

    def __init__(self, store: StoreReader, ids: Collection[str]) -> None:
        wanted = [Id(id_) for id_ in ids]
        self._names = store.named(wanted)
        self._titles = store.titles(wanted)
        self._contexts: dict[Id, frozenset[str]] = {}
        if self._titles:
            outline = store.request_outline(list(self._titles))
            self._contexts = {request: outline.contexts_of(request) for request in self._titles}

    def subject(self, kind: str | None, id_: str | None) -> Subject | None:
        """A thing as a finding is about it; None for the Project."""
        if kind is None or id_ is None or kind == "project":
            return None
        if kind == "change_request":
            return change_request_subject(self._titles.get(Id(id_), id_))
        if kind == "crux":
            return crux_subject(id_)
        named = self._names.get(Id(id_))
        return _subject(named) if named else Subject(kind, id_)

    def within(self, id_: str | None) -> Iterable[str]:
        """The Contexts that a finding about a thing is about: none when it is gone, or the Project."""
        if id_ is None:
            return ()
        if Id(id_) in self._contexts:
            return self._contexts[Id(id_)]
        named = self._names.get(Id(id_))
        return (named.context,) if named and named.revision is not None else ()


def _subject(named: Named) -> Subject:
    if named.asset is None:
        subject = context_subject(named.context)
    elif named.part is None:
        subject = asset_subject(named.kind, named.context, named.asset)
    else:
        subject = part_subject(named.kind, named.context, named.asset, named.part)
    if named.revision is not None:
        return subject
    return msgspec.structs.replace(subject, name=f"{subject.name} (retired)")
