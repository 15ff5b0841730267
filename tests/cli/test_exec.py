"""What a person or a program sees of `chidev exec`: its input, its answers, its exit status.

Source: specification, "Operations" and "Protocol chidev-exec 1".
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

from chidev.cli import main as command
from tests.cli.commands import DEADLINE_S, Chidev, Json, as_input, assert_cannot_run
from tests.running import BASE, CONTEXT, CONTRACT, INIT, MODEL, PIN, Project, changed, clause, codes, contract

CHECK_LIST: Json = {"op": "check_list"}
UNKNOWN: Json = contract(context="nowhere")


def in_process(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[Json]]:
    """Status and answers of the command, run in this process."""
    with pytest.raises(SystemExit) as ended:
        command.main(list(words))
    assert isinstance(ended.value.code, int)
    return ended.value.code, [json.loads(line) for line in capfd.readouterr().out.splitlines()]


# Where the lines come from.


def test_lines_come_from_a_file(chidev: Chidev) -> None:
    (chidev.root / "ops.jsonl").write_bytes(as_input(INIT, CONTEXT))

    ended = chidev("exec", "ops.jsonl")

    assert (ended.status, ended.err) == (0, "")
    assert [(answer["ok"], answer["line"], answer["op"]) for answer in ended.answers] == [
        (True, 1, "init"),
        (True, 2, "context_add"),
    ]


def test_lines_come_from_standard_input_without_a_file(chidev: Chidev) -> None:
    ended = chidev.exec(INIT, CONTEXT)

    assert (ended.status, ended.verdicts()) == (0, [True, True])


def test_lines_come_from_a_fifo(chidev: Chidev) -> None:
    os.mkfifo(chidev.root / "ops")
    writer = threading.Thread(target=(chidev.root / "ops").write_bytes, args=(as_input(INIT, CONTEXT),))
    writer.start()

    ended = chidev("exec", "ops")

    writer.join(DEADLINE_S)
    assert (ended.status, ended.verdicts()) == (0, [True, True])


def test_the_file_is_found_from_the_working_directory_and_source_files_from_the_root(chidev: Chidev) -> None:
    below = chidev.root / "below"
    below.mkdir()
    (chidev.root / "code.py").write_text("pass\n", encoding="utf-8")
    (below / "ops.jsonl").write_bytes(as_input(*MODEL, {**PIN, "code": None, "code_file": "code.py"}))

    ended = chidev("exec", "ops.jsonl", cwd=below)

    assert ended.verdicts() == [True] * 6
    assert (chidev.root / ".chidev" / "chidev.db").exists()


def test_the_store_that_is_named_is_found_from_the_working_directory(chidev: Chidev) -> None:
    below = chidev.root / "below"
    below.mkdir()

    ended = chidev("exec", "--store", "deep/er.db", stdin=as_input(INIT), cwd=below)

    assert ended.status == 0
    assert (below / "deep" / "er.db").exists()
    assert not (chidev.root / ".chidev").exists()


def test_nothing_is_left_beside_a_store_that_was_made(chidev: Chidev) -> None:
    chidev.exec(INIT)

    assert [path.name for path in (chidev.root / ".chidev").iterdir()] == ["chidev.db"]


# What the status says.


@pytest.mark.parametrize(
    ("lines", "status"),
    [((), 0), ((INIT,), 0), ((INIT, UNKNOWN, CONTEXT), 1), ((UNKNOWN,), 1), ((b"",), 0), ((b"x",), 1)],
    ids=["nothing", "accepted", "one-refused", "refused", "blank", "unreadable"],
)
def test_the_status_is_one_when_a_line_was_refused(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    lines: tuple[Json | bytes, ...],
    status: int,
) -> None:
    (project.root / "ops").write_bytes(as_input(*lines))
    monkeypatch.chdir(project.root)

    assert in_process(capfd, "exec", "ops")[0] == status


def test_a_file_that_is_not_there_stops_it(chidev: Chidev) -> None:
    assert_cannot_run(chidev("exec", "missing.jsonl"), "missing.jsonl")


def test_a_directory_in_place_of_the_file_stops_it(chidev: Chidev) -> None:
    assert_cannot_run(chidev("exec", "."), "directory")


def test_a_directory_without_a_project_stops_it(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert_cannot_run(Chidev(tmp_path_factory.mktemp("elsewhere")).exec(INIT), "chidev.toml")


def test_settings_that_cannot_be_used_stop_it_and_are_named(chidev: Chidev) -> None:
    (chidev.root / "chidev.toml").write_text("[chekcs]\n", encoding="utf-8")

    assert_cannot_run(chidev.exec(INIT), "chidev.toml", "chekcs")
    assert not (chidev.root / ".chidev").exists()


# What a line may be.


@pytest.mark.parametrize(
    "line",
    [
        b'{"op":"init"}{"op":"init"}',
        b'{"op":"init"} {}',
        b'{"op":"init","op":"init"}',
        b'{"op":"init"\0}',
        b"\0",
        b'{"op":"context_add","name":"a\\u0000"}',
        b'{"op":"context_add","name":"\\ud800"}',
        b'{"op":"context_add","name":"\xff"}',
        b'{"op":"context_add","name":NaN}',
        b'\xef\xbb\xbf{"op":"init"}',
        b'["init"]',
        b'"init"',
        b"null",
        b"{",
        b"[" * 100_000,
        b'{"op":' + b"9" * 5000 + b"}",
    ],
    ids=lambda line: repr(line[:40]),
)
def test_a_line_that_cannot_be_read_is_refused_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], line: bytes
) -> None:
    (project.root / "ops").write_bytes(as_input(INIT, line, CONTEXT))
    monkeypatch.chdir(project.root)

    status, answers = in_process(capfd, "exec", "ops")

    assert status == 1
    assert [answer["ok"] for answer in answers] == [True, False, True]
    assert len(json.dumps(answers[1])) < 10_000


@pytest.mark.parametrize("end", [b"\r\n", b"\n\n", b"\n \n", b"\n\r\n", b"  \n"])
def test_lines_may_end_in_other_ways(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], end: bytes
) -> None:
    (project.root / "ops").write_bytes(end.join([json.dumps(INIT).encode(), json.dumps(CONTEXT).encode(), b""]))
    monkeypatch.chdir(project.root)

    assert [answer["ok"] for answer in in_process(capfd, "exec", "ops")[1]] == [True, True]


def test_only_a_line_feed_ends_a_line(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "a\u2028b\u0085c\x0bd\x0c"
    (project.root / "ops").write_bytes(
        as_input(INIT, CONTEXT) + json.dumps(changed(CONTRACT, title=text), ensure_ascii=False).encode() + b"\n"
    )
    monkeypatch.chdir(project.root)

    _, answers = in_process(capfd, "exec", "ops")

    assert [answer["line"] for answer in answers] == [1, 2, 3]
    assert project.contract()["title"] == text


def test_the_last_line_needs_no_line_feed(chidev: Chidev) -> None:
    ended = chidev("exec", stdin=as_input(INIT) + json.dumps(CONTEXT).encode())

    assert ended.verdicts() == [True, True]


def test_a_line_of_20_mb_is_kept_whole(project: Project, chidev: Chidev) -> None:
    long = "x" * 20_000_000

    ended = chidev.exec(INIT, CONTEXT, contract(clause("C1", long)), BASE)

    assert ended.verdicts() == [True] * 4
    assert project.contract()["clauses"][0]["text"] == long


def test_a_line_of_20_mb_that_cannot_be_read_is_refused_in_short(chidev: Chidev) -> None:
    ended = chidev.exec(INIT, b'{"op":"' + b"x" * 20_000_000 + b'"}', b"y" * 20_000_000, CONTEXT)

    assert ended.verdicts() == [True, False, False, True]
    assert len(ended.out) < 20_000


# Answers while the input stays open.


def answer_of(process: subprocess.Popen[bytes]) -> Json:
    """The next answer, which has to come while the input stays open."""
    assert process.stdout
    found: list[bytes] = []
    reader = threading.Thread(target=lambda: found.append(process.stdout.readline() if process.stdout else b""))
    reader.start()
    reader.join(5)
    if not found:
        process.kill()
        reader.join()
        pytest.fail("no answer within 5 seconds")
    return dict(json.loads(found[0]))


def send(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin
    process.stdin.write(data)
    process.stdin.flush()


def test_a_program_that_waits_for_each_answer_gets_it(chidev: Chidev) -> None:
    with chidev.start("exec") as process:
        lines: list[Json | bytes] = [INIT, CONTEXT, CHECK_LIST, b"x", BASE]
        for number, line in enumerate(lines, 1):
            send(process, as_input(line))
            assert answer_of(process)["line"] == number
        assert process.stdin
        process.stdin.close()

        assert process.wait(DEADLINE_S) == 1


def test_half_a_line_holds_back_no_answer(chidev: Chidev) -> None:
    with chidev.start("exec") as process:
        send(process, as_input(INIT) + b'{"op":')
        first = answer_of(process)
        send(process, b'"check_list"}\n')
        second = answer_of(process)
        process.communicate(timeout=DEADLINE_S)

    assert (first["op"], second["op"]) == ("init", "check_list")


def test_a_blank_line_without_its_line_feed_holds_back_no_answer(chidev: Chidev) -> None:
    with chidev.start("exec") as process:
        send(process, as_input(INIT) + b"  ")
        first = answer_of(process)
        process.communicate(timeout=DEADLINE_S)

    assert first["op"] == "init"


# Streams that are not there.


@pytest.mark.parametrize("number", [0, 1])
def test_a_stream_that_is_closed_stops_it_before_anything_is_kept(chidev: Chidev, number: int) -> None:
    (chidev.root / "ops").write_bytes(as_input(INIT))

    ended = chidev("exec", *([] if number == 0 else ["ops"]), before=lambda: os.close(number))

    assert_cannot_run(ended, ["standard input", "standard output"][number])
    assert not (chidev.root / ".chidev").exists()


def test_without_a_standard_error_the_answers_are_as_ever(chidev: Chidev) -> None:
    ended = chidev("exec", stdin=as_input(INIT, b"x"), before=lambda: os.close(2))

    assert (ended.status, ended.verdicts()) == (1, [True, False])


def test_what_it_cannot_do_is_never_said_among_the_answers(chidev: Chidev) -> None:
    ended = chidev("exec", "missing.jsonl", before=lambda: os.close(2))

    assert (ended.status, ended.out) == (2, b"")


def test_a_reader_that_goes_away_is_told_in_a_line_and_what_was_done_is_kept(project: Project, chidev: Chidev) -> None:
    (chidev.root / "ops").write_bytes(
        as_input(INIT, *({"op": "context_add", "name": f"c{n}"} for n in range(300)), *[CHECK_LIST] * 300)
    )
    with chidev.start("exec", "ops", stdin=subprocess.DEVNULL) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read().decode()
        status = process.wait(DEADLINE_S)

    assert status == 2
    assert err == "chidev: Broken pipe\n"
    assert codes(project.run(INIT)[0]["diagnostics"]) == ["project.exists"]


def test_an_output_that_is_full_is_told_in_a_line(chidev: Chidev) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    with full.open("wb") as stdout:
        ended = chidev("exec", capture_output=False, stdout=stdout, stderr=subprocess.PIPE, stdin=as_input(INIT))

    assert ended.status == 2
    assert ended.err.startswith("chidev: ")
    assert ended.err.count("\n") == 1
