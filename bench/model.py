"""Models of a given size, as lines for `chidev exec`.

    python -m bench.model --clauses 1000 --seed 1 > build.jsonl

A Context has 100 Clauses in Contracts of 5 to 10, and beside each Contract an Interface and a Harness. A Case cites 1
to 3 Items and 1 to 4 Clauses; one in six also cites the shared Contract (the last one) of the Context before its own.
Every Clause and every Item is cited. A bigger model has more Contexts of this shape, so that what one operation carries
does not depend on the size. The same size and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

CLAUSES_A_CONTEXT = 100
_THINGS = ("discount", "order", "refund", "invoice", "basket", "customer", "shipment", "payment", "coupon", "tax")
_PROMISES = (
    "over the limit of {n} is refused with the limit in the answer",
    "without a date counts as one of the day it was entered, {n} hours at most",
    "is rounded to {n} cents, halves to the even side, before it is added up",
    "that was sent {n} times is kept once and answered as the first time",
    "given by another currency is turned into the account's own at rate {n}",
)


@dataclass(frozen=True, slots=True)
class Contract:
    name: str
    clauses: tuple[tuple[str, str], ...]  # label and sentence


@dataclass(frozen=True, slots=True)
class Interface:
    name: str
    source: str
    items: tuple[tuple[str, int], ...]  # key, and the line it is on


@dataclass(frozen=True, slots=True)
class Context:
    """One part of the model. Its Contracts and Interfaces go together by their place."""

    name: str
    uses: tuple[str, ...]
    contracts: tuple[Contract, ...]
    interfaces: tuple[Interface, ...]


def contexts(clauses: int, seed: int) -> list[Context]:
    """The Contexts of a model of `clauses` Clauses; the last one is smaller when they do not come out even."""
    made: list[Context] = []
    for first in range(0, clauses, CLAUSES_A_CONTEXT):
        before = (made[-1].name,) if made else ()
        made.append(_context(len(made), min(CLAUSES_A_CONTEXT, clauses - first), seed, before))
    return made


def _context(number: int, clauses: int, seed: int, uses: tuple[str, ...]) -> Context:
    chance = random.Random(f"{seed}:{number}")  # text, so that no hash seed has a say
    contracts: list[Contract] = []
    interfaces: list[Interface] = []
    left = clauses
    while left:
        size = min(left, chance.randint(5, 10))
        left -= size
        name = f"{chance.choice(_THINGS)}-{len(contracts)}"
        sentences = tuple((f"C{label + 1}", _sentence(chance)) for label in range(size))
        contracts.append(Contract(name, sentences))
        keys = [f"{name.replace('-', '_')}_{part}" for part in range(chance.randint(4, 8))]
        body = "".join(f"def {key}(amount: int, limit: int = {at}) -> int: ...\n" for at, key in enumerate(keys))
        interfaces.append(Interface(f"{name}-api", body, tuple((key, at + 1) for at, key in enumerate(keys))))
    return Context(f"part-{number}", uses, tuple(contracts), tuple(interfaces))


def _sentence(chance: random.Random) -> str:
    return f"a {chance.choice(_THINGS)} {chance.choice(_PROMISES).format(n=chance.randint(2, 999))}"


def build(model: Sequence[Context], seed: int, *, harnesses: bool = True) -> Iterator[Json]:
    """The operations that make a model from an empty store."""
    yield {"op": "init"}
    for number, context in enumerate(model):
        yield {"op": "context_add", "name": context.name, "uses": list(context.uses)}
        for contract, interface in zip(context.contracts, context.interfaces, strict=True):
            yield {
                "op": "contract_put",
                "context": context.name,
                "name": contract.name,
                "title": contract.name.capitalize(),
                "clauses": [{"label": label, "text": text} for label, text in contract.clauses],
            }
            yield {
                "op": "interface_put",
                "context": context.name,
                "name": interface.name,
                "source": interface.source,
                "items": [{"key": key, "lines": [line, line]} for key, line in interface.items],
            }
        if harnesses:
            for at in range(len(context.contracts)):
                yield harness(model, number, at, seed)


def harness(model: Sequence[Context], number: int, at: int, seed: int, edition: int = 0) -> Json:
    """The Harness beside a Contract. Another edition changes a line of one Case and what no other Case says."""
    context = model[number]
    contract, interface = context.contracts[at], context.interfaces[at]
    chance = random.Random(f"{seed}:{number}:{at}")
    shared = model[number - 1].contracts[-1] if context.uses else None
    source: list[str] = []
    cases: list[Json] = []
    for case in range(max(len(contract.clauses), len(interface.items)) + chance.randint(2, 6)):
        said = edition if case == 0 else 0
        lines = [f"def test_{case}() -> None:", f"    assert api({case}) == {said}", "", ""]
        cases.append(
            {
                "name": f"test_{case}",
                "lines": [len(source) + 1, len(source) + 2],
                "items": [
                    {"interface": interface.name, "key": interface.items[one][0]}
                    for one in _some(chance, case, len(interface.items), 3)
                ],
                "clauses": [
                    {"contract": contract.name, "label": contract.clauses[one][0]}
                    for one in _some(chance, case, len(contract.clauses), 4 - bool(shared))
                ],
            }
        )
        if shared and case % 6 == 0:
            label = chance.choice(shared.clauses)[0]
            cases[-1]["clauses"].append({"context": context.uses[0], "contract": shared.name, "label": label})
        source += lines
    return {
        "op": "harness_put",
        "context": context.name,
        "name": f"{contract.name}-tests",
        "source": "\n".join(source),
        "cases": cases,
    }


def _some(chance: random.Random, first: int, count: int, most: int) -> list[int]:
    """Up to `most` different places of `count`; `first` decides one of them, so that all of them get their turn."""
    chosen = {first % count} | {chance.randrange(count) for _ in range(chance.randint(0, most - 1))}
    return sorted(chosen)


def reword(model: Sequence[Context], turn: int, edition: int) -> Json:
    """A new sentence for one Clause. Turns go over all Contexts; shared Contracts, which others cite, are left out."""
    context = model[turn % len(model)]
    own = [(contract.name, label, text) for contract in context.contracts[:-1] for label, text in contract.clauses]
    name, label, text = own[turn // len(model) % len(own)]
    return {
        "op": "clauses_put",
        "context": context.name,
        "contract": name,
        "clauses": [{"label": label, "text": f"{text}, edition {edition}"}],
    }


def put_again(model: Sequence[Context], turn: int, edition: int, seed: int) -> Json:
    """A Harness of the model with one Case changed; turns go over all Contexts."""
    number = turn % len(model)
    at = turn // len(model) % len(model[number].contracts)
    return harness(model, number, at, seed, edition)


def lines(operations: Iterator[Json] | Sequence[Json]) -> str:
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in operations)


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the operations that make a model of a given size.")
    parser.add_argument("--clauses", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    sys.stdout.write(lines(build(contexts(asked.clauses, asked.seed), asked.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
