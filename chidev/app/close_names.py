"""Names that exist and are close to one that does not: the `did_you_mean` of a diagnostic.

Source: specification, "Diagnostics".
"""

from __future__ import annotations

from collections.abc import Iterable

LONGEST = 200  # characters; nothing is close to a longer name
SHORTEST_BEGINNING = 3  # characters; less is the beginning of too much

_SEPARATORS = str.maketrans("", "", " -_.:/#")


def close_names(name: str, known: Iterable[str], limit: int = 5) -> tuple[str, ...]:
    """The names of `known` that `name` is likely to be a misspelling of, best first; none when nothing is close.

    Close are, in this order: the name in another case or with other separators (`contextadd`, `examples` without its
    dot); a name with few letters wrong, swapped, missing or too many (one in a name under 8 letters, one for each
    4 in a longer one, 4 at most); a name that begins with `name`. `name` itself is never among them.

    Source: specification, "Diagnostics": "a title or a label one letter off, or the same in another case".
    """
    if not 0 < len(name) <= LONGEST or limit < 1:
        return ()
    plain = _plain(name)
    others = [other for other in dict.fromkeys(known) if other != name and 0 < len(other) <= LONGEST]
    if not plain or not others:
        return ()
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = min(max(1, len(plain) // 4), 4)
    plains = [_plain(other) for other in others]
    off = {
        others[index]: int(distance)
        for other, distance, index in process.extract(
            plain, plains, scorer=OSA.distance, score_cutoff=allowed, limit=None
        )
        if distance < min(len(plain), len(other)) or not distance  # of one letter, every letter would be wrong
    }
    if len(plain) >= SHORTEST_BEGINNING:
        for other, its_plain in zip(others, plains, strict=True):
            if its_plain.startswith(plain):
                off.setdefault(other, allowed + 1)
    return tuple(sorted(off, key=lambda other: (off[other], OSA.distance(name, other), other))[:limit])


def _plain(name: str) -> str:
    return name.casefold().translate(_SEPARATORS)
