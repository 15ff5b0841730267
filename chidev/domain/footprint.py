"""Footprints: what a change set for a request moved, and what of it was outside the frame of that request.

Source: specification, "Attribution and frame" and "Change sets" (for).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from chidev.domain.identity import Id


class Place(msgspec.Struct, frozen=True):
    """A target and what it is in: its Context, and for a part its asset."""

    kind: str
    id: Id
    context: Id | None = None
    asset: Id | None = None

    @property
    def holders(self) -> tuple[Id, ...]:
        """The target and what contains it, the Project apart."""
        return tuple(id_ for id_ in (self.id, self.asset, self.context) if id_)


class Move(msgspec.Struct, frozen=True):
    """A target that a set moved: its revision before and after, None where it was not there.

    `was` and `now` are digests of what it said; a move is taken back when a later one leaves what was before.
    `own` says that a container moved for more than what is in it: its title, its uses or its basis.
    """

    place: Place
    before: int | None
    after: int | None
    was: str | None
    now: str | None
    own: bool = False


class Rename(msgspec.Struct, frozen=True):
    """A Clause or an Item that a set gave another name."""

    place: Place
    was: str
    now: str


class CaseCites(msgspec.Struct, frozen=True):
    """What a Case that a set moved cited before the set and after it."""

    case: Id
    targets: tuple[Place, ...]


class Footprint(msgspec.Struct, frozen=True):
    """What one change set did for a request, in the commit `store_revision`."""

    id: Id
    request: Id
    store_revision: int
    moves: tuple[Move, ...]
    renames: tuple[Rename, ...]
    cites: tuple[CaseCites, ...]
    outside: frozenset[Id]


class Frame(msgspec.Struct, frozen=True):
    """What the work of a request may move: the targets it was opened with, and all that is in them."""

    project: Id
    targets: frozenset[Id]

    def holds(self, place: Place) -> bool:
        return self.project in self.targets or any(id_ in self.targets for id_ in place.holders)


def outside_of(
    frame: Frame, moves: Sequence[Move], renames: Iterable[Rename], cites: Iterable[CaseCites]
) -> frozenset[Id]:
    """The targets that a set moved, or renamed, outside a frame.

    A Case is inside when it cites something that is; a container is inside when it moved only because of something
    inside it that is.
    """
    cited = {cited.case: cited.targets for cited in cites}
    inside = {
        move.place.id
        for move in moves
        if frame.holds(move.place) or any(frame.holds(target) for target in cited.get(move.place.id, ()))
    }
    causes = _causes(moves)
    for move in moves:
        stays = move.before is not None and move.after is not None
        if stays and not move.own and any(cause in inside for cause in causes.get(move.place.id, ())):
            inside.add(move.place.id)
    outside = {move.place.id for move in moves} - inside
    return frozenset(outside | {rename.place.id for rename in renames if not frame.holds(rename.place)})


def _causes(moves: Iterable[Move]) -> Mapping[Id | None, list[Id]]:
    """By container, the moves that made it move: of its parts, or that an asset or a Context came or went.

    What came or went is inside by itself or not at all, so no container is inside for a container that stays.
    """
    causes: dict[Id | None, list[Id]] = {}
    project = next((move.place.id for move in moves if move.place.kind == "project"), None)
    for move in moves:
        place = move.place
        if place.asset:
            causes.setdefault(place.asset, []).append(place.id)
        elif move.before is None or move.after is None:
            causes.setdefault(place.context or project, []).append(place.id)
    return causes


class OutsideMove(msgspec.Struct, frozen=True):
    """What the sets of a request, all in all, did to one target outside its frame: how it was, and how they left it.

    `was` and `now` are digests, None where it was not there; `name_was` and `name_now` differ when it was renamed.
    """

    request: Id
    place: Place
    footprints: tuple[Id, ...]
    was: str | None
    now: str | None
    name_was: str | None = None
    name_now: str | None = None

    @property
    def is_taken_back(self) -> bool:
        return (self.was, self.name_was) == (self.now, self.name_now)


def outside_moves(footprints: Iterable[Footprint]) -> Iterator[OutsideMove]:
    """What the footprints of one request did outside its frame, one a target, in the order they first did.

    Args:
        footprints: in the order they were made.
    """
    found: dict[Id, OutsideMove] = {}
    for footprint in footprints:
        for move in footprint.moves:
            if move.place.id in footprint.outside:
                one = found.get(move.place.id) or OutsideMove(footprint.request, move.place, (), move.was, None)
                found[move.place.id] = msgspec.structs.replace(
                    one, now=move.now, footprints=(*one.footprints, footprint.id)
                )
        for rename in footprint.renames:
            if rename.place.id in footprint.outside:
                known = found.get(rename.place.id)
                one = known or OutsideMove(footprint.request, rename.place, (), None, None)
                found[rename.place.id] = msgspec.structs.replace(
                    one,
                    name_was=one.name_was or rename.was,
                    name_now=rename.now,
                    footprints=tuple(dict.fromkeys((*one.footprints, footprint.id))),
                )
    return iter(found.values())
