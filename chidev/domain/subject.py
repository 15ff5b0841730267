"""How the things of the model are named in violations, findings and answers.

Each subject carries where it is, so that two Cases of one name differ. Source: specification, "Diagnostics";
users.md, second part, 1.
"""

from __future__ import annotations

from chidev.domain.rule import Subject


def context_subject(context: str) -> Subject:
    return Subject("context", context)


def contract_subject(context: str, contract: str) -> Subject:
    return Subject("contract", contract, context)


def clause_subject(context: str, contract: str, label: str) -> Subject:
    return Subject("clause", f"{contract} {label}", context, contract=contract)


def interface_subject(context: str, interface: str) -> Subject:
    return Subject("interface", interface, context)


def item_subject(context: str, interface: str, key: str) -> Subject:
    return Subject("item", f"{interface} {key}", context, interface=interface)


def harness_subject(context: str, harness: str) -> Subject:
    return Subject("harness", harness, context)


def case_subject(context: str, harness: str, case: str) -> Subject:
    return Subject("case", case, context, harness=harness)


def asset_subject(kind: str, context: str, name: str) -> Subject:
    """A Contract, an Interface or a Harness."""
    return Subject(kind, name, context)


def part_subject(kind: str, context: str, asset: str, name: str) -> Subject:
    """A Clause, an Item or a Case by the name it has in its asset."""
    return {"clause": clause_subject, "item": item_subject, "case": case_subject}[kind](context, asset, name)


def change_request_subject(title: str) -> Subject:
    return Subject("change_request", title)


def crux_subject(crux: str) -> Subject:
    """A Crux by its id, the one name it has."""
    return Subject("crux", crux)
