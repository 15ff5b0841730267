"""What chidev reads out of the files of `checks/judged`, and how it refuses what they may not hold."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from chidev.app.ports.settings import CheckSetting, Settings, SettingsError
from chidev.domain.judged_rule import JudgedRule
from chidev.domain.rule import Level, Moment
from chidev.infra import settings
from tests.cli.commands import Chidev, assert_cannot_run, without_root_rights
from tests.running import INIT, Json

FOLDER = "checks/judged"
VAGUE: Json = {
    "id": "judged.vague",
    "summary": "a promise that can be read two ways",
    "subject": "clause",
    "moments": ["edit", "check"],
    "level": "warning",
    "question": "Can two people disagree on what it asks?",
    "true": "Two readings are possible",
    "false": "One reading only",
    "fix": "Reword it",
}
KEYS = ", ".join(f"`{key}`" for key in sorted({*VAGUE, "when"}))


def text(**fields: Any) -> str:
    """The file of a rule; a field that is None is left out, and `true_` stands for `true`."""
    told = {**VAGUE, **{key.rstrip("_"): value for key, value in fields.items()}}
    return "".join(
        f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in told.items() if value is not None
    )


def write(root: Path, name: str, data: str | bytes) -> Path:
    """A file of the folder; its name may have a folder before it."""
    path = root / FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def load(root: Path, project: str = "", **files: str | bytes) -> Settings:
    """The settings of a project with these files in the folder, each named without its `.toml`."""
    (root / "chidev.toml").write_text(project)
    for name, data in files.items():
        write(root, f"{name}.toml", data)
    return settings.load(str(root), None, str(root), ())


def refusal(root: Path, project: str = "", **files: str | bytes) -> str:
    """The message, of which every test may say that it is one line."""
    with pytest.raises(SettingsError) as caught:
        load(root, project, **files)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def ids(loaded: Settings) -> list[str]:
    return [rule.id for rule in loaded.judged]


# ---------------------------------------------------------------- a file that is right


def test_a_rule_is_read_with_all_it_says(tmp_path: Path) -> None:
    loaded = load(tmp_path, vague=text(when=["a Clause was reworded", "before a release"]))

    assert loaded.judged == (
        JudgedRule(
            id="judged.vague",
            summary="a promise that can be read two ways",
            subject="clause",
            moments=(Moment.EDIT, Moment.CHECK),
            level=Level.WARNING,
            question="Can two people disagree on what it asks?",
            true="Two readings are possible",
            false="One reading only",
            fix="Reword it",
            when=("a Clause was reworded", "before a release"),
        ),
    )


@pytest.mark.parametrize("when", [None, []])
def test_hints_of_when_to_ask_may_be_left_out(tmp_path: Path, when: list[str] | None) -> None:
    (rule,) = load(tmp_path, vague=text(when=when)).judged

    assert rule.when == ()


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("subject", ["context", "interface", "item", "clause", "case", "change_request", "project"]),
        ("level", list(Level)),
        ("id", ["judged.a", "judged.case-review", "judged.v2", "judged.clauses.vague"]),
    ],
)
def test_every_word_of_the_specification_is_taken(tmp_path: Path, field: str, words: list[str]) -> None:
    for word in words:
        (rule,) = load(tmp_path, vague=text(**{field: word})).judged

        assert getattr(rule, field) == word


def test_the_moments_are_kept_in_their_order_and_each_once(tmp_path: Path) -> None:
    (rule,) = load(tmp_path, vague=text(moments=["resolve", "pin", "resolve", "edit"])).judged

    assert rule.moments == (Moment.RESOLVE, Moment.PIN, Moment.EDIT)


@pytest.mark.parametrize("said", ["ä\U0001f600\u2028", "two\nlines", ' "quoted" \\ {braces} ', "x" * 100_000])
def test_a_text_is_read_character_by_character(tmp_path: Path, said: str) -> None:
    (rule,) = load(tmp_path, vague=text(question=said, fix=said)).judged

    assert (rule.question, rule.fix) == (said, said)


def test_how_a_file_is_written_makes_no_other_rule_of_it(tmp_path: Path) -> None:
    plain = load(tmp_path, vague=text()).judged
    lines = text().splitlines()

    written = load(tmp_path, vague="# a comment\r\n\r\n" + "\r\n".join(reversed(lines)) + "  # the last").judged

    assert written == plain
    assert written[0].digest == plain[0].digest


# ---------------------------------------------------------------- the folder


def test_the_rules_come_in_the_order_of_their_files(tmp_path: Path) -> None:
    loaded = load(tmp_path, b=text(id="judged.a"), a=text(id="judged.c"), C=text(id="judged.b"))

    assert ids(loaded) == ["judged.b", "judged.c", "judged.a"]


def test_what_is_no_file_of_a_rule_is_not_read(tmp_path: Path) -> None:
    load(tmp_path, vague=text())
    for name in ("notes.md", "vague.toml.orig", "vague.TOML", "toml", "vague.toml~", "more/deeper.toml"):
        write(tmp_path, name, b"\xff no rule")

    assert ids(load(tmp_path)) == ["judged.vague"]


def test_a_project_needs_no_folder_and_no_file_in_it(tmp_path: Path) -> None:
    assert load(tmp_path).judged == ()

    (tmp_path / FOLDER).mkdir(parents=True)

    assert load(tmp_path).judged == ()


def test_a_rule_in_another_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "vague.toml").write_text(text())

    assert load(tmp_path).judged == ()


def test_a_folder_that_cannot_be_listed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checks").mkdir()
    (tmp_path / FOLDER).symlink_to("judged")

    assert refusal(tmp_path).startswith("checks/judged: cannot be read")


# ---------------------------------------------------------------- what a file may not hold


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"colour": 1}, f"colour is not a setting; there are {KEYS}"),
        ({"questoin": "q"}, "questoin is not a setting; did you mean `question`?"),
        ({"mandatory": True}, "mandatory is not a setting"),
        ({"mandatory": False}, "mandatory is not a setting"),
        ({"params": [1]}, "params is not a setting"),
        ({"hooks": ["edit"], "moments": None}, "hooks is called `moments` now"),
        ({"hooks": ["edit"]}, "hooks is called `moments` now"),
        ({"hook": "edit"}, "hook is not a setting"),
        ({"moments": ["put"]}, "moments[0] is `put`, which is called `edit` now"),
        ({"moments": ["edit", "deploy"]}, "moments[1] is `deploy`, expected one of `edit`, `pin`, `resolve`, `check`"),
        ({"moments": ["Edit"]}, "moments[0] is `Edit`, expected one of"),
        ({"moments": []}, "moments is empty"),
        ({"moments": "edit"}, "moments is a text, expected an array of texts"),
        ({"moments": [1]}, "moments[0] is a whole number, expected a text"),
        ({"level": "loud"}, "level is `loud`, expected one of off, note, warning, error"),
        ({"level": "Warning"}, "level is `Warning`, expected one of"),
        ({"level": 2}, "level is a whole number, expected a text"),
        ({"subject": "sentence"}, "subject is `sentence`, expected one of context, interface, item, clause, case,"),
        ({"subject": "contract"}, "subject is `contract`, expected one of"),
        ({"subject": "change-request"}, "subject is `change-request`, expected one of"),
        ({"subject": ["clause"]}, "subject is an array, expected a text"),
        ({"when": "a put"}, "when is a text, expected an array of texts"),
        ({"when": True}, "when is a truth value, expected an array of texts"),
        ({"when": ["a put", 3]}, "when[1] is a whole number, expected a text"),
        ({"when": ["a put", ""]}, "when[1] is empty"),
        ({"true_": True}, "true is a truth value, expected a text"),
        ({"false_": 0.5}, "false is a number, expected a text"),
        ({"question": ["q"]}, "question is an array, expected a text"),
        ({"question": "a\0b"}, "question holds the character NUL"),
        ({"id": "judged"}, "id is `judged`, expected an id as `judged.naming`"),
        ({"id": "judged."}, "expected an id"),
        ({"id": "vague"}, "expected an id"),
        ({"id": "ext.vague"}, "expected an id"),
        ({"id": "cite.stale"}, "expected an id"),
        ({"id": "Judged.vague"}, "expected an id"),
        ({"id": "judged.Vague"}, "expected an id"),
        ({"id": "judged.two words"}, "expected an id"),
        ({"id": "judged.a..b"}, "expected an id"),
        ({"id": "judged.vague\n"}, "id is `judged.vague\\n`, expected an id"),
        ({"id": 7}, "id is a whole number, expected a text"),
    ],
    ids=str,
)
def test_a_value_that_a_rule_may_not_have_is_refused(tmp_path: Path, fields: Json, said: str) -> None:
    message = refusal(tmp_path, vague=text(**fields))

    assert message.startswith("checks/judged/vague.toml: ")
    assert said in message


@pytest.mark.parametrize("key", [key for key in VAGUE if key != "id"])
def test_a_text_that_is_missing_or_empty_is_refused(tmp_path: Path, key: str) -> None:
    assert refusal(tmp_path, vague=text(**{key: None})) == f"checks/judged/vague.toml: {key} is missing"
    assert f"checks/judged/vague.toml: {key} is " in refusal(tmp_path, vague=text(**{key: ""}))


def test_all_that_is_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    message = refusal(tmp_path, vague=text(id="vague", level="loud", when=1, colour=1, moments=["put", "x"]))

    for key in ("id", "level", "when", "colour", "moments[0]", "moments[1]"):
        assert f"{key} is " in message


@pytest.mark.parametrize("data", ["", "\n \r\n", "# no rule yet\n"])
def test_a_file_without_a_rule_is_refused_with_what_it_needs(tmp_path: Path, data: str) -> None:
    message = refusal(tmp_path, vague=data)

    assert message.startswith("checks/judged/vague.toml: ")
    for key in VAGUE:
        assert f"{key} is missing" in message


def test_a_rule_inside_a_table_is_no_rule(tmp_path: Path) -> None:
    message = refusal(tmp_path, vague="[rule]\n" + text())

    assert "id is missing" in message
    assert "rule is not a setting" in message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("id = \n", "line 1, column 6: "),
        (text() + 'id = "judged.other"\n', "line 10, column 20: "),
        (b"#\n# caf\xe9\n", "line 2, byte 6: is not UTF-8"),
        (text().encode("utf-16"), "is not UTF-8"),
        (b"\xef\xbb\xbf" + text().encode(), "begins with a byte order mark"),
        (text(question="\\ud800").replace("\\\\", "\\"), "line 6, column "),
        ("a=" + "[" * 100_000, "nested too deeply"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_no_toml_is_refused_with_its_place(tmp_path: Path, data: str | bytes, said: str) -> None:
    message = refusal(tmp_path, vague=data)

    assert message.startswith("checks/judged/vague.toml: ")
    assert said in message


def test_a_huge_file_is_refused_without_being_parsed(tmp_path: Path) -> None:
    load(tmp_path, vague=text())
    with (tmp_path / FOLDER / "vague.toml").open("ab") as file:
        file.truncate(10_000_000)

    assert refusal(tmp_path).startswith("checks/judged/vague.toml: is over 8 MiB")


@pytest.mark.parametrize("kind", ["directory", "fifo", "loop", "dangling"])
def test_what_is_no_file_is_refused_and_not_waited_for(tmp_path: Path, kind: str) -> None:
    load(tmp_path, vague=text())
    path = tmp_path / FOLDER / "odd.toml"
    if kind == "directory":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to(path.name if kind == "loop" else "nothing")

    assert refusal(tmp_path).startswith("checks/judged/odd.toml: ")


def test_a_link_to_a_rule_is_read_as_the_rule(tmp_path: Path) -> None:
    load(tmp_path)
    path = write(tmp_path, "vague.md", text())
    path.with_name("linked.toml").symlink_to("vague.md")

    assert ids(load(tmp_path)) == ["judged.vague"]


@pytest.mark.parametrize("name", ["two\nlines.toml", "\udcff.toml"], ids=["line-feed", "no-utf8"])
def test_an_odd_name_of_a_file_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    load(tmp_path)
    write(tmp_path, name, "")

    assert refusal(tmp_path).startswith("checks/judged/")


def test_two_files_cannot_have_one_id(tmp_path: Path) -> None:
    message = refusal(tmp_path, b=text(), a=text(question="Another question?"))

    assert "judged.vague" in message
    assert "checks/judged/a.toml" in message
    assert "checks/judged/b.toml" in message


# ---------------------------------------------------------------- levels


def test_the_level_of_a_rule_is_set_by_its_id_or_its_family(tmp_path: Path) -> None:
    loaded = load(
        tmp_path,
        '[checks."judged.vague"]\nlevel = "note"\n[checks."judged.clauses."]\nlevel = "off"\n',
        vague=text(),
        other=text(id="judged.clauses.vague"),
    )

    assert loaded.project_checks == (
        CheckSetting("judged.vague", Level.NOTE),
        CheckSetting("judged.clauses.", Level.OFF),
    )


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('[checks."judged.vage"]\nlevel = "off"\n', "did you mean `judged.vague`?"),
        ('[checks."judged.cases."]\nlevel = "off"\n', "is a family that no check is of"),
        ('[checks."judged.vague".params]\nlimit = 3\n', "limit is no parameter of it"),
        ('[checks."judged.vague"]\nquestion = "Is it?"\n', "question is not a setting"),
    ],
)
def test_a_setting_of_a_rule_that_is_not_there_is_refused(tmp_path: Path, setting: str, said: str) -> None:
    message = refusal(tmp_path, setting, vague=text())

    assert message.startswith("chidev.toml: ")
    assert said in message


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize(
    ("data", "word"),
    [(b"id = \xff", "is not UTF-8"), (text(mandatory=True).encode(), "mandatory"), (b"", "id is missing")],
    ids=["no-utf8", "mandatory", "empty"],
)
def test_a_file_that_is_refused_stops_the_command_before_anything_is_run(
    tmp_path: Path, data: bytes, word: str
) -> None:
    load(tmp_path)
    write(tmp_path, "vague.toml", data)

    ended = Chidev(tmp_path).exec(INIT)

    assert_cannot_run(ended, "checks/judged/vague.toml", word)
    assert not (tmp_path / ".chidev").exists()


def test_one_id_in_two_files_stops_the_command(tmp_path: Path) -> None:
    load(tmp_path, vague=text())
    write(tmp_path, "again.toml", text())

    assert_cannot_run(Chidev(tmp_path).exec(INIT), "judged.vague", "again.toml", "vague.toml")


def test_a_file_that_may_not_be_read_stops_the_command(tmp_path: Path) -> None:
    load(tmp_path, vague=text())
    (tmp_path / FOLDER / "vague.toml").chmod(0o200)

    ended = Chidev(tmp_path).exec(INIT, before=without_root_rights)

    assert_cannot_run(ended, "checks/judged/vague.toml: cannot be read: Permission denied")


def test_a_rule_that_is_mended_is_there_at_the_next_command(tmp_path: Path) -> None:
    load(tmp_path, vague=text())
    chidev = Chidev(tmp_path)
    write(tmp_path, "vague.toml", text(level="loud"))
    assert_cannot_run(chidev.exec(INIT), "loud")

    write(tmp_path, "vague.toml", text(level="note"))

    _, answer = chidev.exec(INIT, {"op": "check_rules"}).answers
    assert [(rule["id"], rule["level"]) for rule in answer["rules"]] == [("judged.vague", "note")]
