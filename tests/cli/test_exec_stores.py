"""What `chidev exec` does with a store that is odd, is held by another process, or goes away.

Source: specification, "The store's layout"; design, "The store"; open-points 2 and 11.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from chidev.infra import sqlite_errors, sqlite_file
from chidev.infra.store_layout import APPLICATION_ID, LAYOUT
from tests.app.requests_model import decided, opened, raised
from tests.cli.commands import (
    DEADLINE_S,
    Chidev,
    Ended,
    Json,
    as_input,
    assert_cannot_run,
    interrupt,
    with_files_of_at_most,
    without_root_rights,
)
from tests.running import BASE, CONTEXT, INIT, MODEL, SECTIONS, Project, clause, codes, contract

VIEW: Json = {"op": "view", "sections": SECTIONS}
QUESTIONS: tuple[Json, ...] = (VIEW, {"op": "status"}, {"op": "check"}, {"op": "check_list"})


def store_of(project: Project) -> Path:
    return project.root / ".chidev" / "chidev.db"


def context(n: int, prefix: str = "c") -> Json:
    return {"op": "context_add", "name": f"{prefix}{n}"}


def context_names(project: Project) -> list[str]:
    return [context["name"] for context in project.view("contracts")["contexts"]]


def diagnostics_of(ended: Ended) -> list[list[str]]:
    return [codes(answer["diagnostics"]) for answer in ended.answers if not answer["ok"]]


# Files that are no store of ours.


def a_directory(path: Path) -> None:
    path.mkdir()


def a_text(path: Path) -> None:
    path.write_text("this is a text and no database, and it is longer than a header of one" * 20, encoding="utf-8")


def a_foreign_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE notes (text TEXT)")
        connection.commit()


def a_store_of_the_original(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("CREATE TABLE asset_names (name TEXT); PRAGMA user_version = 2;")


def a_newer_layout(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {LAYOUT + 5}; CREATE TABLE later (x);"
        )


def a_store_that_lost_its_end(path: Path) -> None:
    with closing(sqlite_file.open_file(str(path), make=True)):
        pass
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size - 5000)


def a_store_that_lost_all_but_its_header(path: Path) -> None:
    with closing(sqlite_file.open_file(str(path), make=True)):
        pass
    with path.open("r+b") as file:
        file.truncate(100)


def a_link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere.db")


ODD: dict[Callable[[Path], None], tuple[str, ...]] = {
    a_directory: ("file",),
    a_text: ("no database",),
    a_foreign_database: ("another program",),
    a_store_of_the_original: ("chidev for Rust", "layout 2"),
    a_newer_layout: (f"layout {LAYOUT + 5}", f"layout {LAYOUT}"),
    a_store_that_lost_its_end: ("damaged",),
    a_store_that_lost_all_but_its_header: ("",),
    a_link_to_nothing: ("there is no store",),
}


@pytest.mark.parametrize(("make", "words"), ODD.items(), ids=lambda value: getattr(value, "__name__", ""))
@pytest.mark.parametrize("words_of_command", [("exec",), ("check",)], ids=["exec", "check"])
def test_what_is_no_store_of_ours_stops_it_and_stays_as_it_is(
    chidev: Chidev, make: Callable[[Path], None], words: tuple[str, ...], words_of_command: tuple[str, ...]
) -> None:
    odd = chidev.root / "odd.db"
    make(odd)
    before = odd.read_bytes() if odd.is_file() else None

    ended = chidev(*words_of_command, "--store", "odd.db", stdin=as_input(INIT))

    assert_cannot_run(ended, "odd.db", *words)
    assert (odd.read_bytes() if odd.is_file() else None) == before
    assert words_of_command == ("check",) or not list(chidev.root.glob("odd.db-*"))


def test_an_empty_file_becomes_the_store(project: Project, chidev: Chidev) -> None:
    (project.root / "new.db").touch()

    assert chidev.exec(INIT, CONTEXT, store="new.db").verdicts() == [True, True]


def test_a_store_that_is_damaged_inside_is_told_and_never_by_a_traceback(project: Project, chidev: Chidev) -> None:
    project.accepted(INIT, CONTEXT, *(contract(clause("C1", "x" * 3000), name=f"k{n}") for n in range(20)))
    data = bytearray(store_of(project).read_bytes())
    for start in range(3 * 4096, len(data), 4096):
        data[start : start + 400] = os.urandom(400)
    store_of(project).write_bytes(data)

    for line in (*QUESTIONS[:3], CONTEXT, contract(name="k1")):
        ended = chidev.exec(line)

        assert_cannot_run(ended, "damaged")


# A store that may only be read.


@pytest.fixture(params=["file", "directory", "both"])
def read_only(request: pytest.FixtureRequest, model: Project) -> Iterator[Project]:
    store = store_of(model)
    places = {"file": [store], "directory": [store.parent], "both": [store, store.parent]}[request.param]
    modes = [place.stat().st_mode for place in places]
    for place in places:
        place.chmod(0o444 if place == store else 0o555)
    yield model
    for place, mode in zip(places, modes, strict=True):
        place.chmod(mode)


def test_a_store_that_may_only_be_read_answers_questions_and_refuses_edits(read_only: Project, chidev: Chidev) -> None:
    before = store_of(read_only).read_bytes()

    ended = chidev.exec(*QUESTIONS, BASE, INIT, VIEW, before=without_root_rights)

    assert ended.status == 1
    assert ended.verdicts() == [True] * 4 + [False, False, True]
    assert diagnostics_of(ended) == [["store.read-only"], ["store.read-only"]]
    assert ended.answers[0]["view"] == ended.answers[6]["view"]
    assert store_of(read_only).read_bytes() == before


def test_a_store_that_may_not_be_read_stops_it(model: Project, chidev: Chidev) -> None:
    store_of(model).chmod(0)

    ended = chidev.exec(VIEW, before=without_root_rights)

    assert_cannot_run(ended, "chidev.db")


def test_a_directory_in_which_no_store_can_be_made_stops_it(chidev: Chidev) -> None:
    (chidev.root / ".chidev").mkdir(mode=0o555)

    ended = chidev.exec(INIT, before=without_root_rights)

    (chidev.root / ".chidev").chmod(0o755)
    assert_cannot_run(ended)
    assert list((chidev.root / ".chidev").iterdir()) == []


# Other processes.


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Another process writes, and does not come to an end."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


def test_a_store_that_is_held_refuses_edits_and_answers_questions(
    model: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sqlite_errors,):
        monkeypatch.setattr(module, "BUSY_TIMEOUT_S", 0.05)

    with held(store_of(model)):
        answers = model.run(BASE, *QUESTIONS)

    assert [answer["ok"] for answer in answers] == [False, True, True, True, True]
    (diagnostic,) = answers[0]["diagnostics"]
    assert diagnostic["code"] == "store.locked"
    assert diagnostic["values"] == {"waited_s": 0.05}
    model.accept(BASE)


@pytest.mark.slow
def test_a_store_that_nobody_may_even_open_is_told_in_words(chidev: Chidev, model: Project) -> None:
    with closing(sqlite3.connect(store_of(model), isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")

        ended = chidev.exec(VIEW)

    assert_cannot_run(ended, "another process held the store")


@pytest.mark.slow
def test_a_line_waits_for_a_process_that_writes_for_a_moment(model: Project, chidev: Chidev) -> None:
    ended: list[Ended] = []
    other = threading.Thread(target=lambda: ended.append(chidev.exec(BASE)))

    with held(store_of(model)):
        other.start()
        time.sleep(1)
    other.join(DEADLINE_S)

    assert ended[0].verdicts() == [True]


@pytest.mark.slow
def test_two_writers_at_once_lose_nothing(project: Project, chidev: Chidev) -> None:
    project.accept(INIT)
    prefixes = ("a", "b", "c")
    for prefix in prefixes:
        (project.root / prefix).write_bytes(as_input(*(context(n, prefix) for n in range(150))))

    running = [chidev.start("exec", prefix, stdin=subprocess.DEVNULL) for prefix in prefixes]
    ended = [(process, *process.communicate(timeout=DEADLINE_S)) for process in running]

    kept = []
    for prefix, (process, out, err) in zip(prefixes, ended, strict=True):
        answers = Ended(process.returncode, out, err.decode()).answers
        assert err == b""
        assert [answer["line"] for answer in answers] == list(range(1, 151))
        kept += [f"{prefix}{answer['line'] - 1}" for answer in answers if answer["ok"]]
        refused = {code for answer in answers if not answer["ok"] for code in codes(answer["diagnostics"])}
        assert refused <= {"store.moved", "store.locked"}
    assert sorted(context_names(project)) == sorted(kept)
    assert project.revision() == 1 + len(kept)


@pytest.mark.slow
def test_two_processes_that_make_the_store_make_one(project: Project, chidev: Chidev) -> None:
    running = [chidev.start("exec") for _ in range(6)]

    ended = [process.communicate(as_input(INIT), timeout=DEADLINE_S) for process in running]

    verdicts = [json.loads(out) for out, _ in ended]
    assert sum(answer["ok"] for answer in verdicts) == 1
    assert {code for a in verdicts if not a["ok"] for code in codes(a["diagnostics"])} == {"project.exists"}
    assert [path.name for path in store_of(project).parent.iterdir()] == ["chidev.db"]


@pytest.mark.slow
def test_a_decision_that_two_processes_give_at_once_is_given_by_one(model: Project, chidev: Chidev) -> None:
    model.accept(opened())
    crux = model.accept(raised())
    running = [chidev.start("exec") for _ in range(4)]

    ended = [
        process.communicate(as_input(decided(crux, wording=f"answer {n}")), timeout=DEADLINE_S)
        for n, process in enumerate(running)
    ]

    verdicts = [json.loads(out) for out, _ in ended]
    assert sum(answer["ok"] for answer in verdicts) == 1
    refused = {code for answer in verdicts if not answer["ok"] for code in codes(answer["diagnostics"])}
    assert refused <= {"cr.crux-answered", "store.moved"}
    (kept,) = model.view("cruxes")["cruxes"]
    given = next(n for n, answer in enumerate(verdicts) if answer["ok"])
    assert kept["answer"]["decision"]["worded"]["wording"] == f"answer {given}"


# A store that goes away.


class Dialogue:
    """Sends lines to a running command, one at a time, and gives the answer to each."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process

    def __call__(self, line: Json) -> Json:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(as_input(line))
        self._process.stdin.flush()
        return dict(json.loads(self._process.stdout.readline()))


