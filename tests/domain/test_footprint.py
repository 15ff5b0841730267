"""What a change set for a request moved outside the frame of the request, and what was taken back.

Source: specification, "Attribution and frame"; open-points 12.
"""

from __future__ import annotations

from typing import Any

import pytest

from chidev.domain.footprint import CaseCites, Footprint, Frame, Move, Place, Rename, outside_moves, outside_of
from chidev.domain.identity import Id

PROJECT = Id("project")


def place(kind: str, id_: str, context: str | None = "pricing", asset: str | None = None) -> Place:
    return Place(kind, Id(id_), Id(context) if context else None, Id(asset) if asset else None)


CONTRACT, INTERFACE, HARNESS = place("contract", "k"), place("interface", "i"), place("harness", "h")
C1, C2 = place("clause", "c1", asset="k"), place("clause", "c2", asset="k")
ITEM, CASE = place("item", "x", asset="i"), place("case", "t", asset="h")
CONTEXT = place("context", "pricing", None)


def frame(*ids: str) -> Frame:
    return Frame(PROJECT, frozenset(Id(id_) for id_ in ids))


def moved(at: Place, before: int | None = 1, after: int | None = 2, **more: Any) -> Move:
    return Move(at, before, after, was="old" if before else None, now="new" if after else None, **more)


def outside(to: Frame, *moves: Move, renames: tuple[Rename, ...] = (), cites: tuple[CaseCites, ...] = ()) -> set[str]:
    return set(outside_of(to, moves, renames, cites))


@pytest.mark.cites("frames#C1", "footprint::outside_of")
def test_what_is_named_is_inside_and_the_rest_is_not() -> None:
    assert outside(frame("c1"), moved(C1), moved(C2)) == {"c2"}


def test_a_frame_without_targets_holds_nothing() -> None:
    assert outside(frame(), moved(C1), moved(CONTRACT)) == {"c1", "k"}


@pytest.mark.cites("frames#C1", "footprint::outside_of")
def test_a_container_holds_what_is_in_it() -> None:
    moves = [moved(C1), moved(C2, None, 1), moved(CONTRACT)]

    assert outside(frame("k"), *moves) == set()
    assert outside(frame("pricing"), *moves) == set()
    assert outside(frame("project"), *moves, moved(Place("project", PROJECT))) == set()


@pytest.mark.cites("frames#C3", "footprint::outside_of")
def test_a_contract_that_moved_for_a_clause_inside_is_inside() -> None:
    assert outside(frame("c1"), moved(C1), moved(CONTRACT)) == set()


def test_a_contract_that_moved_for_a_clause_outside_is_outside() -> None:
    assert outside(frame("c1"), moved(C2), moved(CONTRACT)) == {"c2", "k"}


@pytest.mark.cites("frames#C3", "footprint::outside_of")
def test_a_contract_that_moved_for_its_title_is_outside_whatever_moved_in_it() -> None:
    assert outside(frame("c1"), moved(C1), moved(CONTRACT, own=True)) == {"k"}


def test_a_contract_that_went_is_not_inside_for_its_clause() -> None:
    assert outside(frame("c1"), moved(C1, after=None), moved(CONTRACT, after=None)) == {"k"}


@pytest.mark.cites("frames#C3", "footprint::outside_of")
def test_a_context_is_inside_when_what_came_or_went_is() -> None:
    assert outside(frame("k"), moved(CONTRACT, after=None), moved(CONTEXT)) == set()
    assert outside(frame("k"), moved(INTERFACE, after=None), moved(CONTEXT)) == {"i", "pricing"}


def test_a_context_is_not_inside_for_an_asset_that_stays() -> None:
    assert outside(frame("k"), moved(CONTRACT), moved(CONTEXT)) == {"pricing"}


@pytest.mark.cites("frames#C2", "footprint::outside_of")
def test_a_case_is_inside_when_it_cites_what_is() -> None:
    cites = (CaseCites(Id("t"), (C2, C1)),)

    assert outside(frame("c1"), moved(CASE), moved(HARNESS), cites=cites) == set()
    assert outside(frame("x"), moved(CASE), moved(HARNESS), cites=cites) == {"t", "h"}


