"""Rules and checks of a Context."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.outline import Outline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.examples import CONTEXT, CONTRACT, INIT, changed
from chidev.domain.subject import context_subject

_BASE = {"op": "context_add", "name": "base"}
_BASIS = {"op": "base_on_contract", "context": "pricing"}
_UNFINISHED = (Moment.PIN, Moment.RESOLVE, Moment.CHECK)

NAME_TAKEN = Rule(
    id="context.name-taken",
    message="there is a Context `{subject}` already",
    help="Everything else is named by its Context, so a name is given once. Use the Context that is there, or choose "
    "another name.",
    example=Example(given=(INIT, CONTEXT), breaks=CONTEXT),
)

USES_ITSELF = Rule(
    id="context.uses-itself",
    message="the Context `{subject}` would use itself",
    help="A Context reaches what it holds without naming itself in `uses`. Leave it out of the list.",
    example=Example(given=(INIT, CONTEXT), breaks={"op": "context_uses", "context": "pricing", "uses": ["pricing"]}),
)

USES_CIRCLE = Rule(
    id="context.uses-circle",
    message="the Context `{subject}` would use itself over {others}",
    help="Uses lead one way: what a Context builds on may not build on it. Take one of the Contexts of the circle out "
    "of the `uses` of the one before it.",
    values={"circle": "the names of the Contexts, each using the next, the last using the first"},
    example=Example(
        given=(INIT, _BASE, changed(CONTEXT, uses=["base"])),
        breaks={"op": "context_uses", "context": "base", "uses": ["pricing"]},
    ),
)

ALREADY_BASED = Rule(
    id="context.already-based",
    message="the Context `{subject}` is based on its Contracts already",
    help="The basis of a Context moves once, from its Interfaces to its Contracts, and there is no way back. There is "
    "nothing to do.",
    example=Example(given=(INIT, CONTEXT, CONTRACT, _BASIS), breaks=_BASIS),
)

BASED_ON_NONE = Rule(
    id="context.no-contract",
    message="the Context `{subject}` has no Contract to be based on",
    help="A Context is based on the Contracts it has. Put one first, or in the same `change_set`.",
    example=Example(given=(INIT, CONTEXT), breaks=_BASIS),
)

LAST_CONTRACT = Rule(
    id="context.last-contract",
    message="the Context `{subject}` is based on its Contracts and would have none left",
    help="A Context that is based on its Contracts keeps one at least. Put another Contract first, or in the same "
    "`change_set`; or retire the Context.",
    values={"contracts": "the names of the Contracts that were to be retired"},
    example=Example(
        given=(INIT, CONTEXT, CONTRACT, _BASIS),
        breaks={"op": "contract_retire", "context": "pricing", "contract": "discount"},
    ),
)

NO_INTERFACE = Rule(
    id="context.no-interface",
    level=Level.NOTE,
    moments=_UNFINISHED,
    check_kind=CheckKind.STATE,
    summary="a Context that has no Interface",
    message="the Context `{subject}` has no Interface",
    help="Without an Interface nothing can be pinned and no test can cite what callers use. Put the Interface with "
    "`interface_put`.",
    example=Example(given=(INIT,), breaks=CONTEXT),
)

NO_HARNESS = Rule(
    id="context.no-harness",
    level=Level.NOTE,
    moments=_UNFINISHED,
    check_kind=CheckKind.STATE,
    summary="a Context that has no Harness",
    message="the Context `{subject}` has no Harness",
    help="Without a Harness nothing shows that the promises of the Context are kept. Mark its tests and run "
    "`pytest --chidev-update`, or put the Harness with `harness_put`.",
    example=Example(given=(INIT,), breaks=CONTEXT),
)


def no_interface(outline: Outline) -> Iterator[Finding]:
    return _without(outline, "interface", NO_INTERFACE)


def no_harness(outline: Outline) -> Iterator[Finding]:
    return _without(outline, "harness", NO_HARNESS)


def _without(outline: Outline, kind: str, rule: Rule) -> Iterator[Finding]:
    having = {asset.context for asset in outline.assets_of_kind(kind)}
    for context in outline.contexts.values():
        if context.id not in having:
            yield rule.found(
                context_subject(context.name), ("context", context.id), frozenset(), within=(context.name,)
            )


RULES = (NAME_TAKEN, USES_ITSELF, USES_CIRCLE, ALREADY_BASED, BASED_ON_NONE, LAST_CONTRACT)
CHECKS = ((NO_INTERFACE, no_interface), (NO_HARNESS, no_harness))
