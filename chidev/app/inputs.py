"""The lines of chidev-exec 1: one type an operation, the JSON fields and nothing else.

The JSON Schema (`chidev schema ops`) is derived from these types, and `app/protocol.py` reads lines into them, so
the two cannot differ. Rules that set fields against each other are not in the types.

Source: specification, "Operations", "Change sets", "Retiring", "Change requests".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

# A pattern ends with (?![\s\S]) and not with $, since $ lets a trailing line feed pass.
Name = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9_-]+(?![\s\S])",
        description="a name: not empty, only a-z, 0-9, - and _",
    ),
]
Label = Annotated[str, Meta(pattern=r"^C[1-9][0-9]*(?![\s\S])", description="the label of a Clause: C and a number")]
Key = Annotated[str, Meta(pattern=r"^[^\n\r]+(?![\s\S])", description="the key of an Item: not empty, one line")]
CaseName = Annotated[str, Meta(pattern=r"^[^\n\r]+(?![\s\S])", description="the name of a Case: not empty, one line")]
Title = Annotated[str, Meta(pattern=r"^(?=[\s\S]*\S)[^\n\r]+(?![\s\S])", description="a title: not blank, one line")]
Sentence = Annotated[str, Meta(pattern=r"\S", description="a text that is not blank")]
LineNumber = Annotated[int, Meta(ge=1, description="a line number, from 1")]
Lines = tuple[LineNumber, LineNumber]
RecordId = Annotated[
    str,
    Meta(
        pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\s\S])",
        description="the id of a record, as an earlier answer gave it",
    ),
]
LineId = Annotated[str, Meta(pattern=r"^P[1-9][0-9]*(?![\s\S])", description="the id of a Policy line: P and a number")]
Percentage = Annotated[int, Meta(ge=0, le=100, description="a percentage from 0 to 100")]
RuleId = Annotated[str, Meta(pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)+(?![\s\S])", description="the id of a rule")]
Selector = Annotated[
    str,
    Meta(
        pattern=r"^[a-z0-9-]+(\.[a-z0-9-]+)*\.?(?![\s\S])",
        description="the id of a rule, or a family of rules with its dot",
    ),
]


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Any object of a line: a field it does not have is refused (open-points 8)."""


class ItemRef(Input, frozen=True):
    """A citation of an Item; `context` is the Case's own when it is left out."""

    interface: Name
    key: Key
    context: Name | None = None


class ClauseRef(Input, frozen=True):
    """A citation of a Clause; `context` is the Case's own when it is left out."""

    contract: Name
    label: Label
    context: Name | None = None


class ClauseInput(Input, frozen=True):
    label: Label
    text: Sentence
    replaces: Label | None = None


class ItemInput(Input, frozen=True):
    key: Key
    lines: Lines
    replaces: Key | None = None


class Rename(Input, frozen=True):
    from_: Key = msgspec.field(name="from")
    to: Key


class CaseInput(Input, frozen=True):
    name: CaseName
    lines: Lines
    items: list[ItemRef] = []
    clauses: list[ClauseRef] = []


# What an entry of a change set and the operation of the same name have in common.


class ContextFields(Input, frozen=True):
    name: Name
    uses: list[Name] = []


class UsesFields(Input, frozen=True):
    context: Name
    uses: list[Name]


class BasisFields(Input, frozen=True):
    context: Name


class ContractFields(Input, frozen=True):
    context: Name
    name: Name
    title: Sentence
    clauses: list[ClauseInput]


class ClausesFields(Input, frozen=True):
    context: Name
    contract: Name
    clauses: list[ClauseInput] = []
    remove: list[Label] = []


class InterfaceFields(Input, frozen=True):
    context: Name
    name: Name
    source: str | None = None
    source_file: str | None = None
    items: list[ItemInput] | None = None
    renames: list[Rename] = []


class HarnessFields(Input, frozen=True):
    context: Name
    name: Name
    cases: list[CaseInput]
    kind: Literal["tests"] | None = None
    source: str | None = None
    source_file: str | None = None


class ContractRetireFields(Input, frozen=True):
    context: Name
    contract: Name


class InterfaceRetireFields(Input, frozen=True):
    context: Name
    interface: Name


class HarnessRetireFields(Input, frozen=True):
    context: Name
    harness: Name


# The operations.


class Init(Input, frozen=True, tag_field="op", tag="init"):
    """Make the project, once."""


class ContextAdd(ContextFields, frozen=True, tag_field="op", tag="context_add"):
    """Add a Context; `uses` names the Contexts whose Contracts and Interfaces its Cases may cite."""


