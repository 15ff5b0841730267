"""Rules and checks of Pins."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.outline import Asset, Outline
from chidev.domain.pin import Move, Role, moves
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.examples import CONTEXT, INIT, INTERFACE, MODEL, PIN, REWORDED

UNCHECKED = Rule(
    id="pin.unchecked",
    message="no Case cites an Item of the Interface `{subject}`, so nothing checks the code to be pinned",
    help="A Pin says that code was accepted against what checks it. Put a Harness with a Case that cites an Item of "
    "the Interface first.",
    values={"interface": "the Interface", "context": "its Context"},
    example=Example(given=(INIT, CONTEXT, INTERFACE), breaks=PIN),
)

STALE = Rule(
    id="pin.stale",
    level=Level.WARNING,
    moments=(Moment.EDIT, Moment.PIN, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="a Pin whose code no longer stands on what it was pinned against",
    message="the code of the Interface `{interface}` no longer stands on what it was pinned against: {why}",
    help="The code was accepted against other definitions. Look whether it still holds, change it where it does not, "
    "and pin it again.",
    values={
        "interface": "the Interface",
        "context": "its Context",
        "why": "what moved, as one text",
        "moved": "each asset that moved: kind, name, context, pinned and now (revisions; null where it was not there)",
    },
    example=Example(given=(*MODEL, PIN), breaks=REWORDED),
)

UNPINNED = Rule(
    id="pin.unpinned",
    level=Level.NOTE,
    moments=(Moment.PIN, Moment.RESOLVE, Moment.CHECK),
    check_kind=CheckKind.STATE,
    summary="an Interface whose code was never pinned",
    message="the code of the Interface `{interface}` was never pinned",
    help="Nothing says which code was accepted for this Interface. Record it with `pin`.",
    values={"interface": "the Interface", "context": "its Context"},
    example=Example(given=(INIT, CONTEXT), breaks=INTERFACE),
)


def stale(outline: Outline) -> Iterator[Finding]:
    """One finding an Interface, with a ground for each asset its Pin stands on that moved."""
    for interface in outline.assets_of_kind("interface"):
        moved = stale_moves(outline, interface)
        if moved:
            context = outline.context_name(interface)
            yield STALE.found(
                outline.asset_subject(interface),
                ("interface", interface.id),
                frozenset((f"{move.role} {move.asset}", move.now) for move in moved),
                within=(context,),
                interface=interface.name,
                why=", ".join(reasons(outline, moved)),
                moved=[_moved(outline, move) for move in moved],
                context=context,
            )


def stale_moves(outline: Outline, interface: Asset) -> tuple[Move, ...]:
    """What moved under the Pin of a live Interface; empty when it is fresh or was never pinned."""
    pin = outline.pins.get(interface.id)
    return moves(pin.basis, outline.basis_of(interface)) if pin else ()


def reasons(outline: Outline, moved: tuple[Move, ...]) -> list[str]:
    """One text a thing that moved, own Interface first, then Harnesses, Contracts and used Interfaces."""
    return [
        "the interface changed"
        if move.role is Role.INTERFACE
        else f"{_kind(move)} `{_name(outline, move)}` {_what_happened(outline, move)}"
        for move in moved
    ]


def _what_happened(outline: Outline, move: Move) -> str:
    if move.asset not in outline.assets:
        return "was retired"
    if move.pinned is None:
        return "came to check it" if move.role is Role.HARNESS else "came to be cited"
    return "no longer counts" if move.now is None else "changed"


def _moved(outline: Outline, move: Move) -> dict[str, object]:
    asset = outline.assets.get(move.asset)
    return {
        "kind": _kind(move),
        "name": _name(outline, move),
        "context": outline.context_name(asset) if asset else None,
        "pinned": move.pinned,
        "now": move.now,
    }


def _kind(move: Move) -> str:
    return "interface" if move.role is Role.USED_INTERFACE else str(move.role)


def _name(outline: Outline, move: Move) -> str:
    asset = outline.assets.get(move.asset)
    return asset.name if asset else f"{outline.retired.get(move.asset, move.asset)} (retired)"


def unpinned(outline: Outline) -> Iterator[Finding]:
    for interface in outline.assets_of_kind("interface"):
        if interface.id not in outline.pinned:
            context = outline.context_name(interface)
            yield UNPINNED.found(
                outline.asset_subject(interface),
                ("interface", interface.id),
                frozenset(),
                within=(context,),
                interface=interface.name,
                context=context,
            )


RULES = (UNCHECKED,)
CHECKS = ((STALE, stale), (UNPINNED, unpinned))
