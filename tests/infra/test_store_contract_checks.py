"""What the port `app.ports.store.Store` promises of what checks said, asked of the store in SQLite and in memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chidev.app.ports.store import Store
from chidev.domain.check_run import CheckRun, Evidence, RunFinding
from chidev.domain.identity import Id
from chidev.domain.judged_rule import JudgedFinding, JudgedReport
from chidev.domain.project import Project
from chidev.domain.rule import Level, Moment
from chidev.infra.sqlite_store import SqliteStore
from tests.fakes.store import MemoryStore

changed = msgspec.structs.replace
RUN = CheckRun(
    id=Id("x1"),
    rule="ext.marks",
    moment=Moment.CHECK,
    store_revision=4,
    at=1_796_086_950_157,
    failure=None,
    findings=(
        RunFinding("clause", "k2", "z comes first", Level.NOTE),
        RunFinding("clause", "k1", "a comes second", None),
        RunFinding(None, None, "of the whole project", Level.ERROR),
    ),
    input_stamp="1" * 64,
    config_stamp="2" * 64,
    evidence=Evidence("/tools/marks", 0, "said\n"),
)
REPORT = JudgedReport(
    rule="judged.vague",
    judge="a reader",
    read_at=4,
    at=1_796_086_950_157,
    on_older_revision=False,
    rule_digest="3" * 64,
    scope="4" * 64,
    findings=(
        JudgedFinding("clause", Id("k2"), "z comes first", Level.NOTE, "5" * 64),
        JudgedFinding("clause", Id("k1"), "a comes second", None, "6" * 64),
    ),
)
ODD_TEXTS = ["", "\x01", "\r\n", "ä\U0001f600\u2028", "x" * 100_000, "'; --"]


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A store of each kind with a Project, at revision 1."""
    if request.param == "memory":
        yield begun(MemoryStore())
    else:
        with SqliteStore(str(tmp_path / "store.db"), make=True) as made:
            yield begun(made)


def begun(store: Store) -> Store:
    with store.savepoint():
        store.add_project(Project(Id("project"), 1))
        store.count_commit(moves_model=True)
    store.close_group()
    return store


def keep(store: Store, *said: CheckRun | JudgedReport, moves_model: bool = False) -> None:
    """One commit with what checks said."""
    with store.savepoint():
        write(store, *said)
        store.count_commit(moves_model=moves_model)


def write(store: Store, *said: CheckRun | JudgedReport) -> None:
    for one in said:
        if isinstance(one, CheckRun):
            store.add_check_run(one)
        else:
            store.put_judged_report(one)


def everything(store: Store) -> tuple[object, ...]:
    return store.revision(), store.model_revision(), store.check_runs(), store.judged_reports()


def failing(store: Store, *said: CheckRun | JudgedReport) -> None:
    """Write what checks said and a commit that moves the model, and fail before the end."""
    with suppress(ZeroDivisionError), store.savepoint():
        write(store, *said)
        store.count_commit(moves_model=True)
        raise ZeroDivisionError


def test_nothing_was_said_in_a_store_that_is_new(store: Store) -> None:
    assert everything(store) == (1, 1, [], [])


# Runs of the project's programs.


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        changed(RUN, findings=()),
        changed(RUN, failure="exit: the program ended with 3", evidence=Evidence("/tools/marks", 3, "")),
        changed(RUN, failure="timeout: after 5 s", evidence=Evidence("/tools/marks", None, "")),
        changed(RUN, evidence=Evidence("", -9, "")),
        *(changed(RUN, moment=moment) for moment in Moment),
        *(changed(RUN, findings=(RunFinding("item", "i1", "m", level),)) for level in Level),
        changed(RUN, store_revision=0, at=2**53),
    ],
)
def test_a_run_is_read_back_as_it_was(store: Store, run: CheckRun) -> None:
    keep(store, run)

    assert store.check_runs() == [run]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_what_a_program_said_is_kept_character_by_character(store: Store, text: str) -> None:
    run = changed(
        RUN,
        failure=text,
        findings=(RunFinding("case", "h1", text, None),),
        evidence=Evidence(text, 1, text),
    )

    keep(store, run)

    assert store.check_runs() == [run]


