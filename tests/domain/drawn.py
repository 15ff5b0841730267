"""An Outline drawn as text, one thing a line, for the tests of the checks.

    context base
    context pricing
    contract pricing discount r2
      C1 r2 'one' -> 'two'
    interface pricing price r1
      price r1
    harness pricing test-price r1
      test_a r1: discount.C1@1 price.price@1
    pin price: interface price@1, contract discount@1

Ids are the names; the id of a part is `asset.name`. A text `'one' -> 'two'` has one sentence a revision.
"""

from __future__ import annotations

import re

from chidev.domain.identity import Id
from chidev.domain.outline import Asset, Cite, Outline, Part
from chidev.domain.pin import Ground, Pin, Role
from chidev.domain.project import Basis, Context


def outline(text: str, retired: dict[str, str] | None = None) -> Outline:
    """The Outline that a text draws."""
    contexts: list[Context] = []
    assets: list[Asset] = []
    parts: list[Part] = []
    cites: list[Cite] = []
    pins: list[Pin] = []
    texts: dict[tuple[Id, int], str] = {}
    for line in filter(str.strip, text.split("\n")):
        words = line.replace(":", " :").split()
        if words[0] == "context":
            contexts.append(Context(Id(words[1]), words[1], 1, Basis.INTERFACE, ()))
        elif words[0] in {"contract", "interface", "harness"}:
            kind, context, name, revision = words
            assets.append(Asset(Id(name), Id(context), kind, name, int(revision[1:])))
        elif words[0] == "pin":
            grounds = re.findall(r"(\w+) ([\w-]+)@(\d+)", line)
            basis = tuple(Ground(Id(asset), Role(role), int(revision)) for role, asset, revision in grounds)
            pins.append(Pin(Id(f"pin-{words[1]}"), Id(words[1]), "digest", basis))
        else:
            asset = assets[-1].id
            part = Part(Id(f"{asset}.{words[0]}"), asset, words[0], int(words[1][1:]))
            parts.append(part)
            cites += [Cite(part.id, Id(target), int(at)) for target, at in re.findall(r"([\w.-]+)@(\d+)", line)]
            texts.update({(part.id, n): said for n, said in enumerate(re.findall(r"'([^']*)'", line), 1)})
    return Outline(contexts, assets, parts, cites, pins, texts, {Id(k): v for k, v in (retired or {}).items()})