@contextmanager
def dialogue(chidev: Chidev, **streams: Any) -> Iterator[Dialogue]:
    with chidev.start("exec", **streams) as process:
        yield Dialogue(process)
        _, err = process.communicate(timeout=DEADLINE_S)
        assert err == b""


def test_a_store_that_is_removed_refuses_what_would_be_swallowed(project: Project, chidev: Chidev) -> None:
    with dialogue(chidev) as ask:
        ask(INIT)
        store_of(project).unlink()

        refused = ask(CONTEXT)

    assert codes(refused["diagnostics"]) == ["store.gone"]
    assert not store_of(project).exists()


def test_a_store_that_is_replaced_refuses_and_the_other_one_stays_as_it_is(project: Project, chidev: Chidev) -> None:
    project.accepted(*MODEL)
    shutil.copyfile(store_of(project), project.root / "other.db")
    with dialogue(chidev) as ask:
        ask(VIEW)
        (project.root / "other.db").replace(store_of(project))

        refused = ask(BASE)

    assert codes(refused["diagnostics"]) == ["store.gone"]
    assert context_names(project) == ["pricing"]


def test_a_store_that_is_put_back_is_written_again(project: Project, chidev: Chidev) -> None:
    away = project.root / ".chidev" / "away.db"
    with dialogue(chidev) as ask:
        ask(INIT)
        store_of(project).rename(away)
        refused = ask(CONTEXT)
        away.rename(store_of(project))

        again = ask(CONTEXT)

    assert (refused["ok"], again["ok"]) == (False, True)
    assert context_names(project) == ["pricing"]


