"""Pins: the code of an Interface that was accepted, and what the acceptance stands on.

Source: specification, "Operations" (pin).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from chidev.domain.identity import Id


class Role(StrEnum):
    """Why a Pin stands on an asset, in the order in which `status` says what moved."""

    INTERFACE = "interface"
    HARNESS = "harness"
    CONTRACT = "contract"
    USED_INTERFACE = "used_interface"


class Ground(msgspec.Struct, frozen=True):
    """One asset a Pin stands on, at the revision it had when the code was pinned."""

    asset: Id
    role: Role
    revision: int


class Pin(msgspec.Struct, frozen=True):
    """The latest Pin of an Interface. `code` is the digest of the text that was accepted."""

    id: Id
    interface: Id
    code: str
    basis: tuple[Ground, ...]


class Move(msgspec.Struct, frozen=True):
    """An asset that a Pin stands on and that is not as it was; None where it was not, or is no longer, in the basis."""

    asset: Id
    role: Role
    pinned: int | None
    now: int | None


def moves(pinned: Iterable[Ground], now: Iterable[Ground]) -> tuple[Move, ...]:
    """What differs between the basis of a Pin and the basis a Pin would have now, in the order of roles, then ids."""
    was: Mapping[tuple[Role, Id], int] = {(g.role, g.asset): g.revision for g in pinned}
    is_: Mapping[tuple[Role, Id], int] = {(g.role, g.asset): g.revision for g in now}
    order = list(Role)
    differ = [key for key in was.keys() | is_.keys() if was.get(key) != is_.get(key)]
    differ.sort(key=lambda key: (order.index(key[0]), key[1]))
    return tuple(Move(asset, role, was.get((role, asset)), is_.get((role, asset))) for role, asset in differ)
