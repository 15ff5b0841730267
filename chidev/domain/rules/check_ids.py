"""The ids of every check that the specification has.

Those that nothing judges yet are known all the same: settings and selectors may name them, and they find nothing.
Source: specification, the tables of checks.
"""

from __future__ import annotations

SPECIFIED_CHECKS = (
    "cite.stale",
    "pin.stale",
    "pin.unpinned",
    "cite.uncited-clause",
    "cite.uncited-item",
    "context.no-interface",
    "context.no-harness",
    "cr.awaiting-decision",
    "cr.keep-moved",
    "cr.keep-targeted",
    "cr.out-of-frame",
    "cr.resolved-without-work",
    "cr.targets-untouched",
    "cr.intent-mismatch",
    "crux.policy-line-gone",
    "measure.failed",
    "mutation.unmeasured",
    "mutation.stale",
    "mutation.capped",
    "mutation.survived",
    "sim.shape-kept",
    "sim.uncited-clause",
    "sim.unrun",
    "sim.stale",
    "sim.finding",
    "sim.unreached",
    "sim.nondeterministic",
    "sim.error",
    "examples.unrun",
    "examples.stale",
    "examples.failed",
    "examples.error",
    "tree.code-moved",
    "tree.harness-moved",
    "tree.unread",
)
