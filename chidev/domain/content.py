"""What a target says, as a digest: so that a move that was taken back can be told from one that lasts.

Revisions are not part of it, and neither is a name. Source: open-points 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256

from chidev.domain.contract import Contract
from chidev.domain.harness import Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface
from chidev.domain.project import Context
from chidev.domain.source import lines_of, split_lines


def asset_digests(asset: Contract | Interface | Harness) -> Iterator[tuple[Id, str]]:
    """The digest of an asset and of each of its parts."""
    if isinstance(asset, Contract):
        yield asset.id, _digest("contract", asset.title, *(word for c in asset.clauses for word in (c.id, c.text)))
        for clause in asset.clauses:
            yield clause.id, _digest("clause", clause.text)
    elif isinstance(asset, Interface):
        yield asset.id, _digest("interface", asset.source, *(item.id for item in asset.items))
        for item in asset.items:
            yield item.id, _digest("item", item.signature)
    else:
        yield asset.id, _digest("harness", asset.source, *(case.id for case in asset.cases))
        lines = split_lines(asset.source)
        for case in asset.cases:
            cited = sorted(cite.target for cite in case.cites)
            yield case.id, _digest("case", lines_of(lines, case.first, case.last), *cited)


def context_digest(context: Context, assets: Iterable[Id]) -> str:
    """The digest of a Context that holds these assets."""
    return _digest("context", context.basis, *sorted(context.uses), "holds", *sorted(assets))


def project_digest(contexts: Iterable[Id]) -> str:
    """The digest of a Project of these Contexts."""
    return _digest("project", *sorted(contexts))


def _digest(*words: str) -> str:
    whole = sha256()
    for word in words:
        encoded = word.encode()
        whole.update(b"%d:" % len(encoded))
        whole.update(encoded)
    return whole.hexdigest()
