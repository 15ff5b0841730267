"""Rules of a Contract and its Clauses."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import CONTEXT, CONTRACT, INIT, changed

LABEL_TWICE = Rule(
    id="contract.label-twice",
    message="the Contract `{subject}` would have {count} Clauses with the label `{label}`",
    help="A label is the name people and markers know a Clause by, so a Contract has each once. Give one of the "
    "Clauses another label.",
    values={"label": "the label", "count": "how many Clauses would have it, 2 or more"},
    example=Example(
        given=(INIT, CONTEXT),
        breaks=changed(CONTRACT, clauses=[{"label": "C1", "text": "one"}, {"label": "C1", "text": "another"}]),
    ),
)

RULES = (LABEL_TWICE,)
