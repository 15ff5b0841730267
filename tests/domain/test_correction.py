"""What a correction makes of a text: the text is gone, all else is as it was, and what has to be unique stays so."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from chidev.domain.change_request import Assumption, By, ChangeRequest, Intent, Resolution, Step
from chidev.domain.correction import is_in_mark, redacted
from chidev.domain.identity import Id
from chidev.domain.record_texts import texts, with_texts

ALPHABET = "ab[]redact 2"


@pytest.mark.cites("corrections#C1", "correction::redacted", "correction::is_in_mark")
@given(st.text(ALPHABET, max_size=30), st.text(ALPHABET, min_size=4, max_size=8))
@example("d]zed]zed", "d]ze")
@example("x[rx[red", "x[red")
def test_the_text_is_gone_whatever_stands_around_it(around: str, text: str) -> None:
    assume(not is_in_mark(text))

    assert text not in redacted(f"{around}{text}{around}", text)


@pytest.mark.cites("corrections#C2", "correction::redacted")
@given(st.text("xyz", max_size=20), st.text("abc", min_size=4, max_size=8), st.text("xyz", max_size=20))
def test_what_stands_around_the_text_is_as_it_was(before: str, text: str, after: str) -> None:
    assert redacted(before + text + after, text) == f"{before}[redacted]{after}"


def test_every_occurrence_is_marked() -> None:
    assert redacted("tok-1 and tok-1", "tok-1") == "[redacted] and [redacted]"


@pytest.mark.cites("corrections#C3", "correction::redacted")
def test_a_text_that_must_be_the_only_one_takes_the_next_number() -> None:
    assert redacted("tok-1", "tok-1", {"[redacted]", "[redacted 2]"}) == "[redacted 3]"
    assert redacted("use tok-1", "tok-1", {"[redacted]"}) == "use [redacted]"


def test_a_number_that_would_bring_the_text_back_is_left_out() -> None:
    assert redacted("is redacted 2", "redacted 2", {"is [redacted]"}) == "is [redacted 3]"


@pytest.mark.cites("corrections#C1", "correction::is_in_mark")
@pytest.mark.parametrize("text", ["redacted", "[red", "acted]", "[redacted]", "[redacted ", "ted "])
def test_a_part_of_every_mark_cannot_be_replaced_by_one(text: str) -> None:
    assert is_in_mark(text)


@pytest.mark.parametrize("text", ["Redacted", "redacted tok", "[redacted] tok", "redacted2"])
def test_a_text_with_more_than_a_mark_can_be_replaced(text: str) -> None:
    assert not is_in_mark(text)


REQUEST = ChangeRequest(
    id=Id("r1"),
    title="a title",
    intent=Intent.CHANGE_BEHAVIOR,
    situation="a situation",
    issuer=None,
    parent=None,
    expects=(),
    addresses=(),
    assumptions=(Assumption("it holds", "so", [{"repo": {"path": "price.py", "lines": [1, 2]}}]),),
    history=(Step(Resolution.DONE, None, "agreed", By("person", "alice"), 1),),
)


def test_texts_are_told_by_the_paths_of_their_fields() -> None:
    assert dict(texts(REQUEST)) == {
        "title": "a title",
        "situation": "a situation",
        "assumptions[0].statement": "it holds",
        "assumptions[0].reason": "so",
        "assumptions[0].evidence[0].repo.path": "price.py",
        "history[0].reason": "agreed",
        "history[0].by.name": "alice",
    }


def test_the_other_fields_of_a_record_stay() -> None:
    changed = with_texts(REQUEST, {"assumptions[0].evidence[0].repo.path": "cart.py"})

    assert with_texts(changed, {"assumptions[0].evidence[0].repo.path": "price.py"}) == REQUEST
    assert changed.assumptions[0].evidence == [{"repo": {"path": "cart.py", "lines": [1, 2]}}]


def test_a_correction_leaves_a_request_resolved_or_open() -> None:
    correction = Step(None, None, "a token", By("person", "alice"), 2, ("title",))
    history = (*REQUEST.history, correction)
    corrected = ChangeRequest(
        **{field: getattr(REQUEST, field) for field in REQUEST.__struct_fields__} | {"history": history}
    )

    assert corrected.resolved == REQUEST.history[0]
