"""Operations that hypothesis makes up, over few names, so that they meet; and running them on any store."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import msgspec
from hypothesis import strategies as st

from chidev.app.commit import Trigger
from chidev.app.operations import BY_TYPE
from chidev.app.policy import Policy
from chidev.app.ports.files import FileRefused
from chidev.app.ports.provider import FoundItems, ProviderRefused
from chidev.app.ports.services import Services
from chidev.app.ports.store import Store
from chidev.app.protocol import read_line
from chidev.app.registry import Registry
from chidev.domain.identity import Id
from chidev.domain.rule import Refused
from tests.fakes.programs import NoPrograms
from tests.running import Json, as_put, as_retire

CONTEXTS = st.sampled_from(["a", "b"])
CONTRACTS = st.sampled_from(["k", "m"])
INTERFACES = st.sampled_from(["i", "j"])
HARNESSES = st.sampled_from(["t", "u"])
LABELS = st.sampled_from(["C1", "C2", "C3"])
KEYS = st.sampled_from(["x", "y"])
WORDS = st.sampled_from(["one", "two", "three"])
SOURCES = WORDS.map("{}\nb\n".format)
CLAUSES = st.fixed_dictionaries({"label": LABELS, "text": WORDS}, optional={"replaces": LABELS})
ITEMS = st.fixed_dictionaries(
    {"key": KEYS, "lines": st.sampled_from([[1, 1], [2, 2], [1, 2]])}, optional={"replaces": KEYS}
)
CITES = {
    "items": st.lists(
        st.fixed_dictionaries({"interface": INTERFACES, "key": KEYS}, optional={"context": CONTEXTS}),
        min_size=1,
        max_size=2,
    ),
    "clauses": st.lists(
        st.fixed_dictionaries({"contract": CONTRACTS, "label": LABELS}, optional={"context": CONTEXTS}), max_size=2
    ),
}
CASES = st.fixed_dictionaries({"name": st.sampled_from(["p", "q"]), "lines": st.just([1, 1]), **CITES})


def _clause(context: str, label: str, contract: str = "k") -> Json:
    return {"clause": {"context": context, "contract": contract, "label": label}}


def operation(word: str, **fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries({"op": st.just(word), **fields})


def some(of: st.SearchStrategy[Json], key: str) -> st.SearchStrategy[list[Json]]:
    """At most two, each with a name of its own."""
    return st.lists(of, max_size=2, unique_by=lambda thing: thing[key])


EDITS_OF_ONE = st.one_of(
    operation("context_uses", context=CONTEXTS, uses=st.lists(CONTEXTS, max_size=1)),
    operation("contract_put", context=CONTEXTS, name=CONTRACTS, title=WORDS, clauses=some(CLAUSES, "label")),
    operation("clauses_put", context=CONTEXTS, contract=CONTRACTS, clauses=some(CLAUSES, "label"), remove=st.just([])),
    operation("clauses_put", context=CONTEXTS, contract=CONTRACTS, remove=st.lists(LABELS, max_size=1)),
    operation("interface_put", context=CONTEXTS, name=INTERFACES, source=SOURCES, items=some(ITEMS, "key")),
    operation("harness_put", context=CONTEXTS, name=HARNESSES, source=WORDS, cases=some(CASES, "name")),
    operation("contract_retire", context=CONTEXTS, contract=CONTRACTS),
    operation("interface_retire", context=CONTEXTS, interface=INTERFACES),
    operation("harness_retire", context=CONTEXTS, harness=HARNESSES),
    operation("base_on_contract", context=CONTEXTS),
)
PINS = operation("pin", context=CONTEXTS, interface=INTERFACES, code=WORDS)
BY = {"person": "ada"}
TITLES = WORDS
TARGETS = st.one_of(
    st.just({"project": True}),
    CONTEXTS.map(lambda context: {"context": context}),
    st.builds(lambda c, k: {"contract": {"context": c, "contract": k}}, CONTEXTS, CONTRACTS),
    st.builds(lambda c, k, label: _clause(c, label, k), CONTEXTS, CONTRACTS, LABELS),
    st.builds(lambda c, key: {"item": {"context": c, "interface": "i", "key": key}}, CONTEXTS, KEYS),
    st.builds(lambda c: {"harness": {"context": c, "harness": "t"}}, CONTEXTS),
    st.builds(lambda c: {"case": {"context": c, "harness": "t", "name": "p"}}, CONTEXTS),
)
ASKED = {"targets": st.lists(TARGETS, max_size=2, unique_by=str), "keep": st.lists(TARGETS, max_size=1)}
ADDRESSES = st.builds(
    lambda context, rule: [{"rule": rule, "subject": {"interface": {"context": context, "interface": "i"}}}],
    CONTEXTS,
    st.sampled_from(["pin.stale", "cite.stale"]),
)
REQUESTS = st.one_of(
    st.fixed_dictionaries(
        {
            "op": st.just("cr_open"),
            "title": TITLES,
            "intent": st.sampled_from(["keep_behavior", "change_behavior"]),
            **ASKED,
        },
        optional={"parent": TITLES, "addresses": ADDRESSES},
    ),
    operation(
        "cr_resolve",
        title=TITLES,
        resolution=st.sampled_from(["done", "wont_do", {"duplicate": "one"}, {"superseded": "two"}]),
        reason=WORDS,
        by=st.just(BY),
    ),
    operation("cr_reopen", title=TITLES, reason=WORDS, by=st.just(BY)),
    operation("cr_assume", title=TITLES, statement=WORDS, reason=WORDS),
)
# A Crux is named by its place among all, an option by that and its own: `Runner` puts the ids in.
CRUX = st.sampled_from(["@crux:0", "@crux:1", "@crux:2"])
OPTIONS = st.lists(
    st.fixed_dictionaries({"choice": WORDS, **ASKED}), min_size=1, max_size=2, unique_by=lambda option: option["choice"]
)
LINES_OF_POLICY = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from(["P1", "P2"]), "text": WORDS}), max_size=2, unique_by=lambda x: x["id"]
)
BASES = st.sampled_from([{"policy": "P1"}, {"policy": "P2"}, {"arbitrary": "so"}])
FORMS = st.sampled_from([{"option": "@option:0"}, {"option": "@option:1"}, {"wording": "w"}, {"withdrawn": True}])
BEYOND = st.sampled_from([{}, {}, {"beyond": {"declined": "no"}}, {"beyond": {"requests": ["two"]}}])
CRUXES = st.one_of(
    st.fixed_dictionaries(
        {
            "op": st.just("cr_crux_raise"),
            "in": TITLES,
            "question": WORDS,
            "kind": st.just("conflict"),
            "options": OPTIONS,
        },
        optional={"supersedes": CRUX},
    ),
    st.builds(
        lambda crux, form, basis, beyond: {
            "op": "cr_crux_decide",
            "crux": crux,
            "basis": basis,
            "by": BY,
            **form,
            **beyond,
        },
        CRUX,
        FORMS,
        BASES,
        BEYOND,
    ),
    operation("policy_put", lines=LINES_OF_POLICY),
)


def as_set(operations: list[Json]) -> Json:
    retires = [line for line in operations if line["op"].endswith("_retire")]
    puts = [line for line in operations if line not in retires]
    return {
        "op": "change_set",
        "puts": [as_put(line) for line in puts],
        "retires": [as_retire(line) for line in retires],
    }


SETS = st.lists(EDITS_OF_ONE, min_size=2, max_size=3, unique_by=str).map(as_set)
WORK = st.builds(lambda line, title: as_set([line]) | {"for": title}, EDITS_OF_ONE, TITLES)
LINES = st.one_of(
    *(EDITS_OF_ONE, EDITS_OF_ONE, WORK, WORK, PINS, SETS, REQUESTS, CRUXES),
    operation("context_retire", context=CONTEXTS),
)


def _case(name: str, context: str) -> Json:
    return {
        "name": name,
        "lines": [1, 1],
        "items": [{"context": context, "interface": "i", "key": "x"}],
        "clauses": [{"contract": "k", "label": "C1"}, {"context": context, "contract": "k", "label": "C2"}],
    }


def _filled(context: str, *used: str) -> list[Json]:
    return [
        {"op": "context_add", "name": context, "uses": list(used)},
        {
            "op": "contract_put",
            "context": context,
            "name": "k",
            "title": "t",
            "clauses": [{"label": "C1", "text": "one"}, {"label": "C2", "text": "two"}],
        },
        {
            "op": "interface_put",
            "context": context,
            "name": "i",
            "source": "one\nb\n",
            "items": [{"key": "x", "lines": [1, 1]}, {"key": "y", "lines": [2, 2]}],
        },
        {
            "op": "harness_put",
            "context": context,
            "name": "t",
            "source": "one",
            "cases": [_case("p", context), *(_case("q", other) for other in used)],
        },
        {"op": "pin", "context": context, "interface": "i", "code": "one"},
    ]


BEGINNING: list[Json] = [
    {"op": "init"},
    *_filled("b"),
    *_filled("a", "b"),
    {"op": "policy_put", "lines": [{"id": "P1", "text": "one"}]},
    {"op": "cr_open", "title": "one", "intent": "change_behavior", "targets": [_clause("a", "C1"), _clause("b", "C1")]},
    {
        "op": "cr_open",
        "title": "two",
        "intent": "keep_behavior",
        "targets": [{"context": "b"}],
        "keep": [_clause("a", "C2"), {"contract": {"context": "a", "contract": "k"}}],
    },
    {
        "op": "cr_crux_raise",
        "in": "one",
        "question": "which",
        "kind": "conflict",
        "options": [
            {"choice": "change", "targets": [_clause("a", "C1")]},
            {"choice": "keep", "keep": [_clause("b", "C2")]},
        ],
    },
]


class Nothing:
    """Files and a provider of a project that has neither."""

    def read_text(self, path: str) -> str:
        raise FileRefused(path, "there is no such file")

    def find_items(self, context: str, interface: str, source: str) -> FoundItems:
        raise ProviderRefused("items.no-provider", None, "chidev.toml has no table [measure]")


class Runner:
    """Runs operations on a store one after another and keeps all of them in one group, which nobody closes."""

    def __init__(self, store: Store) -> None:
        numbers = count(1)
        self.store = store
        self.services = Services(
            store=store,
            files=Nothing(),
            provider=Nothing(),
            policy=Policy(),
            registry=Registry(),
            programs=NoPrograms(),
            new_id=lambda: Id(f"00000000-0000-7000-8000-{next(numbers):012}"),
            clock=lambda: 1_000,
            before_slow=lambda: None,
        )

    def __call__(self, line: Json) -> Json:
        """The fields of the answer, or the rules, fields and values of the refusal."""
        read = read_line(self.with_ids(json.dumps(line)).encode(), 1)
        if read.operation is None:
            return {"refused": [(violation.rule.id, violation.field) for violation in read.violations]}
        try:
            answer = BY_TYPE[type(read.operation)].does(read.operation, self.services)
        except Refused as refused:
            return {"refused": [(v.rule.id, v.field, dict(v.values)) for v in refused.violations]}
        return dict(msgspec.to_builtins(answer))

    def with_ids(self, text: str) -> str:
        """The line with the ids of Cruxes and their options where it names them by their places."""
        if "@" not in text:
            return text
        cruxes = self.store.cruxes()
        named = next((crux for n, crux in enumerate(cruxes) if f"@crux:{n}" in text), None)
        for n, crux in enumerate(cruxes):
            text = text.replace(f"@crux:{n}", crux.id)
        for n, option in enumerate(named.options if named else ()):
            text = text.replace(f"@option:{n}", option.id)
        return text

    def is_edit(self, line: Json) -> bool:
        read = read_line(self.with_ids(json.dumps(line)).encode(), 1)
        return read.operation is not None and BY_TYPE[type(read.operation)].kind is Trigger.EDIT
