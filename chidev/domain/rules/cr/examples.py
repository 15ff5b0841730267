"""Operations that the examples of the rules of requests are made of."""

from __future__ import annotations

from typing import Any

from chidev.domain.rules.examples import MODEL, Operation, changed

# What stands in an example for an id that the store gives: whoever runs it puts the id in.
CRUX = "<the id of the first Crux>"
OPTION = "<the id of its first option>"

BY = {"person": "alice"}
CLAUSE = {"clause": {"context": "pricing", "contract": "discount", "label": "C1"}}
OPEN: Operation = {
    "op": "cr_open",
    "title": "Refuse big discounts",
    "intent": "change_behavior",
    "targets": [CLAUSE],
}
OPENED = (*MODEL, OPEN)
WORK: Operation = {
    "op": "change_set",
    "for": "Refuse big discounts",
    "puts": [
        {
            "put": "clauses",
            "context": "pricing",
            "contract": "discount",
            "clauses": [{"label": "C1", "text": "a discount over 50% is refused"}],
        }
    ],
}
RAISE: Operation = {
    "op": "cr_crux_raise",
    "in": "Refuse big discounts",
    "question": "Which error is given?",
    "kind": "ambiguity",
    "options": [{"choice": "reuse InvalidDiscount"}, {"choice": "new error"}],
}


def opened(title: str, **fields: Any) -> Operation:
    """Open a request that names no target, unless `fields` has some."""
    return {"op": "cr_open", "title": title, "intent": "change_behavior", **fields}


def resolved(title: str, resolution: Any = "done") -> Operation:
    return {"op": "cr_resolve", "title": title, "resolution": resolution, "reason": "as agreed", "by": BY}


def reopened(title: str) -> Operation:
    return {"op": "cr_reopen", "title": title, "reason": "more to do", "by": BY}


def raised(**fields: Any) -> Operation:
    return changed(RAISE, **fields)


def decided(**fields: Any) -> Operation:
    """Decide the first Crux."""
    return {"op": "cr_crux_decide", "crux": CRUX, "basis": {"arbitrary": "nothing derives it"}, "by": BY, **fields}
