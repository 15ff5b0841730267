"""`--chidev-update`: the Harnesses as they were collected, put into the store in one change.

Only files that were collected whole are put; what cannot be put is told and left as it was recorded.

Source: open-points 20; users.md, 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from chidev.app import inputs
from chidev.app.change_sets import change
from chidev.app.diagnose import sentence
from chidev.app.policy import Policy
from chidev.app.ports.settings import Settings
from chidev.app.ports.store import StoreReader, StoreRefused, StoreUnusable
from chidev.domain.identity import Id
from chidev.domain.outline import Asset, Part
from chidev.domain.rule import Refused, Violation
from chidev.domain.rules import test
from chidev.wiring import open_store, policy_of, services_of
from pytest_chidev.collected import Collected, CollectedCase, CollectedFile
from pytest_chidev.findings import told
from pytest_chidev.harness_files import HarnessFiles, HarnessName, NoHarness
from pytest_chidev.judge import Brought, Finding, JudgeError, Left, Setup, Updated
from pytest_chidev.marks import Citation
from pytest_chidev.targets import Missing, Targets
from pytest_chidev.used_items import likely, used_items


def update(setup: Setup, settings: Settings, collected: Collected, request: str | None = None) -> Updated:
    """Put every whole file with Cases, and every whole file whose recorded Cases are gone, as one change.

    Args:
        request: the title of the change request that the change is work for.

    Raises:
        JudgeError: the store cannot be used, or the change was refused; nothing was written.
    """
    try:
        with open_store(settings) as store:
            with store.reading():
                revision = store.revision()
                plan = _Update(setup, settings, collected, store)
                puts = [(put, f"puts[{n}].") for n, put in enumerate(plan.puts())]
            if puts:
                services = services_of(settings, store, store.close_group)
                change(puts, [], services, computed_on=revision, request=request)
                store.close_group()
            return plan.done()
    except Refused as refused:
        raise JudgeError("nothing was put: " + "; ".join(map(_said, refused.violations))) from None
    except (StoreUnusable, StoreRefused) as error:
        raise JudgeError(sentence(error)) from None


def _said(violation: Violation) -> str:
    """A refusal as one line, with the names that are close to one that is none."""
    close = ", ".join(f"`{name}`" for name in violation.did_you_mean)
    return f"{sentence(violation)}{f'; did you mean {close}?' if close else ''}"


class _Update:
    """What one update puts, brings up and leaves."""

    def __init__(self, setup: Setup, settings: Settings, collected: Collected, store: StoreReader) -> None:
        self._setup = setup
        self._collected = collected
        self._store = store
        self._outline = outline = store.outline()
        self._policy: Policy = policy_of(settings)
        self._targets = Targets(outline)
        marked = [file.path for file in collected.files if file.cases]
        self._files = HarnessFiles(settings, setup.rootpath, setup.context, marked)
        self._problem_paths = {problem.path for problem in collected.problems}
        self._put: list[str] = []
        self._behind: dict[tuple[Id, Id], Brought] = {}  # by Case and target, what a put may bring up
        self._left: list[Left] = []
        self._findings: list[Finding] = []

    def puts(self) -> list[inputs.HarnessPut]:
        return [put for file in self._collected.files if (put := self._put_of(file))]

    def done(self) -> Updated:
        """What came of it, once the puts are in the store."""
        behind = {(cite.case, cite.target) for cite in self._store.outline().cites_behind}
        brought = [brought for cite, brought in self._behind.items() if cite not in behind]
        return Updated(
            put=tuple(self._put),
            brought=tuple(brought),
            stayed=len(self._behind) - len(brought),
            left=tuple(self._left),
            findings=tuple(self._findings),
        )

    def _put_of(self, file: CollectedFile) -> inputs.HarnessPut | None:
        harness = self._files.of(file.path)
        asset = self._asset(harness)
        recorded = self._targets.parts(asset) if asset else {}
        if not file.cases and not recorded:
            return None
        reason = self._why_not(file, harness)
        if reason or isinstance(harness, NoHarness):
            self._left.append(Left(file.path, reason or ""))
            return None
        cases = [case for case in (self._case(file, case, harness) for case in file.cases) if case]
        self._put.append(file.path)
        self._bring_up(file, cases, harness, recorded)
        source = self._setup.sources[file.path].text
        if asset and self._is_recorded(asset, source, cases, file, harness):
            return None
        return inputs.HarnessPut(context=harness.context, name=harness.name, source=source, cases=cases)

    def _asset(self, harness: HarnessName | NoHarness) -> Asset | None:
        if isinstance(harness, NoHarness):
            return None
        return self._targets.asset(harness.context, "harness", harness.name)

    def _is_recorded(
        self, asset: Asset, source: str, cases: list[inputs.CaseInput], file: CollectedFile, harness: HarnessName
    ) -> bool:
        """Whether the store has the Harness just so, every citation at the revision of now; then nothing is written."""
        stored = self._store.harness(asset)
        if stored.source != source or [(c.name, (c.first, c.last)) for c in stored.cases] != [
            (case.name, case.lines) for case in cases
        ]:
            return False
        cited = {case.name: case.citations for case in file.cases}
        for case in stored.cases:
            now = [self._targets.find(citation, harness.context) for citation in cited[case.name]]
            if {(cite.target, cite.revision) for cite in case.cites} != {
                (part.id, part.revision) for part in now if isinstance(part, Part)
            }:
                return False
        return True

    def _why_not(self, file: CollectedFile, harness: HarnessName | NoHarness) -> str | None:
        """Why a file is left as it is recorded; None when it can be put."""
        if isinstance(harness, NoHarness):
            return harness.reason
        if file.partial:
            return file.partial
        if file.path in self._problem_paths:
            return "it has a marker that cannot be read"
        if problem := self._setup.sources[file.path].problem:
            return problem
        for case in file.cases:
            for citation in case.citations:
                found = self._targets.find(citation, harness.context)
                if isinstance(found, Missing):
                    self._findings.extend(self._unknown(file, case, citation, found))
                    return f"{case.name} cites `{citation.compact}`, but {found.text}"
        return None

    def _unknown(
        self, file: CollectedFile, case: CollectedCase, citation: Citation, missing: Missing
    ) -> Iterator[Finding]:
        return told(
            test.UNKNOWN_CITATION,
            self._policy,
            file.path,
            case.code_line,
            f"{file.path}::{case.name}",
            test=case.name,
            cites=citation.compact,
            kind=missing.kind,
            name=missing.name,
            missing=missing.text,
            did_you_mean=missing.did_you_mean,
        )

    def _case(self, file: CollectedFile, case: CollectedCase, harness: HarnessName) -> inputs.CaseInput | None:
        """The Case as it is put; None, and told, when it cites no Item or has no lines."""
        source = self._setup.sources[file.path]
        items = [c for c in case.citations if c.kind == "item"]
        if not items:
            close = used_items(source, case, self._targets.items(harness.context))
            self._findings.extend(
                told(
                    test.NO_ITEM,
                    self._policy,
                    file.path,
                    case.code_line,
                    f"{file.path}::{case.name}",
                    test=case.name,
                    did_you_mean=tuple(close),
                    likely=likely(close),
                )
            )
            return None
        span = source.table.find(case.chain, case.function, case.code_line)
        if span is None:
            self._left.append(Left(f"{file.path}::{case.name}", "its lines are not found in the file"))
            return None
        return inputs.CaseInput(
            name=case.name,
            lines=(span.first, span.last),
            items=[inputs.ItemRef(context=c.context, interface=c.asset, key=c.part) for c in items],
            clauses=[
                inputs.ClauseRef(context=c.context, contract=c.asset, label=c.part)
                for c in case.citations
                if c.kind == "clause"
            ],
        )

    def _bring_up(
        self,
        file: CollectedFile,
        cases: Iterable[inputs.CaseInput],
        harness: HarnessName,
        recorded: Mapping[str, Part],
    ) -> None:
        """Each citation that was behind and is cited still."""
        for case in cases:
            had = self._outline.cites_of_case.get(recorded[case.name].id, ()) if case.name in recorded else ()
            for cite in had:
                part = self._outline.parts[cite.target]
                if cite.revision != part.revision:
                    self._behind[cite.case, cite.target] = Brought(
                        path=file.path,
                        case=case.name,
                        target=self._targets.compact(part, harness.context),
                        old=self._outline.texts.get((part.id, cite.revision), ""),
                        new=self._outline.texts.get((part.id, part.revision), ""),
                    )
