"""Laws of every store, over operations that hypothesis makes up: two stores agree, and so do a part and the whole."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import HealthCheck, event, example, given, settings
from hypothesis import strategies as st

from chidev.app.checks import findings_at, introduced
from chidev.app.diagnose import answers
from chidev.app.judged_requests import judged_requests
from chidev.domain.request_outline import RequestOutline
from chidev.domain.rule import Moment
from chidev.infra.sqlite_store import SqliteStore
from tests.fakes.store import MemoryStore
from tests.random_lines import BEGINNING, LINES, Runner
from tests.running import SECTIONS, Json

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """A store that every example finds empty: nothing of it is ever committed."""
    with SqliteStore(str(tmp_path_factory.mktemp("laws") / "store.db"), make=True) as made:
        yield made


# In `BEGINNING` the Contract `k` of `a` is cited by what checks `i` of `b` since that was pinned.
CITED_SINCE: Json = {
    "op": "clauses_put",
    "context": "a",
    "contract": "k",
    "clauses": [{"label": "C1", "text": "two"}],
}
NO_CASES: Json = {"op": "harness_put", "context": "b", "name": "t", "source": "one", "cases": []}
ELSEWHERE: Json = {"op": "context_uses", "context": "a", "uses": []}
REWORDED: Json = {
    "op": "clauses_put",
    "context": "b",
    "contract": "k",
    "clauses": [{"label": "C2", "text": "three"}],
}
ONE_MORE: Json = {
    "op": "harness_put",
    "context": "b",
    "name": "u",
    "source": "x",
    "cases": [{"name": "p", "lines": [1, 1], "items": [{"interface": "i", "key": "x"}]}],
}

law = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def asked(run: Runner) -> list[Json]:
    return [run({"op": "view", "sections": SECTIONS}), run({"op": "status"}), run({"op": "check"})]


@law
@example(lines=[CITED_SINCE])
@example(lines=[NO_CASES, {"op": "harness_retire", "context": "a", "harness": "t"}])
@example(lines=[ELSEWHERE, CITED_SINCE, {"op": "harness_retire", "context": "b", "harness": "t"}])
@example(lines=[REWORDED, ONE_MORE])
@given(lines=st.lists(LINES, min_size=1, max_size=6))
def test_both_stores_give_the_same_answers(sqlite: SqliteStore, lines: list[Json]) -> None:
    in_memory, on_disk = Runner(MemoryStore()), Runner(sqlite)
    try:
        for line in (*BEGINNING, *lines):
            answer = on_disk(line)
            event("refused" if "refused" in answer else "accepted")
            assert answer == in_memory(line)
        assert asked(on_disk) == asked(in_memory)
    finally:
        sqlite.drop_group()


@law
@example(lines=[CITED_SINCE])
@example(lines=[NO_CASES, {"op": "harness_retire", "context": "a", "harness": "t"}])
@example(lines=[ELSEWHERE, CITED_SINCE, {"op": "harness_retire", "context": "b", "harness": "t"}])
@example(lines=[REWORDED, ONE_MORE])
@given(lines=st.lists(LINES, min_size=1, max_size=6))
def test_what_is_found_around_a_change_is_what_is_found_in_the_whole_model(
    sqlite: SqliteStore, lines: list[Json]
) -> None:
    run = Runner(sqlite)
    try:
        for line in (*BEGINNING, *lines):
            before = findings_at(Moment.EDIT, sqlite.outline(), judged_requests(sqlite), run.services.policy)
            answer = run(line)
            after = findings_at(Moment.EDIT, sqlite.outline(), judged_requests(sqlite), run.services.policy)
            if "refused" in answer or not run.is_edit(line):
                continue
            expected = answers(introduced(before, after), sqlite, run.services.policy)
            event(f"introduced {len(expected)}")
            assert answer["findings"] == [msgspec.to_builtins(finding) for finding in expected]
    finally:
        sqlite.drop_group()


@law
@example(lines=[ELSEWHERE, CITED_SINCE, {"op": "harness_retire", "context": "b", "harness": "t"}])
@example(lines=[REWORDED, ONE_MORE])
@given(lines=st.lists(LINES, min_size=1, max_size=6))
def test_what_is_found_in_the_unsettled_part_is_what_is_found_in_the_whole_model(
    sqlite: SqliteStore, lines: list[Json]
) -> None:
    run = Runner(sqlite)
    try:
        for line in (*BEGINNING, *lines):
            run(line)
        whole = findings_at(Moment.PIN, sqlite.outline(), RequestOutline(), run.services.policy)
        event(f"found {len(whole)}")
        assert findings_at(Moment.PIN, sqlite.unsettled(), RequestOutline(), run.services.policy) == whole
    finally:
        sqlite.drop_group()