class ContextUses(UsesFields, frozen=True, tag_field="op", tag="context_uses"):
    """Replace the list of the Contexts that a Context uses."""


class BaseOnContract(BasisFields, frozen=True, tag_field="op", tag="base_on_contract"):
    """Base a Context on its Contracts; there is no way back."""


class ContractPut(ContractFields, frozen=True, tag_field="op", tag="contract_put"):
    """Make a Contract or revise it, whole: the Clauses given are those it has afterwards."""


class ClausesPut(ClausesFields, frozen=True, tag_field="op", tag="clauses_put"):
    """Change some Clauses of a Contract and leave the rest as it is."""


class InterfacePut(InterfaceFields, frozen=True, tag_field="op", tag="interface_put"):
    """Make an Interface or revise it; with `items` left out a provider finds them."""


class ItemsRekey(Input, frozen=True, tag_field="op", tag="items_rekey"):
    """Give the Items of an Interface the keys and lines that its provider finds now."""

    context: Name
    interface: Name


class HarnessPut(HarnessFields, frozen=True, tag_field="op", tag="harness_put"):
    """Make a Harness or revise it, whole, with its Cases and what each cites."""


class Pin(Input, frozen=True, tag_field="op", tag="pin"):
    """Record that the code of an Interface was accepted."""

    context: Name
    interface: Name
    code: str | None = None
    code_file: str | None = None


class ContextRetire(BasisFields, frozen=True, tag_field="op", tag="context_retire"):
    """Retire a Context and all it holds."""


class ContractRetire(ContractRetireFields, frozen=True, tag_field="op", tag="contract_retire"):
    """Retire a Contract and its Clauses."""


class InterfaceRetire(InterfaceRetireFields, frozen=True, tag_field="op", tag="interface_retire"):
    """Retire an Interface and its Items."""


class HarnessRetire(HarnessRetireFields, frozen=True, tag_field="op", tag="harness_retire"):
    """Retire a Harness and its Cases."""


class PutContext(ContextFields, frozen=True, tag_field="put", tag="context"):
    pass


class PutUses(UsesFields, frozen=True, tag_field="put", tag="uses"):
    pass


class PutBasis(BasisFields, frozen=True, tag_field="put", tag="base_on_contract"):
    pass


class PutContract(ContractFields, frozen=True, tag_field="put", tag="contract"):
    pass


class PutClauses(ClausesFields, frozen=True, tag_field="put", tag="clauses"):
    pass


class PutInterface(InterfaceFields, frozen=True, tag_field="put", tag="interface"):
    pass


class PutHarness(HarnessFields, frozen=True, tag_field="put", tag="harness"):
    pass


class RetireContext(BasisFields, frozen=True, tag_field="retire", tag="context"):
    pass


class RetireContract(ContractRetireFields, frozen=True, tag_field="retire", tag="contract"):
    pass


class RetireInterface(InterfaceRetireFields, frozen=True, tag_field="retire", tag="interface"):
    pass


class RetireHarness(HarnessRetireFields, frozen=True, tag_field="retire", tag="harness"):
    pass


PutEntry = PutContext | PutUses | PutBasis | PutContract | PutClauses | PutInterface | PutHarness
RetireEntry = RetireContext | RetireContract | RetireInterface | RetireHarness


class ChangeSet(Input, frozen=True, tag_field="op", tag="change_set"):
    """Put and retire several things as one change: all of it is applied, or nothing is.

    `for` is the title of the change request that the change is work for.
    """

    for_: Title | None = msgspec.field(name="for", default=None)
    puts: list[PutEntry] = []
    retires: list[RetireEntry] = []


# References to what a change request or an address names: an object with one key, the kind.


class ContractRef(Input, frozen=True):
    context: Name
    contract: Name


class InterfaceRef(Input, frozen=True):
    context: Name
    interface: Name


class HarnessRef(Input, frozen=True):
    context: Name
    harness: Name


class ItemTarget(Input, frozen=True):
    context: Name
    interface: Name
    key: Key


class ClauseTarget(Input, frozen=True):
    context: Name
    contract: Name
    label: Label


class CaseTarget(Input, frozen=True):
    context: Name
    harness: Name
    name: CaseName


class TargetRef(Input, frozen=True):
    """Exactly one field is given."""

    project: Literal[True] | UnsetType = UNSET
    context: Name | UnsetType = UNSET
    contract: ContractRef | UnsetType = UNSET
    interface: InterfaceRef | UnsetType = UNSET
    harness: HarnessRef | UnsetType = UNSET
    item: ItemTarget | UnsetType = UNSET
    clause: ClauseTarget | UnsetType = UNSET
    case: CaseTarget | UnsetType = UNSET


