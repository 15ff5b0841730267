"""The value of `view`, version 5: the part of the model that is asked for, as it is read by programs.

The operation `view`, a judged rule and an external check are given these very values. Every object is open: a
reader ignores a field it does not know, and a field that is added does not change the version. A field of type
`... | UnsetType` has no key when it is not there; one of type `... | None` is there and null.

Source: specification, "Operations" (view), "Acceptance examples as a Harness", "Cruxes and the Policy".
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

VIEW_VERSION: Final = 5

Id = Annotated[str, Meta(description="an id, as chidev gave it")]
Revision = Annotated[int, Meta(ge=1, description="a revision, from 1")]
Position = Annotated[int, Meta(ge=1, description="a line number, from 1")]
Span = tuple[Position, Position]
Time = Annotated[int, Meta(description="milliseconds since 1970-01-01 UTC")]
Kind = Literal["project", "context", "contract", "interface", "harness", "clause", "item", "case"]
SubjectKind = Literal["context", "contract", "interface", "harness", "clause", "item", "case", "change_request", "crux"]


class ClauseView(msgspec.Struct, frozen=True):
    id: Id
    label: str
    revision: Revision
    text: str


class ContractView(msgspec.Struct, frozen=True):
    id: Id
    name: str
    revision: Revision
    title: str
    clauses: list[ClauseView]


class ItemView(msgspec.Struct, frozen=True):
    """An Item and the lines of the Interface's source it is on, both included."""

    id: Id
    key: str
    lines: Span
    revision: Revision


class InterfaceView(msgspec.Struct, frozen=True):
    id: Id
    name: str
    revision: Revision
    source: str
    items: list[ItemView]


class CitedView(msgspec.Struct, frozen=True):
    """What a Case cites, and the revision it had when the Harness was put."""

    id: Id
    revision: Revision


class CitesView(msgspec.Struct, frozen=True):
    items: list[CitedView]
    clauses: list[CitedView]


class ExampleView(msgspec.Struct, frozen=True):
    """The texts of an acceptance example; without `stderr` standard error is not compared."""

    args: str
    stdin: str
    expected: str
    stderr: str | UnsetType = UNSET


class CaseView(msgspec.Struct, frozen=True):
    """A Case of a Harness of examples has `example`, any other its `lines` of the Harness's source."""

    id: Id
    name: str
    revision: Revision
    cites: CitesView
    lines: Span | UnsetType = UNSET
    example: ExampleView | UnsetType = UNSET


class HarnessView(msgspec.Struct, frozen=True):
    """`builds` are ids of Interfaces and are there for sim and examples; `source` for tests and sim."""

    id: Id
    name: str
    kind: Literal["tests", "sim", "examples"]
    revision: Revision
    cases: list[CaseView]
    builds: list[Id] | UnsetType = UNSET
    source: str | UnsetType = UNSET


class ContextView(msgspec.Struct, frozen=True):
    """A Context, its metadata always and the sections that were asked for; `uses` are names of Contexts."""

    id: Id
    name: str
    basis: Literal["interface", "contract"]
    uses: list[str]
    contracts: list[ContractView] | UnsetType = UNSET
    interfaces: list[InterfaceView] | UnsetType = UNSET
    harnesses: list[HarnessView] | UnsetType = UNSET


class SubjectView(msgspec.Struct, frozen=True):
    """What a finding is about, by id."""

    kind: SubjectKind
    id: Id


class AddressView(msgspec.Struct, frozen=True):
    """A rule and the subject of its finding; null is the Project."""

    rule: str
    subject: SubjectView | None


class ExpectView(msgspec.Struct, frozen=True):
    """A target of a request, or of an option: its kind and its id, null for the Project.

    `recorded` is the revision it had; an option that was not chosen has recorded none.
    """

    kind: Literal["target", "keep"]
    target: Kind
    id: Id | None
    recorded: Revision | UnsetType = UNSET


class ByView(msgspec.Struct, frozen=True):
    """Who did it, as it was declared. Exactly one field is there."""

    role: str | UnsetType = UNSET
    person: str | UnsetType = UNSET


class CorrectionView(msgspec.Struct, frozen=True):
    """Which fields were corrected, why, by whom and when; never the text."""

    fields: list[str]
    reason: str
    by: ByView
    at: Time


class ChangeRequestView(msgspec.Struct, frozen=True):
    """`parent` is the id of a request and there only when it has one; the Cruxes raised in it are in `cruxes`."""

    id: Id
    title: str
    intent: str
    state: Literal["open", "decided", "resolved"]
    addresses: list[AddressView]
    expects: list[ExpectView]
    corrections: list[CorrectionView]
    parent: Id | UnsetType = UNSET


class OptionView(msgspec.Struct, frozen=True):
    id: Id
    choice: str
    wording: str | None
    expects: list[ExpectView]
    consequence: str | None


class RecommendedView(msgspec.Struct, frozen=True):
    """`option` is the id of the option recommended; `confidence` is a percentage from 0 to 100."""

    option: Id
    reason: str | None
    confidence: int | None


class ChosenView(msgspec.Struct, frozen=True):
    option: Id
    reason: str | None


class WordedView(msgspec.Struct, frozen=True):
    wording: str
    reason: str | None


class UnspecifiedView(msgspec.Struct, frozen=True):
    """Left free; `keep` is what must still hold."""

    keep: list[str]


class DecisionView(msgspec.Struct, frozen=True):
    """Exactly one field is there."""

    chosen: ChosenView | UnsetType = UNSET
    worded: WordedView | UnsetType = UNSET
    unspecified: UnspecifiedView | UnsetType = UNSET
    withdrawn: Literal[True] | UnsetType = UNSET


class BeyondView(msgspec.Struct, frozen=True):
    """Where what the decision added outside its request went: ids of requests, or why it is not done. One is there."""

    requests: list[Id] | UnsetType = UNSET
    declined: str | UnsetType = UNSET


class PolicyBasisView(msgspec.Struct, frozen=True):
    line: str
    policy_revision: Revision


class ArbitraryBasisView(msgspec.Struct, frozen=True):
    reason: str


class BasisView(msgspec.Struct, frozen=True):
    """What a decision rests on. Exactly one field is there."""

    policy: PolicyBasisView | UnsetType = UNSET
    arbitrary: ArbitraryBasisView | UnsetType = UNSET


class AnswerView(msgspec.Struct, frozen=True):
    """`id` is the id of the decision."""

    id: Id
    decision: DecisionView
    basis: BasisView
    by: ByView
    at: Time
    beyond: BeyondView | UnsetType = UNSET


class CruxView(msgspec.Struct, frozen=True):
    """`raised_in` is the id of the request it stops; `supersedes` the id of a Crux; `answer` is there once decided."""

    id: Id
    raised_in: Id
    findings: list[AddressView]
    kind: Literal["ambiguity", "conflict", "model", "disagreement"]
    question: str
    importance: Literal["low", "normal", "high"] | None
    options: list[OptionView]
    recommended: RecommendedView | None
    supersedes: Id | None
    state: Literal["open", "answered"]
    corrections: list[CorrectionView]
    answer: AnswerView | UnsetType = UNSET


class View(msgspec.Struct, frozen=True):
    """The value of `view`. A section that was not asked for has no key; one that was and is empty is []."""

    version: Literal[5]
    contexts: list[ContextView]
    change_requests: list[ChangeRequestView] | UnsetType = UNSET
    cruxes: list[CruxView] | UnsetType = UNSET
