"""What the tests of the domain are given: ids in order, and things that a put may say."""

from __future__ import annotations

from itertools import count

from hypothesis import strategies as st

from chidev.app.inputs import ClauseInput
from chidev.domain.contract import Contract
from chidev.domain.harness import CasePlace, Citation
from chidev.domain.identity import Id, NewId
from chidev.domain.interface import ItemPlace

CONTEXT = Id("context")
LABELS = st.integers(1, 8).map(lambda number: f"C{number}")
SENTENCES = st.sampled_from(["one", "two", "three", " three", "four\nlines"])
CITATIONS = st.builds(
    Citation, st.sampled_from([Id("t1"), Id("t2"), Id("t3")]), st.sampled_from(["item", "clause"]), st.integers(1, 3)
)


def ids(prefix: str = "id") -> NewId:
    """A maker of ids that are all different and in order."""
    numbers = count(1)
    return lambda: Id(f"{prefix}{next(numbers):06}")


def clause(label: str, text: str = "a promise", replaces: str | None = None) -> ClauseInput:
    return ClauseInput(label, text, replaces)


def item(key: str, first: int = 1, last: int | None = None, replaces: str | None = None) -> ItemPlace:
    return ItemPlace(key, first, last or first, replaces)


def case(name: str, first: int = 1, last: int | None = None, *cites: Citation) -> CasePlace:
    return CasePlace(name, first, last or first, cites)


@st.composite
def whole_puts(draw: st.DrawFn, old: Contract | None = None) -> list[ClauseInput]:
    """Clauses of a whole put that nothing is wrong with; some take the place of a Clause that `old` has."""
    labels = draw(st.lists(LABELS, unique=True, max_size=6))
    free = [clause.label for clause in (old.clauses if old else ()) if clause.label not in labels]
    replaced = draw(st.permutations(free))
    clauses = []
    for label in labels:
        has = old is not None and any(clause.label == label for clause in old.clauses)
        replaces = replaced.pop() if replaced and not has and draw(st.booleans()) else None
        clauses.append(ClauseInput(label, draw(SENTENCES), replaces))
    return clauses


@st.composite
def sources(draw: st.DrawFn) -> str:
    return "\n".join(draw(st.lists(st.sampled_from(["a", "b  ", "", "\t", "c c", "d\r"]), min_size=1, max_size=8)))
