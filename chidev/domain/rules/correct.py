"""Rules of corrections. None of them repeats the text that is to go.

Source: specification, "Correcting a record"; open-points 4.
"""

from __future__ import annotations

from typing import Any

from chidev.domain.rule import Example, Rule
from chidev.domain.rules.cr.examples import BY, CRUX, OPENED, RAISE
from chidev.domain.rules.examples import Operation

_GIVEN = (*OPENED, RAISE)
_QUESTION = {"crux": {"id": CRUX, "field": "question"}}


def _correct(**fields: Any) -> Operation:
    return {
        "op": "record_correct",
        "text": "error",
        "reason": "a token got into the record",
        "by": BY,
        "places": [_QUESTION],
        **fields,
    }


TEXT_EMPTY = Rule(
    id="correct.text-empty",
    message="the text is empty",
    help="A correction replaces one text, and `text_find` looks for one. Write the text as it stands in the record.",
    example=Example(given=_GIVEN, breaks=_correct(text="")),
)
TEXT_TOO_SHORT = Rule(
    id="correct.text-too-short",
    message="the text has {characters} characters, and a correction takes {least} or more",
    help="So short a text stands in many words that are not meant. Write more of what stands around it.",
    values={"characters": "how many the text has", "least": "how many it must have"},
    example=Example(given=_GIVEN, breaks=_correct(text="err")),
)
TEXT_IN_MARK = Rule(
    id="correct.text-in-mark",
    message="the text is a part of the mark that would replace it",
    help="The mark would put the text back where it was. Write more of what stands around it.",
    example=Example(given=_GIVEN, breaks=_correct(text="redact")),
)
PLACES_EMPTY = Rule(
    id="correct.places-empty",
    message="no place is named",
    help="A correction replaces the text in the places that it names, nowhere else. Ask `text_find` for them.",
    example=Example(given=_GIVEN, breaks=_correct(places=[])),
)
PLACE_TWICE = Rule(
    id="correct.place-twice",
    message="the place stands in the list already, as `places[{first}]`",
    help="Each place is corrected once. Leave one of the two out.",
    values={"first": "the number of the first entry, from 0"},
    example=Example(given=_GIVEN, breaks=_correct(places=[_QUESTION, _QUESTION])),
)
REASON_HOLDS_TEXT = Rule(
    id="correct.reason-holds-text",
    message="the text stands in what the correction itself would record",
    help="The reason, and who corrects, are kept with the record. Say why without the text.",
    example=Example(given=_GIVEN, breaks=_correct(reason="the error was secret")),
)
PLACE_UNKNOWN = Rule(
    id="correct.place-unknown",
    message="there is no such {record}, or it has no such field",
    help="A place is a record by its id and one of its fields, as `text_find` answers them. Ask it for the places.",
    values={"record": "the kind of the record"},
    example=Example(given=_GIVEN, breaks=_correct(places=[{"crux": {"id": CRUX, "field": "colour"}}])),
)
TEXT_ABSENT = Rule(
    id="correct.text-absent",
    message="the text is not in that field of the {record}",
    help="Somebody else may have corrected it already. Ask `text_find` where the text still is.",
    values={"record": "the kind of the record"},
    example=Example(given=_GIVEN, breaks=_correct(text="warning")),
)

RULES = (
    TEXT_EMPTY,
    TEXT_TOO_SHORT,
    TEXT_IN_MARK,
    PLACES_EMPTY,
    PLACE_TWICE,
    REASON_HOLDS_TEXT,
    PLACE_UNKNOWN,
    TEXT_ABSENT,
)
