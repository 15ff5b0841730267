"""The Policy that decisions may be derived from: putting its lines.

Source: specification, "Crux, Policy and Assumption".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from chidev.app import inputs
from chidev.app.commit import edit
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.ports.services import Services
from chidev.domain.rule import Refused
from chidev.domain.rules.policy import LINE_TWICE


class PolicyAnswer(msgspec.Struct, frozen=True):
    revision: int
    findings: Sequence[FindingAnswer]


def put_policy(operation: inputs.PolicyPut, services: Services) -> PolicyAnswer:
    """Replace all lines; the revision moves when they are others than they were.

    Raises:
        Refused: `policy.line-twice`.
    """
    twice = [(id_, times) for id_, times in Counter(line.id for line in operation.lines).items() if times > 1]
    if twice:
        raise Refused(*(LINE_TWICE.broken(field="lines", line=id_, count=times) for id_, times in twice))
    revisions: list[int] = []

    def plan(draft: Draft) -> None:
        old = draft.store.decision_policy()
        new = old.replaced([(line.id, line.text) for line in operation.lines])
        revisions.append(new.revision)
        texts = [{line.id: line.text for line in policy.lines} for policy in (old, new)]
        draft.touched_lines.update(
            id_ for id_ in texts[0].keys() | texts[1].keys() if texts[0].get(id_) != texts[1].get(id_)
        )
        if new is not old:
            draft.writes.append(lambda: draft.store.put_decision_policy(new))

    findings = edit(services, plan)
    return PolicyAnswer(revisions[-1], findings)
