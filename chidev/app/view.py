"""Reading the part of the model that is asked for.

Source: specification, "Operations" (view).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import UNSET

from chidev.app import inputs, view_types
from chidev.app.commit import project_of
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import ChangeRequest
from chidev.domain.contract import Contract
from chidev.domain.harness import Case, Harness
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
        contexts = store.contexts()
        chosen = contexts if operation.contexts is None else named_contexts(contexts, operation.contexts)
        names = {context.id: context.name for context in contexts}
        sections: set[str] = set(operation.sections)
        requests = [_change_request(r) for r in store.change_requests()] if "change_requests" in sections else UNSET
        read = view_types.View(
            version=view_types.VIEW_VERSION,
            contexts=[_context(store, c, [names[used] for used in c.uses], sections) for c in chosen],
            change_requests=requests,
            cruxes=[] if "cruxes" in sections else UNSET,
        )
        return ViewAnswer(store.revision(), read)


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


def _change_request(request: ChangeRequest) -> view_types.ChangeRequestView:
    return msgspec.convert(
        {
            "id": request.id,
            "title": request.title,
            "intent": request.intent.value,
            "state": "open",
            "addresses": [
                {"rule": a.rule, "subject": {"kind": a.kind, "id": a.id} if a.kind else None} for a in request.addresses
            ],
            "expects": [
                {
                    "kind": e.kind,
                    "target": e.target,
                    "id": None if e.target == "project" else e.id,
                    "recorded": e.recorded,
                }
                for e in request.expects
            ],
            **({"parent": request.parent} if request.parent else {}),
        },
        view_types.ChangeRequestView,
    )
