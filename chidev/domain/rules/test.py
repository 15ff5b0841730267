"""What `pytest --chidev-check` finds when it compares collected tests with the record.

They are judged where tests are collected and nowhere else, so they have no moment. Source: open-points 6 and 20.
"""

from __future__ import annotations

from chidev.domain.rule import Level, Rule

UNKNOWN_CITATION = Rule(
    id="test.unknown-citation",
    summary="a marker names what the store does not have",
    message="{test} cites `{cites}`, but {missing}",
    help="A citation names a Clause by Contract and label or an Item by Interface and key, as `chidev exec` has them. "
    "Correct the marker, or put the promise first.",
    values={
        "test": "the test",
        "cites": "the citation, as it is written",
        "kind": "what does not exist: context, contract, interface, clause or item",
        "name": "its name",
        "missing": "what is missing, as one text",
    },
)

MALFORMED_CITATION = Rule(
    id="test.malformed-citation",
    summary="a marker that cannot be read",
    message="{problem}",
    help='Write `cites("contract", "C1")`, or compact citations such as `cites("contract#C1", "interface::key")`.',
    values={"problem": "what is wrong with the marker"},
)

UNRECORDED = Rule(
    id="test.unrecorded",
    level=Level.WARNING,
    summary="marker and store disagree about what a test cites",
    message="{test} {difference}",
    help="The store has what a test cites as of the last update. Look at the difference, then run "
    "`pytest --chidev-update`.",
    values={
        "test": "the test",
        "difference": "how the two differ, as one text",
        "marked": "what the markers cite and the store does not have",
        "recorded": "what the store has and the markers do not cite",
    },
)

GONE = Rule(
    id="test.gone",
    level=Level.WARNING,
    summary="a recorded Case that a full collection no longer has",
    message="the Case `{name}` of the Harness `{harness}` is recorded, but no test of that name was collected",
    help="The test was renamed, removed, or lost its markers, so what it stood for may be checked by nothing. Where "
    "that is meant, run `pytest --chidev-update`.",
    values={"name": "the Case", "harness": "its Harness", "context": "its Context"},
)

NO_ITEM = Rule(
    id="test.no-item",
    level=Level.WARNING,
    summary="a marked test that cites no Item, so that it cannot be put",
    message="{test} cites no Item, so it is not recorded{likely}",
    help="A Case goes through something that callers can name. Mark the test, its class or its module with an Item: "
    '`cites("interface::key")`.',
    values={
        "test": "the test",
        "likely": "Items whose names the body of the test uses, as the end of the sentence",
    },
)

NO_HARNESS = Rule(
    id="test.no-harness",
    level=Level.WARNING,
    summary="a test file with markers that is no Harness",
    message="the marked tests of {path} belong to no Harness: {reason}",
    help="A test file is a Harness by an entry of `[[measure.layout]]` in chidev.toml with its path, else by the ini "
    "key `chidev_context` and the stem of the file: `test_price.py` is `test-price`.",
    values={"path": "the file", "reason": "why it is none"},
)

RULES = (UNKNOWN_CITATION, MALFORMED_CITATION, UNRECORDED, GONE, NO_ITEM, NO_HARNESS)
