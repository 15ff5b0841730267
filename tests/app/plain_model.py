"""A model of the rules of exec that was written from the specification alone, for `test_state_machine.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(eq=False)
class Thing:
    """A Clause or an Item of the model: itself, whatever it is called."""

    text: str
    revision: int = 1


@dataclass(eq=False)
class AContext:
    uses: list[str]
    contracts: dict[str, dict[str, Thing]] = field(default_factory=dict)
    interfaces: dict[str, dict[str, Thing]] = field(default_factory=dict)
    harnesses: dict[str, dict[str, list[tuple[str, Thing, int]]]] = field(default_factory=dict)
    retired: set[tuple[str, str]] = field(default_factory=set)

    def of_kind(self, kind: str) -> dict[str, Any]:
        held: dict[str, dict[str, Any]] = {
            "contract": self.contracts,
            "interface": self.interfaces,
            "harness": self.harnesses,
        }
        return held[kind]


class RefusedByModel(Exception):
    """The model says that the operation has to be refused."""


def refuse_if(wrong: object) -> None:
    if wrong:
        raise RefusedByModel


class Model:
    """What the specification says of Contexts, Contracts, Interfaces and Harnesses, as plainly as it can be said."""

    def __init__(self) -> None:
        self.contexts: dict[str, AContext] = {}

    def context(self, name: str) -> AContext:
        refuse_if(name not in self.contexts)
        return self.contexts[name]

    def add_context(self, name: str, uses: list[str]) -> None:
        refuse_if(name in self.contexts or name in uses)
        refuse_if(any(used not in self.contexts for used in uses))
        self.contexts[name] = AContext(list(dict.fromkeys(uses)))

    def set_uses(self, name: str, uses: list[str]) -> None:
        context = self.context(name)
        refuse_if(name in uses or any(used not in self.contexts for used in uses))
        refuse_if(any(self._leads_to(used, name) for used in uses))
        cited = {self.holder(thing) for _, thing, _ in self._cites_of(name)}
        refuse_if(cited - {name, *uses})
        context.uses = list(dict.fromkeys(uses))

    def _leads_to(self, start: str, goal: str) -> bool:
        return start == goal or any(self._leads_to(used, goal) for used in self.contexts[start].uses)

    def put_contract(self, name: str, contract: str, clauses: dict[str, str], replaces: dict[str, str]) -> None:
        context = self.context(name)
        refuse_if(("contract", contract) in context.retired)
        had = context.contracts.get(contract, {})
        refuse_if(any(old not in had or old in clauses for old in replaces.values()))
        made = {label: (had.get(replaces.get(label, label)), text) for label, text in clauses.items()}
        self._drop(had, made)
        context.contracts[contract] = commit(made)

    def put_clauses(self, name: str, contract: str, clauses: dict[str, str], remove: list[str]) -> None:
        had = self.context(name).contracts.get(contract)
        refuse_if(had is None)
        assert had is not None
        refuse_if(any(label not in had or label in clauses for label in remove))
        made: dict[str, tuple[Thing | None, str]] = {
            label: (thing, clauses.get(label, thing.text)) for label, thing in had.items() if label not in remove
        }
        made |= {label: (None, text) for label, text in clauses.items() if label not in had}
        self._drop(had, made)
        self.contexts[name].contracts[contract] = commit(made)

    def put_interface(self, name: str, items: dict[str, str]) -> None:
        context = self.context(name)
        refuse_if(("interface", "i") in context.retired)
        had = context.interfaces.get("i", {})
        made = {key: (had.get(key), text) for key, text in items.items()}
        self._drop(had, made)
        context.interfaces["i"] = commit(made)

    def put_harness(self, name: str, cases: dict[str, list[tuple[str, str]]]) -> None:
        context = self.context(name)
        refuse_if(("harness", "t") in context.retired)
        made = {}
        for case, cited in cases.items():
            found = [(place, self._thing(where or name, place)) for where, place in cited]
            refuse_if({self.holder(thing) for _, thing in found} - {name, *context.uses})
            made[case] = [(place, thing, thing.revision) for place, thing in found]
        context.harnesses["t"] = made

    def retire(self, name: str, kind: str, asset: str) -> None:
        context = self.context(name)
        held = context.of_kind(kind)
        refuse_if(asset not in held)
        if kind != "harness":
            self._drop(held[asset], {})
        del held[asset]
        context.retired.add((kind, asset))

    def retire_context(self, name: str) -> None:
        gone = self.context(name)
        refuse_if(any(name in other.uses for other in self.contexts.values() if other is not gone))
        things = {
            id(thing) for parts in (*gone.contracts.values(), *gone.interfaces.values()) for thing in parts.values()
        }
        others = [cite for other in self.contexts if other != name for cite in self._cites_of(other)]
        refuse_if(any(id(thing) in things for _, thing, _ in others))
        del self.contexts[name]

    def holder(self, thing: Thing) -> str:
        """The Context that has a Clause or an Item."""
        return next(
            name
            for name, context in self.contexts.items()
            for parts in (*context.contracts.values(), *context.interfaces.values())
            if any(held is thing for held in parts.values())
        )

    def _thing(self, context: str, place: str) -> Thing:
        asset, _, part = place.partition(" ")
        held = self.context(context)
        found = (held.interfaces if asset == "i" else held.contracts).get(asset, {}).get(part)
        refuse_if(found is None)
        assert found is not None
        return found

    def _cites_of(self, name: str) -> list[tuple[str, Thing, int]]:
        return [cite for cases in self.contexts[name].harnesses.values() for cites in cases.values() for cite in cites]

    def _drop(self, had: dict[str, Thing], made: dict[str, Any]) -> None:
        """Refuse a change that takes away what a Case cites."""
        stays = {id(kept) for kept, _ in made.values()}
        cited = {id(thing) for name in self.contexts for _, thing, _ in self._cites_of(name)}
        refuse_if(any(id(thing) in cited and id(thing) not in stays for thing in had.values()))

    # What can be asked of it.

    def parts(self) -> dict[tuple[str, str, str], tuple[str, int]]:
        """Every Clause and Item, with its text and its revision, by Context, asset and name."""
        return {
            (name, asset, part): (thing.text, thing.revision)
            for name, context in self.contexts.items()
            for held in (context.contracts, context.interfaces)
            for asset, parts in held.items()
            for part, thing in parts.items()
        }

    def stale(self) -> set[tuple[str, str, int, int]]:
        """Context and Case of each citation that is behind, with both revisions."""
        return {
            (name, case, cited, thing.revision)
            for name, context in self.contexts.items()
            for cases in context.harnesses.values()
            for case, cites in cases.items()
            for _, thing, cited in cites
            if thing.revision != cited
        }


def commit(made: dict[str, tuple[Thing | None, str]]) -> dict[str, Thing]:
    """Give the things their texts; one that changes goes to its next revision."""
    kept = {}
    for name, (had, text) in made.items():
        thing = had or Thing(text)
        if thing.text != text:
            thing.text, thing.revision = text, thing.revision + 1
        kept[name] = thing
    return kept


def snapshot(model: Model) -> Callable[[], None]:
    """What puts the model back as it is now."""
    things = [(thing, thing.text, thing.revision) for thing in all_things(model)]
    held = [
        (context, dict(context.contracts), dict(context.interfaces), dict(context.harnesses))
        for context in model.contexts.values()
    ]

    def back() -> None:
        for thing, text, revision in things:
            thing.text, thing.revision = text, revision
        for context, contracts, interfaces, harnesses in held:
            context.contracts, context.interfaces, context.harnesses = contracts, interfaces, harnesses

    return back


def all_things(model: Model) -> list[Thing]:
    return [
        thing
        for context in model.contexts.values()
        for parts in (*context.contracts.values(), *context.interfaces.values())
        for thing in parts.values()
    ]
