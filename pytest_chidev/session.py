"""A run with one of our options: what is done at each of pytest's hooks.

`start` registers one `ChidevSession` in every process. A process that collects (pytest alone, or a worker of xdist)
judges what it collected, so that each test carries its state in its reports. The process that reports (pytest alone, or
the controller of xdist) tells the findings of one collection, once. Source: pytest-conventions.md, sections 6 to 10.
"""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest

from pytest_chidev.collected import Collected, gather
from pytest_chidev.judge import JUDGE_FACTORY, Finding, Judge, Judged, JudgeError, SettingsError, Setup, Updated
from pytest_chidev.own_checks import Case, Found, OwnCheckError, found_by
from pytest_chidev.report import Outcome, report_text, sorted_findings
from pytest_chidev.selection import Selection
from pytest_chidev.source_files import SourceFiles
from pytest_chidev.summary import Asked, write_summary

_SENT = "chidev"
_NOTHING_PUT = "nothing was put into the store: "


class _Sent(msgspec.Struct, frozen=True):
    """What a worker of xdist sends at its end, as JSON text."""

    collected: Collected | None
    faults: tuple[str, ...]


def start(config: pytest.Config) -> None:
    """Registers the session object; called when one of the options was given.

    Raises:
        pytest.UsageError: options that do not go together, a report that cannot be written, settings at fault.
    """
    report = config.getoption("chidev_report")
    asked = Asked(
        check=config.getoption("chidev_check") or report is not None,
        update=config.getoption("chidev_update"),
        stale=config.getoption("chidev_stale"),
        report=None if report is None else os.path.join(config.invocation_params.dir, report),
        request=config.getoption("chidev_for"),
    )
    _refuse(config, asked)
    sources = SourceFiles(str(config.rootpath))
    factory = config.stash.get(JUDGE_FACTORY, None) or _store_judge
    try:
        judge = factory(Setup(str(config.rootpath), config.getini("chidev_context"), sources))
    except SettingsError as fault:
        raise pytest.UsageError(f"chidev: {fault}") from fault
    config.pluginmanager.register(ChidevSession(config, asked, judge, sources), "chidev-session")


def _store_judge(setup: Setup) -> Judge:
    from pytest_chidev.store_judge import store_judge

    return store_judge(setup)


def _refuse(config: pytest.Config, asked: Asked) -> None:
    if asked.request is not None and not asked.update:
        raise pytest.UsageError("chidev: --chidev-for says what an update is work for: add --chidev-update")
    if asked.update and asked.stale:
        raise pytest.UsageError("chidev: --chidev-update and --chidev-stale exclude each other: a file is put whole")
    if asked.update and (_distributes(config) or _is_worker(config)):
        raise pytest.UsageError("chidev: --chidev-update runs in one process: add -n0 (or --collect-only)")
    if asked.report is None or _is_worker(config):
        return
    if os.path.isdir(asked.report) or not os.path.basename(asked.report):
        raise pytest.UsageError(f"chidev: --chidev-report={config.getoption('chidev_report')}: it is a folder")
    if not os.path.isdir(os.path.dirname(asked.report)):
        raise pytest.UsageError(f"chidev: --chidev-report={config.getoption('chidev_report')}: its folder is not there")


