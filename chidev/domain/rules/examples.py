"""Operations that the examples of the rules are made of."""

from __future__ import annotations

from typing import Any

Operation = dict[str, Any]

INIT: Operation = {"op": "init"}
CONTEXT: Operation = {"op": "context_add", "name": "pricing"}
CONTRACT: Operation = {
    "op": "contract_put",
    "context": "pricing",
    "name": "discount",
    "title": "Discount",
    "clauses": [{"label": "C1", "text": "a discount over 100% is refused"}],
}
INTERFACE: Operation = {
    "op": "interface_put",
    "context": "pricing",
    "name": "price",
    "source": "def price(total: int) -> int: ...\n",
    "items": [{"key": "price", "lines": [1, 1]}],
}
HARNESS: Operation = {
    "op": "harness_put",
    "context": "pricing",
    "name": "test-price",
    "source": "def test_refuses(): ...\n",
    "cases": [
        {
            "name": "test_refuses",
            "lines": [1, 1],
            "items": [{"interface": "price", "key": "price"}],
            "clauses": [{"contract": "discount", "label": "C1"}],
        }
    ],
}
PIN: Operation = {"op": "pin", "context": "pricing", "interface": "price", "code": "def price(total): return total\n"}
MODEL = (INIT, CONTEXT, CONTRACT, INTERFACE, HARNESS)


def changed(operation: Operation, **fields: Any) -> Operation:
    """The operation with some fields given another value."""
    return {**operation, **fields}


def without(operation: Operation, *fields: str) -> Operation:
    """The operation without some fields."""
    return {key: value for key, value in operation.items() if key not in fields}


REWORDED: Operation = changed(CONTRACT, clauses=[{"label": "C1", "text": "a discount over 50% is refused"}])
