"""Rules and checks of change requests and of the Cruxes raised in them."""

from __future__ import annotations

from chidev.domain.rules.cr import crux as question
from chidev.domain.rules.cr import decision, frame, keep, progress, request, waiting

RULES = (*request.RULES, *question.RULES, *decision.RULES)
CHECKS = (*waiting.CHECKS, *keep.CHECKS, *frame.CHECKS, *progress.CHECKS)