def test_a_rename_is_outside_unless_the_frame_holds_what_is_renamed() -> None:
    renames = (Rename(C1, "C1", "C8"),)

    assert outside(frame("c2"), renames=renames) == {"c1"}
    assert outside(frame("k"), renames=renames) == set()


# What is left outside, all in all.


def footprint(number: int, *moves: Move, renames: tuple[Rename, ...] = ()) -> Footprint:
    ids = {move.place.id for move in moves} | {rename.place.id for rename in renames}
    return Footprint(Id(f"f{number}"), Id("r"), number, moves, renames, (), frozenset(ids))


@pytest.mark.cites("footprint::Place", "footprint::Place.kind", "footprint::Place.id", "footprint::Place.context")
@pytest.mark.cites("footprint::Place.asset", "footprint::Place.holders", "footprint::Move", "footprint::Move.place")
@pytest.mark.cites("footprint::Move.before", "footprint::Move.after", "footprint::Move.was", "footprint::Move.now")
@pytest.mark.cites("footprint::Move.own", "footprint::Rename", "footprint::Rename.place", "footprint::Rename.was")
@pytest.mark.cites("footprint::Rename.now", "footprint::CaseCites", "footprint::CaseCites.case")
@pytest.mark.cites("footprint::CaseCites.targets", "footprint::Footprint", "footprint::Footprint.id")
@pytest.mark.cites("footprint::Footprint.request", "footprint::Footprint.store_revision")
@pytest.mark.cites("footprint::Footprint.moves", "footprint::Footprint.renames", "footprint::Footprint.cites")
@pytest.mark.cites("footprint::Footprint.outside", "footprint::Frame", "footprint::Frame.project")
@pytest.mark.cites("footprint::Frame.targets", "footprint::Frame.holds", "footprint::OutsideMove")
@pytest.mark.cites("footprint::OutsideMove.request", "footprint::OutsideMove.place")
@pytest.mark.cites("footprint::OutsideMove.footprints", "footprint::OutsideMove.was", "footprint::OutsideMove.now")
@pytest.mark.cites("footprint::OutsideMove.name_was", "footprint::OutsideMove.name_now")
@pytest.mark.cites("frames#C4", "footprint::outside_moves", "footprint::OutsideMove.is_taken_back")
def test_a_move_that_a_later_set_undid_is_taken_back() -> None:
    there = Move(C1, 1, 2, "old", "new")
    back = Move(C1, 2, 3, "new", "old")

    (once,) = outside_moves([footprint(1, there)])
    (twice,) = outside_moves([footprint(1, there), footprint(2, back)])

    assert not once.is_taken_back
    assert twice.is_taken_back
    assert twice.footprints == ("f1", "f2")


@pytest.mark.cites("frames#C4", "footprint::outside_moves", "footprint::OutsideMove.is_taken_back")
def test_what_was_made_is_taken_back_by_retiring_it() -> None:
    (made,) = outside_moves(
        [footprint(1, Move(C1, None, 1, None, "new")), footprint(2, Move(C1, 1, None, "new", None))]
    )

    assert made.is_taken_back


@pytest.mark.cites("frames#C4", "footprint::outside_moves", "footprint::OutsideMove.is_taken_back")
def test_a_name_is_taken_back_by_giving_the_old_one() -> None:
    to, back = Rename(C1, "C1", "C8"), Rename(C1, "C8", "C1")

    (once,) = outside_moves([footprint(1, renames=(to,))])
    (twice,) = outside_moves([footprint(1, renames=(to,)), footprint(2, renames=(back,))])

    assert not once.is_taken_back
    assert twice.is_taken_back


def test_a_text_that_came_back_under_another_name_is_not_taken_back() -> None:
    steps = [
        footprint(1, Move(C1, 1, 2, "old", "new"), renames=(Rename(C1, "C1", "C8"),)),
        footprint(2, Move(C1, 2, 3, "new", "old")),
    ]

    (left,) = outside_moves(steps)

    assert not left.is_taken_back


def test_what_is_inside_is_not_told() -> None:
    inside = Footprint(Id("f1"), Id("r"), 1, (moved(C1),), (), (), frozenset())

    assert list(outside_moves([inside])) == []
