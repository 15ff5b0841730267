"""Which files a run collected whole. Absence says something only about those: elsewhere it means "unknown".

Source: pytest-conventions.md, section 7.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

import pytest


class Selection:
    """What was seen of the collection that narrows it. Feed it the hooks, then ask `partial` for each file."""

    def __init__(self, config: pytest.Config) -> None:
        """Reads the arguments of the run. A worker of xdist is given the arguments that the controller was given."""
        self._root = str(config.rootpath)
        self._begin = str(config.invocation_params.dir)
        places = [self._place(arg) for arg in config.args]
        self._places = [place for place, whole in places if whole]
        # pytest 8.4 drops the rest of a file that is named both whole and by a node id; 9.2 does not.
        self._in_part = {place for place, whole in places if not whole}
        self._everything = self._asks_for_everything(config)
        self._last_failed = bool(config.getoption("lf", default=False))
        self._ignoring = bool(config.getoption("ignore", default=None) or config.getoption("ignore_glob", default=None))
        self._cut_short = True
        self._touched: dict[str, str] = {}
        self.modules: dict[str, None] = {}
        """Paths of the Python files whose collection ended well, as node ids have them, also those without a test."""

    def relative(self, path: str | os.PathLike[str]) -> str:
        """The path as node ids have it: relative to rootdir, with "/"."""
        return os.path.relpath(path, self._root).replace(os.sep, "/")

    def collected(self, report: pytest.CollectReport) -> None:
        """A collector ended: `pytest_collectreport`."""
        path = report.nodeid.split("::", 1)[0]
        if report.failed:
            self._touched[path] = "an error while it was collected"
        elif report.skipped:
            self._touched.setdefault(path, "a skip while it was collected")
        elif path == report.nodeid and path.endswith(".py"):
            self.modules[path] = None

    def removed(self, items: Iterable[pytest.Item], reason: str = "tests of it were deselected") -> None:
        """Items were taken out: `pytest_deselected`, or found missing afterwards."""
        for path in {item.path for item in items}:
            self._touched.setdefault(self.relative(path), reason)

    def modified(self, before: Sequence[pytest.Item], after: Iterable[pytest.Item]) -> None:
        """`pytest_collection_modifyitems` ran, so collection was not cut short; items may be gone without a word."""
        self._cut_short = False
        kept = {id(item) for item in after}  # an item is hashed by its node id, which is made anew each time
        if gone := [item for item in before if id(item) not in kept]:
            self.removed(gone, "tests of it were taken out")

    def partial(self, path: str) -> str:
        """Why the file was not collected whole; "" when it was.

        Args:
            path: as `relative` gives it.
        """
        if self._cut_short:
            return "collection was cut short"
        if self._last_failed:
            return "--lf was given"
        if reason := self._touched.get(path):
            return reason
        full = os.path.normpath(os.path.join(self._root, path))
        if full not in self._in_part and any(
            full == place or full.startswith(place.rstrip(os.sep) + os.sep) for place in self._places
        ):
            return ""
        return "only some of its tests were asked for"

    def complete(self) -> bool:
        """Whether every test file of the project was collected whole: what is not there now is gone."""
        hindered = self._cut_short or self._last_failed or self._ignoring or self._touched or self._in_part
        return self._everything and not hindered

    def _place(self, arg: str) -> tuple[str, bool]:
        """The file or folder that an argument names, and whether all of it is meant.

        A module name (--pyargs) is taken for a path that no file is below, so nothing counts as whole: that errs on
        the quiet side.
        """
        path, colons, _ = arg.partition("::")
        return os.path.normpath(os.path.join(self._begin, path)), not colons

    def _asks_for_everything(self, config: pytest.Config) -> bool:
        if config.args_source == pytest.Config.ArgsSource.TESTPATHS:
            return True
        return any(place == self._root or self._root.startswith(place + os.sep) for place in self._places)