class SubjectRef(Input, frozen=True):
    """The subject of a finding; exactly one field is given."""

    context: Name | UnsetType = UNSET
    interface: InterfaceRef | UnsetType = UNSET
    item: ItemTarget | UnsetType = UNSET
    clause: ClauseTarget | UnsetType = UNSET
    case: CaseTarget | UnsetType = UNSET
    change_request: Sentence | UnsetType = UNSET


class Address(Input, frozen=True):
    """A rule and the subject of its finding; without one the whole Project. `item` and `clause` are older forms."""

    rule: RuleId
    subject: SubjectRef | UnsetType | None = UNSET
    item: ItemTarget | UnsetType | None = UNSET
    clause: ClauseTarget | UnsetType | None = UNSET


class RepoEvidence(Input, frozen=True):
    """A place in the repository; `lines` are the first and the last line."""

    path: Sentence
    lines: Lines | None = None


class KnowledgeEvidence(Input, frozen=True):
    reference: Sentence


class Evidence(Input, frozen=True):
    """Exactly one field is given."""

    repo: RepoEvidence | UnsetType = UNSET
    knowledge: KnowledgeEvidence | UnsetType = UNSET


class AssumptionInput(Input, frozen=True):
    """A reading of a request that is settled without asking anybody."""

    statement: Sentence
    reason: Sentence
    evidence: list[Evidence] = []


class CrOpen(Input, frozen=True, tag_field="op", tag="cr_open"):
    """Open a change request: what is asked, which targets it is about and which are to stay."""

    title: Title
    intent: Literal["change_behavior", "keep_behavior"]
    situation: str | None = None
    issuer: str | None = None
    parent: Title | None = None
    targets: list[TargetRef] = []
    keep: list[TargetRef] = []
    addresses: list[Address] = []
    assumptions: list[AssumptionInput] = []


class ByInput(Input, frozen=True):
    """Who decides, as declared; exactly one field is given."""

    person: Sentence | UnsetType = UNSET
    role: Sentence | UnsetType = UNSET


class ResolutionRef(Input, frozen=True):
    """The title of the request that has the place of this one; exactly one field is given."""

    duplicate: Title | UnsetType = UNSET
    superseded: Title | UnsetType = UNSET


class CrResolve(Input, frozen=True, tag_field="op", tag="cr_resolve"):
    """Resolve a change request: how it ended, why, and who says so."""

    title: Title
    resolution: Literal["done", "wont_do", "invalid"] | ResolutionRef
    reason: Sentence
    by: ByInput


class CrReopen(Input, frozen=True, tag_field="op", tag="cr_reopen"):
    """Open a resolved change request again; the resolution it had stays in its history."""

    title: Title
    reason: Sentence
    by: ByInput


class CrAssume(Input, frozen=True, tag_field="op", tag="cr_assume"):
    """Append an assumption to a change request that is open."""

    title: Title
    statement: Sentence
    reason: Sentence
    evidence: list[Evidence] = []


class RecommendedInput(Input, frozen=True):
    reason: Sentence | None = None
    confidence: Percentage | None = None


class OptionInput(Input, frozen=True):
    """One answer to choose; `wording` is the exact new text of the definitions."""

    choice: Sentence
    wording: Sentence | None = None
    consequence: Sentence | None = None
    targets: list[TargetRef] = []
    keep: list[TargetRef] = []
    recommended: RecommendedInput | None = None


class CrCruxRaise(Input, frozen=True, tag_field="op", tag="cr_crux_raise"):
    """Raise a Crux in a change request: a choice that nobody can derive, with its options."""

    in_: Title = msgspec.field(name="in")
    question: Sentence
    kind: Literal["ambiguity", "conflict", "model", "disagreement"]
    options: list[OptionInput]
    importance: Literal["low", "normal", "high"] | None = None
    findings: list[Address] = []
    supersedes: RecordId | None = None


class BasisInput(Input, frozen=True):
    """What a decision rests on: a line of the Policy, or an arbitrary reason; exactly one field is given."""

    policy: LineId | UnsetType = UNSET
    arbitrary: Sentence | UnsetType = UNSET


class BeyondInput(Input, frozen=True):
    """Where the targets outside the request go: titles of requests, or why they are not done; exactly one is given."""

    requests: list[Title] | UnsetType = UNSET
    declined: Sentence | UnsetType = UNSET


