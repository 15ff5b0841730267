"""Everything that every check says of the model as it stands; no program is started for it.

Source: specification, "External checks" (status and check show saved findings) and "Judged rule versions".
"""

from __future__ import annotations

from chidev.app.checks import findings_at
from chidev.app.judged_requests import judged_requests
from chidev.app.policy import Policy
from chidev.app.ports.store import StoreReader
from chidev.app.registry import Registry
from chidev.app.view import Views
from chidev.domain.outline import Outline
from chidev.domain.rule import Finding, Moment


def current_findings(
    store: StoreReader, registry: Registry, policy: Policy, outline: Outline, views: Views | None = None
) -> list[Finding]:
    """What the checks of this release find now, then what the project's programs and judged rules said, saved.

    Args:
        views: of the same state, when somebody else reads them too.
    """
    found = findings_at(Moment.CHECK, outline, judged_requests(store), policy)
    views = views or Views(store)
    if registry.external:
        from chidev.app.external_checks import Saved

        found += Saved(store, registry, policy, views).findings()
    if registry.judged:
        from chidev.app.judged import Judgments

        found += Judgments(store, registry, views).findings(policy)
    return found
