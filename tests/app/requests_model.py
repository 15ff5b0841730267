"""A project with change requests, for the tests of their record, their Cruxes and their frames."""

from __future__ import annotations

from typing import Any

from tests.running import Json, Project, changed, clause, clauses_put, contract

ALICE = {"person": "alice"}
WHY = {"arbitrary": "nothing derives it"}
IN = {"context": "pricing"}
TITLE = "Refuse big discounts"


def clause_ref(label: str = "C1", name: str = "discount") -> Json:
    return {"clause": {**IN, "contract": name, "label": label}}


def contract_ref(name: str = "discount") -> Json:
    return {"contract": {**IN, "contract": name}}


ITEM = {"item": {**IN, "interface": "price", "key": "price"}}
CASE = {"case": {**IN, "harness": "test-price", "name": "test_refuses"}}


def opened(title: str = TITLE, **fields: Any) -> Json:
    return {"op": "cr_open", "title": title, "intent": "change_behavior", **fields}


def resolved(title: str = TITLE, resolution: Any = "done", **fields: Any) -> Json:
    return {"op": "cr_resolve", "title": title, "resolution": resolution, "reason": "agreed", "by": ALICE, **fields}


def reopened(title: str = TITLE) -> Json:
    return {"op": "cr_reopen", "title": title, "reason": "more", "by": ALICE}


def raised(*options: Json, **fields: Any) -> Json:
    return {
        "op": "cr_crux_raise",
        "in": TITLE,
        "question": "which",
        "kind": "ambiguity",
        "options": list(options) or [{"choice": "yes"}, {"choice": "no"}],
        **fields,
    }


def decided(crux: Json, **fields: Any) -> Json:
    """Decide a Crux, given the answer of its raising; without another form, by its first option."""
    forms = {"option", "wording", "unspecified", "withdrawn"}
    form = {} if forms & fields.keys() else {"option": crux["options"][0]["id"]}
    return {"op": "cr_crux_decide", "crux": crux["crux"], "basis": WHY, "by": ALICE, **form, **fields}


def work(*puts: Json, title: str = TITLE, retires: list[Json] | None = None) -> Json:
    return {"op": "change_set", "for": title, "puts": list(puts), "retires": retires or []}


def reword(label: str = "C1", text: str = "another sentence", name: str = "discount") -> Json:
    """An entry of a change set that gives a Clause another sentence."""
    return {"put": "clauses", **IN, "contract": name, "clauses": [{"label": label, "text": text}]}


def three_clauses(model: Project) -> None:
    """Two more Clauses in the Contract `discount`, and a Contract `tax`."""
    tax = contract(clause("C1", "tax is added last"), clause("C2", "tax is never negative"), name="tax", title="Tax")
    model.accepted(clauses_put(clause("C2", "an error is given"), clause("C3", "it is rounded down")), changed(tax))


def request_of(model: Project, title: str = TITLE) -> Json:
    """A request as `status` shows it."""
    return next(dict(r) for r in model.status("change_requests")["change_requests"] if r["title"] == title)


def found(findings: list[Json], rule: str) -> list[str]:
    """What the findings of a rule are about, by name."""
    return [finding["about"] for finding in findings if finding["rule"] == rule]
