"""What citations name in the model, and what a name that is none is told with.

Source: open-points 6; design, "What it is".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from chidev.app.close_names import close_names
from chidev.domain.outline import Asset, Outline, Part
from pytest_chidev.marks import Citation

_HOLDER = {"clause": "contract", "item": "interface"}


class Missing(msgspec.Struct, frozen=True):
    """A citation that names nothing: which word of it does not exist, and what is close to it.

    `text` says it as the end of a sentence.
    """

    kind: str
    name: str
    text: str
    did_you_mean: tuple[str, ...]


class Targets:
    """Finds parts of the model by the words of citations."""

    def __init__(self, outline: Outline) -> None:
        self._outline = outline
        self._contexts = {context.name: context for context in outline.contexts.values()}
        self._assets: dict[tuple[str, str, str], Asset] = {}
        for asset in outline.assets.values():
            self._assets[outline.context_name(asset), asset.kind, asset.name] = asset
        self._items: dict[str, dict[str, list[str]]] = {}
        self._parts: dict[str, dict[str, Part]] = {asset: {} for asset in outline.assets}
        for part in outline.parts.values():
            self._parts[part.asset][part.name] = part

    def asset(self, context: str, kind: str, name: str) -> Asset | None:
        return self._assets.get((context, kind, name))

    def parts(self, asset: Asset) -> Mapping[str, Part]:
        """The parts of an asset by label, key or name: of a Harness, its recorded Cases."""
        return self._parts[asset.id]

    def find(self, citation: Citation, own_context: str) -> Part | Missing:
        """What a citation names, seen from a Harness of `own_context`."""
        context = citation.context or own_context
        kind = _HOLDER[citation.kind]
        asset = self._assets.get((context, kind, citation.asset))
        part = self._parts[asset.id].get(citation.part) if asset else None
        if part:
            return self._reached(part, citation, context, own_context)
        if context not in self._contexts:
            return _missing("context", context, f"there is no Context `{context}`", list(self._contexts))
        if asset is None:
            names = [name for of, word, name in self._assets if (of, word) == (context, kind)]
            says = f"the Context `{context}` has no {kind.capitalize()} `{citation.asset}`"
            return _missing(kind, citation.asset, says, names)
        names = list(self._parts[asset.id])
        says = f"the {kind.capitalize()} `{citation.asset}` has no {citation.kind.capitalize()} `{citation.part}`"
        return _missing(citation.kind, citation.part, says, names)

    def _reached(self, part: Part, citation: Citation, context: str, own_context: str) -> Part | Missing:
        own = self._contexts.get(own_context)
        if own is None or context == own_context or self._contexts[context].id in own.uses:
            return part
        says = f"the Context `{own_context}` does not use `{context}`"
        return Missing(citation.kind, citation.part, says, ())

    def compact(self, part: Part, own_context: str) -> str:
        """A part as a marker of that Context would cite it."""
        asset = self._outline.assets[part.asset]
        context = self._outline.context_name(asset)
        kind: Literal["clause", "item"] = "clause" if asset.kind == "contract" else "item"
        return Citation(kind, None if context == own_context else context, asset.name, part.name).compact

    def items(self, own_context: str) -> dict[str, list[str]]:
        """The Items that a Case of a Context can cite, as citations, by the last word of their keys."""
        if own_context in self._items:
            return self._items[own_context]
        own = self._contexts.get(own_context)
        reached = {own.id, *own.uses} if own else set()
        found: dict[str, list[str]] = self._items.setdefault(own_context, {})
        for part in self._outline.parts.values():
            asset = self._outline.assets[part.asset]
            if asset.kind == "interface" and asset.context in reached:
                word = part.name.replace("::", ".").rpartition(".")[2]
                found.setdefault(word, []).append(self.compact(part, own_context))
        return found


def _missing(kind: str, name: str, text: str, known: list[str]) -> Missing:
    close = close_names(name, known)
    hint = f"; did you mean {', '.join(f'`{near}`' for near in close)}?" if close else ""
    return Missing(kind, name, text + hint, close)
