"""What moved under a Pin: the difference between what it stood on and what it would stand on now."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chidev.domain.identity import Id
from chidev.domain.pin import Ground, Move, Role, moves

GROUNDS = st.lists(
    st.builds(Ground, st.sampled_from([Id("a"), Id("b"), Id("c")]), st.sampled_from(Role), st.integers(1, 2)),
    unique_by=lambda ground: (ground.asset, ground.role),
)


def ground(asset: str, revision: int = 1, role: Role = Role.CONTRACT) -> Ground:
    return Ground(Id(asset), role, revision)


def test_what_moved_came_or_went_is_told_with_both_revisions() -> None:
    told = moves(
        [ground("same"), ground("moved"), ground("went")], [ground("same"), ground("moved", 4), ground("came")]
    )

    assert told == (
        Move(Id("came"), Role.CONTRACT, None, 1),
        Move(Id("moved"), Role.CONTRACT, 1, 4),
        Move(Id("went"), Role.CONTRACT, 1, None),
    )


def test_the_own_interface_comes_first_and_then_harnesses_contracts_and_used_interfaces() -> None:
    told = moves([], [ground("a", 1, role) for role in reversed(Role)])

    assert [move.role for move in told] == ["interface", "harness", "contract", "used_interface"]


def test_an_asset_may_be_stood_on_in_two_roles() -> None:
    assert len(moves([ground("a", 1, Role.INTERFACE)], [ground("a", 1, Role.USED_INTERFACE)])) == 2


@given(GROUNDS)
def test_nothing_moved_where_both_are_the_same_in_any_order(grounds: list[Ground]) -> None:
    assert moves(grounds, reversed(grounds)) == ()


@given(GROUNDS, GROUNDS)
def test_seen_from_the_other_side_the_same_moved(one: list[Ground], other: list[Ground]) -> None:
    back = tuple(Move(move.asset, move.role, move.now, move.pinned) for move in moves(other, one))

    assert moves(one, other) == back


@given(GROUNDS, GROUNDS)
def test_what_moved_leads_from_one_basis_to_the_other(one: list[Ground], other: list[Ground]) -> None:
    held = {(g.role, g.asset): g.revision for g in one}

    for move in moves(one, other):
        assert held.pop((move.role, move.asset), None) == move.pinned
        if move.now is not None:
            held[move.role, move.asset] = move.now

    assert held == {(g.role, g.asset): g.revision for g in other}
