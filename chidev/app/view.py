"""Reading the part of the model that is asked for.

Source: specification, "Operations" (view).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from chidev.app import inputs, view_types
from chidev.app.commit import project_of
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import Address, By, state_of
from chidev.domain.contract import Contract
from chidev.domain.crux import Answer, Crux, Decision, Form, Option
from chidev.domain.harness import Case, Harness
from chidev.domain.identity import Id
from chidev.domain.interface import Interface
from chidev.domain.outline import Asset
from chidev.domain.project import Context
from chidev.domain.rule import Refused


class ViewAnswer(msgspec.Struct, frozen=True):
    store_revision: int
    view: view_types.View


def view(operation: inputs.View, services: Services) -> ViewAnswer:
    """The sections and Contexts asked for, from one state of the store.

    Raises:
        Refused: `project.none`, or `input.unknown-name` for each Context that is not there.
    """
    store = services.store
    with store.reading():
        project_of(store)
        return ViewAnswer(store.revision(), read_view(store, operation.sections, operation.contexts))


def read_view(store: StoreReader, sections: Collection[str], names: Collection[str] | None = None) -> view_types.View:
    """The sections of some Contexts, by their names, or of all.

    Raises:
        Refused: `input.unknown-name` for each Context that is not there.
    """
    contexts = store.contexts()
    chosen = contexts if names is None else named_contexts(contexts, names)
    called = {context.id: context.name for context in contexts}
    wanted = set(sections)
    cruxes = store.cruxes() if {"change_requests", "cruxes"} & wanted else []
    return view_types.View(
        version=view_types.VIEW_VERSION,
        contexts=[_context(store, c, [called[used] for used in c.uses], wanted) for c in chosen],
        change_requests=list(_change_requests(store, cruxes)) if "change_requests" in wanted else UNSET,
        cruxes=[crux_view(crux) for crux in cruxes] if "cruxes" in wanted else UNSET,
    )


class Views:
    """Views of one state of a store, each read once. Whoever asks holds the state (`StoreReader.reading`)."""

    def __init__(self, store: StoreReader) -> None:
        self._store = store
        self._read: dict[frozenset[str], view_types.View] = {}

    def of(self, sections: Collection[str]) -> view_types.View:
        """The sections of every Context."""
        key = frozenset(sections)
        if key not in self._read:
            self._read[key] = read_view(self._store, sections)
        return self._read[key]


def named_contexts(contexts: Sequence[Context], names: Collection[str]) -> list[Context]:
    """The Contexts of these names, in the order of the model.

    Raises:
        Refused: every name that is none.
    """
    known = [context.name for context in contexts]
    unknown = [(n, name) for n, name in enumerate(names) if name not in known]
    if unknown:
        raise Refused(*(unknown_name("context", name, f"contexts[{n}]", known) for n, name in unknown))
    return [context for context in contexts if context.name in set(names)]


def _context(store: StoreReader, context: Context, uses: list[str], sections: set[str]) -> view_types.ContextView:
    by_kind: dict[str, list[Asset]] = {"contract": [], "interface": [], "harness": []}
    if sections & {"contracts", "interfaces", "harnesses"}:
        for asset in store.assets(context.id):
            by_kind[asset.kind].append(asset)
    return view_types.ContextView(
        id=context.id,
        name=context.name,
        basis=context.basis.value,
        uses=uses,
        contracts=[_contract(store.contract(a)) for a in by_kind["contract"]] if "contracts" in sections else UNSET,
        interfaces=[_interface(store.interface(a)) for a in by_kind["interface"]]
        if "interfaces" in sections
        else UNSET,
        harnesses=[_harness(store.harness(a)) for a in by_kind["harness"]] if "harnesses" in sections else UNSET,
    )


def _contract(contract: Contract) -> view_types.ContractView:
    clauses = [view_types.ClauseView(c.id, c.label, c.revision, c.text) for c in contract.clauses]
    return view_types.ContractView(contract.id, contract.name, contract.revision, contract.title, clauses)


def _interface(interface: Interface) -> view_types.InterfaceView:
    items = [view_types.ItemView(i.id, i.key, (i.first, i.last), i.revision) for i in interface.items]
    return view_types.InterfaceView(interface.id, interface.name, interface.revision, interface.source, items)


def _harness(harness: Harness) -> view_types.HarnessView:
    return view_types.HarnessView(
        id=harness.id,
        name=harness.name,
        kind=harness.kind.value,
        revision=harness.revision,
        source=harness.source,
        cases=[_case(case) for case in harness.cases],
    )


def _case(case: Case) -> view_types.CaseView:
    cited = {
        kind: [view_types.CitedView(c.target, c.revision) for c in case.cites if c.kind == kind]
        for kind in ("item", "clause")
    }
    cites = view_types.CitesView(cited["item"], cited["clause"])
    return view_types.CaseView(case.id, case.name, case.revision, cites, lines=(case.first, case.last))


def _change_requests(store: StoreReader, cruxes: Sequence[Crux]) -> Iterator[view_types.ChangeRequestView]:
    raised = Counter(crux.request for crux in cruxes)
    undecided = Counter(crux.request for crux in cruxes if crux.answer is None)
    for request in store.change_requests():
        yield view_types.ChangeRequestView(
            id=request.id,
            title=request.title,
            intent=request.intent.value,
            state=state_of(
                is_resolved=request.resolved is not None,
                cruxes=raised[request.id],
                undecided=undecided[request.id],
            ).value,
            addresses=[_address(address) for address in request.addresses],
            expects=[
                view_types.ExpectView(_word(e.kind), _word(e.target), _id(e.target, e.id), e.recorded)
                for e in request.expects
            ],
            corrections=[_correction(s.corrected, s.reason, s.by, s.at) for s in request.history if s.corrected],
            parent=request.parent or UNSET,
        )


def _address(address: Address) -> view_types.AddressView:
    subject = view_types.SubjectView(_word(address.kind), address.id) if address.kind and address.id else None
    return view_types.AddressView(address.rule, subject)


def _word(word: str) -> Any:
    """A word of a record, for a field that takes only some words."""
    return word


def _id(kind: str, id_: Id) -> Id | None:
    return None if kind == "project" else id_


def crux_view(crux: Crux) -> view_types.CruxView:
    """A Crux as it was recorded."""
    recommended = crux.recommended
    return view_types.CruxView(
        id=crux.id,
        raised_in=crux.request,
        findings=[_address(address) for address in crux.findings],
        kind=crux.kind.value,
        question=crux.question,
        importance=crux.importance.value if crux.importance else None,
        options=[_option(option) for option in crux.options],
        recommended=view_types.RecommendedView(recommended.option, recommended.reason, recommended.confidence)
        if recommended
        else None,
        supersedes=crux.supersedes,
        state="answered" if crux.answer else "open",
        corrections=[_correction(c.fields, c.reason, c.by, c.at) for c in crux.corrections],
        answer=_answer(crux.answer) if crux.answer else UNSET,
    )


def _correction(fields: Sequence[str], reason: str, by: By, at: int) -> view_types.CorrectionView:
    return view_types.CorrectionView(list(fields), reason, _by(by), at)


def _by(by: By) -> view_types.ByView:
    return view_types.ByView(**{by.kind: by.name})


def _option(option: Option) -> view_types.OptionView:
    expects = [
        view_types.ExpectView(_word(asked.kind), _word(asked.target), _id(asked.target, asked.id))
        for asked in option.expects
    ]
    return view_types.OptionView(option.id, option.choice, option.wording, expects, option.consequence)


def _answer(answer: Answer) -> view_types.AnswerView:
    beyond = answer.beyond
    basis = answer.basis
    if basis.line:
        read_basis = view_types.BasisView(policy=view_types.PolicyBasisView(basis.line, basis.policy_revision or 1))
    else:
        read_basis = view_types.BasisView(arbitrary=view_types.ArbitraryBasisView(basis.reason or ""))
    return view_types.AnswerView(
        id=answer.id,
        decision=_decision(answer.decision),
        basis=read_basis,
        by=_by(answer.by),
        at=answer.at,
        beyond=view_types.BeyondView(list(beyond.requests) or UNSET, beyond.declined or UNSET) if beyond else UNSET,
    )


def _decision(decision: Decision) -> view_types.DecisionView:
    if decision.form is Form.CHOSEN and decision.option:
        return view_types.DecisionView(chosen=view_types.ChosenView(decision.option, decision.reason))
    if decision.form is Form.WORDED:
        return view_types.DecisionView(worded=view_types.WordedView(decision.wording or "", decision.reason))
    if decision.form is Form.UNSPECIFIED:
        return view_types.DecisionView(unspecified=view_types.UnspecifiedView(list(decision.keep)))
    return view_types.DecisionView(withdrawn=True)
