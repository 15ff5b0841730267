"""Rules of the Project as a whole: what a change may not leave behind."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import CONTEXT, CONTRACT, INIT, INTERFACE, MODEL, changed

_BASE = {"op": "context_add", "name": "base"}

EXISTS = Rule(
    id="project.exists",
    message="the store has a Project already",
    help="A store holds one Project and `init` makes it once. Go on with the next operation, or name another store.",
    example=Example(given=(INIT,), breaks=INIT),
)

NONE = Rule(
    id="project.none",
    message="the store has no Project yet",
    help="Everything is kept in a Project. `init` makes it and is the first operation of a new store.",
    example=Example(breaks=CONTEXT),
)

ASSET_RETIRED = Rule(
    id="project.asset-retired",
    message="the {kind} name `{name}` belongs to one that was retired from the Context `{context}`",
    help="Older records still speak of what had the name, so it is never given again in that Context to the same kind "
    "of thing. Make the new one under another name.",
    values={"kind": "contract, interface or harness", "name": "the name", "context": "the Context"},
    example=Example(
        given=(INIT, CONTEXT, INTERFACE, {"op": "interface_retire", "context": "pricing", "interface": "price"}),
        breaks=INTERFACE,
    ),
)

CITE_UNREACHABLE = Rule(
    id="project.cite-unreachable",
    message="the Case `{case}` of the Harness `{harness}` cites the {kind} `{name}`, "
    "which the Context `{context}` cannot reach",
    help="A Case cites what its own Context holds or what a Context that this one uses holds. Either what is cited "
    "was removed, or its Context is not in `uses`. Keep what is cited, let the Context use the other one, or put the "
    "Harness without the citation; together they are one `change_set`.",
    values={
        "kind": "clause or item",
        "name": "what is cited",
        "case": "the Case that cites",
        "harness": "its Harness",
        "context": "the Context of the Case",
        "target_context": "the Context of what is cited",
    },
    example=Example(given=MODEL, breaks=changed(CONTRACT, clauses=[])),
)

RETIRE_CITED = Rule(
    id="project.retire-cited",
    message="the {kind} `{name}` cannot be retired: {count} Case(s) cite what would go with it: {others}",
    help="A citation never points at nothing. Put the Harnesses that cite without those citations, or retire them, "
    "first or in the same `change_set`.",
    values={
        "kind": "context, contract, interface or harness",
        "name": "what was to be retired",
        "count": "how many Cases cite it",
        "cited": "the Clauses and Items they cite",
    },
    example=Example(given=MODEL, breaks={"op": "interface_retire", "context": "pricing", "interface": "price"}),
)

RETIRE_USED = Rule(
    id="project.retire-used",
    message="the Context `{subject}` cannot be retired: {count} Context(s) use it: {others}",
    help="A Context that another one uses stays. Take it out of the `uses` of each that is named, first or in the "
    "same `change_set`.",
    values={"count": "how many Contexts use it"},
    example=Example(
        given=(INIT, _BASE, changed(CONTEXT, uses=["base"])),
        breaks={"op": "context_retire", "context": "base"},
    ),
)

RULES = (EXISTS, NONE, ASSET_RETIRED, CITE_UNREACHABLE, RETIRE_CITED, RETIRE_USED)
