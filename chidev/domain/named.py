"""What an id is of, by the names it has or had, and how that is said.

Source: specification, "Retiring" (names with `(retired)`); observed answers of `status`.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chidev.domain.identity import Id


class Named(msgspec.Struct, frozen=True):
    """The names of a Context, an asset or a part, live or retired: `revision` is None when it is retired."""

    kind: str
    context: str
    asset: str | None
    part: str | None
    revision: int | None

    @property
    def name(self) -> str:
        if self.asset is None:
            return self.context
        return self.asset if self.part is None else f"{self.asset} {self.part}"

    @property
    def text(self) -> str:
        """As `status` says it: Clauses and Items by their name alone, the others with their kind."""
        text = self.name if self.kind in {"clause", "item"} else f"{self.kind} {self.name}"
        return text if self.revision is not None else f"{text} (retired)"


def target_text(id_: Id, names: Mapping[Id, Named]) -> str:
    """A target as `status` says it; what has no name of its own is the Project."""
    return names[id_].text if id_ in names else "project"


def target_facts(id_: Id, names: Mapping[Id, Named]) -> dict[str, object]:
    """A target as the values of a finding have it: kind, name and Context."""
    if id_ not in names:
        return {"kind": "project", "name": "project", "context": None}
    named = names[id_]
    gone = "" if named.revision is not None else " (retired)"
    return {"kind": named.kind, "name": f"{named.name}{gone}", "context": named.context}
