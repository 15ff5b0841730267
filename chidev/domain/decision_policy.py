"""The Policy: the numbered lines that a decision may be derived from.

Source: specification, "Crux, Policy and Assumption".
"""

from __future__ import annotations

import msgspec


class PolicyLine(msgspec.Struct, frozen=True):
    """A line; `changed_at` is the revision of the Policy in which its text became what it is."""

    id: str
    text: str
    changed_at: int


class DecisionPolicy(msgspec.Struct, frozen=True):
    """The lines the Policy has now, in their order. Before the first put its revision is 1 and it has none."""

    revision: int = 1
    lines: tuple[PolicyLine, ...] = ()

    def text_of(self, line: str) -> str | None:
        """The text of a line; None when there is no such line."""
        return next((known.text for known in self.lines if known.id == line), None)

    def replaced(self, lines: list[tuple[str, str]]) -> DecisionPolicy:
        """The Policy with these lines, by id and text, in place of all it has; as they are, nothing moves."""
        if lines == [(line.id, line.text) for line in self.lines]:
            return self
        revision = self.revision + 1
        had = {line.id: line for line in self.lines}
        return DecisionPolicy(
            revision,
            tuple(
                had[id_] if id_ in had and had[id_].text == text else PolicyLine(id_, text, revision)
                for id_, text in lines
            ),
        )
