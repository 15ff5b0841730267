"""Bringing the Items of an Interface to the keys and lines that its provider finds.

Source: specification, "Operations" (items_rekey).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from chidev.app import inputs
from chidev.app.commit import edit, project_of
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.entries import find_items
from chidev.app.pins import named_interface
from chidev.app.ports.services import Services
from chidev.domain.interface import Interface, ItemPlace, keys_taken, rekey


class Rekeyed(msgspec.Struct, frozen=True):
    from_: str = msgspec.field(name="from")
    to: str


class Revised(msgspec.Struct, frozen=True):
    """An Item whose revision went up."""

    key: str
    from_: int = msgspec.field(name="from")
    to: int


class RekeyAnswer(msgspec.Struct, frozen=True):
    rekeyed: Sequence[Rekeyed]
    revised: Sequence[Revised]
    unmatched: Sequence[str]
    left_out: int
    revision: int
    findings: Sequence[FindingAnswer]


def rekey_items(operation: inputs.ItemsRekey, services: Services) -> RekeyAnswer:
    """Ask the provider about the code the Interface keeps, and keep what it says as the store stood then.

    Raises:
        Refused: a name is unknown, the provider cannot be asked, `interface.key-taken`, or `store.moved`.
    """
    store = services.store
    services.before_slow()
    with store.reading():
        project_of(store)
        context, asset = named_interface(store, operation.context, operation.interface)
        old = store.interface(asset)
        revision = store.revision()
    found = find_items(context.name, old.name, old.source, "interface", services)
    places = [ItemPlace(item.key, item.first, item.last) for item in found.items]
    result = rekey(old, places)

    def plan(draft: Draft) -> None:
        given = Counter(place.key for place in places)
        twice = {key: times for key, times in given.items() if times > 1}
        after = Counter(item.key for item in result.interface.items)
        draft.rules.extend(keys_taken(context.name, old.name, twice | {k: n for k, n in after.items() if n > 1}, ""))
        draft.context(context.name)
        draft.put("interface", old, result.interface)

    findings = edit(services, plan, computed_on=revision)
    return _answer(old, result.interface, result.unmatched, found.left_out, findings)


def _answer(
    old: Interface, new: Interface, unmatched: Sequence[str], left_out: int, findings: Sequence[FindingAnswer]
) -> RekeyAnswer:
    pairs = list(zip(old.items, new.items, strict=True))
    return RekeyAnswer(
        rekeyed=[Rekeyed(was.key, now.key) for was, now in pairs if was.key != now.key],
        revised=[Revised(now.key, was.revision, now.revision) for was, now in pairs if was.revision != now.revision],
        unmatched=unmatched,
        left_out=left_out,
        revision=new.revision,
        findings=findings,
    )
