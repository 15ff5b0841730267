"""A program that finds Items, in a real run of lines: what it did badly is one refused line, and nothing is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from chidev.app.ports.provider import ProviderRefused
from chidev.app.ports.settings import Layout, MeasureSettings
from chidev.infra.process_provider import ProcessProvider
from tests.cli.commands import DEADLINE_S, Chidev, as_input
from tests.running import CONTEXT, INIT, INTERFACE, Project, without

SETTINGS = """
[measure]
timeout = {timeout_s}
[measure.items]
python = ["./provider"]
[[measure.layout]]
context = "pricing"
interface = "price"
path = "price.py"
lang = "python"
"""
ASKS = without(INTERFACE, "items")
GOOD = '{"protocol":2,"items":[{"key":"price","lines":[1,1]}],"left_out":4}'
NOTES = "echo $! >note.new; mv note.new note\n"


def provided(root: Path, text: str, timeout_s: float = 30) -> Project:
    """A project whose program is a shell script."""
    (root / "provider").write_text(f"#!/bin/sh\n{text}\n")
    (root / "provider").chmod(0o755)
    made = Project(root, SETTINGS.format(timeout_s=timeout_s))
    made.accepted(INIT, CONTEXT)
    return made


def is_running(pid: str) -> bool:
    """Whether there is such a process; one that has ended may wait for its parent to look."""
    try:
        return psutil.Process(int(pid)).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_items_left_out_of_a_put_are_those_the_program_finds(tmp_path: Path) -> None:
    project = provided(tmp_path, f"echo '{GOOD}'")

    answer = project.accept(ASKS)

    assert [one["key"] for one in project.interface()["items"]] == ["price"]
    assert answer["left_out"] == 4


@pytest.mark.parametrize(
    ("text", "rule", "says"),
    [
        ("echo secret", "items.protocol", "not one JSON document"),
        ("echo secret >&2; echo why >&2; exit 3", "items.failed", 'status 3, saying "why"'),
        ("yes secret | head -c 9000000 >&2; exit 3", "items.failed", "status 3"),
        ("exec yes secret", "items.protocol", "longer than 4194304 bytes"),
        ("kill -9 $$", "items.failed", "signal 9"),
        ("sleep 61", "items.failed", "did not answer within 0.3 s"),
        ("setsid sleep 61 & setsid sh -c 'sleep 61 & sleep 61' & sleep 61", "items.failed", "did not answer within"),
    ],
    ids=["garbage", "fails", "floods its diagnostics", "floods", "is killed", "hangs", "forks and hangs"],
)
def test_a_put_whose_program_misbehaves_is_refused_in_one_line_and_the_next_is_run(
    tmp_path: Path, text: str, rule: str, says: str
) -> None:
    # Only what hangs is to meet its time, however busy the machine is.
    project = provided(tmp_path, text, timeout_s=0.3 if "sleep" in text else 60)

    (diagnostic,) = project.refuse(ASKS)

    assert diagnostic["code"] == rule
    assert says in diagnostic["message"]
    assert len(json.dumps(diagnostic)) < 2000
    assert project.accept(INTERFACE)["ok"]


def test_a_child_that_a_program_leaves_is_ended_and_takes_nothing_from_the_answer(tmp_path: Path) -> None:
    project = provided(tmp_path, f"setsid sleep 61 &\n{NOTES}echo '{GOOD}'")

    assert project.accept(ASKS)["ok"]

    assert not is_running((tmp_path / "note").read_text())


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_in_the_middle_of_a_program_ends_it_and_keeps_what_was_answered(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    project = provided(tmp_path, f"setsid sleep 61 &\n{NOTES}sleep 61")
    before = project.revision()
    lines = ({"op": "context_add", "name": "kept"}, ASKS, {"op": "context_add", "name": "no"})
    with Chidev(tmp_path).start("exec") as process:
        assert process.stdin is not None
        process.stdin.write(as_input(*lines))
        process.stdin.flush()
        until = time.monotonic() + DEADLINE_S
        while not (tmp_path / "note").exists():
            assert time.monotonic() < until
            time.sleep(0.01)

        process.send_signal(number)
        out, err = process.communicate(timeout=DEADLINE_S)

    assert process.returncode == status
    assert err.startswith(b"chidev: ")
    assert err.count(b"\n") == 1
    assert [line["line"] for line in map(json.loads, out.splitlines())] == [1]
    assert not is_running((tmp_path / "note").read_text())
    assert project.revision() == before + 1
    assert sorted(os.listdir(tmp_path / ".chidev")) == ["chidev.db"]


def test_what_was_answered_before_a_program_is_told_while_it_runs(tmp_path: Path) -> None:
    provided(tmp_path, "while [ ! -e go ]; do sleep 0.01; done; " + f"echo '{GOOD}'")
    with Chidev(tmp_path).start("exec") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(as_input({"op": "context_add", "name": "kept"}, ASKS))
        process.stdin.close()
        first = json.loads(process.stdout.readline())
        (tmp_path / "go").touch()
        second = json.loads(process.stdout.readline())
        process.wait(DEADLINE_S)

    assert (first["line"], first["ok"], second["line"], second["ok"]) == (1, True, 2, True)


def test_the_store_is_not_held_while_a_program_runs(tmp_path: Path) -> None:
    """A program may take its time, and others may write meanwhile; the put is then refused or kept, never half."""
    project = provided(tmp_path, f"true &\n{NOTES}while [ ! -e go ]; do sleep 0.01; done; echo '{GOOD}'")
    with Chidev(tmp_path).start("exec") as process:
        assert process.stdin is not None
        process.stdin.write(as_input(ASKS))
        process.stdin.flush()
        while not (tmp_path / "note").exists():
            time.sleep(0.01)

        other = project.accept({"op": "context_add", "name": "meanwhile"})
        (tmp_path / "go").touch()
        out, _ = process.communicate(timeout=DEADLINE_S)

    assert other["ok"]
    answer = json.loads(out)
    assert answer["ok"] or [one["code"] for one in answer["diagnostics"]] == ["store.moved"]


def test_two_programs_at_one_time_leave_each_other_alone(tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("a", "b")]
    for root in roots:
        root.mkdir()
        provided(root, f"sleep 0.3; echo '{GOOD}'")
    running = [Chidev(root).start("exec") for root in roots]

    ended = [json.loads(process.communicate(as_input(ASKS), timeout=DEADLINE_S)[0]) for process in running]

    assert [answer["ok"] for answer in ended] == [True, True]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 9) | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ITEM = st.fixed_dictionaries(
    {"key": st.text(max_size=4), "lines": st.lists(st.integers(0, 3), min_size=2, max_size=2)},
    optional={"kind": JSON},
)
NEARLY = st.fixed_dictionaries(
    {"protocol": st.just(2), "left_out": st.integers(-1, 3), "items": st.lists(ITEM | JSON, max_size=3)},
    optional={"version": JSON},
)


@given(reply=NEARLY | JSON)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_an_answer_that_is_nearly_right_is_taken_as_it_is_or_not_at_all(tmp_path: Path, reply: Any) -> None:
    (tmp_path / "reply").write_text(json.dumps(reply))
    layout = (Layout("pricing", "price.py", "price", lang="python"),)
    asked = ProcessProvider(str(tmp_path), MeasureSettings(items={"python": ("cat", "reply")}, layout=layout))

    try:
        found = asked.find_items("pricing", "price", "a\nb\n")
    except ProviderRefused as refused:
        told = (refused.rule_id, len(refused.detail) <= 300, refused.detail.isprintable())
    else:
        told = ("items.protocol", True, True)
        assert [[one.key, [one.first, one.last]] for one in found.items] == [
            [one["key"], one["lines"]] for one in reply["items"]
        ]
        assert found.left_out == reply["left_out"]
    assert told == ("items.protocol", True, True)


def test_nothing_that_it_started_outlives_a_run_that_was_killed_at_its_pipe(tmp_path: Path) -> None:
    """Whoever reads the answers goes away in the middle."""
    provided(tmp_path, f"setsid sleep 61 &\n{NOTES}sleep 0.2; echo '{GOOD}'")
    with Chidev(tmp_path).start("exec", stderr=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(as_input(ASKS))
        process.stdin.close()
        assert process.stderr is not None
        err = process.stderr.read()
        process.wait(DEADLINE_S)

    assert b"Traceback" not in err
    assert not is_running((tmp_path / "note").read_text())
