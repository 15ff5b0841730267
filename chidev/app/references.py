"""References to targets and to subjects of findings: what of them cannot be read, and what they name.

Source: specification, "Change requests" and "Change-request addresses".
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from chidev.app import inputs
from chidev.app.draft import Draft
from chidev.app.ports.store import StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import Address, ChangeRequest
from chidev.domain.footprint import Place
from chidev.domain.identity import Id
from chidev.domain.named import Named
from chidev.domain.project import Context
from chidev.domain.rule import Violation
from chidev.domain.rules.cr.request import TARGET_TWICE
from chidev.domain.rules.input import INVALID
from chidev.domain.subject import asset_subject, change_request_subject, context_subject

# The order in which targets are answered and kept: from the outside in.
KINDS = ("project", "context", "contract", "interface", "harness", "clause", "item", "case")
_PARTS = {"clause": ("contract", "label"), "item": ("interface", "key"), "case": ("harness", "name")}


class Target(msgspec.Struct, frozen=True):
    """What a reference names: where it is, and the revision it has."""

    place: Place
    revision: int


class Reference(msgspec.Struct, frozen=True):
    """One entry of `targets` or `keep`: what was written, where, and what it names."""

    kind: str
    at: str
    ref: inputs.TargetRef
    target: Target


# What the types do not say.


def one_key(ref: msgspec.Struct, at: str) -> Iterator[Violation]:
    """`input.invalid` unless exactly one field of an object is given."""
    given = given_fields(ref)
    if len(given) != 1:
        what = f"the fields {_listed(given)} exclude one another" if given else "nothing is named"
        yield INVALID.broken(field=at, detail=what)


def given_fields(ref: msgspec.Struct) -> list[str]:
    return [field for field in ref.__struct_fields__ if getattr(ref, field) is not msgspec.UNSET]


def malformed_targets(asks: inputs.CrOpen | inputs.OptionInput, at: str) -> Iterator[Violation]:
    for field in ("targets", "keep"):
        for n, ref in enumerate(getattr(asks, field)):
            yield from one_key(ref, f"{at}{field}[{n}]")


def malformed_addresses(addresses: Sequence[inputs.Address], at: str) -> Iterator[Violation]:
    for n, address in enumerate(addresses):
        given = [key for key in ("subject", "item", "clause") if getattr(address, key) is not msgspec.UNSET]
        if len(given) > 1:
            yield INVALID.broken(field=f"{at}[{n}]", detail=f"the fields {_listed(given)} exclude one another")
        if isinstance(address.subject, inputs.SubjectRef):
            yield from one_key(address.subject, f"{at}[{n}].subject")


def malformed_evidence(evidence: Sequence[inputs.Evidence], at: str) -> Iterator[Violation]:
    for n, one in enumerate(evidence):
        place = f"{at}[{n}]"
        yield from one_key(one, place)
        if isinstance(one.repo, inputs.RepoEvidence):
            yield from _bad_place(one.repo, f"{place}.repo")


def _bad_place(repo: inputs.RepoEvidence, at: str) -> Iterator[Violation]:
    if repo.path.startswith("/") or ".." in repo.path.split("/"):
        yield INVALID.broken(field=f"{at}.path", detail=f"the path `{repo.path}` does not stay in the repository")
    if repo.lines and repo.lines[0] > repo.lines[1]:
        yield INVALID.broken(field=f"{at}.lines", detail="the last line is before the first")


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def targets_twice(title: str, references: Sequence[Reference], option: str | None = None) -> Iterator[Violation]:
    """`cr.target-twice` for each target that is named more than once.

    Args:
        title: of the request; with `option`, the choice of one of its options names them.
    """
    named: dict[Id, list[Reference]] = {}
    for reference in references:
        named.setdefault(reference.target.place.id, []).append(reference)
    for twice in named.values():
        if len(twice) > 1:
            ref = as_json(twice[0].ref)
            yield TARGET_TWICE.broken(
                change_request_subject(title),
                field=twice[1].at,
                target=ref,
                name=described(ref),
                count=len(twice),
                option=option,
                asker=f"the change request `{title}`" if option is None else f"the option `{option}`",
            )


def as_json(ref: inputs.TargetRef) -> dict[str, Any]:
    """A reference as it is written."""
    written: dict[str, Any] = msgspec.to_builtins(ref)
    return written


def described(reference: Mapping[str, Any]) -> str:
    """A reference as a person would say it: the Clause `discount C1` of `pricing`."""
    ((kind, named),) = reference.items()
    if kind == "project":
        return "the Project"
    if isinstance(named, str):
        return f"the {kind} `{named}`"
    context, *words = named.values()
    return f"the {kind} `{' '.join(words)}` of `{context}`"


def reference_to(id_: Id, names: Mapping[Id, Named]) -> dict[str, Any]:
    """The reference that names a target now; what has no name of its own is the Project."""
    if id_ not in names:
        return {"project": True}
    named = names[id_]
    if named.asset is None:
        return {"context": named.context}
    if named.part is None:
        return {named.kind: {"context": named.context, named.kind: named.asset}}
    holder, field = _PARTS[named.kind]
    return {named.kind: {"context": named.context, holder: named.asset, field: named.part}}


class Resolver:
    """Finds what references name in the store; every name that is none is kept on the draft."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._store: StoreReader = draft.store

    def references(self, asks: inputs.CrOpen | inputs.OptionInput, at: str) -> list[Reference]:
        """What the entries of `targets`, then of `keep`, name; one that names nothing is left out."""
        found = []
        for kind, field in (("target", "targets"), ("keep", "keep")):
            for n, ref in enumerate(getattr(asks, field)):
                place = f"{at}{field}[{n}]"
                target = self.target(ref, place)
                if target:
                    found.append(Reference(kind, place, ref, target))
        return found

    def addresses(self, addresses: Sequence[inputs.Address], at: str) -> list[Address]:
        found = []
        for n, address in enumerate(addresses):
            ref, is_older = self._subject_of(address)
            if ref is None:
                found.append(Address(address.rule, None, None))
            elif target := self.target(ref, f"{at}[{n}]" if is_older else f"{at}[{n}].subject"):
                found.append(Address(address.rule, target.place.kind, target.place.id))
        return found

    @staticmethod
    def _subject_of(address: inputs.Address) -> tuple[Any, bool]:
        """The reference in an address, and whether it is of the older form: an Item or a Clause beside the rule."""
        if isinstance(address.item, inputs.ItemTarget):
            return inputs.SubjectRef(item=address.item), True
        if isinstance(address.clause, inputs.ClauseTarget):
            return inputs.SubjectRef(clause=address.clause), True
        return address.subject if isinstance(address.subject, inputs.SubjectRef) else None, False

    def request(self, title: str, field: str) -> ChangeRequest | None:
        """The request of a title; None, and the problem is kept, when there is none."""
        found = self._store.change_request_titled(title)
        if found is None:
            self._draft.names.append(unknown_name("change request", title, field, self._store.change_request_titles()))
        return found

    def target(self, ref: Any, at: str) -> Target | None:
        """What a reference names; None, and the problem is kept, when it names nothing."""
        (kind,) = given_fields(ref)
        named = getattr(ref, kind)
        if kind == "project":
            return Target(Place(kind, self._draft.project.id), self._draft.project.revision)
        if kind == "change_request":
            request = self.request(named, f"{at}.change_request")
            return Target(Place(kind, request.id), 1) if request else None
        place = f"{at}.{kind}"
        context = self._context(named if kind == "context" else named.context, place, kind)
        if context is None:
            return None
        if kind == "context":
            return Target(Place(kind, context.id), context.revision)
        holder = _PARTS[kind][0] if kind in _PARTS else kind
        name = getattr(named, holder)
        asset = self._store.asset_named(context.id, holder, name)
        if asset is None:
            names = self._store.asset_names(context.id, holder)
            self._unknown(holder, name, f"{place}.{holder}", names, context_subject(context.name))
            return None
        if kind == holder:
            return Target(Place(kind, asset.id, context.id), asset.revision)
        field = _PARTS[kind][1]
        parts = {part.name: part for part in self._store.parts(asset.id)}
        part = parts.get(getattr(named, field))
        if part is None:
            subject = asset_subject(holder, context.name, name)
            self._unknown(kind, getattr(named, field), f"{place}.{field}", parts, subject)
            return None
        return Target(Place(kind, part.id, context.id, asset.id), part.revision)

    def _unknown(self, kind: str, name: str, field: str, known: Collection[str], subject: Any) -> None:
        self._draft.names.append(unknown_name(kind, name, field, known, subject))

    def _context(self, name: str, place: str, kind: str) -> Context | None:
        context = self._store.context_named(name)
        if context is None:
            field = place if kind == "context" else f"{place}.context"
            self._unknown_context(name, field)
        return context

    def _unknown_context(self, name: str, field: str) -> None:
        self._draft.names.append(unknown_name("context", name, field, self._store.context_names()))
