"""The model without its texts, whole or around a change: what the checks judge.

A check that runs at the edit moment is given the neighbourhood of the change, before it and after it; the same
function judges the whole model at pin, resolve and check.

Source: design, "How data travels".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

import msgspec

from chidev.domain.identity import Id
from chidev.domain.pin import Ground, Pin, Role
from chidev.domain.project import Context
from chidev.domain.rule import Subject
from chidev.domain.subject import asset_subject, part_subject

PART_KIND = {"contract": "clause", "interface": "item", "harness": "case"}
PARTS_FIELD = {"contract": "clauses", "interface": "items", "harness": "cases"}


class Asset(msgspec.Struct, frozen=True, gc=False):
    """A Contract, an Interface or a Harness: `kind` says which."""

    id: Id
    context: Id
    kind: str
    name: str
    revision: int


class Part(msgspec.Struct, frozen=True, gc=False):
    """A Clause, an Item or a Case, by its label, key or name."""

    id: Id
    asset: Id
    name: str
    revision: int


class Cite(msgspec.Struct, frozen=True, gc=False):
    """One citation: a Case, what it cites, and the revision it recorded."""

    case: Id
    target: Id
    revision: int


class Outline:
    """Assets, parts, citations and Pins, in the order of the model.

    Args:
        texts: sentence or signature of a part at a revision, where a citation is behind: of both revisions.
        retired: names of assets that are gone and that a Pin here stands on.
        pinned: the Interfaces that have a Pin, where not all of these Pins are here.
    """

    def __init__(
        self,
        contexts: Iterable[Context],
        assets: Iterable[Asset],
        parts: Iterable[Part],
        cites: Sequence[Cite],
        pins: Iterable[Pin],
        texts: Mapping[tuple[Id, int], str],
        retired: Mapping[Id, str],
        pinned: Collection[Id] | None = None,
    ) -> None:
        self.contexts = {c.id: c for c in contexts}
        self.assets = {a.id: a for a in assets}
        self.parts = {p.id: p for p in parts}
        self.cites = cites
        self.pins = {p.interface: p for p in pins}
        self.texts = texts
        self.retired = retired
        self.pinned = self.pins.keys() if pinned is None else pinned

    def assets_of_kind(self, kind: str) -> Iterator[Asset]:
        return (asset for asset in self.assets.values() if asset.kind == kind)

    def context_name(self, asset: Asset) -> str:
        return self.contexts[asset.context].name

    def asset_subject(self, asset: Asset) -> Subject:
        return asset_subject(asset.kind, self.context_name(asset), asset.name)

    def part_subject(self, part: Part) -> Subject:
        asset = self.assets[part.asset]
        return part_subject(PART_KIND[asset.kind], self.context_name(asset), asset.name, part.name)

    @property
    def cites_behind(self) -> Iterator[Cite]:
        """The citations whose target moved since they were recorded."""
        return (cite for cite in self.cites if self.parts[cite.target].revision != cite.revision)

    @cached_property
    def cites_of_case(self) -> Mapping[Id, Sequence[Cite]]:
        grouped: dict[Id, list[Cite]] = {}
        for cite in self.cites:
            grouped.setdefault(cite.case, []).append(cite)
        return grouped

    @cached_property
    def cases_of_interface(self) -> Mapping[Id, Sequence[Id]]:
        """The Cases that check each Interface: those that cite one of its Items."""
        grouped: dict[Id, dict[Id, None]] = {}
        for cite in self.cites:
            asset = self.parts[cite.target].asset
            if self.assets[asset].kind == "interface":
                grouped.setdefault(asset, {})[cite.case] = None
        return {asset: tuple(cases) for asset, cases in grouped.items()}

    def basis_of(self, interface: Asset) -> tuple[Ground, ...]:
        """What a Pin of this Interface stands on now. Source: "Operations", pin."""
        roles: dict[tuple[Role, Id], None] = {(Role.INTERFACE, interface.id): None}
        for case in self.cases_of_interface.get(interface.id, ()):
            roles[Role.HARNESS, self.parts[case].asset] = None
            for cite in self.cites_of_case[case]:
                cited = self.assets[self.parts[cite.target].asset]
                if cited.kind == "contract":
                    roles[Role.CONTRACT, cited.id] = None
                elif cited.context != interface.context:
                    roles[Role.USED_INTERFACE, cited.id] = None
        return tuple(Ground(asset, role, self.assets[asset].revision) for role, asset in roles)
