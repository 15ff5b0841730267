"""What keeps the model: records as plain values with ids of their own.

A store is asked for what an operation needs and told what changed. Everything between `savepoint` and its end is kept
whole or not at all; it is durable when `close_group` has returned.

Source: design, "The store".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import msgspec

from chidev.domain.change_request import Assumption, ChangeRequest, Expectation, Step
from chidev.domain.check_run import CheckRun
from chidev.domain.contract import Contract
from chidev.domain.crux import Answer, Crux
from chidev.domain.decision_policy import DecisionPolicy
from chidev.domain.footprint import Footprint, Place
from chidev.domain.harness import Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface
from chidev.domain.judged_rule import JudgedReport
from chidev.domain.named import Named
from chidev.domain.outline import Asset, Outline, Part
from chidev.domain.pin import Pin
from chidev.domain.project import Context, Project
from chidev.domain.request_outline import RequestLine, RequestOutline
from chidev.domain.retirement import Retired
from chidev.domain.rules.store import RULES


class StoreUnusable(Exception):
    """A store that cannot be opened or read; nothing can be run. The message names the file, as one line."""


class StoreRefused(Exception):
    """A store that did not keep what it was told; nothing of it is kept.

    Attributes:
        rule_id: `store.moved`, `store.locked`, `store.gone`, `store.read-only` or `store.not-written`.
        values: the values of that rule.
    """

    def __init__(self, rule_id: str, **values: Any) -> None:
        super().__init__(rule_id)
        self.rule_id = rule_id
        self.values = values

    def __str__(self) -> str:
        rule = next(rule for rule in RULES if rule.id == self.rule_id)
        return rule.message.format(**self.values)


class Citing(msgspec.Struct, frozen=True):
    """A live Case that cites something, with the names that tell where it is."""

    case: Id
    case_name: str
    harness: Id
    harness_name: str
    context: Id
    context_name: str
    target: Id
    target_name: str
    target_kind: str
    target_asset: Id
    target_asset_name: str
    target_context: Id
    target_context_name: str


class StoreReader(Protocol):
    """Questions; each answers from one state of the store."""

    def reading(self) -> AbstractContextManager[None]:
        """What is asked inside it is answered from one state, also while another process writes."""
        ...

    def revision(self) -> int:
        """How often the store was committed to, e.g. 0 before init."""
        ...

    def project(self) -> Project | None: ...

    def contexts(self) -> list[Context]:
        """Every live Context, in the order they were added."""
        ...

    def context_named(self, name: str) -> Context | None: ...

    def context_names(self) -> list[str]: ...

    def users_of(self, context: Id) -> list[Context]:
        """The Contexts whose `uses` name this one."""
        ...

    def assets(self, context: Id) -> list[Asset]:
        """What a Context holds: Contracts, then Interfaces, then Harnesses, each in the order they were made."""
        ...

    def asset_named(self, context: Id, kind: str, name: str) -> Asset | None: ...

    def asset_names(self, context: Id, kind: str) -> list[str]: ...

    def is_retired_name(self, context: Id, kind: str, name: str) -> bool:
        """Whether a retired asset of that kind had the name in that Context."""
        ...

    def contract(self, asset: Asset) -> Contract: ...

    def interface(self, asset: Asset) -> Interface: ...

    def harness(self, asset: Asset) -> Harness: ...

    def parts(self, asset: Id) -> list[Part]:
        """Clauses, Items or Cases of an asset, in order, without their texts."""
        ...

    def citing(self, targets: Collection[Id]) -> list[Citing]:
        """One entry a citation of one of these parts."""
        ...

    def cited_from(self, context: Id) -> list[Citing]:
        """One entry a citation that a Case of this Context makes of a part of another Context."""
        ...

    def outline(self) -> Outline:
        """The whole model without its texts."""
        ...

    def unsettled(self) -> Outline:
        """What the checks of a confirmation can find something in, in a model of which most is as it should be: every
        Context and asset, the Clauses and Items that nothing cites, and the Pins that may be stale with all they stand
        on now. The checks find the same in it as in the whole outline, `cite.stale` apart."""
        ...

    def neighbourhood(self, parts: Collection[Id], assets: Collection[Id], pinned: Collection[Id] = ()) -> Outline:
        """What a change of these parts and assets can make stale: the Cases that cite one of the parts, with all they
        cite, and the Pins that stood on one of the assets, would stand on it now, or are of one of the `pinned`
        Interfaces, with all they would stand on now."""
        ...

    def pin_code(self, pin: Id) -> str: ...

    def named(self, ids: Collection[Id]) -> dict[Id, Named]:
        """The names of Contexts, assets and parts, live or retired; an id of nothing is left out."""
        ...

    def places(self, ids: Collection[Id]) -> dict[Id, Place]:
        """Where some Contexts, assets and parts are, or were before they were retired."""
        ...

    def retired(self) -> list[Retired]:
        """In the order of retiring."""
        ...

    def retired_pins(self) -> list[Id]:
        """The retired Interfaces that have a Pin, in the order of their ids."""
        ...

    def change_request_titled(self, title: str) -> ChangeRequest | None: ...

    def change_requests(self) -> list[ChangeRequest]:
        """In the order they were opened."""
        ...

    def change_request_titles(self) -> list[str]: ...

    def titles(self, requests: Collection[Id]) -> dict[Id, str]:
        """The titles of some requests."""
        ...

    def parts_of_request(self, request: Id) -> list[RequestLine]:
        """The requests that name this one as their parent, in the order they were opened."""
        ...

    def requests_addressing(self, subjects: Collection[Id]) -> dict[tuple[str, Id | None], list[RequestLine]]:
        """By rule and subject: the requests that address one of these subjects, or (as None) the Project."""
        ...

    def decided_without(self, request: Id, crux: Id) -> list[Expectation]:
        """`ChangeRequest.decided` of a request as it would be if what the decision of one Crux asks were taken back."""
        ...

    def crux(self, id_: str) -> Crux | None: ...

    def cruxes(self, request: Id | None = None) -> list[Crux]:
        """Every Crux, or those raised in one request, in the order they were raised."""
        ...

    def crux_ids(self) -> list[Id]:
        """In the order they were raised."""
        ...

    def superseding(self, crux: Id) -> list[Crux]:
        """The Cruxes that were raised to replace the decision of this one, in the order they were raised."""
        ...

    def decision_policy(self) -> DecisionPolicy: ...

    def footprints(self, request: Id | None = None) -> list[Footprint]:
        """What the sets for one request, or for any, moved; in the order they were made."""
        ...

    def requests_near(self, touched: Collection[Id]) -> set[Id]:
        """The open requests that keep one of these targets (of their own or by a decision that stands), or whose own
        sets moved or renamed one of them outside their frame."""
        ...

    def requests_meeting(self, request: Id) -> set[Id]:
        """The open requests that keep what this one targets, of its own or by a decision that stands: the same target,
        or the asset that a targeted part is in. Whether this one is open is not asked; it may be among them."""
        ...

    def request_outline(
        self, judged: Collection[Id] | None = None, lines: Collection[str] = (), resolving: Id | None = None
    ) -> RequestOutline:
        """What the checks of requests judge: all requests, or around a change only some.

        Args:
            judged: the requests to judge; None for every one. Without None, `parents`, `worked` and `undecided` are
                left empty, since no check of the edit moment asks for them.
            lines: the ids of the Policy lines whose decisions are asked for in `derived`; with `judged` None, all are.
            resolving: handed on.

        `expects` has what the judged requests ask, and every `target` of an open request that is the same as what a
        judged request keeps, or a part of it; the requests it is of are in `requests` too. `outside` has, for judged
        requests, what `outside_moves` tells of their footprints, without what is taken back.
        """
        ...

    def model_revision(self) -> int:
        """The revision of the store at which the model last moved."""
        ...

    def check_runs(self) -> list[CheckRun]:
        """The latest run of each external check, by the id of the rule."""
        ...

    def every_check_run(self) -> list[CheckRun]:
        """In the order in which they were kept."""
        ...

    def judged_reports(self) -> list[JudgedReport]:
        """The latest report of each judged rule, by its id."""
        ...


class Store(StoreReader, Protocol):
    """A store that can be written. One writer at a time; the first `savepoint` of a group waits for the others."""

    def savepoint(self) -> AbstractContextManager[None]:
        """Keeps what is written inside it, or nothing when an exception leaves it.

        Raises:
            StoreRefused: another process writes for too long, or the store can only be read.
        """
        ...

    def close_group(self) -> None:
        """Make durable what the savepoints since the last call kept.

        Raises:
            StoreRefused: nothing of the group was kept.
        """
        ...

    def group_is_open(self) -> bool:
        """Whether savepoints were kept that are not durable yet; a full disk can end a group by itself."""
        ...

    def drop_group(self) -> None:
        """Forget what the savepoints since the last `close_group` kept."""
        ...

    def count_commit(self, moves_model: bool) -> None:
        """Move the revision of the store by one, and that of the model to it when it moved."""
        ...

    def add_project(self, project: Project) -> None: ...

    def set_project_revision(self, revision: int) -> None: ...

    def put_context(self, context: Context) -> None:
        """Add or replace it, with its uses."""
        ...

    def remove_context(self, context: Id) -> None: ...

    def put_contract(self, old: Contract | None, new: Contract) -> None: ...

    def put_interface(self, old: Interface | None, new: Interface) -> None: ...

    def put_harness(self, old: Harness | None, new: Harness) -> None: ...

    def remove_asset(self, asset: Id) -> None:
        """Take an asset out of the live model, with its parts and what its Cases cite."""
        ...

    def add_retired(self, retired: Sequence[Retired], context: Id) -> None:
        """Record what left a Context."""
        ...

    def add_pin(self, pin: Pin, code: str) -> None: ...

    def add_change_request(self, request: ChangeRequest) -> None: ...

    def add_step(self, request: Id, step: Step) -> None:
        """Append to the history of a request: it is resolved, or open again, from then on."""
        ...

    def add_assumption(self, request: Id, assumption: Assumption) -> None: ...

    def add_crux(self, crux: Crux) -> None:
        """A Crux that has no answer yet."""
        ...

    def add_answer(self, crux: Id, answer: Answer) -> None: ...

    def add_decided(self, crux: Id, request: Id, expects: Sequence[Expectation]) -> None:
        """What the decision of a Crux asks, from now on, of the targets of the request it was raised in.

        A target that two standing decisions ask is one of `ChangeRequest.decided`, as the first recorded it.
        """
        ...

    def take_back(self, decided: Id, by: Id) -> None:
        """What the decision of one Crux asked no longer stands, since another Crux replaced it."""
        ...

    def put_decision_policy(self, policy: DecisionPolicy) -> None: ...

    def add_footprint(self, footprint: Footprint) -> None: ...

    def add_check_run(self, run: CheckRun) -> None:
        """It is the latest run of its rule from then on; the earlier ones are kept."""
        ...

    def put_corrected(self, record: ChangeRequest | Crux | CheckRun) -> None:
        """Replace the texts of a record, and keep what its history or its corrections have more than before."""
        ...

    def clear(self, text: str) -> str | None:
        """Write the file again without what was removed from it; outside a group.

        Returns:
            Why the bytes of the text may still be in the file, or in one beside it; None when they are not.
        """
        ...

    def put_judged_report(self, report: JudgedReport) -> None:
        """It replaces the report that the rule had, and all its findings."""
        ...
