"""What finds the Items of an Interface in its code: a program of the project, asked as data.

Source: specification, "Provider protocol chidev-items 2".
"""

from __future__ import annotations

from typing import Protocol

import msgspec


class FoundItem(msgspec.Struct, frozen=True):
    """A declaration a caller can name: its key and its first and last line, from 1."""

    key: str
    first: int
    last: int


class FoundItems(msgspec.Struct, frozen=True):
    """What a provider answered: the Items in its order, and how many declarations a caller cannot name."""

    items: tuple[FoundItem, ...]
    left_out: int


class ProviderRefused(Exception):
    """A provider could not be asked, or its answer cannot be used.

    Attributes:
        rule_id: `input.items-required`, `items.no-provider`, `items.protocol` or `items.failed`.
        lang: the language of the Interface; None when it has none.
        detail: what was wrong, one line, at most 300 characters.
    """

    def __init__(self, rule_id: str, lang: str | None, detail: str) -> None:
        super().__init__(detail)
        self.rule_id = rule_id
        self.lang = lang
        self.detail = detail


class ItemsProvider(Protocol):
    def find_items(self, context: str, interface: str, source: str) -> FoundItems:
        """The Items of `source`, the code of that Interface, e.g. `FoundItems((FoundItem("price", 1, 3),), 1)`.

        Raises:
            ProviderRefused: no layout or lang, no command, a failed program, or a reply against the protocol.
        """
        ...
