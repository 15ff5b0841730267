"""A name that does not exist, told with the names that are close to it.

Source: specification, "Diagnostics" (input.unknown-name); users.md, second part, 6.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from chidev.app.close_names import close_names
from chidev.domain.rule import Applicability, Subject, Suggestion, Violation
from chidev.domain.rules.input import UNKNOWN_NAME


def unknown_name(kind: str, name: str, field: str | None, known: Iterable[str], *subjects: Subject) -> Violation:
    """`input.unknown-name`; where nothing is close, the operation that makes the thing is suggested.

    Args:
        kind: what kind of thing the name is of, as `values.kind` says it.
        subjects: what was searched: the Context of an asset, the asset of a part.
    """
    close = close_names(name, known)
    made = None if close else _making(kind, name, subjects)
    return UNKNOWN_NAME.broken(
        *subjects,
        field=field,
        did_you_mean=close,
        suggestions=(made,) if made else (),
        kind=kind,
        name=name,
        field_=(field or "").rpartition(".")[2].partition("[")[0],
    )


def _making(kind: str, name: str, subjects: tuple[Subject, ...]) -> Suggestion | None:
    context = subjects[0].name if subjects else "<context>"
    operations: dict[str, tuple[dict[str, Any], Applicability]] = {
        "context": ({"op": "context_add", "name": name}, Applicability.REVIEW),
        "contract": (
            {
                "op": "contract_put",
                "context": context,
                "name": name,
                "title": "<title>",
                "clauses": [{"label": "C1", "text": "<the promise>"}],
            },
            Applicability.PLACEHOLDER,
        ),
        "interface": (
            {
                "op": "interface_put",
                "context": context,
                "name": name,
                "source": "<code>",
                "items": [{"key": "<a key of it>", "lines": [1, 1]}],
            },
            Applicability.PLACEHOLDER,
        ),
        "change request": ({"op": "cr_open", "title": name, "intent": "change_behavior"}, Applicability.REVIEW),
    }
    return Suggestion(*operations[kind]) if kind in operations else None
