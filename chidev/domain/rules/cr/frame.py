"""The check that the work of a request stays in its frame."""

from __future__ import annotations

from collections.abc import Iterator

from chidev.domain.named import target_facts, target_text
from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import CheckKind, Example, Finding, Level, Moment, Rule
from chidev.domain.rules.cr.examples import WORK, opened
from chidev.domain.rules.examples import MODEL
from chidev.domain.subject import change_request_subject

OUT_OF_FRAME = Rule(
    id="cr.out-of-frame",
    level=Level.WARNING,
    moments=(Moment.EDIT, Moment.RESOLVE, Moment.CHECK),
    check_kind=CheckKind.CHANGE,
    summary="a change set for a request that is not resolved moved something the request does not name",
    message="the work of the change request `{subject}` moved {count} target(s) outside its frame: {moved}",
    help="The targets of a request are its frame: what they hold and the Cases that cite it are inside, nothing else. "
    "Name the target when the request is opened, apply the change set for the request it belongs to, or take the "
    "change back.",
    values={
        "count": "how many targets, 1 or more",
        "moved": "the targets, as one text",
        "targets": "each target: kind, name and context",
    },
    example=Example(given=(*MODEL, opened("Refuse big discounts")), breaks=WORK),
)


def out_of_frame(outline: RequestOutline) -> Iterator[Finding]:
    """One finding a request, with a ground for each target and set that moved it; it ends when all is taken back."""
    for request in outline.unresolved:
        moves = outline.outside_of.get(request.id, ())
        if moves:
            yield OUT_OF_FRAME.found(
                change_request_subject(request.title),
                ("change_request", request.id),
                frozenset((move.place.id, footprint) for move in moves for footprint in move.footprints),
                within=outline.contexts_of(request.id),
                count=len(moves),
                moved=", ".join(target_text(move.place.id, outline.names) for move in moves),
                targets=[target_facts(move.place.id, outline.names) for move in moves],
            )


CHECKS = ((OUT_OF_FRAME, out_of_frame),)
