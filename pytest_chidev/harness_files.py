"""Which Harness a test file is, and which Harnesses of the store a collection can speak for.

Source: the settings' `[[measure.layout]]`, else the ini key `chidev_context` and the stem of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

import msgspec

from chidev.app.ports.settings import Settings

_NAME = re.compile(r"[a-z0-9_-]+\Z")
_TEST_FILE = re.compile(r"test[-_]|.*[-_]tests?\Z")


class HarnessName(msgspec.Struct, frozen=True):
    """A Harness by the names of its Context and its own."""

    context: str
    name: str


class NoHarness(msgspec.Struct, frozen=True):
    """Why a test file is no Harness, as the end of a sentence."""

    reason: str


class HarnessFiles:
    """Names the Harness of each test file of a run.

    Args:
        settings: of the project that pytest's root is in.
        rootpath: pytest's root, absolute; paths of files are relative to it.
        context: the ini key `chidev_context`, "" when it is not set.
        paths: the test files with markers; two that would be one Harness are both none.
    """

    def __init__(self, settings: Settings, rootpath: str, context: str, paths: Iterable[str]) -> None:
        self._rootpath = rootpath
        self._root = settings.root
        self._context = context
        layouts = settings.measure.layout if settings.measure else ()
        self._laid_out = {
            os.path.normpath(entry.path): HarnessName(entry.context, entry.harness)
            for entry in layouts
            if entry.harness is not None
        }
        self._names: dict[str, HarnessName | NoHarness] = {path: self._name(path) for path in paths}
        self._refuse_shared()

    def of(self, path: str) -> HarnessName | NoHarness:
        """The Harness that a test file is."""
        return self._names[path] if path in self._names else self._name(path)

    def place(self, harness: HarnessName) -> str | None:
        """Where `[[measure.layout]]` places a Harness, relative to pytest's root with "/"; None when nowhere."""
        for path, name in self._laid_out.items():
            if name == harness:
                return os.path.relpath(os.path.join(self._root, path), self._rootpath).replace(os.sep, "/")
        return None

    def is_of_pytest(self, harness: HarnessName) -> bool:
        """Whether pytest would collect the tests of a Harness of the store, so that it can say they are gone."""
        place = self.place(harness)
        if place is not None:
            return place.endswith(".py") and not place.startswith("../")
        return harness.context == self._context and _TEST_FILE.match(harness.name) is not None

    def _name(self, path: str) -> HarnessName | NoHarness:
        in_project = os.path.relpath(os.path.join(self._rootpath, path), self._root)
        if in_project in self._laid_out:
            return self._laid_out[in_project]
        if not self._context:
            return NoHarness("no [[measure.layout]] entry has its path, and chidev_context is not set")
        stem = os.path.basename(path).partition(".")[0].lower().replace("_", "-")
        if not _NAME.match(stem):
            return NoHarness("its stem makes no name of a Harness, so it needs a [[measure.layout]] entry")
        return HarnessName(self._context, stem)

    def _refuse_shared(self) -> None:
        files: dict[HarnessName, list[str]] = {}
        for path, name in self._names.items():
            if isinstance(name, HarnessName):
                files.setdefault(name, []).append(path)
        for name, paths in files.items():
            if len(paths) > 1:
                others = ", ".join(sorted(paths))
                reason = f"{others} would all be the Harness `{name.name}`; give them [[measure.layout]] entries"
                self._names.update({path: NoHarness(reason) for path in paths})