def test_the_latest_run_of_a_rule_is_told_whatever_its_id_and_its_time(store: Store) -> None:
    later = changed(RUN, id=Id("a0"), at=1, store_revision=1, findings=())

    keep(store, RUN)
    keep(store, later)

    assert store.check_runs() == [later]


def test_each_rule_has_its_own_latest_run_and_they_come_by_rule(store: Store) -> None:
    second, third = changed(RUN, id=Id("x2"), rule="ext.b"), changed(RUN, id=Id("x3"), rule="ext.a")

    keep(store, RUN, second)
    keep(store, third)

    assert store.check_runs() == [third, second, RUN]


def test_the_runs_before_the_latest_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with SqliteStore(str(path), make=True) as store:
        keep(begun(store), RUN)
        keep(store, changed(RUN, id=Id("x2"), findings=RUN.findings[:1]))
        store.close_group()

    kept = sqlite3.connect(path)
    runs = kept.execute("SELECT id, latest FROM check_runs ORDER BY id").fetchall()
    findings = kept.execute("SELECT run, count(*) FROM check_run_findings GROUP BY run ORDER BY run").fetchall()
    kept.close()

    assert runs == [("x1", 0), ("x2", 1)]
    assert findings == [("x1", 3), ("x2", 1)]


# Reports of judged rules.


@pytest.mark.parametrize(
    "report",
    [
        REPORT,
        changed(REPORT, findings=()),
        changed(REPORT, on_older_revision=True),
        changed(REPORT, read_at=0, at=2**53),
        changed(REPORT, findings=(JudgedFinding("project", None, "of the whole project", Level.ERROR, "7" * 64),)),
        *(changed(REPORT, findings=(changed(REPORT.findings[0], level=level),)) for level in Level),
        *(
            changed(REPORT, findings=(changed(REPORT.findings[0], kind=kind),))
            for kind in ("context", "interface", "item", "case", "change_request")
        ),
    ],
)
def test_a_report_is_read_back_as_it_was(store: Store, report: JudgedReport) -> None:
    keep(store, report)

    assert store.judged_reports() == [report]


@pytest.mark.parametrize("text", ODD_TEXTS)
def test_what_a_judge_said_is_kept_character_by_character(store: Store, text: str) -> None:
    report = changed(REPORT, judge=text, findings=(changed(REPORT.findings[0], message=text),))

    keep(store, report)

    assert store.judged_reports() == [report]


@pytest.mark.parametrize("findings", [(), REPORT.findings[1:], REPORT.findings[::-1], REPORT.findings * 2])
def test_a_report_replaces_all_that_its_rule_had(store: Store, findings: tuple[JudgedFinding, ...]) -> None:
    other = changed(REPORT, rule="judged.other")
    later = changed(REPORT, judge="another", rule_digest="8" * 64, on_older_revision=True, findings=findings)
    keep(store, REPORT, other)

    keep(store, later)

    assert store.judged_reports() == [other, later]


def test_reports_come_by_rule(store: Store) -> None:
    rules = ["judged.b", "judged.a.b", "judged.c", "judged.a"]

    keep(store, *(changed(REPORT, rule=rule) for rule in rules))

    assert [report.rule for report in store.judged_reports()] == sorted(rules)


def test_a_run_and_a_report_of_one_id_are_two_things(store: Store) -> None:
    keep(store, changed(RUN, rule="judged.vague"), REPORT)

    assert [run.rule for run in store.check_runs()] == ["judged.vague"]
    assert store.judged_reports() == [REPORT]


# The revision of the model.


def test_the_model_is_at_the_revision_of_the_commit_that_moved_it_last(store: Store) -> None:
    seen = []

    for moves_model in (False, True, False, False, True):
        keep(store, moves_model=moves_model)
        seen.append((store.revision(), store.model_revision()))

    assert seen == [(2, 1), (3, 3), (4, 3), (5, 3), (6, 6)]


def test_what_checks_said_moves_the_store_and_not_the_model(store: Store) -> None:
    keep(store, RUN)
    keep(store, REPORT)

    assert (store.revision(), store.model_revision()) == (3, 1)


# Savepoints and groups.


