"""A store in memory for `app.ports.store.Store`; `tests/infra/test_store_contract.py` holds it to the port."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from chidev.app.draft import AnyAsset
from chidev.app.ports.store import Citing, StoreRefused
from chidev.domain.contract import Contract
from chidev.domain.footprint import Place
from chidev.domain.harness import Case, Citation, Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface
from chidev.domain.named import Named
from chidev.domain.outline import PART_KIND, Asset, Cite, Outline, Part
from chidev.domain.pin import Pin
from chidev.domain.project import Context, Project
from chidev.domain.retirement import Retired
from tests.fakes.requests import MemoryRequests, Records

_KINDS = ("contract", "interface", "harness")


@dataclass
class _State:
    """Everything that is kept. The values are frozen, so that a copy of the collections is a copy of the state."""

    revision: int = 0
    model_revision: int = 0
    project: Project | None = None
    contexts: dict[Id, Context] = field(default_factory=dict)
    assets: dict[Id, AnyAsset] = field(default_factory=dict)
    texts: dict[tuple[Id, int], str] = field(default_factory=dict)
    pins: dict[Id, tuple[Pin, str]] = field(default_factory=dict)
    latest: dict[Id, Id] = field(default_factory=dict)
    retired: list[tuple[Retired, Id]] = field(default_factory=list)
    records: Records = field(default_factory=Records)

    def copy(self) -> _State:
        return replace(
            self,
            contexts=dict(self.contexts),
            assets=dict(self.assets),
            texts=dict(self.texts),
            pins=dict(self.pins),
            latest=dict(self.latest),
            retired=list(self.retired),
            records=self.records.copy(),
        )


class MemoryStore(MemoryRequests):
    """Args:
    writable: without it every savepoint is refused by `store.read-only`.
    """

    def __init__(self, *, writable: bool = True) -> None:
        self._now = _State()
        self._durable: _State | None = None
        self._writable = writable

    # Groups and savepoints.

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        if not self._writable:
            raise StoreRefused("store.read-only")
        if self._durable is None:
            self._durable = self._now.copy()
        before = self._now.copy()
        try:
            yield
        except BaseException:
            self._now = before
            raise

    def close_group(self) -> None:
        self._durable = None

    def group_is_open(self) -> bool:
        return self._durable is not None

    def drop_group(self) -> None:
        if self._durable is not None:
            self._now, self._durable = self._durable, None

    # Questions.

    @contextmanager
    def reading(self) -> Iterator[None]:
        yield

    def revision(self) -> int:
        return self._now.revision

    def model_revision(self) -> int:
        return self._now.model_revision

    def project(self) -> Project | None:
        return self._now.project

    def contexts(self) -> list[Context]:
        return [self._now.contexts[id_] for id_ in sorted(self._now.contexts)]

    def context_named(self, name: str) -> Context | None:
        return next((context for context in self.contexts() if context.name == name), None)

    def context_names(self) -> list[str]:
        return [context.name for context in self.contexts()]

    def users_of(self, context: Id) -> list[Context]:
        return [user for user in self.contexts() if context in user.uses]

    def assets(self, context: Id) -> list[Asset]:
        return [asset for asset in self._ordered() if asset.context == context]

    def asset_named(self, context: Id, kind: str, name: str) -> Asset | None:
        found = (asset for asset in self.assets(context) if (asset.kind, asset.name) == (kind, name))
        return next(found, None)

    def asset_names(self, context: Id, kind: str) -> list[str]:
        return [asset.name for asset in self.assets(context) if asset.kind == kind]

    def is_retired_name(self, context: Id, kind: str, name: str) -> bool:
        return any((where, gone.kind, gone.asset) == (context, kind, name) for gone, where in self._now.retired)

    def contract(self, asset: Asset) -> Contract:
        found = self._now.assets[asset.id]
        assert isinstance(found, Contract)
        return found

    def interface(self, asset: Asset) -> Interface:
        found = self._now.assets[asset.id]
        assert isinstance(found, Interface)
        return found

    def harness(self, asset: Asset) -> Harness:
        found = self._now.assets[asset.id]
        assert isinstance(found, Harness)
        return found

    def parts(self, asset: Id) -> list[Part]:
        found = self._now.assets.get(asset)
        return [Part(part.id, asset, part.name, part.revision) for part in (found.parts if found else ())]

    def citing(self, targets: Collection[Id]) -> list[Citing]:
        return [one for one in self._all_citing() if one.target in targets]

    def cited_from(self, context: Id) -> list[Citing]:
        return [one for one in self._all_citing() if one.context == context and one.target_context != context]

    def outline(self) -> Outline:
        return self._outline(self._ordered(), self._citations(), self._now.latest)

    def unsettled(self) -> Outline:
        return self.outline()

    def neighbourhood(self, parts: Collection[Id], assets: Collection[Id], pinned: Collection[Id] = ()) -> Outline:
        whole = self.outline()
        pinned = [
            interface
            for interface, pin in whole.pins.items()
            if interface in whole.assets
            and (
                interface in pinned
                or {ground.asset for ground in (*pin.basis, *whole.basis_of(whole.assets[interface]))} & set(assets)
            )
        ]
        items = {part.id for part in whole.parts.values() if part.asset in pinned}
        cases = {cite.case for cite in whole.cites if cite.target in {*parts, *items}}
        cites = [(case, cite) for case, cite in self._citations() if case.id in cases]
        wanted = {whole.parts[id_].asset for case, cite in cites for id_ in (case.id, cite.target)}
        wanted |= {ground.asset for interface in pinned for ground in whole.pins[interface].basis}
        return self._outline([asset for asset in self._ordered() if asset.id in {*wanted, *pinned}], cites, pinned)

    def pin_code(self, pin: Id) -> str:
        return self._now.pins[pin][1]

    def named(self, ids: Collection[Id]) -> dict[Id, Named]:
        known = {gone.id: Named(gone.kind, gone.context, gone.asset, gone.part, None) for gone, _ in self._now.retired}
        for context in self.contexts():
            known[context.id] = Named("context", context.name, None, None, context.revision)
        for asset in self._ordered():
            where = self._now.contexts[asset.context].name
            known[asset.id] = Named(asset.kind, where, asset.name, None, asset.revision)
            for part in self.parts(asset.id):
                known[part.id] = Named(PART_KIND[asset.kind], where, asset.name, part.name, part.revision)
        return {id_: known[id_] for id_ in ids if id_ in known}

    def places(self, ids: Collection[Id]) -> dict[Id, Place]:
        known = {
            gone.id: Place(gone.kind, gone.id, None if gone.kind == "context" else where, gone.holder)
            for gone, where in self._now.retired
        }
        known |= {context.id: Place("context", context.id) for context in self.contexts()}
        for asset in self._ordered():
            known[asset.id] = Place(asset.kind, asset.id, asset.context)
            for part in self.parts(asset.id):
                known[part.id] = Place(PART_KIND[asset.kind], part.id, asset.context, asset.id)
        return {id_: known[id_] for id_ in ids if id_ in known}

    @property
    def records(self) -> Records:
        return self._now.records

    def retired(self) -> list[Retired]:
        return [gone for gone, _ in self._now.retired]

    def retired_pins(self) -> list[Id]:
        return sorted(interface for interface in self._now.latest if interface not in self._now.assets)

    # Writing.

    def count_commit(self, moves_model: bool) -> None:
        self._now.revision += 1
        if moves_model:
            self._now.model_revision = self._now.revision

    def add_project(self, project: Project) -> None:
        self._now.project = project

    def set_project_revision(self, revision: int) -> None:
        assert self._now.project
        self._now.project = Project(self._now.project.id, revision)

    def put_context(self, context: Context) -> None:
        self._now.contexts[context.id] = context

    def remove_context(self, context: Id) -> None:
        del self._now.contexts[context]

    def put_contract(self, old: Contract | None, new: Contract) -> None:
        self._now.assets[new.id] = new
        self._now.texts.update({(clause.id, clause.revision): clause.text for clause in new.clauses})

    def put_interface(self, old: Interface | None, new: Interface) -> None:
        self._now.assets[new.id] = new
        self._now.texts.update({(item.id, item.revision): item.signature for item in new.items})

    def put_harness(self, old: Harness | None, new: Harness) -> None:
        self._now.assets[new.id] = new

    def remove_asset(self, asset: Id) -> None:
        del self._now.assets[asset]

    def add_retired(self, retired: Sequence[Retired], context: Id) -> None:
        self._now.retired += [(gone, context) for gone in retired]

    def add_pin(self, pin: Pin, code: str) -> None:
        self._now.pins[pin.id] = (pin, code)
        self._now.latest[pin.interface] = pin.id

    # How the answers are put together.

    def _ordered(self) -> list[Asset]:
        """Every asset in the order of the model."""
        found = [Asset(a.id, a.context, _kind(a), a.name, a.revision) for a in self._now.assets.values()]
        return sorted(found, key=lambda asset: (asset.context, _KINDS.index(asset.kind), asset.id))

    def _citations(self) -> list[tuple[Case, Citation]]:
        harnesses = [asset for asset in self._ordered() if asset.kind == "harness"]
        return [(case, cite) for asset in harnesses for case in self.harness(asset).cases for cite in case.cites]

    def _all_citing(self) -> list[Citing]:
        parts = {part.id: part for asset in self._ordered() for part in self.parts(asset.id)}
        assets = {asset.id: asset for asset in self._ordered()}
        found = []
        for case, cite in self._citations():
            harness, target = assets[parts[case.id].asset], parts[cite.target]
            held = assets[target.asset]
            here, there = self._now.contexts[harness.context], self._now.contexts[held.context]
            found.append(
                Citing(
                    case=case.id,
                    case_name=case.name,
                    harness=harness.id,
                    harness_name=harness.name,
                    context=here.id,
                    context_name=here.name,
                    target=target.id,
                    target_name=target.name,
                    target_kind=cite.kind,
                    target_asset=held.id,
                    target_asset_name=held.name,
                    target_context=there.id,
                    target_context_name=there.name,
                )
            )
        return sorted(found, key=lambda one: one.harness)

    def _outline(
        self, assets: Sequence[Asset], citations: Sequence[tuple[Case, Citation]], pinned: Collection[Id]
    ) -> Outline:
        parts = [part for asset in assets for part in self.parts(asset.id)]
        revisions = {part.id: part.revision for part in parts}
        behind = [cite for _, cite in citations if revisions[cite.target] != cite.revision]
        wanted = {(cite.target, revision) for cite in behind for revision in (cite.revision, revisions[cite.target])}
        return Outline(
            contexts=[context for context in self.contexts() if context.id in {asset.context for asset in assets}]
            if len(assets) < len(self._now.assets)
            else self.contexts(),
            assets=assets,
            parts=parts,
            cites=[Cite(case.id, cite.target, cite.revision) for case, cite in citations],
            pins=[self._now.pins[self._now.latest[interface]][0] for interface in pinned],
            texts={key: self._now.texts[key] for key in wanted},
            retired={gone.id: gone.asset or gone.context for gone, _ in self._now.retired},
        )


def _kind(asset: AnyAsset) -> str:
    if isinstance(asset, Contract):
        return "contract"
    return "interface" if isinstance(asset, Interface) else "harness"
