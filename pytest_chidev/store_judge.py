"""The judge of a run: collected tests beside what the store recorded.

Source: open-points 6, 7 and 20; users.md, 1 to 4; specification, "Operations" (harness_put).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from chidev.app.current_findings import current_findings
from chidev.app.diagnose import answers, sentence
from chidev.app.policy import Policy
from chidev.app.ports.settings import Settings, SettingsError
from chidev.app.ports.store import StoreReader, StoreRefused, StoreUnusable
from chidev.domain.identity import Id
from chidev.domain.outline import Cite, Part
from chidev.domain.rule import Rule
from chidev.domain.rules import test
from chidev.wiring import open_store, policy_of, project_settings, registry_of
from pytest_chidev import judge
from pytest_chidev.collected import Collected, CollectedCase, CollectedFile, MarkProblem
from pytest_chidev.findings import of_answer, told
from pytest_chidev.harness_files import HarnessFiles, HarnessName, NoHarness
from pytest_chidev.judge import Finding, Judged, JudgeError, Setup, State, Updated
from pytest_chidev.marks import Citation
from pytest_chidev.own_checks import Ask
from pytest_chidev.targets import Missing, Targets
from pytest_chidev.used_items import likely, used_items

_WORST_FIRST: tuple[State, ...] = ("malformed", "unknown", "unrecorded", "stale", "current")
_MOST_READ_FOR_ITEMS = 50  # to say which Items a test uses its file is parsed; a suite has thousands
_UNCITED = {"cite.uncited-clause", "cite.uncited-item"}


def store_judge(setup: Setup) -> StoreJudge:
    """The judge of the project that pytest's root is in.

    Raises:
        judge.SettingsError: no project, or settings that cannot be used.
    """
    try:
        return StoreJudge(setup, project_settings(setup.rootpath, None))
    except SettingsError as error:
        raise judge.SettingsError(str(error)) from None


class StoreJudge:
    """Implements `judge.Judge` over the store of a project. Reading leaves nothing behind, not even open files."""

    def __init__(self, setup: Setup, settings: Settings) -> None:
        self._setup = setup
        self._settings = settings
        self._policy = policy_of(settings)

    def judge(self, collected: Collected) -> Judged:
        problems = [finding for problem in collected.problems for finding in _malformed(problem, self._policy)]
        empty = self._empty()
        if empty:
            return Judged(findings=tuple(problems), notes=(empty,))
        try:
            with open_store(self._settings, read_only=True) as store, store.reading():
                if store.project() is None:
                    return Judged(findings=tuple(problems), notes=(_EMPTY,))
                comparison = Comparison(self._setup, self._settings, self._policy, collected, store)
                findings = [*problems, *comparison.findings()]
                return Judged(findings=tuple(findings), states=comparison.states)
        except (StoreUnusable, StoreRefused) as error:
            raise JudgeError(sentence(error)) from None

    def own_findings(self, collected: Collected, judged: Judged, ask: Ask) -> tuple[Finding, ...]:
        from pytest_chidev.own_findings import own_findings

        if self._empty():
            return tuple(own_findings(collected, judged, ask, self._policy, None))
        try:
            with open_store(self._settings, read_only=True) as store, store.reading():
                return tuple(own_findings(collected, judged, ask, self._policy, store))
        except (StoreUnusable, StoreRefused) as error:
            raise JudgeError(sentence(error)) from None

    def update(self, collected: Collected, request: str | None) -> Updated:
        from pytest_chidev.update import update

        return update(self._setup, self._settings, collected, request)

    def close(self) -> None:
        """Every question opens and closes the store, so there is nothing to let go of."""

    def _empty(self) -> str | None:
        import os

        path = self._settings.store_path
        is_there = os.path.lexists(path) and (not os.path.isfile(path) or os.path.getsize(path) > 0)
        return None if is_there else _EMPTY


_EMPTY = "the store is empty: put the promises with `chidev exec`, then run `pytest --chidev-update`"


class Comparison:
    """What one collection and one state of the store say of each other."""

    def __init__(
        self, setup: Setup, settings: Settings, policy: Policy, collected: Collected, store: StoreReader
    ) -> None:
        self._setup = setup
        self._policy = policy
        self._registry = registry_of(settings)
        self._collected = collected
        self._store = store
        self._outline = store.outline()
        self._targets = Targets(self._outline)
        marked = [file.path for file in collected.files if file.cases]
        self._files = HarnessFiles(settings, setup.rootpath, setup.context, marked)
        self._places: dict[Id, tuple[CollectedFile, CollectedCase]] = {}
        self._found: dict[tuple[int, str], tuple[Citation, Part | Missing]] = {}
        self._read_for_items = 0
        self.states: dict[str, State] = {}

    def findings(self) -> Iterator[Finding]:
        """Those of the collected tests, then those of the model, each once; `states` is filled on the way."""
        for file in self._collected.files:
            yield from self._of_file(file)
        if self._collected.complete:
            yield from self._gone_files()
        yield from self._of_model()

    def _of_file(self, file: CollectedFile) -> Iterator[Finding]:
        harness = self._files.of(file.path)
        if isinstance(harness, NoHarness):
            self.states.update({nodeid: "unrecorded" for case in file.cases for nodeid in case.nodeids})
            if file.cases:
                line = file.cases[0].code_line
                yield from self._at(test.NO_HARNESS, file, None, line, path=file.path, reason=harness.reason)
            return
        asset = self._targets.asset(harness.context, "harness", harness.name)
        recorded = self._targets.parts(asset) if asset else {}
        for case in file.cases:
            yield from self._of_case(file, case, harness, recorded.get(case.name))
        if file.whole:
            names = {case.name for case in file.cases}
            for name in recorded:
                if name not in names:
                    yield from self._gone(file.path, harness, name)

    def _of_case(
        self, file: CollectedFile, case: CollectedCase, harness: HarnessName, recorded: Part | None
    ) -> Iterator[Finding]:
        if recorded:
            if self._is_current(case, harness, recorded):
                self.states.update(dict.fromkeys(case.nodeids, "current"))
                return
            self._places[recorded.id] = (file, case)
        found = {c: self._targets.find(c, harness.context) for c in case.citations}
        for citation, target in found.items():
            if isinstance(target, Missing):
                yield from self._unknown(file, case, citation.compact, target)
        targets = {target.id for target in found.values() if isinstance(target, Part)}
        cites = self._outline.cites_of_case.get(recorded.id, ()) if recorded else ()
        had = {one.target: one for one in cites}
        self._set_states(case, {c.compact: t for c, t in found.items()}, had, known=recorded is not None)
        if recorded is None and not any(c.kind == "item" for c in case.citations):
            yield from self._no_item(file, case, harness)
        elif recorded is None or targets != had.keys():
            yield from self._unrecorded(file, case, harness, targets, had, recorded)

    def _is_current(self, case: CollectedCase, harness: HarnessName, recorded: Part) -> bool:
        """Whether a Case is as it is recorded and nothing it cites has moved: what most Cases of a suite are."""
        cites = self._outline.cites_of_case.get(recorded.id, ())
        citations = case.citations
        if len(cites) != len(citations) or any(one.malformed for one in case.instances):
            return False
        had = {cite.target: cite.revision for cite in cites}
        for citation in citations:
            key = (id(citation), harness.context)
            if key not in self._found:
                # The citation is kept beside what it names, so that its id is not given to another.
                self._found[key] = (citation, self._targets.find(citation, harness.context))
            target = self._found[key][1]
            if isinstance(target, Missing) or had.get(target.id) != target.revision:
                return False
        return True

    def _set_states(
        self, case: CollectedCase, found: Mapping[str, Part | Missing], had: Mapping[Id, Cite], *, known: bool
    ) -> None:
        """The state of each item of a Case is the worst of its own citations."""
        of_citation: dict[str, State] = {}
        for compact, target in found.items():
            if isinstance(target, Missing):
                of_citation[compact] = "unknown"
            elif not known or target.id not in had:
                of_citation[compact] = "unrecorded"
            else:
                of_citation[compact] = "current" if had[target.id].revision == target.revision else "stale"
        for instance in case.instances:
            states: set[State] = {of_citation[citation.compact] for citation in instance.citations}
            if instance.malformed:
                states.add("malformed")
            self.states[instance.nodeid] = next((state for state in _WORST_FIRST if state in states), "unrecorded")

    def _unrecorded(
        self,
        file: CollectedFile,
        case: CollectedCase,
        harness: HarnessName,
        targets: set[Id],
        had: Mapping[Id, Cite],
        recorded: Part | None,
    ) -> Iterator[Finding]:
        marked = sorted(
            self._targets.compact(self._outline.parts[id_], harness.context) for id_ in targets - had.keys()
        )
        lost = sorted(self._targets.compact(self._outline.parts[id_], harness.context) for id_ in had.keys() - targets)
        says = [f"cites {', '.join(f'`{m}`' for m in marked)}, which is not recorded"] if marked else []
        says += [f"no longer cites {', '.join(f'`{m}`' for m in lost)}, which is recorded"] if lost else []
        difference = " and ".join(says) if recorded and says else "is not recorded yet"
        return self._at(
            test.UNRECORDED,
            file,
            case,
            case.code_line,
            test=case.name,
            difference=difference,
            marked=marked,
            recorded=lost,
        )

    def _unknown(self, file: CollectedFile, case: CollectedCase, cites: str, missing: Missing) -> Iterator[Finding]:
        return self._at(
            test.UNKNOWN_CITATION,
            file,
            case,
            case.code_line,
            test=case.name,
            cites=cites,
            kind=missing.kind,
            name=missing.name,
            missing=missing.text,
            did_you_mean=missing.did_you_mean,
        )

    def _no_item(self, file: CollectedFile, case: CollectedCase, harness: HarnessName) -> Iterator[Finding]:
        items = self._targets.items(harness.context)
        self._read_for_items += 1
        looked = items and self._read_for_items <= _MOST_READ_FOR_ITEMS
        close = used_items(self._setup.sources[file.path], case, items) if looked else []
        return self._at(
            test.NO_ITEM, file, case, case.code_line, test=case.name, did_you_mean=tuple(close), likely=likely(close)
        )

    def _gone(self, path: str | None, harness: HarnessName, name: str) -> Iterator[Finding]:
        values = {"name": name, "harness": harness.name, "context": harness.context}
        return told(test.GONE, self._policy, path, None, None, **values)

    def _gone_files(self) -> Iterator[Finding]:
        """Recorded Cases of Harnesses whose file a full collection did not meet."""
        met = {self._files.of(file.path) for file in self._collected.files}
        for asset in self._outline.assets_of_kind("harness"):
            harness = HarnessName(self._outline.context_name(asset), asset.name)
            if harness not in met and self._files.is_of_pytest(harness):
                place = self._files.place(harness)
                for name in self._targets.parts(asset):
                    yield from self._gone(place, harness, name)

    def _of_model(self) -> Iterator[Finding]:
        found = current_findings(self._store, self._registry, self._policy, self._outline)
        if not self._collected.complete:
            # A run of some tests does not speak of what nothing cites.
            found = [finding for finding in found if finding.rule.id not in _UNCITED]
        for finding, answer in zip(found, answers(found, self._store, self._policy), strict=True):
            place = self._places.get(Id(finding.identity[1]))
            yield of_answer(finding, answer, place)

    def _at(
        self, rule: Rule, file: CollectedFile, case: CollectedCase | None, line: int | None, **values: Any
    ) -> Iterator[Finding]:
        nodeid = f"{file.path}::{case.name}" if case else None
        return told(rule, self._policy, file.path, line, nodeid, **values)


def _malformed(problem: MarkProblem, policy: Policy) -> Iterator[Finding]:
    return told(test.MALFORMED_CITATION, policy, problem.path, problem.line, problem.nodeid, problem=problem.text)