@pytest.mark.parametrize(
    "said",
    [
        changed(RUN, id=Id("x2"), findings=()),
        changed(RUN, id=Id("x2"), rule="ext.a"),
        changed(REPORT, findings=()),
        changed(REPORT, rule="judged.a"),
    ],
)
def test_what_an_exception_leaves_is_nothing(store: Store, said: CheckRun | JudgedReport) -> None:
    keep(store, RUN, REPORT, moves_model=True)
    before = everything(store)

    failing(store, said)

    assert everything(store) == before


def test_a_savepoint_that_failed_leaves_the_one_before_it_and_the_one_after(store: Store) -> None:
    keep(store, REPORT)
    failing(store, changed(REPORT, judge="nobody", findings=()), RUN)
    keep(store, RUN)
    store.close_group()

    assert everything(store) == (3, 1, [RUN], [REPORT])


def test_a_run_that_was_taken_back_can_be_written_again(store: Store) -> None:
    keep(store, RUN)
    again = changed(RUN, id=Id("x2"), failure="exit: 1")
    failing(store, again)

    keep(store, again)

    assert store.check_runs() == [again]


def test_a_group_that_is_dropped_leaves_what_was_durable(store: Store) -> None:
    keep(store, RUN, REPORT)
    store.close_group()
    before = everything(store)
    keep(store, changed(RUN, id=Id("x2"), findings=()), moves_model=True)
    keep(store, changed(REPORT, findings=()), changed(REPORT, rule="judged.a"))

    store.drop_group()

    assert everything(store) == before


def test_what_a_group_wrote_is_read_inside_it(store: Store) -> None:
    with store.savepoint():
        write(store, RUN, REPORT)
        store.count_commit(moves_model=True)
        with store.reading():
            assert everything(store) == (2, 2, [RUN], [REPORT])


def test_what_checks_said_outlives_the_store_that_was_open(tmp_path: Path) -> None:
    path = str(tmp_path / "store.db")
    with SqliteStore(path, make=True) as store:
        keep(begun(store), RUN, REPORT)
        store.close_group()
        before = everything(store)

    with SqliteStore(path, read_only=True) as store:
        assert everything(store) == before


# The two stores beside each other.

RULES = st.sampled_from(["a.x", "a.y", "b"])
TEXTS = st.sampled_from(["", "one", "two"])
LEVELS = st.sampled_from([None, *Level])
KINDS = st.sampled_from(["clause", "item"])
RUNS = st.builds(
    changed,
    st.just(RUN),
    rule=RULES,
    failure=st.none() | TEXTS,
    findings=st.lists(st.builds(RunFinding, st.none() | KINDS, st.none() | TEXTS, TEXTS, LEVELS), max_size=3).map(
        tuple
    ),
)
REPORTS = st.builds(
    changed,
    st.just(REPORT),
    rule=RULES,
    on_older_revision=st.booleans(),
    findings=st.lists(st.builds(JudgedFinding, KINDS, st.none() | TEXTS.map(Id), TEXTS, LEVELS, TEXTS), max_size=3).map(
        tuple
    ),
)
SAID = st.one_of(RUNS, REPORTS)
COMMITS = st.tuples(st.sampled_from(["kept", "kept", "failed", "closed"]), st.lists(SAID, max_size=3), st.booleans())


@settings(max_examples=40, deadline=None)
@given(commits=st.lists(COMMITS, max_size=6))
def test_both_stores_tell_the_same_of_what_checks_said(
    tmp_path_factory: pytest.TempPathFactory, commits: list[tuple[str, list[CheckRun | JudgedReport], bool]]
) -> None:
    ids = count()
    with SqliteStore(str(tmp_path_factory.mktemp("checks") / "store.db"), make=True) as on_disk:
        in_memory = MemoryStore()
        stores = [begun(in_memory), begun(on_disk)]
        for how, said, moves_model in commits:
            new = [changed(one, id=Id(f"x{next(ids)}")) if isinstance(one, CheckRun) else one for one in said]
            for store in stores:
                if how == "failed":
                    failing(store, *new)
                else:
                    keep(store, *new, moves_model=moves_model)
                if how == "closed":
                    store.close_group()
            assert everything(in_memory) == everything(on_disk)

        for store in stores:
            store.drop_group()

        assert everything(in_memory) == everything(on_disk)
