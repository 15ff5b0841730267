"""The checks that are run, in the order in which their findings are told, and what an edit introduced.

Source: specification, "Triggers and moments" and "Change sets" (introduced findings).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from chidev.app.policy import Policy
from chidev.domain.identity import Id
from chidev.domain.outline import Outline
from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import Finding, Level, Moment, Rule
from chidev.domain.rules import cite, context, cr, crux, pin

ASSET_CHECKS: tuple[tuple[Rule, Callable[[Outline], Iterator[Finding]]], ...] = (
    (cite.STALE, cite.stale),
    (pin.STALE, pin.stale),
    (pin.UNPINNED, pin.unpinned),
    (cite.UNCITED_CLAUSE, cite.uncited_clause),
    (cite.UNCITED_ITEM, cite.uncited_item),
    (context.NO_INTERFACE, context.no_interface),
    (context.NO_HARNESS, context.no_harness),
)
REQUEST_CHECKS: tuple[tuple[Rule, Callable[[RequestOutline], Iterator[Finding]]], ...] = (*cr.CHECKS, *crux.CHECKS)
CHECK_RULES = tuple(rule for rule, _ in (*ASSET_CHECKS, *REQUEST_CHECKS))


def findings_at(moment: Moment, outline: Outline, requests: RequestOutline, policy: Policy) -> list[Finding]:
    """What the checks of a moment find, those at level off left out."""
    found = [
        finding
        for rule, judge in ASSET_CHECKS
        if moment in rule.moments and policy.level(rule) is not Level.OFF
        for finding in judge(outline)
    ]
    found += [
        finding
        for rule, judge_requests in REQUEST_CHECKS
        if moment in rule.moments and policy.level(rule) is not Level.OFF
        for finding in judge_requests(requests)
    ]
    return found


def findings_around(parts: Collection[Id], outline: Outline, requests: RequestOutline, policy: Policy) -> list[Finding]:
    """What the checks of an edit find in the neighbourhood of some parts.

    A Case that is here only because a Pin stands on it is not judged itself: before the change it may not be here.
    """
    near = {cite.case for cite in outline.cites if cite.target in parts}
    found = findings_at(Moment.EDIT, outline, requests, policy)
    return [finding for finding in found if finding.identity[0] != "case" or finding.identity[1] in near]


def introduced(before: Iterable[Finding], after: Iterable[Finding]) -> list[Finding]:
    """The findings of `after` that were not there before, or have a ground they did not have before."""
    had = {(finding.rule.id, finding.identity): finding.grounds for finding in before}
    return [
        finding
        for finding in after
        if (finding.rule.id, finding.identity) not in had
        or not finding.grounds <= had[finding.rule.id, finding.identity]
    ]
