"""The model as a change would leave it, before anything is written.

A change is planned here whole: every problem of a stage is told together, and only a change without any is written.

Source: specification, "Change sets" and "Retiring"; open-points 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from chidev.app.ports.store import Store
from chidev.domain.change_request import ChangeRequest
from chidev.domain.contract import Contract
from chidev.domain.footprint import Frame
from chidev.domain.harness import Harness
from chidev.domain.identity import Id, NewId
from chidev.domain.interface import Interface
from chidev.domain.outline import PART_KIND, Asset, Part
from chidev.domain.project import Basis, Context, Project
from chidev.domain.retirement import Retired
from chidev.domain.rule import Refused, Violation

AnyAsset = Contract | Interface | Harness
AssetName = tuple[Id, str, str]  # Context, kind, name


class Put(msgspec.Struct, frozen=True):
    """An asset as it was and as the change leaves it."""

    kind: str
    old: AnyAsset | None
    new: AnyAsset


class Draft:
    """What a change made so far, over what the store holds."""

    def __init__(self, store: Store, project: Project, new_id: NewId) -> None:
        self.store = store
        self.project = project
        self.new_id = new_id
        self.puts: dict[AssetName, Put] = {}
        self.retires: dict[AssetName, tuple[Asset, list[Part]]] = {}
        self.context_retires: dict[Id, Context] = {}
        self.added_contexts: dict[str, Context] = {}
        self.changed_contexts: dict[Id, Context] = {}
        self.names: list[Violation] = []
        self.states: list[Violation] = []
        self.rules: list[Violation] = []
        self.uses_written_at: dict[Id, str] = {}
        self.request: ChangeRequest | None = None  # the change is work for it
        self.frame: Frame | None = None
        self.touched_requests: set[Id] = set()  # their record changes
        self.touched_lines: set[str] = set()  # of the Policy
        self.writes: list[Callable[[], None]] = []  # what else is written, in order
        self._refused: dict[AssetName, frozenset[str]] = {}
        self._found: dict[str, Context | None] = {}
        self._citable: dict[AssetName, Mapping[str, Any] | None] = {}
        self._citable_ids: dict[AssetName, Id] = {}

    def refuse_problems(self) -> None:
        """Raise the problems of the first stage that has any.

        Raises:
            Refused: with all of that stage.
        """
        for stage in (self.names, self.states, self.rules):
            if stage:
                raise Refused(*stage)

    # Contexts.

    def context(self, name: str) -> Context | None:
        """The Context of this name as the change leaves it; one that it retires is still there."""
        if name in self.added_contexts:
            return self.added_contexts[name]
        if name not in self._found:
            self._found[name] = self.store.context_named(name)
        found = self._found[name]
        return self.changed_contexts.get(found.id, found) if found else None

    def context_names(self) -> list[str]:
        return [*self.store.context_names(), *self.added_contexts]

    def add_context(self, name: str) -> Context:
        context = Context(self.new_id(), name, 1, Basis.INTERFACE, ())
        self.added_contexts[name] = context
        return context

    def change_context(
        self, context: Context, *, uses: tuple[Id, ...] | None = None, basis: Basis | None = None
    ) -> None:
        """Give it other uses or another basis; as it is, nothing moves."""
        uses = context.uses if uses is None else uses
        basis = basis or context.basis
        if (uses, basis) != (context.uses, context.basis):
            self._set_context(msgspec.structs.replace(context, uses=uses, basis=basis))

    def _set_context(self, context: Context) -> None:
        if context.name in self.added_contexts:
            self.added_contexts[context.name] = context
        else:
            self.changed_contexts[context.id] = context

    def contexts_as_left(self) -> Iterator[Context]:
        """Every Context that stays or comes, as the change leaves it."""
        for context in self.store.contexts():
            if context.id not in self.context_retires:
                yield self.changed_contexts.get(context.id, context)
        yield from self.added_contexts.values()

    # Assets.

    def stored_asset(self, context: Context, kind: str, name: str) -> AnyAsset | None:
        """The asset of this name as the store has it."""
        if context.name in self.added_contexts:
            return None
        found = self.store.asset_named(context.id, kind, name)
        if found is None:
            return None
        if kind == "contract":
            return self.store.contract(found)
        return self.store.interface(found) if kind == "interface" else self.store.harness(found)

    def citable(self, context: Context, kind: str, name: str) -> Mapping[str, Any] | None:
        """Clauses or Items of an asset by label or key, as the change leaves them; None when it is not there."""
        key = (context.id, kind, name)
        if key not in self._citable:
            put = self.puts.get(key)
            if put and put.kind == kind:
                parts: Sequence[Any] | None = put.new.parts
                self._citable_ids[key] = put.new.id
            else:
                found = self.store.asset_named(*key) if context.name not in self.added_contexts else None
                parts = self.store.parts(found.id) if found else None
                if found:
                    self._citable_ids[key] = found.id
            self._citable[key] = None if parts is None else {part.name: part for part in parts}
        return self._citable[key]

    def citable_asset(self, context: Context, kind: str, name: str) -> Id | None:
        """The id of an asset that `citable` was asked about."""
        return self._citable_ids.get((context.id, kind, name))

    def asset_names(self, context: Context, kind: str) -> list[str]:
        made = [name for holder, of_kind, name in self.puts if holder == context.id and of_kind == kind]
        return list(dict.fromkeys([*self.store.asset_names(context.id, kind), *made]))

    def put(self, kind: str, old: AnyAsset | None, new: AnyAsset) -> None:
        self.puts[new.context, kind, new.name] = Put(kind, old, new)

    def refuse_asset(
        self, context: Context, kind: str, name: str, problems: Iterable[Violation], makes: Iterable[str]
    ) -> None:
        """Keep the problems of a put; `makes` are the labels or keys it would have made, so that they are no news."""
        self.names.extend(problems)
        self._refused[context.id, kind, name] = frozenset(makes)

    def refused_parts(self, context: Context, kind: str, name: str) -> frozenset[str] | None:
        """The labels or keys that a put with problems would have made; None when there is no such put."""
        return self._refused.get((context.id, kind, name))

    def retire(self, asset: Asset) -> None:
        self.retires[asset.context, asset.kind, asset.name] = (asset, self.store.parts(asset.id))

    # What the change does, once it is planned.

    def dropped_parts(self) -> Iterator[tuple[Put, str, Id, str, int]]:
        """The parts that a put leaves out: the put, and the part's kind, id, name and revision."""
        for put in self.puts.values():
            stays = {part.id for part in put.new.parts}
            for part in put.old.parts if put.old else ():
                if part.id not in stays:
                    yield put, PART_KIND[put.kind], part.id, part.name, part.revision

    def moved_parts(self) -> set[Id]:
        """The Clauses and Items whose revision the change moves."""
        moved: set[Id] = set()
        for put in self.puts.values():
            if put.old is not None and put.kind != "harness":
                was = {part.id: part.revision for part in put.old.parts}
                moved.update(part.id for part in put.new.parts if was.get(part.id, part.revision) != part.revision)
        return moved

    def moved_assets(self) -> set[Id]:
        """The assets that are other than they were, new Harnesses and retired assets among them."""
        moved = {
            put.new.id for put in self.puts.values() if put.old is not None and put.old.revision != put.new.revision
        }
        moved |= {put.new.id for put in self.puts.values() if put.old is None and put.kind == "harness"}
        return moved | {asset.id for asset, _ in self.retires.values()}

    def touched(self) -> set[Id]:
        """Every target that the change moves, renames, makes or takes away: what a request may have said of it."""
        touched: set[Id] = set()
        for put in self.puts.values():
            was = {part.id: (part.revision, part.name) for part in put.old.parts} if put.old else {}
            now = {part.id: (part.revision, part.name) for part in put.new.parts}
            touched.update(id_ for id_ in was.keys() | now.keys() if was.get(id_) != now.get(id_))
            if put.old is None or put.old.revision != put.new.revision:
                touched.add(put.new.id)
        for asset, parts in self.retires.values():
            touched.update((asset.id, *(part.id for part in parts)))
        touched.update(self.context_retires, (context.id for context in self.contexts_to_write()))
        if self.moves_project:
            touched.add(self.project.id)
        return touched

    @property
    def moves_project(self) -> bool:
        return bool(self.added_contexts or self.context_retires)

    def contexts_to_write(self) -> list[Context]:
        """Contexts added (at revision 1) and those that move by one: changed, or with an asset more or less."""
        holders = {put.new.context for put in self.puts.values() if put.old is None}
        holders |= {asset.context for asset, _ in self.retires.values()}
        new = {context.id for context in self.added_contexts.values()}
        moved = (holders | self.changed_contexts.keys()) - new - self.context_retires.keys()
        known = {context.id: context for context in self._found.values() if context}
        changed = [self.changed_contexts.get(id_, known[id_]) for id_ in sorted(moved)]
        return [
            *self.added_contexts.values(),
            *(msgspec.structs.replace(context, revision=context.revision + 1) for context in changed),
        ]

    def retired_records(self) -> list[tuple[Id, list[Retired]]]:
        """By Context, what the change takes out of the model: dropped parts first, then what is retired."""
        records: dict[Id, list[Retired]] = {}
        context_names = {context.id: context.name for context in self._found.values() if context}
        context_names.update({context.id: context.name for context in self.added_contexts.values()})
        for put, kind, id_, name, revision in self.dropped_parts():
            new = put.new
            record = Retired(kind, id_, context_names[new.context], new.name, name, new.id, revision, new.revision)
            records.setdefault(new.context, []).append(record)
        at = {context.id: context.revision for context in self.contexts_to_write()}
        for context in self.context_retires.values():
            at[context.id] = self.project.revision + 1
            records.setdefault(context.id, []).append(
                Retired("context", context.id, context.name, None, None, None, context.revision, at[context.id])
            )
        for asset, parts in self.retires.values():
            name = context_names[asset.context]
            gone = [Retired(asset.kind, asset.id, name, asset.name, None, None, asset.revision, at[asset.context])]
            gone += [
                Retired(PART_KIND[asset.kind], p.id, name, asset.name, p.name, asset.id, p.revision, at[asset.context])
                for p in parts
            ]
            records.setdefault(asset.context, []).extend(gone)
        return list(records.items())

    def write(self) -> None:
        """Write the planned change; what it leaves is consistent."""
        for context in self.contexts_to_write():
            self.store.put_context(context)
        for asset, _ in self.retires.values():
            self.store.remove_asset(asset.id)
        for put in self.puts.values():
            if isinstance(put.new, Contract):
                self.store.put_contract(_as(Contract, put.old), put.new)
            elif isinstance(put.new, Interface):
                self.store.put_interface(_as(Interface, put.old), put.new)
            else:
                self.store.put_harness(_as(Harness, put.old), put.new)
        for context_id, records in self.retired_records():
            self.store.add_retired(records, context_id)
        for context_id in self.context_retires:
            self.store.remove_context(context_id)
        if self.moves_project:
            self.store.set_project_revision(self.project.revision + 1)
        for write in self.writes:
            write()


_Kind = TypeVar("_Kind", Contract, Interface, Harness)


def _as(kind: type[_Kind], asset: AnyAsset | None) -> _Kind | None:
    return asset if isinstance(asset, kind) else None
