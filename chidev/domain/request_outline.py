"""The change requests without their texts, whole or around a change: what the checks of requests judge.

A check that runs at the edit moment is given the requests that the change may be about, before it and after it; the
same function judges all of them at resolve and check.

Source: specification, "Opening, and what status and the checks show".
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import msgspec

from chidev.domain.change_request import Intent, Resolution
from chidev.domain.footprint import OutsideMove
from chidev.domain.identity import Id
from chidev.domain.named import Named


class RequestLine(msgspec.Struct, frozen=True):
    """One request: `resolution` is None while it is open."""

    id: Id
    title: str
    intent: Intent
    parent: Id | None
    resolution: Resolution | None


class Expected(msgspec.Struct, frozen=True):
    """One thing a request asks, of its own or by a decision that stands: `asset` is what a part is in."""

    request: Id
    kind: str
    target: str
    id: Id
    asset: Id | None
    recorded: int
    is_own: bool


class Undecided(msgspec.Struct, frozen=True):
    """A Crux that has no decision."""

    id: Id
    request: Id
    question: str


class Derived(msgspec.Struct, frozen=True):
    """A decision that rests on a line of the Policy: the text it had then, and now (None when it is gone)."""

    crux: Id
    request: Id
    question: str
    line: str
    text: str
    now: str | None


class RequestOutline:
    """Requests and what is known of them, in the order in which they were opened.

    Args:
        requests: those that are judged, and every other one that is named here.
        judged: which of them are judged.
        parents: the requests that others name as their parent.
        expects: what the judged requests ask, and what open ones ask of targets that a judged one keeps.
        names: of every target; the revision is None for what is gone. The Project has no name.
        project_revision: the revision the Project has.
        outside: what the sets of the judged requests left moved outside their frames: not what was taken back.
        worked: by request, the targets that its own sets moved or renamed, and all that contains them; only for
            requests that were resolved as done and their parts.
        undecided, derived: of all Cruxes, or of those that a change may be about.
        resolving: the request that is being resolved: it is judged as an open one.
    """

    def __init__(
        self,
        requests: Sequence[RequestLine] = (),
        judged: Collection[Id] = (),
        parents: Collection[Id] = (),
        expects: Sequence[Expected] = (),
        names: Mapping[Id, Named] | None = None,
        project_revision: int = 0,
        outside: Sequence[OutsideMove] = (),
        worked: Mapping[Id, Collection[Id]] | None = None,
        undecided: Sequence[Undecided] = (),
        derived: Sequence[Derived] = (),
        resolving: Id | None = None,
    ) -> None:
        self.requests = {request.id: request for request in requests}
        self.judged = frozenset(judged)
        self.parents = frozenset(parents)
        self.expects = expects
        self.names = names or {}
        self.project_revision = project_revision
        self.outside = outside
        self.worked = worked or {}
        self.undecided = undecided
        self.derived = derived
        self.resolving = resolving

    @property
    def unresolved(self) -> Sequence[RequestLine]:
        """The judged requests that are open, or being resolved."""
        return [
            request
            for request in self.requests.values()
            if request.id in self.judged and (request.resolution is None or request.id == self.resolving)
        ]

    @property
    def done(self) -> Sequence[RequestLine]:
        """The judged requests that were resolved as done."""
        return [
            request
            for request in self.requests.values()
            if request.id in self.judged and request.resolution is Resolution.DONE
        ]

    @cached_property
    def expects_of(self) -> Mapping[Id, Sequence[Expected]]:
        grouped: dict[Id, list[Expected]] = {}
        for expected in self.expects:
            grouped.setdefault(expected.request, []).append(expected)
        return grouped

    @cached_property
    def outside_of(self) -> Mapping[Id, Sequence[OutsideMove]]:
        grouped: dict[Id, list[OutsideMove]] = {}
        for move in self.outside:
            grouped.setdefault(move.request, []).append(move)
        return grouped

    @cached_property
    def parts_of(self) -> Mapping[Id, Sequence[Id]]:
        """The requests that name each request as their parent."""
        grouped: dict[Id, list[Id]] = {}
        for request in self.requests.values():
            if request.parent:
                grouped.setdefault(request.parent, []).append(request.id)
        return grouped

    def with_parts(self, request: Id) -> Sequence[Id]:
        """A request, its parts, and theirs."""
        found = [request]
        for one in found:
            found += self.parts_of.get(one, ())
        return found

    def revision_now(self, id_: Id, kind: str) -> int | None:
        """The revision of a target; None when it is gone."""
        if kind == "project":
            return self.project_revision
        return self.names[id_].revision if id_ in self.names else None

    def contexts_of(self, request: Id) -> frozenset[str]:
        """The names of the Contexts that a request is about: that hold a target it revises, retires or keeps."""
        return frozenset(
            self.names[expected.id].context
            for expected in self.expects_of.get(request, ())
            if expected.id in self.names
        )
