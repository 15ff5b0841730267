"""The Project and its Contexts.

Source: specification, "Operations" (init, context_add, context_uses, base_on_contract).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum

import msgspec

from chidev.domain.identity import Id


class Basis(StrEnum):
    """What a Context stands on; from `interface` to `contract` there is no way back."""

    INTERFACE = "interface"
    CONTRACT = "contract"


class Project(msgspec.Struct, frozen=True):
    """The one Project of a store. Its revision moves when a Context is added or retired."""

    id: Id
    revision: int


class Context(msgspec.Struct, frozen=True):
    """A Context. Its revision moves when an asset is added or retired, or its uses or its basis change."""

    id: Id
    name: str
    revision: int
    basis: Basis
    uses: tuple[Id, ...]


def circle_of_uses(start: Id, uses: Mapping[Id, Iterable[Id]]) -> tuple[Id, ...]:
    """The first circle that leads from a Context back to itself, in order; empty when there is none.

    Args:
        uses: what each Context uses; a Context that is not in it uses none.
    """
    trail: list[Id] = [start]
    todo = [iter(uses.get(start, ()))]
    seen = {start}
    while todo:
        used = next(todo[-1], None)
        if used is None:
            todo.pop()
            trail.pop()
        elif used == start:
            return tuple(trail)
        elif used not in seen:
            seen.add(used)
            trail.append(used)
            todo.append(iter(uses.get(used, ())))
    return ()
