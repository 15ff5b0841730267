"""Rules of the store: why a line that is right in itself could not be kept.

None of them has an example: what breaks them is another process, the disk or a person, not an operation.
"""

from __future__ import annotations

from chidev.domain.rule import Rule

MOVED = Rule(
    id="store.moved",
    message="the store moved from revision {expected} to {found} while the operation ran",
    help="The operation was computed on the store as it stood when it began, and another process has written since. "
    "Nothing of it was kept: run it again.",
    values={"expected": "the revision it was computed on", "found": "the revision the store has now"},
)

LOCKED = Rule(
    id="store.locked",
    message="another process held the store for more than {waited_s} seconds",
    help="One process writes at a time. Nothing of the operation was kept: wait until the other process is done, then "
    "run it again.",
    values={"waited_s": "how long was waited, seconds"},
)

GONE = Rule(
    id="store.gone",
    message="the store file was removed or replaced while it was open",
    help="What would be written now would be in a file nobody can open by its name. Nothing of the operation was "
    "kept: look who moved the file, put it back, and run the operation again.",
)

READ_ONLY = Rule(
    id="store.read-only",
    message="the store can only be read",
    help="Questions such as `view`, `check` and `status` need no more. To change the model, let the file and its "
    "directory be written by whoever runs the command.",
)

NOT_WRITTEN = Rule(
    id="store.not-written",
    message="the store could not be written: {reason}",
    help="The disk is full or has failed. Nothing of the operation was kept: make room, then run it again.",
    values={"reason": "what the system said"},
)

RULES = (MOVED, LOCKED, GONE, READ_ONLY, NOT_WRITTEN)
