"""The requests that checks judge, with what they left moved outside their frames told from what was taken back.

Source: specification, "Attribution and frame"; open-points 12.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from chidev.app.ports.store import StoreReader
from chidev.domain.content import asset_digests, context_digest, project_digest
from chidev.domain.footprint import OutsideMove, Place
from chidev.domain.identity import Id
from chidev.domain.named import Named
from chidev.domain.request_outline import RequestOutline

_ASSETS = ("contract", "interface", "harness")


def judged_requests(
    store: StoreReader,
    judged: Collection[Id] | None = None,
    lines: Collection[str] = (),
    resolving: Id | None = None,
) -> RequestOutline:
    """All requests, or those around a change, without the moves outside a frame that anybody took back since.

    Args: see `StoreReader.request_outline`.
    """
    outline = store.request_outline(judged, lines, resolving)
    if outline.outside:
        now = digests(store, [move.place for move in outline.outside])
        outline.outside = [move for move in outline.outside if _lasts(move, now, outline.names)]
    return outline


def _lasts(move: OutsideMove, now: Mapping[Id, str], names: Mapping[Id, Named]) -> bool:
    moved = move.was != move.now and now.get(move.place.id) != move.was
    name = names[move.place.id].part if move.place.id in names else None
    return moved or move.name_was not in {move.name_now, name}


def digests(store: StoreReader, places: Iterable[Place]) -> dict[Id, str]:
    """What each of some targets says now; one that is gone is left out."""
    found: dict[Id, str] = {}
    wanted = list(places)
    contexts = {context.id: context for context in store.contexts()} if wanted else {}
    for place in wanted:
        if place.id in found:
            continue
        if place.kind == "project":
            found[place.id] = project_digest(contexts)
        elif place.kind == "context":
            if place.id in contexts:
                held = [asset.id for asset in store.assets(place.id)]
                found[place.id] = context_digest(contexts[place.id], held)
        else:
            found.update(_asset_digests(store, place))
    return found


def _asset_digests(store: StoreReader, place: Place) -> Iterable[tuple[Id, str]]:
    asset_id = place.id if place.kind in _ASSETS else place.asset
    held = store.assets(place.context) if place.context else []
    for asset in held:
        if asset.id == asset_id:
            if asset.kind == "contract":
                return asset_digests(store.contract(asset))
            return asset_digests(store.interface(asset) if asset.kind == "interface" else store.harness(asset))
    return ()
