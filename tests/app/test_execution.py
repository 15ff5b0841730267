"""When lines are answered: in groups, in order, and never before what they did is durable.

Source: specification, "Operations" (exec); design, "The store" (group commit).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count

import pytest

from chidev.app import execution
from chidev.app.execution import Answer, Execution
from chidev.app.policy import Policy
from chidev.app.ports.files import FileRefused
from chidev.app.ports.provider import FoundItem, FoundItems
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreRefused
from chidev.app.registry import Registry
from chidev.domain.identity import Id
from tests.fakes.programs import NoPrograms
from tests.fakes.store import MemoryStore
from tests.running import BASE, CONTEXT, INIT, INTERFACE, Json, codes, contract, without

STATUS: Json = {"op": "status"}
UNKNOWN: Json = contract(context="nowhere")
FOUND: Json = without(INTERFACE, "items")


class FailingStore(MemoryStore):
    """A store whose next commit, or next write, fails. It counts the commits that it made durable."""

    def __init__(self) -> None:
        super().__init__()
        self.fails_to_commit = False
        self.fails_to_write: str | None = None
        self.commits = 0

    def close_group(self) -> None:
        if self.fails_to_commit and self.group_is_open():
            self.fails_to_commit = False
            self.drop_group()
            raise StoreRefused("store.not-written", reason="disk full")
        self.commits += self.group_is_open()
        super().close_group()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with super().savepoint():
            yield
            if self.fails_to_write:
                rule, self.fails_to_write = self.fails_to_write, None
                raise StoreRefused(rule, **({"reason": "full"} if rule == "store.not-written" else {"waited_s": 5}))


class LosingStore(FailingStore):
    """A full disk that makes the store forget the whole group at once, as SQLite may do."""

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        try:
            with super().savepoint():
                yield
        except StoreRefused:
            self.drop_group()
            raise


class NoFiles:
    def read_text(self, path: str) -> str:
        raise FileRefused(path, "there is no such file")


class OneItem:
    """A provider that finds `price` on the first line, and remembers how many commits there were when it was asked."""

    def __init__(self, store: FailingStore) -> None:
        self._store = store
        self.asked_after: list[tuple[int, bool]] = []

    def find_items(self, context: str, interface: str, source: str) -> FoundItems:
        self.asked_after.append((self._store.commits, self._store.group_is_open()))
        return FoundItems((FoundItem("price", 1, 1),), 0)


class Run:
    """An execution over a store in memory. `told` has a list for each time that something was told."""

    def __init__(self, store: FailingStore | None = None) -> None:
        self.store = store or FailingStore()
        self.provider = OneItem(self.store)
        self.told: list[list[Json]] = []
        self.durable_when_told: list[bool] = []
        self.execution = Execution(self._services, self._tell)
        self._numbers = count(1)

    def _services(self, close_group: Callable[[], None]) -> Services:
        ids = count(1)
        return Services(
            store=self.store,
            files=NoFiles(),
            provider=self.provider,
            policy=Policy(),
            registry=Registry(),
            programs=NoPrograms(),
            new_id=lambda: Id(f"{next(ids):09}"),
            clock=lambda: 1_000,
            before_slow=close_group,
        )

    def _tell(self, answers: Sequence[Answer]) -> None:
        self.durable_when_told.append(not self.store.group_is_open())
        if answers:
            self.told.append([json.loads(answer.encoded()) for answer in answers])

    def waiting(self, *lines: Json | str) -> None:
        """Run lines after which more input waits."""
        for line in lines:
            self._run(line)

    def last(self, line: Json | str) -> None:
        """Run a line after which no input waits: whoever reads the lines closes the group then."""
        self._run(line)
        self.execution.close_group()

    def _run(self, line: Json | str) -> None:
        raw = line if isinstance(line, str) else json.dumps(line)
        self.execution.run(raw.encode(), next(self._numbers))

    def verdicts(self) -> list[list[bool]]:
        return [[answer["ok"] for answer in answers] for answers in self.told]

    def answers(self) -> list[Json]:
        return [answer for answers in self.told for answer in answers]


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> Run:
    """An execution whose groups are not closed by the clock."""
    monkeypatch.setattr(execution, "GROUP_S", 60.0)
    return Run()


@pytest.fixture
def losing(monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr(execution, "GROUP_S", 60.0)
    return Run(LosingStore())


# Groups.


def test_edits_that_wait_together_are_told_together_and_committed_once(ran: Run) -> None:
    ran.waiting(INIT, CONTEXT)

    assert ran.told == []

    ran.last(BASE)

    assert ran.verdicts() == [[True, True, True]]
    assert ran.store.commits == 1


def test_a_line_alone_is_answered_at_once(ran: Run) -> None:
    ran.last(INIT)
    ran.last(CONTEXT)

    assert ran.verdicts() == [[True], [True]]
    assert ran.store.commits == 2


def test_nothing_is_told_before_it_is_durable(ran: Run) -> None:
    ran.waiting(INIT, CONTEXT)
    ran.last(STATUS)
    ran.waiting(BASE)
    ran.execution.close_group()

    assert all(ran.durable_when_told)


def test_a_question_that_stands_on_nothing_open_is_answered_at_once(ran: Run) -> None:
    ran.last(INIT)

    ran.waiting(STATUS, STATUS)

    assert ran.verdicts() == [[True], [True], [True]]


def test_a_question_inside_a_group_waits_and_sees_what_the_group_did(ran: Run) -> None:
    ran.waiting(INIT, CONTEXT, {"op": "view", "sections": ["contracts"]})

    assert ran.told == []

    ran.execution.close_group()

    (answers,) = ran.told
    assert [context["name"] for context in answers[2]["view"]["contexts"]] == ["pricing"]


def test_a_refused_line_inside_a_group_keeps_its_place(ran: Run) -> None:
    ran.waiting(INIT, UNKNOWN, "no JSON", CONTEXT)
    ran.execution.close_group()

    assert ran.verdicts() == [[True, False, False, True]]
    assert [answer["line"] for answer in ran.answers()] == [1, 2, 3, 4]


def test_a_refused_line_that_opens_nothing_is_answered_at_once(ran: Run) -> None:
    ran.waiting("no JSON", CONTEXT)

    assert ran.verdicts() == [[False], [False]]


def test_a_group_is_closed_when_it_has_been_open_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "GROUP_S", -1.0)
    ran = Run()

    ran.waiting(INIT, CONTEXT, BASE)

    assert ran.verdicts() == [[True], [True], [True]]


def test_closing_a_group_twice_tells_nothing_twice(ran: Run) -> None:
    ran.waiting(INIT)
    ran.execution.close_group()
    ran.execution.close_group()

    assert ran.verdicts() == [[True]]


# Blank lines.


@pytest.mark.parametrize("blank", ["", " ", "\t", "\r", " \t\r "])
def test_a_blank_line_has_no_answer_and_keeps_its_number(ran: Run, blank: str) -> None:
    ran.last(blank)
    ran.last(INIT)

    assert [answer["line"] for answer in ran.answers()] == [2]


def test_a_blank_line_closes_the_group_when_nothing_waits_behind_it(ran: Run) -> None:
    ran.waiting(INIT)
    ran.last("")

    assert ran.verdicts() == [[True]]


def test_a_blank_line_in_a_group_leaves_it_open(ran: Run) -> None:
    ran.waiting(INIT, "", CONTEXT)

    assert ran.told == []


@pytest.mark.parametrize("odd", ["\u00a0", "\u2028", "\ufeff", "\0"])
def test_a_line_of_other_white_space_is_refused(ran: Run, odd: str) -> None:
    ran.last(odd)

    assert ran.verdicts() == [[False]]


# A commit that fails.


def test_a_commit_that_fails_refuses_every_answer_that_stood_on_it(ran: Run) -> None:
    ran.last(INIT)
    ran.store.fails_to_commit = True

    ran.waiting(CONTEXT, STATUS, UNKNOWN, {"op": "check_list"})
    ran.last(BASE)

    (answers,) = ran.told[1:]
    assert [answer["ok"] for answer in answers] == [False] * 5
    assert [codes(answer["diagnostics"]) for answer in answers] == [
        ["store.not-written"],
        ["store.not-written"],
        ["input.unknown-name"],
        ["store.not-written"],
        ["store.not-written"],
    ]
    assert [answer["op"] for answer in answers][:2] == ["context_add", "status"]
    assert ran.store.context_names() == []


def test_lines_after_a_commit_that_failed_run_as_ever(ran: Run) -> None:
    ran.last(INIT)
    ran.store.fails_to_commit = True
    ran.last(CONTEXT)

    ran.last(CONTEXT)

    assert ran.verdicts() == [[True], [False], [True]]
    assert ran.store.revision() == 2


def test_an_answer_before_the_group_that_failed_stays_as_it_was(ran: Run) -> None:
    ran.waiting(INIT)
    ran.execution.close_group()
    ran.store.fails_to_commit = True
    ran.waiting(CONTEXT)
    ran.execution.close_group()

    assert ran.verdicts() == [[True], [False]]


def test_a_run_with_a_refused_group_was_not_all_accepted(ran: Run) -> None:
    ran.last(INIT)
    assert not ran.execution.refused

    ran.store.fails_to_commit = True
    ran.last(CONTEXT)

    assert ran.execution.refused


def test_a_write_that_fails_alone_leaves_the_rest_of_the_group(ran: Run) -> None:
    ran.waiting(INIT)
    ran.store.fails_to_write = "store.not-written"
    ran.waiting(CONTEXT)
    ran.last(BASE)

    assert ran.verdicts() == [[True, False, True]]
    assert ran.store.context_names() == ["base"]


def test_a_write_that_ends_the_group_refuses_what_was_in_it(losing: Run) -> None:
    losing.waiting(INIT)
    losing.execution.close_group()
    losing.waiting(CONTEXT, STATUS)
    losing.store.fails_to_write = "store.not-written"
    losing.waiting(BASE)
    losing.execution.close_group()

    assert [verdict for verdicts in losing.verdicts() for verdict in verdicts] == [True, False, False, False]
    assert losing.store.context_names() == []


def test_what_comes_after_a_lost_group_is_a_group_of_its_own(losing: Run) -> None:
    losing.last(INIT)
    losing.waiting(CONTEXT)
    losing.store.fails_to_write = "store.not-written"
    losing.waiting(BASE, BASE)
    losing.execution.close_group()

    assert [answer["ok"] for answer in losing.answers()] == [True, False, False, True]
    assert losing.store.context_names() == ["base"]


def test_a_locked_store_refuses_the_line_and_says_to_run_it_again(ran: Run) -> None:
    ran.last(INIT)
    ran.store.fails_to_write = "store.locked"

    ran.last(CONTEXT)

    (diagnostic,) = ran.answers()[1]["diagnostics"]
    assert diagnostic["code"] == "store.locked"
    assert "again" in diagnostic["help"]


# What is slow.


def test_a_group_is_durable_and_told_before_a_provider_is_asked(ran: Run) -> None:
    ran.waiting(INIT, CONTEXT, FOUND)

    assert ran.verdicts() == [[True, True]]
    assert ran.provider.asked_after == [(1, False)]

    ran.execution.close_group()

    assert ran.verdicts() == [[True, True], [True]]


def test_a_provider_that_is_asked_after_a_failed_commit_finds_nothing_kept(ran: Run) -> None:
    ran.last(INIT)
    ran.store.fails_to_commit = True
    ran.waiting(CONTEXT)

    ran.last(FOUND)

    assert ran.verdicts() == [[True], [False], [False]]
    assert codes(ran.answers()[2]["diagnostics"]) == ["input.unknown-name"]


def test_items_are_found_for_a_name_that_is_then_unknown_and_nothing_is_kept(ran: Run) -> None:
    ran.last(INIT)

    ran.last(FOUND)

    assert codes(ran.answers()[1]["diagnostics"]) == ["input.unknown-name"]
    assert ran.store.revision() == 1


# The form of an answer.


def test_an_answer_begins_with_the_verdict_the_line_and_the_operation() -> None:
    told: list[bytes] = []
    ran = Run()
    ran.execution._tell = lambda answers: told.extend(answer.encoded() for answer in answers)

    ran.last({"op": "init"})
    ran.last("[]")
    ran.last({"op": "nothing"})

    assert told[0].startswith(b'{"ok":true,"line":1,"op":"init",')
    assert told[1].startswith(b'{"ok":false,"line":2,"diagnostics":')
    assert told[2].startswith(b'{"ok":false,"line":3,"op":"nothing","diagnostics":')


def test_a_bug_is_not_told_as_an_answer(ran: Run) -> None:
    def breaks() -> int:
        raise ZeroDivisionError

    ran.last(INIT)
    ran.store.revision = breaks  # type: ignore[method-assign]

    with pytest.raises(ZeroDivisionError):
        ran.last(STATUS)
    assert ran.verdicts() == [[True]]
