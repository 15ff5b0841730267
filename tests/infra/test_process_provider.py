"""How the provider of a language is asked for Items, and which of its answers are used."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chidev.app.ports.provider import FoundItem, FoundItems, ItemsProvider, ProviderRefused
from chidev.app.ports.settings import Layout, MeasureSettings
from chidev.infra.process_provider import ProcessProvider

SOURCE = "def price u64\nhid round\ndef tax u64\n"
GOOD = '{"protocol":2,"items":[{"key":"price","lines":[1,1]},{"key":"tax","lines":[3,3]}],"left_out":1}'
ITEMS = FoundItems((FoundItem("price", 1, 1), FoundItem("tax", 3, 3)), 1)
LAYOUT = (
    Layout(context="pricing", interface="price", path="price.toy", lang="toy"),
    Layout(context="pricing", interface="bare", path="bare.toy"),
    Layout(context="pricing", interface="mutable", path="mutable.mut", lang="mut"),
    Layout(context="pricing", harness="unlaid", path="tests.toy"),
    Layout(context="base", interface="unlaid", path="base.toy", lang="toy"),
)


def provider(root: Path, program: str, timeout_s: float = 20, words: tuple[str, ...] = ("./toy",)) -> ItemsProvider:
    """A project whose provider of `toy` is a shell script."""
    (root / "toy").write_text(f"#!/bin/sh\n{program}\n")
    (root / "toy").chmod(0o755)
    return ProcessProvider(str(root), MeasureSettings(items={"toy": words}, layout=LAYOUT, timeout_s=timeout_s))


def answering(root: Path, reply: str | bytes) -> ItemsProvider:
    (root / "reply").write_bytes(reply.encode("utf-8") if isinstance(reply, str) else reply)
    return provider(root, "cat > /dev/null; cat reply")


def changed(**fields: Any) -> str:
    """The good reply with some fields changed."""
    return json.dumps(json.loads(GOOD) | fields)


def item(**fields: Any) -> str:
    """The good reply with its second Item changed."""
    return changed(items=[{"key": "price", "lines": [1, 1]}, {"key": "tax", "lines": [3, 3]} | fields])


def refused(asked: ItemsProvider, interface: str = "price", source: str = SOURCE) -> ProviderRefused:
    with pytest.raises(ProviderRefused) as caught:
        asked.find_items("pricing", interface, source)
    assert "\n" not in caught.value.detail
    assert 0 < len(caught.value.detail) <= 300
    return caught.value


# Whom it asks, and for what


def test_the_items_are_those_the_program_answers_in_its_order(tmp_path: Path) -> None:
    assert answering(tmp_path, GOOD).find_items("pricing", "price", SOURCE) == ITEMS


@pytest.mark.parametrize("source", ["", SOURCE, 'caf\u00e9\r\n\t"quote" \\ \u2028 \U0001f600\x00'])
def test_the_program_runs_in_the_root_and_is_told_the_protocol_and_the_source_alone(
    tmp_path: Path, source: str
) -> None:
    asked = provider(tmp_path, """cat > got; echo '{"protocol":2,"items":[],"left_out":0}'""")

    asked.find_items("pricing", "price", source)

    assert json.loads((tmp_path / "got").read_bytes().decode("utf-8")) == {"protocol": 2, "source": source}


def test_a_program_that_does_not_read_a_long_source_is_judged_on_what_it_answers(tmp_path: Path) -> None:
    asked = provider(tmp_path, f"echo '{GOOD}'")

    assert asked.find_items("pricing", "price", SOURCE * 50_000) == ITEMS


def test_without_measure_there_is_no_provider(tmp_path: Path) -> None:
    error = refused(ProcessProvider(str(tmp_path), None))

    assert (error.rule_id, error.lang) == ("items.no-provider", None)


@pytest.mark.parametrize(
    ("interface", "rule_id", "lang"),
    [
        ("unlaid", "input.items-required", None),
        ("bare", "input.items-required", None),
        ("mutable", "items.no-provider", "mut"),
    ],
)
def test_without_a_layout_a_lang_or_a_command_nothing_is_started(
    tmp_path: Path, interface: str, rule_id: str, lang: str | None
) -> None:
    error = refused(provider(tmp_path, "touch started"), interface)

    assert (error.rule_id, error.lang) == (rule_id, lang)
    assert not (tmp_path / "started").exists()


# A program that gives no answer


@pytest.mark.parametrize(
    ("program", "says"),
    [
        (f"echo '{GOOD}'; exit 3", "`./toy` ended with status 3"),
        ("echo first >&2; echo ' no such\x1b[31m file ' >&2; echo >&2; exit 1", 'saying "no such\\x1b[31m file"'),
        (f"echo {'long ' * 200} >&2; exit 1", '..."'),
        ("kill -9 $$", "`./toy` was ended by signal 9"),
    ],
)
def test_a_program_that_fails_has_failed_whatever_it_answered(tmp_path: Path, program: str, says: str) -> None:
    error = refused(provider(tmp_path, program))

    assert (error.rule_id, error.lang) == ("items.failed", "toy")
    assert says in error.detail


def test_a_program_that_cannot_be_started_has_failed(tmp_path: Path) -> None:
    error = refused(provider(tmp_path, "", words=("./gone",)))

    assert (error.rule_id, error.detail) == ("items.failed", "`./gone` is not there")


def test_a_program_that_does_not_answer_in_time_has_failed(tmp_path: Path) -> None:
    begin = time.monotonic()

    error = refused(provider(tmp_path, "sleep 60 & sleep 60", timeout_s=0.3))

    assert (error.rule_id, error.detail) == ("items.failed", "`./toy` did not answer within 0.3 s")
    assert time.monotonic() - begin < 3


def test_a_program_with_a_long_name_has_a_detail_that_is_short(tmp_path: Path) -> None:
    error = refused(provider(tmp_path, "", words=("./" + "long/" * 300,)))

    assert error.rule_id == "items.failed"


# Answers that are used


@pytest.mark.parametrize(
    "reply",
    [
        f"{GOOD}\n \t\r\n",
        f" \n{GOOD}",
        '{"left_out":1,"items":[{"lines":[1,1],"key":"price"},{"lines":[3,3],"key":"tax"}],"protocol":2}',
        GOOD.replace("price", "\\u0070rice"),
        GOOD + " " * (4 * 1024 * 1024 - len(GOOD)),
    ],
    ids=["white space after it", "white space before it", "another order", "an escape", "4 MiB"],
)
def test_a_reply_may_be_written_in_another_way(tmp_path: Path, reply: str) -> None:
    assert answering(tmp_path, reply).find_items("pricing", "price", SOURCE) == ITEMS


@pytest.mark.parametrize(
    ("source", "last"),
    [("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2), ("\n", 1), ("a\r\nb\x0b\x0c\u2028\x85c\rd", 2)],
)
def test_lines_of_the_code_end_at_a_line_feed_and_nothing_else(tmp_path: Path, source: str, last: int) -> None:
    asked = answering(tmp_path, changed(items=[{"key": "k", "lines": [1, last]}]))
    assert asked.find_items("pricing", "price", source).items == (FoundItem("k", 1, last),)

    beyond = answering(tmp_path, changed(items=[{"key": "k", "lines": [1, last + 1]}]))
    assert f"which has {last}" in refused(beyond, source=source).detail


def test_a_key_given_twice_and_declarations_on_one_line_are_left_to_the_interface(tmp_path: Path) -> None:
    items = [{"key": "Clock", "lines": [1, 1]}, {"key": "Clock", "lines": [1, 1]}]

    found = answering(tmp_path, changed(items=items)).find_items("pricing", "price", SOURCE)

    assert found.items == (FoundItem("Clock", 1, 1),) * 2


def test_the_keys_are_kept_as_they_are(tmp_path: Path) -> None:
    key = " Stack::push<\u03b1>\t\u2028 "

    found = answering(tmp_path, changed(items=[{"key": key, "lines": [1, 3]}])).find_items("pricing", "price", SOURCE)

    assert found.items == (FoundItem(key, 1, 3),)


# Answers that are not


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "not one JSON document (at character 1)"),
        ("this is no JSON", "not one JSON document (at character 1)"),
        (GOOD[:-1], "not one JSON document"),
        (GOOD + "\n" + GOOD, "not one JSON document"),
        ("\ufeff" + GOOD, "not one JSON document"),
        (b'{"protocol":\xff}', "not UTF-8 (the byte at offset 12)"),
        ("[" * 100_000, "nested too deep"),
        ("[" + GOOD + "]", "the reply is not an object"),
        ("null", "the reply is not an object"),
        (changed(protocol=1), "`protocol` is not 2"),
        (changed(protocol=3), "`protocol` is not 2"),
        (changed(protocol=True), "`protocol` is not 2"),
        (changed(protocol=2.0), "`protocol` is not 2"),
        (changed(protocol="2"), "`protocol` is not 2"),
        ('{"items":[],"left_out":0}', "`protocol` is not 2"),
        ('{"protocol":2,"items":[]}', "`left_out` is missing"),
        ('{"protocol":2,"left_out":0}', "`items` is missing"),
        (changed(kinds=[]), "the reply has the field `kinds`"),
        (changed(**{"two\nlines \ud800": 1}), "the reply has a field, which the protocol does not have"),
        ('{"protocol":2,"protocol":2,"items":[],"left_out":0}', "the field `protocol` twice"),
        (GOOD.replace('"lines":[3,3]', '"lines":[3,3],"lines":[3,3]'), "the field `lines` twice"),
        (changed(left_out=-1), "`left_out` is not"),
        (changed(left_out=True), "`left_out` is not"),
        (changed(left_out=1.0), "`left_out` is not"),
        (changed(left_out=None), "`left_out` is not"),
        (changed(left_out=2**64), "`left_out` is not"),
        ('{"protocol":2,"items":[],"left_out":' + "9" * 5000 + "}", "too many digits"),
        ('{"protocol":2,"items":[],"left_out":NaN}', "has NaN"),
        ('{"protocol":2,"items":[],"left_out":-Infinity}', "has -Infinity"),
        (changed(items={}), "`items` is not a list"),
        (changed(items=["price"]), "`items[0]` is not an object"),
        (changed(items=[{"key": "k"}]), "`items[0].lines` is missing"),
        (item(kind="fn"), "`items[1]` has the field `kind`"),
        (item(key=""), "`items[1].key` is not"),
        (item(key=None), "`items[1].key` is not"),
        (item(key="two\nlines"), "`items[1].key` is not"),
        (item(key="two\rlines"), "`items[1].key` is not"),
        (item(key="\ud800"), "`items[1].key` has half of a surrogate pair"),
        (item(lines=[1]), "`items[1].lines` is not"),
        (item(lines=[1, 2, 3]), "`items[1].lines` is not"),
        (item(lines=[1, 2.0]), "`items[1].lines` is not"),
        (item(lines=[True, 2]), "`items[1].lines` is not"),
        (item(lines={"first": 1, "last": 2}), "`items[1].lines` is not"),
        (item(lines=[0, 1]), "`items[1].lines` are not lines of the code, which has 3"),
        (item(lines=[3, 4]), "`items[1].lines` are not lines of the code, which has 3"),
        (item(lines=[2, 1]), "`items[1].lines` are not lines of the code, which has 3"),
    ],
)
def test_a_reply_against_the_protocol_is_refused_with_the_place(tmp_path: Path, reply: str | bytes, says: str) -> None:
    error = refused(answering(tmp_path, reply))

    assert (error.rule_id, error.lang) == ("items.protocol", "toy")
    assert says in error.detail


def test_a_source_with_nothing_in_it_has_no_lines(tmp_path: Path) -> None:
    assert "which has 0" in refused(answering(tmp_path, GOOD), source="").detail


@pytest.mark.parametrize("program", ["cat reply", "yes"])
def test_a_reply_that_is_too_long_is_against_the_protocol(tmp_path: Path, program: str) -> None:
    (tmp_path / "reply").write_text(GOOD + " " * (4 * 1024 * 1024))

    error = refused(provider(tmp_path, program))

    assert (error.rule_id, error.detail) == ("items.protocol", "the reply is longer than 4194304 bytes")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["items", "key"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just("items"), inner, max_size=3),
    max_leaves=6,
)
FIELDS = st.sampled_from(["protocol", "items", "left_out", "key", "lines", "\n", "x" * 500])


@given(fields=st.dictionaries(FIELDS, JSON), inner=st.dictionaries(FIELDS, JSON), tail=st.binary(max_size=3))
@example(fields={}, inner={}, tail=b"")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_answered_it_is_used_or_refused(
    tmp_path: Path, fields: dict[str, Any], inner: dict[str, Any], tail: bytes
) -> None:
    reply = json.loads(GOOD)
    reply["items"][1] |= inner
    asked = answering(tmp_path, json.dumps(reply | fields).encode() + tail)

    try:
        found = asked.find_items("pricing", "price", SOURCE)
    except ProviderRefused:
        assert refused(asked).rule_id == "items.protocol"
    else:
        assert all(1 <= one.first <= one.last <= 3 for one in found.items)


# The programs that come with chidev

BUNDLED = ("chidev", "provider", "items-python")


def test_a_bundled_program_is_found_without_its_command_on_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules in the project's root that are named like those it imports are not taken for them."""
    monkeypatch.setenv("PATH", f"/usr/bin{os.pathsep}/bin")
    for name in ("json.py", "chidev.py", "ast.py"):
        (tmp_path / name).write_text("raise SystemExit(9)")

    found = provider(tmp_path, "", words=BUNDLED).find_items("pricing", "price", "def price(total): ...\n_x = 1\n")

    assert found == FoundItems((FoundItem("price", 1, 1),), 1)


def test_the_command_on_path_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}/usr/bin{os.pathsep}/bin")
    asked = provider(
        tmp_path, f"""cat > /dev/null; test "$*" = "provider items-python" && echo '{GOOD}'""", words=BUNDLED
    )
    (tmp_path / "bin").mkdir()
    (tmp_path / "toy").rename(tmp_path / "bin" / "chidev")

    assert asked.find_items("pricing", "price", SOURCE) == ITEMS


def test_an_interpreter_that_is_not_known_cannot_stand_in_for_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"/usr/bin{os.pathsep}/bin")
    monkeypatch.setattr(sys, "executable", "")

    error = refused(provider(tmp_path, "", words=BUNDLED))

    assert error.rule_id == "items.failed"
    assert "`chidev` is not on PATH" in error.detail
