"""Requests, Cruxes and work in any order, against a small model that was written from the specification alone.

A refused operation changes nothing; an accepted one moves the store by one; what a set moved outside the frame of its
request is said once and stays said so, whatever is done later.

Source: specification, "Change requests", "Attribution and frame" and "Crux, Policy and Assumption".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from chidev.infra.sqlite_store import SqliteStore
from tests.random_lines import Runner
from tests.running import SECTIONS, Json

LABELS = ("C1", "C2", "C3")
BY = {"person": "ada"}
TITLES = st.sampled_from(["A", "B", "C"])
PLACES = st.sampled_from(["discount", *LABELS])  # the Contract, or one of its Clauses
TEXTS = st.sampled_from(["one", "two", "three"])


@dataclass
class Request:
    """What the specification says that a request remembers."""

    parent: str | None
    targets: list[str]
    keep: dict[str, int]
    is_resolved: bool = False
    steps: int = 0
    cruxes: list[bool] = field(default_factory=list)  # whether each has a decision
    work: list[tuple[list[str], list[str]]] = field(default_factory=list)  # moved, and what of it was outside

    @property
    def state(self) -> str:
        if self.is_resolved:
            return "resolved"
        return "decided" if self.cruxes and all(self.cruxes) else "open"


def ref(place: str) -> Json:
    if place == "discount":
        return {"contract": {"context": "pricing", "contract": place}}
    return {"clause": {"context": "pricing", "contract": "discount", "label": place}}


def shown(place: str) -> str:
    return "contract discount" if place == "discount" else f"discount {place}"


class Requests(RuleBasedStateMachine):
    """Runs each operation on a store on disk and on the model, and compares."""

    store: SqliteStore

    def __init__(self) -> None:
        super().__init__()
        self.run = Runner(self.store)
        self.requests: dict[str, Request] = {}
        self.cruxes: list[tuple[str, str, int]] = []  # id, request, place among those of the request
        self.texts = dict.fromkeys(LABELS, "one")
        self.revisions = dict.fromkeys(("discount", *LABELS), 1)

    @initialize()
    def begin(self) -> None:
        clauses = [{"label": label, "text": "one"} for label in LABELS]
        contract = {"context": "pricing", "name": "discount", "title": "t", "clauses": clauses}
        for line in ({"op": "init"}, {"op": "context_add", "name": "pricing"}, {"op": "contract_put", **contract}):
            assert "refused" not in self.run(line)

    def teardown(self) -> None:
        self.store.drop_group()

    def tries(self, line: Json, wrong: object) -> Json | None:
        """The answer to a line, None when it is refused; it has to be, and to change nothing, where it is `wrong`."""
        before = self.everything()
        answer = self.run(line)
        event(f"{line['op']} {'refused' if wrong else 'accepted'}")
        assert ("refused" in answer) is bool(wrong), (line, answer)
        if wrong:
            assert self.everything() == before
            return None
        assert self.store.revision() == before[1]["store_revision"] + 1
        return answer

    def everything(self) -> list[Json]:
        return [self.run({"op": "view", "sections": SECTIONS}), self.run({"op": "status"})]

    @rule(
        title=TITLES,
        named=st.lists(PLACES, max_size=2, unique=True),
        keep=st.lists(PLACES, max_size=2, unique=True),
        parent=st.none() | TITLES,
    )
    def open(self, title: str, named: list[str], keep: list[str], parent: str | None) -> None:
        line: dict[str, Any] = {"op": "cr_open", "title": title, "intent": "change_behavior"}
        line |= {"targets": [ref(place) for place in named], "keep": [ref(place) for place in keep]}
        line |= {"parent": parent} if parent else {}
        wrong = title in self.requests or set(named) & set(keep) or (parent and parent not in self.requests)
        if self.tries(line, wrong):
            kept = {place: self.revisions[place] for place in keep}
            self.requests[title] = Request(parent, named, kept)

    @rule(title=TITLES, how=st.sampled_from(["done", "wont_do", "A", "B"]))
    def resolve(self, title: str, how: str) -> None:
        resolution = {"duplicate": how} if how in {"A", "B"} else how
        request = self.requests.get(title)
        wrong = (
            request is None
            or request.is_resolved
            or not all(request.cruxes)
            or (how in {"A", "B"} and (how == title or how not in self.requests))
            or any(part.parent == title and not part.is_resolved for part in self.requests.values())
        )
        line = {"op": "cr_resolve", "title": title, "resolution": resolution, "reason": "r", "by": BY}
        if self.tries(line, wrong) and request:
            request.is_resolved = True
            request.steps += 1

    @rule(title=TITLES)
    def reopen(self, title: str) -> None:
        request = self.requests.get(title)
        line = {"op": "cr_reopen", "title": title, "reason": "r", "by": BY}
        if self.tries(line, request is None or not request.is_resolved) and request:
            request.is_resolved = False
            request.steps += 1

    @rule(title=TITLES)
    def assume(self, title: str) -> None:
        request = self.requests.get(title)
        line = {"op": "cr_assume", "title": title, "statement": "s", "reason": "r"}
        self.tries(line, request is None or request.is_resolved)

    @rule(title=TITLES)
    def raise_crux(self, title: str) -> None:
        request = self.requests.get(title)
        line = {"op": "cr_crux_raise", "in": title, "question": "q", "kind": "model", "options": [{"choice": "c"}]}
        answer = self.tries(line, request is None or request.is_resolved)
        if answer and request:
            self.cruxes.append((answer["crux"], title, len(request.cruxes)))
            request.cruxes.append(False)

    @rule(n=st.integers(0, 3), form=st.sampled_from(["wording", "withdrawn", "unspecified"]))
    def decide(self, n: int, form: str) -> None:
        if n >= len(self.cruxes):
            return
        crux, title, place = self.cruxes[n]
        given = {"wording": "w", "withdrawn": True, "unspecified": []}[form]
        line = {"op": "cr_crux_decide", "crux": crux, form: given, "basis": {"arbitrary": "so"}, "by": BY}
        request = self.requests[title]
        # A Crux of kind model is not left unspecified.
        if self.tries(line, request.cruxes[place] or request.is_resolved or form == "unspecified"):
            request.cruxes[place] = True

    @rule(label=st.sampled_from(LABELS), text=TEXTS, title=st.none() | TITLES)
    def reword(self, label: str, text: str, title: str | None) -> None:
        entry = {"put": "clauses", "context": "pricing", "contract": "discount"}
        puts = [{**entry, "clauses": [{"label": label, "text": text}]}]
        line = {"op": "change_set", "puts": puts, **({"for": title} if title else {})}
        request = self.requests.get(title) if title else None
        wrong = title is not None and (request is None or request.is_resolved)
        if not self.tries(line, wrong) or self.texts[label] == text:
            return
        self.texts[label] = text
        self.revisions[label] += 1
        self.revisions["discount"] += 1
        if request:
            is_inside = label in request.targets or "discount" in request.targets
            moved = ["discount", label]
            request.work.append((moved, [] if is_inside else moved))

    @invariant()
    def status_says_what_the_model_does(self) -> None:
        told = self.run({"op": "status", "sections": ["change_requests"]}).get("change_requests", [])
        expected = {title: self._as_told(title, request) for title, request in self.requests.items()}
        assert {request["title"]: _facts(request) for request in told} == expected

    def _as_told(self, title: str, request: Request) -> Json:
        touched = {"discount" for moved, _ in self._work_with_parts(title) if moved}
        touched |= {place for moved, _ in self._work_with_parts(title) for place in moved}
        outside = [[shown(place) for place in places] for _, places in request.work if places]
        return {
            "state": request.state,
            "steps": request.steps,
            "targets": sorted((shown(p), "revised" if p in touched else "not touched yet") for p in request.targets),
            "keep": sorted((shown(place), self.revisions[place] != was) for place, was in request.keep.items()),
            "work": [[shown(place) for place in moved] for moved, _ in request.work],
            "out_of_frame": [] if request.is_resolved else outside,
            "cruxes": len(request.cruxes),
        }

    def _work_with_parts(self, title: str) -> list[tuple[list[str], list[str]]]:
        parts = [part for part, request in self.requests.items() if request.parent == title]
        return [*self.requests[title].work, *(one for part in parts for one in self._work_with_parts(part))]

    @invariant()
    def the_checks_find_what_the_model_does(self) -> None:
        if not self.requests:
            return
        found = {(f["rule"], f["about"]) for f in self.run({"op": "check", "rules": ["cr."]})["findings"]}
        moved = {
            title
            for title, request in self.requests.items()
            if not request.is_resolved and any(self.revisions[place] != was for place, was in request.keep.items())
        }
        open_ = {title: request for title, request in self.requests.items() if not request.is_resolved}
        targeted = {place for request in open_.values() for place in request.targets}
        targeted |= {"discount" for place in targeted}
        meet = {title for title, request in open_.items() if targeted & request.keep.keys()}
        assert {about for rule, about in found if rule == "cr.keep-moved"} == moved
        assert {about for rule, about in found if rule == "cr.keep-targeted"} == meet
        waiting = {title for title, request in self.requests.items() if not all(request.cruxes)}
        assert {about for rule, about in found if rule == "cr.awaiting-decision"} == waiting


def _facts(request: Json) -> Json:
    return {
        "state": request["state"],
        "steps": len(request["history"]),
        "targets": sorted((target["target"], target["progress"]) for target in request["targets"]),
        "keep": sorted((keep["target"], keep["moved"]) for keep in request["keep"]),
        "work": [entry["moved"] for entry in request["work"]],
        "out_of_frame": [entry["moved"] for entry in request["out_of_frame"]],
        "cruxes": len(request["cruxes"]),
    }


@pytest.mark.slow
def test_requests_do_what_the_model_says(tmp_path: Path) -> None:
    with SqliteStore(str(tmp_path / "store.db"), make=True) as store:
        Requests.store = store
        run_state_machine_as_test(Requests, settings=settings(max_examples=1500, stateful_step_count=50, deadline=None))
