"""Operations in any order, against a small model of the rules that was written from the specification alone.

A refused operation changes nothing; an accepted one moves the store by one and leaves what the model says; a question
moves nothing; no id is given twice.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from chidev.infra.sqlite_store import SqliteStore
from tests.app.plain_model import Model, RefusedByModel, snapshot
from tests.random_lines import Runner
from tests.running import SECTIONS, Json, as_put

CONTEXTS = st.sampled_from(["a", "b", "c"])
CONTRACTS = st.sampled_from(["k", "m"])
LABELS = ["C1", "C2", "C3"]
TEXTS = st.sampled_from(["one", "two"])
CLAUSES = st.dictionaries(st.sampled_from(LABELS), TEXTS)
SOURCES = st.sampled_from(["one\ntwo\n", "two\none\n"])
KEYS = st.sets(st.sampled_from(["x", "y"]))
CITED = st.lists(st.tuples(CONTEXTS, st.sampled_from(["k C1", "k C2", "m C1", "i x", "i y"])), max_size=3)
CASES = st.dictionaries(st.sampled_from(["p", "q"]), CITED.map(lambda cited: [("", "i x"), *cited]), max_size=2)
KINDS = {"contract": ["k", "m"], "interface": ["i"], "harness": ["t"]}


class Operations(RuleBasedStateMachine):
    """Runs each operation on a store on disk and on the model, and compares."""

    store: SqliteStore

    def __init__(self) -> None:
        super().__init__()
        self.run = Runner(self.store)
        self.model = Model()
        self.gone: set[str] = set()
        self.live: set[str] = set()

    @initialize()
    def begin(self) -> None:
        assert "refused" not in self.run({"op": "init"})
        for name, used in (("b", []), ("a", ["b"])):
            self.add_context(name, list(used))
            self.put_contract(name, "k", {"C1": "one", "C2": "two"}, None)
            self.put_interface(name, "one\ntwo\n", {"x", "y"})
            self.put_harness(name, {"p": [("", "i x"), *((other, "k C1") for other in used)]})

    def teardown(self) -> None:
        self.store.drop_group()

    def tries(self, line: Json, as_the_model_says: Callable[[], None]) -> None:
        """Run a line; it has to be accepted where the model accepts it, and to change nothing where it does not."""
        before = self.everything()
        try:
            as_the_model_says()
        except RefusedByModel:
            answer = self.run(line)
            event(f"{line['op']} refused")
            assert "refused" in answer, (line, answer)
            assert self.everything() == before
        else:
            answer = self.run(line)
            event(f"{line['op']} accepted")
            assert "refused" not in answer, (line, answer)
            assert self.store.revision() == before[1]["store_revision"] + 1

    def everything(self) -> list[Json]:
        return [self.run({"op": "view", "sections": SECTIONS}), self.run({"op": "status"})]

    @rule(name=CONTEXTS, uses=st.lists(CONTEXTS, max_size=2))
    def add_context(self, name: str, uses: list[str]) -> None:
        self.tries({"op": "context_add", "name": name, "uses": uses}, lambda: self.model.add_context(name, uses))

    @rule(name=CONTEXTS, uses=st.lists(CONTEXTS, max_size=2))
    def set_uses(self, name: str, uses: list[str]) -> None:
        self.tries({"op": "context_uses", "context": name, "uses": uses}, lambda: self.model.set_uses(name, uses))

    @rule(name=CONTEXTS, contract=CONTRACTS, clauses=CLAUSES, replaced=st.sampled_from([None, *LABELS]))
    def put_contract(self, name: str, contract: str, clauses: dict[str, str], replaced: str | None) -> None:
        replaces = {next(iter(clauses)): replaced} if replaced and clauses else {}
        line = contract_put(name, contract, clauses, replaces)
        self.tries(line, lambda: self.model.put_contract(name, contract, clauses, replaces))

    @rule(name=CONTEXTS, contract=CONTRACTS, clauses=CLAUSES, remove=st.lists(st.sampled_from(LABELS), max_size=1))
    def put_clauses(self, name: str, contract: str, clauses: dict[str, str], remove: list[str]) -> None:
        listed = [{"label": label, "text": text} for label, text in clauses.items()]
        line = {"op": "clauses_put", "context": name, "contract": contract, "clauses": listed, "remove": remove}
        self.tries(line, lambda: self.model.put_clauses(name, contract, clauses, remove))

    @rule(name=CONTEXTS, source=SOURCES, keys=KEYS)
    def put_interface(self, name: str, source: str, keys: set[str]) -> None:
        line = interface_put(name, source, keys)
        self.tries(line, lambda: self.model.put_interface(name, items_of(source, keys)))

    @rule(name=CONTEXTS, cases=CASES)
    def put_harness(self, name: str, cases: dict[str, list[tuple[str, str]]]) -> None:
        self.tries(harness_put(name, cases), lambda: self.model.put_harness(name, cases))

    @rule(name=CONTEXTS, kind=st.sampled_from(list(KINDS)), data=st.data())
    def retire(self, name: str, kind: str, data: st.DataObject) -> None:
        asset = data.draw(st.sampled_from(KINDS[kind]))
        line = {"op": f"{kind}_retire", "context": name, kind: asset}
        self.tries(line, lambda: self.model.retire(name, kind, asset))

    @rule(name=CONTEXTS)
    def retire_context(self, name: str) -> None:
        self.tries({"op": "context_retire", "context": name}, lambda: self.model.retire_context(name))

    @rule(name=CONTEXTS, clauses=CLAUSES, source=SOURCES, keys=KEYS, cases=CASES, order=st.permutations(range(3)))
    def put_together(
        self,
        name: str,
        clauses: dict[str, str],
        source: str,
        keys: set[str],
        cases: dict[str, list[tuple[str, str]]],
        order: list[int],
    ) -> None:
        """A set that is right leaves what its parts leave in the order that the rules need."""
        parts = [contract_put(name, "k", clauses, {}), interface_put(name, source, keys), harness_put(name, cases)]
        line = {"op": "change_set", "puts": [as_put(parts[n]) for n in order]}

        def as_parts() -> None:
            # The citations of the Harness that is put do not hold back what the set takes away.
            context = self.model.context(name)
            held = context.harnesses.pop("t", None)
            try:
                self.model.put_contract(name, "k", clauses, {})
                self.model.put_interface(name, items_of(source, keys))
                self.model.put_harness(name, cases)
            except RefusedByModel:
                if held is not None:
                    context.harnesses["t"] = held
                raise

        self.tries_whole(line, as_parts)

    def tries_whole(self, line: Json, as_the_model_says: Callable[[], None]) -> None:
        """As `tries`, for steps of which a later one may be refused: the model is kept as it was then."""
        kept = snapshot(self.model)

        def whole() -> None:
            try:
                as_the_model_says()
            except RefusedByModel:
                kept()
                raise

        self.tries(line, whole)

    @invariant()
    def every_part_has_the_text_and_the_revision_that_the_model_says(self) -> None:
        found = {}
        for context in self.run({"op": "view", "sections": ["contracts", "interfaces"]})["view"]["contexts"]:
            for contract in context["contracts"]:
                for clause in contract["clauses"]:
                    found[context["name"], contract["name"], clause["label"]] = (clause["text"], clause["revision"])
            for interface in context["interfaces"]:
                lines = interface["source"].split("\n")
                for item in interface["items"]:
                    text = lines[item["lines"][0] - 1]
                    found[context["name"], interface["name"], item["key"]] = (text, item["revision"])
        assert found == self.model.parts()

    @invariant()
    def the_citations_that_are_behind_are_those_of_the_model(self) -> None:
        stale = self.run({"op": "status", "sections": ["stale_cites"]})["stale_cites"]

        assert {(one["context"], one["case"], one["cited"], one["now"]) for one in stale} == self.model.stale()

    @invariant()
    def an_id_that_went_does_not_come_back(self) -> None:
        outline = self.store.outline()
        live: set[str] = {*outline.contexts, *outline.assets, *outline.parts}

        assert not self.gone & live
        self.gone |= self.live - live
        self.live = live


def contract_put(context: str, name: str, clauses: dict[str, str], replaces: dict[str, str]) -> Json:
    listed = [
        {"label": label, "text": text, **({"replaces": replaces[label]} if label in replaces else {})}
        for label, text in clauses.items()
    ]
    return {"op": "contract_put", "context": context, "name": name, "title": "t", "clauses": listed}


def items_of(source: str, keys: set[str]) -> dict[str, str]:
    """The Item `x` is on the first line, and `y` on the second."""
    return {key: source.split("\n")["xy".index(key)] for key in keys}


def interface_put(context: str, source: str, keys: set[str]) -> Json:
    items = [{"key": key, "lines": [("xy".index(key) + 1)] * 2} for key in sorted(keys)]
    return {"op": "interface_put", "context": context, "name": "i", "source": source, "items": items}


def harness_put(context: str, cases: dict[str, list[tuple[str, str]]]) -> Json:
    def refs(cited: list[tuple[str, str]], *, items: bool) -> list[Json]:
        words = ("interface", "key") if items else ("contract", "label")
        return [
            {**({"context": where} if where else {}), **dict(zip(words, place.split(), strict=True))}
            for where, place in cited
            if place.startswith("i ") is items
        ]

    listed = [
        {"name": name, "lines": [1, 1], "items": refs(cited, items=True), "clauses": refs(cited, items=False)}
        for name, cited in cases.items()
    ]
    return {"op": "harness_put", "context": context, "name": "t", "source": "s", "cases": listed}


@pytest.mark.slow
def test_operations_do_what_the_model_says(tmp_path: Path) -> None:
    with SqliteStore(str(tmp_path / "store.db"), make=True) as store:
        Operations.store = store
        run_state_machine_as_test(Operations, settings=settings(max_examples=80, stateful_step_count=30, deadline=None))
