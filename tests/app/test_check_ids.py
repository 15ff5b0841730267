"""The ids of checks that settings and selectors may name."""

from __future__ import annotations

from chidev.app.checks import CHECK_RULES
from chidev.domain.rules.check_ids import SPECIFIED_CHECKS


def test_every_check_that_is_run_is_one_of_the_specification() -> None:
    assert {rule.id for rule in CHECK_RULES} <= set(SPECIFIED_CHECKS)
    assert len(set(SPECIFIED_CHECKS)) == len(SPECIFIED_CHECKS)
