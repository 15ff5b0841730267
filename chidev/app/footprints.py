"""What a change moves, as the footprint that is recorded for the request it is work for.

Source: specification, "Attribution and frame" and "Change sets" (for).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from chidev.app.draft import AnyAsset, Draft, Put
from chidev.app.references import KINDS
from chidev.domain.content import asset_digests, context_digest, project_digest
from chidev.domain.contract import Contract
from chidev.domain.footprint import CaseCites, Footprint, Move, Place, Rename, outside_of
from chidev.domain.harness import Case, Harness
from chidev.domain.identity import Id
from chidev.domain.outline import PART_KIND, Asset, Part


def record_footprint(draft: Draft) -> None:
    """Plan the footprint of a change for its request; what moves nothing and renames nothing leaves none."""
    if draft.request is None or draft.frame is None:
        return
    moves = tuple(sorted(_moves(draft), key=lambda move: (KINDS.index(move.place.kind), move.place.id)))
    renames = tuple(_renames(draft))
    if not moves and not renames:
        return
    cites = tuple(_cites(draft, {move.place.id for move in moves}))
    outside = outside_of(draft.frame, moves, renames, cites)
    id_, request, store = draft.new_id(), draft.request.id, draft.store
    draft.touched_requests.add(request)
    draft.writes.append(
        lambda: store.add_footprint(Footprint(id_, request, store.revision() + 1, moves, renames, cites, outside))
    )


def _moves(draft: Draft) -> Iterator[Move]:
    if draft.moves_project:
        yield _project_move(draft)
    yield from _context_moves(draft)
    for put in draft.puts.values():
        yield from _put_moves(put)
    for asset, parts in draft.retires.values():
        yield from _retire_moves(draft, asset, parts)


def _project_move(draft: Draft) -> Move:
    before = [context.id for context in draft.store.contexts()]
    after = [context.id for context in draft.contexts_as_left()]
    place = Place("project", draft.project.id)
    revision = draft.project.revision
    return Move(place, revision, revision + 1, project_digest(before), project_digest(after))


def _context_moves(draft: Draft) -> Iterator[Move]:
    stored = {context.id: context for context in draft.store.contexts()}
    made: dict[Id, set[Id]] = {}
    gone: dict[Id, set[Id]] = {}
    for put in draft.puts.values():
        if put.old is None:
            made.setdefault(put.new.context, set()).add(put.new.id)
    for asset, _ in draft.retires.values():
        gone.setdefault(asset.context, set()).add(asset.id)
    for context in draft.contexts_to_write():
        old = stored.get(context.id)
        before = {asset.id for asset in draft.store.assets(context.id)} if old else set()
        after = (before | made.get(context.id, set())) - gone.get(context.id, set())
        yield Move(
            Place("context", context.id),
            old.revision if old else None,
            context.revision,
            context_digest(old, before) if old else None,
            context_digest(context, after),
            own=old is not None and (old.uses, old.basis) != (context.uses, context.basis),
        )
    for context in draft.context_retires.values():
        held = [asset.id for asset in draft.store.assets(context.id)]
        yield Move(Place("context", context.id), context.revision, None, context_digest(context, held), None)


def _put_moves(put: Put) -> Iterator[Move]:
    old, new = put.old, put.new
    if old is not None and old.revision == new.revision:
        return
    was, now = dict(asset_digests(old)) if old else {}, dict(asset_digests(new))
    place = Place(put.kind, new.id, new.context)
    before = old.revision if old else None
    yield Move(place, before, new.revision, was.get(new.id), now[new.id], own=_moved_itself(old, new))
    had = {part.id: part.revision for part in old.parts} if old else {}
    has = {part.id: part.revision for part in new.parts}
    for id_ in {**had, **has}:
        if had.get(id_) != has.get(id_):
            part_place = Place(PART_KIND[put.kind], id_, new.context, new.id)
            yield Move(part_place, had.get(id_), has.get(id_), was.get(id_), now.get(id_))


def _moved_itself(old: AnyAsset | None, new: AnyAsset) -> bool:
    """Whether a Contract says something else of itself: its title, or the order of the Clauses it had."""
    if not isinstance(old, Contract) or not isinstance(new, Contract):
        return False
    had, has = [clause.id for clause in old.clauses], [clause.id for clause in new.clauses]
    stays = set(had) & set(has)
    return old.title != new.title or [i for i in had if i in stays] != [i for i in has if i in stays]


def _retire_moves(draft: Draft, asset: Asset, parts: Iterable[Part]) -> Iterator[Move]:
    was = dict(asset_digests(_loaded(draft, asset)))
    yield Move(Place(asset.kind, asset.id, asset.context), asset.revision, None, was[asset.id], None)
    for part in parts:
        place = Place(PART_KIND[asset.kind], part.id, asset.context, asset.id)
        yield Move(place, part.revision, None, was[part.id], None)


def _loaded(draft: Draft, asset: Asset) -> AnyAsset:
    if asset.kind == "contract":
        return draft.store.contract(asset)
    return draft.store.interface(asset) if asset.kind == "interface" else draft.store.harness(asset)


def _renames(draft: Draft) -> Iterator[Rename]:
    for put in draft.puts.values():
        had = {part.id: part.name for part in put.old.parts} if put.old else {}
        for part in put.new.parts:
            if had.get(part.id, part.name) != part.name:
                place = Place(PART_KIND[put.kind], part.id, put.new.context, put.new.id)
                yield Rename(place, had[part.id], part.name)


def _cites(draft: Draft, moved: set[Id]) -> Iterator[CaseCites]:
    """What each Case that moved cited before and cites now; a target as it was placed before the change or by it."""
    cited: dict[Id, dict[Id, str]] = {}
    for case in _cases(draft):
        if case.id in moved:
            cited.setdefault(case.id, {}).update((cite.target, cite.kind) for cite in case.cites)
    known = draft.store.places({target for targets in cited.values() for target in targets})
    for put in draft.puts.values():
        for part in put.new.parts if put.kind != "harness" else ():
            known[part.id] = Place(PART_KIND[put.kind], part.id, put.new.context, put.new.id)
    for case_id, targets in cited.items():
        yield CaseCites(case_id, tuple(known[target] for target in targets))


def _cases(draft: Draft) -> Iterator[Case]:
    """The Cases before the change, then those it leaves."""
    for put in draft.puts.values():
        for harness in (put.old, put.new):
            if isinstance(harness, Harness):
                yield from harness.cases
    for asset, _ in draft.retires.values():
        if asset.kind == "harness":
            yield from draft.store.harness(asset).cases