# A full disk.


@pytest.mark.parametrize("size_bytes", [150_000, 400_000, 1_500_000])
def test_on_a_full_disk_every_line_is_answered_and_none_that_was_accepted_is_lost(
    project: Project, chidev: Chidev, size_bytes: int
) -> None:
    project.accepted(INIT, CONTEXT)

    ended = chidev.exec(*(large(n) for n in range(400)), VIEW, before=with_files_of_at_most(size_bytes))

    assert (ended.status, ended.err) == (1, "")
    assert [answer["line"] for answer in ended.answers] == list(range(1, 402))
    assert {code for some in diagnostics_of(ended) for code in some} == {"store.not-written"}
    kept = [f"k{answer['line'] - 1}" for answer in ended.answers[:-1] if answer["ok"]]
    assert [made["name"] for made in project.context()["contracts"]] == kept


def test_a_disk_that_fills_up_refuses_the_lines_for_which_there_is_no_room(project: Project, chidev: Chidev) -> None:
    project.accepted(INIT, CONTEXT)

    with dialogue(chidev, preexec_fn=with_files_of_at_most(400_000)) as ask:
        answers = [ask(large(n)) for n in range(80)]
        small = ask(VIEW)

    kept = [f"k{n}" for n, answer in enumerate(answers) if answer["ok"]]
    assert 0 < len(kept) < 80
    assert [made["name"] for made in small["view"]["contexts"][0]["contracts"]] == kept
    assert [made["name"] for made in project.context()["contracts"]] == kept