class ChidevSession:
    """The hooks of one process. Each goes through `_guard`, so that a fault of ours never stops the user's tests."""

    def __init__(self, config: pytest.Config, asked: Asked, judge: Judge, sources: SourceFiles) -> None:
        self._config = config
        self._asked = asked
        self._judge = judge
        self._sources = sources
        self._selection = Selection(config)
        self._controls = _distributes(config)
        self._interrupted = False
        self._collected: Collected | None = None
        self._judged: Judged | None = None
        self._updated: Updated | None = None
        self._own: tuple[Finding, ...] = ()
        self._faults: list[str] = []
        self._sent: dict[int, str] = {}

    @property
    def outcome(self) -> Outcome:
        """What there is to say by now. The findings count only when they were asked for; those of an update always."""
        checked = self._judged.findings if self._judged and self._asked.check else ()
        updating = self._updated.findings if self._updated else ()
        return Outcome(
            findings=sorted_findings((*checked, *self._own, *updating)),
            collected=self._collected,
            judged=self._judged,
            updated=self._updated,
            faults=tuple(self._faults),
        )

    # Collection: not called in the controller of xdist, but for reports of collectors that failed.

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._guard(lambda: self._selection.collected(report))

    def pytest_deselected(self, items: Iterable[pytest.Item]) -> None:
        self._guard(lambda: self._selection.removed(items))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> Generator[None, None, None]:
        before = list(items)
        yield
        self._guard(lambda: self._selection.modified(before, items))
        if self._asked.stale:
            self._guard(lambda: self._answer(items))
            self._guard(lambda: self._keep_stale(items))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not self._asked.stale:
            self._guard(lambda: self._answer(session.items))
        self._guard(lambda: self._tell_items(session.items))

    def _answer(self, items: Iterable[pytest.Item]) -> None:
        with _without_collector():
            self._answer_all(items)

    def _answer_all(self, items: Iterable[pytest.Item]) -> None:
        self._collected = gather(items, self._selection, self._sources)
        if self._asked.update:
            for file in self._collected.files:
                if file.cases:
                    self._sources[file.path]  # read now: the text that is put is the one that was collected
        self._judged = self._judge.judge(self._collected)

    def _keep_stale(self, items: list[pytest.Item]) -> None:
        """Without an answer no test is known to be stale, and none is run."""
        states = self._judged.states if self._judged else {}
        others = [item for item in items if states.get(item.nodeid) != "stale"]
        if others:
            items[:] = [item for item in items if states.get(item.nodeid) == "stale"]
            self._config.hook.pytest_deselected(items=others)

    def _tell_items(self, items: Iterable[pytest.Item]) -> None:
        """Properties are set now, so that the report of a skipped test or a failed set-up has them."""
        known = self._collected.instances() if self._collected else {}
        states = self._judged.states if self._judged else {}
        written: dict[int, str] = {}  # by the id of some citations: many tests share them
        for item in items:
            nodeid = item.nodeid
            if instance := known.get(nodeid):
                cited = written.get(id(instance.citations))
                if cited is None:
                    cited = written[id(instance.citations)] = ",".join(c.compact for c in instance.citations)
                item.user_properties.append(("chidev.cites", cited))
                item.user_properties.append(("chidev.state", states.get(nodeid, "unknown")))

    # The end of the run.

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: object) -> None:
        """A worker of xdist is done; one that crashed has no output."""
        text = getattr(node, "workeroutput", {}).get(_SENT)
        if text is not None:
            name = getattr(getattr(node, "gateway", None), "id", "")
            self._sent[int(name[2:]) if name[2:].isdigit() else len(self._sent)] = text

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """pytest's own Interrupted (collection errors, a stop that was asked for) comes here as well."""
        self._interrupted = not isinstance(excinfo.value, pytest.Session.Interrupted)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        if _is_worker(self._config):
            self._guard(self._send)
            return
        if self._controls:
            self._guard(self._receive)
        if self._asked.update:
            self._guard(lambda: self._update(exitstatus))
        if self._asked.check and self._config.hook.pytest_chidev_checks.get_hookimpls():
            self._guard(self._ask_own_checks)
        if self._asked.report is not None:
            self._guard(self._write_report)
        nothing_ran = self._asked.stale and bool(self._faults) and exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED
        if self.outcome.failed and (exitstatus == pytest.ExitCode.OK or nothing_ran):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
        if exitstatus != pytest.ExitCode.USAGE_ERROR and not self._config.getoption("no_summary", default=False):
            self._guard(
                lambda: write_summary(terminalreporter, self.outcome, self._asked, self._config.get_verbosity())
            )

    def pytest_unconfigure(self) -> None:
        self._guard(self._judge.close)

    def _send(self) -> None:
        sent = _Sent(self._collected, tuple(self._faults))
        self._config.workeroutput[_SENT] = msgspec.json.encode(sent).decode()  # type: ignore[attr-defined]

    def _receive(self) -> None:
        """All workers collect the same: the first one that answered is enough."""
        sent = [msgspec.json.decode(self._sent[number], type=_Sent) for number in sorted(self._sent)[:1]]
        self._faults.extend(fault for worker in sent for fault in worker.faults)
        if sent and (collected := sent[0].collected):
            self._collected = collected
            if not self._faults:
                self._judged = self._judge.judge(collected)
        elif not self._faults:
            self._faults.append("no worker of xdist sent what it collected")

    def _update(self, exitstatus: int) -> None:
        if self._interrupted or exitstatus in (pytest.ExitCode.INTERNAL_ERROR, pytest.ExitCode.USAGE_ERROR):
            self._faults.append(f"{_NOTHING_PUT}the run did not come to its end")
        elif self._collected is None or self._faults:
            self._faults.append(f"{_NOTHING_PUT}the tests were not read")
        else:
            moved = self._sources.moved()
            self._collected = self._collected.without_whole(moved, "it was changed while the tests ran")
            self._updated = self._judge.update(self._collected, self._asked.request)
            if self._asked.check:
                self._judged = self._judge.judge(self._collected)

    def _ask_own_checks(self) -> None:
        if self._collected and self._judged:
            self._own = self._judge.own_findings(self._collected, self._judged, self._found_by_hooks)

    def _found_by_hooks(self, cases: Sequence[Case], model: Mapping[str, Any]) -> Sequence[Found]:
        """Raises: JudgeError, what they return is no findings, or one of them failed."""
        hook = self._config.hook.pytest_chidev_checks
        try:
            return list(found_by(hook(cases=cases, model=model)))
        except OwnCheckError as error:
            raise JudgeError(f"the hook pytest_chidev_checks: {error}") from None
        except Exception as error:
            raise JudgeError(f"the hook pytest_chidev_checks failed at {_place(error)}") from error

    def _write_report(self) -> None:
        if self._judged is None and not self._faults:
            self._faults.append("the tests were not judged: the run ended before they were collected")
        name = self._config.getoption("chidev_report")
        try:
            with open(self._asked.report or name, "w", encoding="utf-8") as file:
                file.write(report_text(self.outcome))
        except OSError as error:
            self._faults.append(f"the report {name} cannot be written: {error.strerror or error}")

    def _guard(self, work: Callable[[], None]) -> None:
        """Does a part of the work; what keeps it from its end becomes one sentence of the summary."""
        try:
            work()
        except JudgeError as fault:
            self._faults.append(str(fault))
        except Exception as error:  # noqa: BLE001 -- a fault of ours must not take the user's test run with it
            self._faults.append(f"a fault of pytest-chidev at {_place(error)}")


@contextmanager
def _without_collector() -> Iterator[None]:
    """What is made here lives until the end of the run: a garbage collection would walk all of pytest for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _place(error: Exception) -> str:
    """Where something was raised, and what."""
    at = traceback.extract_tb(error.__traceback__)[-1]
    return f"{os.path.basename(at.filename)}:{at.lineno}: {type(error).__name__}: {error}"


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def _distributes(config: pytest.Config) -> bool:
    """Whether this is the controller of xdist, which collects nothing. With --collect-only xdist stands aside."""
    if _is_worker(config) or config.getoption("collectonly", default=False):
        return False
    return config.getoption("dist", default="no") != "no" and bool(config.getoption("tx", default=None))
