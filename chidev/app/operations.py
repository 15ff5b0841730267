"""What `chidev exec` can do: one row an operation, in the order the guide teaches them. Start reading here.

The kind of a row, not its handler, decides which checks are run. Source: specification, "Operations" and "Triggers
and moments".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from chidev.app import (
    change_requests,
    change_sets,
    check,
    check_runs,
    corrections,
    cruxes,
    decision_policies,
    explain,
    inputs,
    items,
    judged,
    pins,
    projects,
    status,
    view,
)
from chidev.app.commit import Trigger
from chidev.app.ports.services import Services

RECORD, EDIT, CONFIRMATION, QUESTION, CORRECTION = (
    Trigger.RECORD,
    Trigger.EDIT,
    Trigger.CONFIRMATION,
    Trigger.QUESTION,
    Trigger.CORRECTION,
)


class Row(msgspec.Struct, frozen=True):
    """One operation: its word, its kind, the type it is read into, what does it, and what it is for."""

    op: str
    kind: Trigger
    reads: type[inputs.Input]
    does: Callable[[Any, Services], msgspec.Struct]
    says: str


OPERATIONS = (
    #   op                  kind          reads                    does                            says
    Row("init",             RECORD,       inputs.Init,             projects.init,                  "make the Project, once"),
    Row("context_add",      EDIT,         inputs.ContextAdd,       change_sets.add_context,        "add a Context"),
    Row("context_uses",     EDIT,         inputs.ContextUses,      change_sets.put_context_fields, "replace what a Context uses"),
    Row("base_on_contract", EDIT,         inputs.BaseOnContract,   change_sets.put_context_fields, "base a Context on its Contracts"),
    Row("contract_put",     EDIT,         inputs.ContractPut,      change_sets.put_asset,          "make or revise a Contract, whole"),
    Row("clauses_put",      EDIT,         inputs.ClausesPut,       change_sets.put_asset,          "change some Clauses of a Contract"),
    Row("interface_put",    EDIT,         inputs.InterfacePut,     change_sets.put_asset,          "make or revise an Interface"),
    Row("items_rekey",      EDIT,         inputs.ItemsRekey,       items.rekey_items,              "take keys and lines of Items from a provider"),
    Row("harness_put",      EDIT,         inputs.HarnessPut,       change_sets.put_asset,          "make or revise a Harness, whole"),
    Row("pin",              CONFIRMATION, inputs.Pin,              pins.pin,                       "record that code was accepted"),
    Row("change_set",       EDIT,         inputs.ChangeSet,        change_sets.change_set,         "put and retire several things at once"),
    Row("context_retire",   EDIT,         inputs.ContextRetire,    change_sets.retire,             "retire a Context and all it holds"),
    Row("contract_retire",  EDIT,         inputs.ContractRetire,   change_sets.retire,             "retire a Contract"),
    Row("interface_retire", EDIT,         inputs.InterfaceRetire,  change_sets.retire,             "retire an Interface"),
    Row("harness_retire",   EDIT,         inputs.HarnessRetire,    change_sets.retire,             "retire a Harness"),
    Row("cr_open",          EDIT,         inputs.CrOpen,           change_requests.open_request,   "open a change request"),
    Row("cr_assume",        EDIT,         inputs.CrAssume,         change_requests.assume,         "record what is assumed of a change request"),
    Row("cr_crux_raise",    EDIT,         inputs.CrCruxRaise,      cruxes.raise_crux,              "raise a question that stops a change request"),
    Row("cr_crux_decide",   EDIT,         inputs.CrCruxDecide,     cruxes.decide_crux,             "record the decision of a question"),
    Row("policy_put",       EDIT,         inputs.PolicyPut,        decision_policies.put_policy,   "replace the lines that decisions may be derived from"),
    Row("cr_resolve",       CONFIRMATION, inputs.CrResolve,        change_requests.resolve,        "record how a change request ended"),
    Row("cr_reopen",        EDIT,         inputs.CrReopen,         change_requests.reopen,         "open a resolved change request again"),
    Row("text_find",        QUESTION,     inputs.TextFind,         corrections.find_text,          "say in which records a text is"),
    Row("record_correct",   CORRECTION,   inputs.RecordCorrect,    corrections.correct_records,    "take a text that must not stay out of records"),
    Row("status",           QUESTION,     inputs.Status,           status.status,                  "say what holds now"),
    Row("check",            QUESTION,     inputs.Check,            check.check,                    "run every check, keep nothing"),
    Row("check_list",       QUESTION,     inputs.CheckList,        check.check_list,               "list the checks, levels and moments"),
    Row("check_run",        QUESTION,     inputs.CheckRun,         check_runs.check_run,           "run every check, programs too, and keep what they say"),
    Row("check_rules",      QUESTION,     inputs.CheckRules,       judged.check_rules,             "read the judged rules and the model to judge"),
    Row("finding_report",   RECORD,       inputs.FindingReport,    judged.report_findings,         "report what a judged rule finds"),
    Row("rules",            QUESTION,     inputs.Rules,            explain.rules,                  "list every rule"),
    Row("explain",          QUESTION,     inputs.Explain,          explain.explain,                "explain one rule"),
    Row("view",             QUESTION,     inputs.View,             view.view,                      "read the part of the model asked for"),
)  # fmt: skip

BY_TYPE = {row.reads: row for row in OPERATIONS}