def large(n: int) -> Json:
    """A put that needs about two pages of the store."""
    return contract(clause("C1", f"{n} " * 1500), name=f"k{n}")


def test_a_store_that_cannot_be_made_for_want_of_room_stops_it(project: Project, chidev: Chidev) -> None:
    ended = chidev.exec(INIT, before=with_files_of_at_most(10_000))

    assert_cannot_run(ended)
    assert [answer["ok"] for answer in project.run(INIT, CONTEXT)] == [True, True]


# Ctrl-C, and worse.


def test_an_interrupt_between_lines_leaves_what_was_answered(project: Project, chidev: Chidev) -> None:
    with chidev.start("exec") as process:
        ask = Dialogue(process)
        ask(INIT)
        ask(CONTEXT)

        ended = interrupt(process)

    assert (ended.status, ended.err) == (130, "chidev: interrupted\n")
    assert context_names(project) == ["pricing"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_a_run_that_is_stopped_leaves_the_store_before_or_after_a_line(
    tmp_path: Path, chidev: Chidev, how: signal.Signals
) -> None:
    (chidev.root / "ops").write_bytes(as_input(*(context(n) for n in range(4000))))
    delays = random.Random(7)
    for attempt in range(6):
        root = tmp_path / f"{how.name}{attempt}"
        root.mkdir()
        project = Project(root)
        project.accept(INIT)
        with Chidev(root).start("exec", str(chidev.root / "ops"), stdin=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            first = os.read(process.stdout.fileno(), 1)  # before that it may be Python itself that is stopped
            time.sleep(delays.random() * 0.4)
            process.send_signal(how)
            out, err = process.communicate(timeout=DEADLINE_S)
            out = first + out

        whole = [json.loads(line) for line in out.split(b"\n")[:-1]]
        names = context_names(project)
        assert b"Traceback" not in err
        assert how is not signal.SIGINT or process.returncode in {0, 130}
        assert names == [f"c{n}" for n in range(len(names))]
        assert len(whole) <= len(names)
        assert project.revision() == 1 + len(names)