class CrCruxDecide(Input, frozen=True, tag_field="op", tag="cr_crux_decide"):
    """Give the decision of a Crux, once: exactly one of `option`, `wording`, `unspecified` and `withdrawn`."""

    crux: RecordId
    basis: BasisInput
    by: ByInput
    option: Sentence | None = None
    wording: Sentence | None = None
    unspecified: list[Sentence] | None = None
    withdrawn: Literal[True] | None = None
    reason: Sentence | None = None
    beyond: BeyondInput | None = None


class PolicyLineInput(Input, frozen=True):
    id: LineId
    text: Sentence


class PolicyPut(Input, frozen=True, tag_field="op", tag="policy_put"):
    """Replace all lines of the Policy."""

    lines: list[PolicyLineInput]


class Rules(Input, frozen=True, tag_field="op", tag="rules"):
    """List every rule: what an operation is refused for, what its input must be, and the checks with their levels."""


class Explain(Input, frozen=True, tag_field="op", tag="explain"):
    """Explain one rule: why it holds, the values it carries, and an operation that violates it."""

    rule: str


Digest = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])", description="a digest: 64 hex digits")]


class CheckRules(Input, frozen=True, tag_field="op", tag="check_rules"):
    """Read the judged rules, and the model they are to be judged on; with `context` only that Context of it."""

    renamed: ClassVar[Mapping[str, str]] = {"hook": "moment"}

    moment: Literal["edit", "pin", "resolve", "check"] | None = None
    rule: str | None = None
    context: Name | None = None


class ReportedFinding(Input, frozen=True):
    """One thing that was found; without a subject it is about the whole Project."""

    message: Sentence
    subject: SubjectRef | UnsetType | None = UNSET
    level: Literal["note", "warning", "error"] | None = None


class FindingReport(Input, frozen=True, tag_field="op", tag="finding_report"):
    """Report what a judged rule finds, all of it: the report replaces the one the rule had."""

    rule: RuleId
    judge: Sentence
    read_at: Annotated[int, Meta(ge=0, description="the store revision that was read")]
    rule_digest: Digest
    findings: list[ReportedFinding]


class CheckRun(Input, frozen=True, tag_field="op", tag="check_run"):
    """Run every check, the project's own programs too, and keep what they say."""


class TextFind(Input, frozen=True, tag_field="op", tag="text_find"):
    """Say where a text occurs in the records that a correction can change, never the text."""

    text: str


class FieldRef(Input, frozen=True):
    """A field of a record, as `text_find` answers it: `assumptions[1].statement`."""

    id: str
    field: str


class CorrectedPlace(Input, frozen=True):
    """A record and a field; exactly one kind of record is given."""

    change_request: FieldRef | UnsetType = UNSET
    crux: FieldRef | UnsetType = UNSET
    measurement: FieldRef | UnsetType = UNSET
    check_run: FieldRef | UnsetType = UNSET


class RecordCorrect(Input, frozen=True, tag_field="op", tag="record_correct"):
    """Replace a text that must not stay with a mark, in the places that are named; no check is run."""

    text: str
    reason: Sentence
    by: ByInput
    places: list[CorrectedPlace]


class Check(Input, frozen=True, tag_field="op", tag="check"):
    """Run every check on the project as it is and keep nothing."""

    context: Name | None = None
    rules: list[Selector] | None = None


class CheckList(Input, frozen=True, tag_field="op", tag="check_list"):
    """List every check with its level, its kind and its moments."""


class Status(Input, frozen=True, tag_field="op", tag="status"):
    """What holds now: Pins, stale citations, what was retired, findings."""

    context: Name | None = None
    sections: (
        list[
            Literal[
                "pins",
                "stale_cites",
                "change_requests",
                "cruxes",
                "awaiting",
                "keep_moved",
                "policy",
                "retired",
                "external",
                "judged",
                "findings",
            ]
        ]
        | None
    ) = None


class View(Input, frozen=True, tag_field="op", tag="view"):
    """Read the part of the model that is asked for."""

    sections: list[Literal["contracts", "interfaces", "harnesses", "change_requests", "cruxes"]]
    contexts: list[Name] | None = None


Operation = (
    Init
    | ContextAdd
    | ContextUses
    | BaseOnContract
    | ContractPut
    | ClausesPut
    | InterfacePut
    | ItemsRekey
    | HarnessPut
    | Pin
    | ContextRetire
    | ContractRetire
    | InterfaceRetire
    | HarnessRetire
    | ChangeSet
    | CrOpen
    | CrAssume
    | CrCruxRaise
    | CrCruxDecide
    | CrResolve
    | CrReopen
    | PolicyPut
    | Check
    | CheckList
    | CheckRules
    | CheckRun
    | FindingReport
    | TextFind
    | RecordCorrect
    | Rules
    | Explain
    | Status
    | View
)

Document = dict[str, Any]
