"""Rules of reports about judged rules."""

from __future__ import annotations

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.examples import INIT

_FILE = """id = "judged.vague"
summary = "a sentence that can be read two ways"
subject = "project"
moments = ["check"]
level = "warning"
question = "Can two people disagree on what it asks?"
true = "Two readings are possible"
false = "One reading only"
fix = "Reword it"
"""

RULE_VERSION = Rule(
    id="judged.rule-version",
    message="the report is about another version of the rule `{rule}`",
    help="A report says with `rule_digest` which question it answers. The rule was changed since it was read: ask for "
    "it again with `check_rules`, judge anew, and report with the digest that it has now.",
    values={"rule": "the rule", "given": "the digest of the report", "now": "the digest of the rule"},
    example=Example(
        given=(INIT,),
        files={"checks/judged/vague.toml": _FILE},
        breaks={
            "op": "finding_report",
            "rule": "judged.vague",
            "rule_digest": "0" * 64,
            "judge": "a reader",
            "read_at": 1,
            "findings": [],
        },
    ),
)

RULES = (RULE_VERSION,)
