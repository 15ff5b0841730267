"""The tests of a run as Cases: what is handed to the judge, and sent from a worker of xdist to the controller.

A Case is a function in its classes, however many parameter sets it has. Plain values only, as JSON text between
processes; what there are thousands of has `gc=False` (it holds no cycle, and pytest's heap is slow to search).
Source: pytest-conventions.md, sections 3, 4 and 10.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
import pytest

from pytest_chidev.marks import Citation, Reading, in_order, read_mark
from pytest_chidev.selection import Selection
from pytest_chidev.source_files import SourceFiles


class Instance(msgspec.Struct, frozen=True, gc=False):
    """One item of pytest: a Case, or one parameter set of it, with all that it cites itself.

    `malformed` says that a mark of it could not be read whole; `citations` has what could be read.
    """

    nodeid: str
    citations: tuple[Citation, ...]
    malformed: bool = False


class CollectedCase(msgspec.Struct, frozen=True, gc=False):
    """One marked function of a test file.

    Attributes:
        name: the name of the Case: `TestPrice::test_refuses`.
        chain, function: the same in parts, as `LineTable.find` takes them.
        code_line: where the code that runs begins in this file, its first decorator, from 1; None when it runs
            elsewhere (an imported test, a decorator without `functools.wraps`). It costs no parsing.
        instances: the items, in the order they were collected; never empty.
    """

    name: str
    chain: tuple[str, ...]
    function: str
    code_line: int | None
    instances: tuple[Instance, ...]

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What any of its items cites, each once, sorted."""
        if len(self.instances) == 1:
            return self.instances[0].citations
        return in_order(citation for instance in self.instances for citation in instance.citations)

    @property
    def nodeids(self) -> tuple[str, ...]:
        return tuple(instance.nodeid for instance in self.instances)


class CollectedFile(msgspec.Struct, frozen=True):
    """One test file with its marked tests; one without any is here too, so that what it had can be told gone.

    Attributes:
        path: relative to pytest's root, with "/".
        cases: by their first item in the order of collection; names are unique.
        partial: why the file was not collected whole; "" when it was.
    """

    path: str
    cases: tuple[CollectedCase, ...]
    partial: str

    @property
    def whole(self) -> bool:
        return not self.partial


class MarkProblem(msgspec.Struct, frozen=True):
    """One thing that is wrong with a mark, told once, at the function, class or module that has the mark.

    Attributes:
        text: a sentence without a full stop.
        nodeid: the first item that the mark reaches.
        line: from 1; of the test, of the class statement or of `pytestmark`; None when it is not found.
    """

    text: str
    path: str
    line: int | None
    nodeid: str


class Collected(msgspec.Struct, frozen=True):
    """All that one run collected.

    Attributes:
        rootpath: pytest's root, absolute. The project's root may be another.
        files: sorted by path.
        complete: whether every test file of the project was collected whole, so that a file that is not here is gone.
    """

    rootpath: str
    files: tuple[CollectedFile, ...]
    problems: tuple[MarkProblem, ...]
    complete: bool

    def instances(self) -> dict[str, Instance]:
        """Every marked item by its node id."""
        return {item.nodeid: item for file in self.files for case in file.cases for item in case.instances}

    def without_whole(self, paths: frozenset[str], reason: str) -> Collected:
        """The same, with these files no longer taken for whole."""
        if not paths:
            return self
        files = tuple(
            msgspec.structs.replace(file, partial=file.partial or reason) if file.path in paths else file
            for file in self.files
        )
        return msgspec.structs.replace(self, files=files, complete=False)

    def to_json(self) -> str:
        """As text that can cross to another process."""
        return msgspec.json.encode(self).decode()

    @staticmethod
    def from_json(text: str) -> Collected:
        """Reads what `to_json` gave.

        Raises:
            msgspec.MsgspecError: it is something else.
        """
        return msgspec.json.decode(text, type=Collected)


def gather(items: Iterable[pytest.Item], selection: Selection, sources: SourceFiles) -> Collected:
    """Reads the marks of the items and makes Cases of them.

    Items that are not functions (doctests, other plugins' items) and functions without a `cites` mark are left out. No
    file is read, but for the line of a mark that has a problem.
    """
    gathering = _Gathering(selection, sources)
    for item in items:
        if isinstance(item, pytest.Function):
            gathering.add(item)
    return gathering.finish()


class _Case:
    """A Case while its items come in."""

    __slots__ = ("chain", "code_line", "function", "instances")

    def __init__(self, chain: tuple[str, ...], function: str, code_line: int | None) -> None:
        self.chain = chain
        self.function = function
        self.code_line = code_line
        self.instances: dict[str, Instance] = {}


class _Holder(NamedTuple):
    """A class or a module: the path of its file, the classes down to it, and the marks that it hands on."""

    path: str
    chain: tuple[str, ...]
    marks: Sequence[tuple[object, pytest.Mark]]


class _Gathering:
    """Each node, mark and file is looked at once, however many items share it."""

    def __init__(self, selection: Selection, sources: SourceFiles) -> None:
        self._selection = selection
        self._sources = sources
        self._holders: dict[int, _Holder] = {}
        self._ordered: dict[tuple[int, ...], tuple[Citation, ...]] = {}
        self._kept: list[Citation] = []
        self._readings: dict[tuple[object, ...], Reading] = {}
        self._files: dict[str, dict[str, _Case]] = {}
        self._problems: dict[tuple[str, str], MarkProblem] = {}

    def add(self, item: pytest.Function) -> None:
        holder = self._holder(item)
        own = [(item, mark) for mark in item.own_markers if mark.name == "cites"]
        marks: Sequence[tuple[object, pytest.Mark]] = [*own, *holder.marks]
        if not marks:
            return
        path, chain = holder.path, holder.chain
        name = "::".join((*chain, item.originalname)) if chain else item.originalname
        cases = self._files.setdefault(path, {})
        if (case := cases.get(name)) is None:
            case = cases[name] = _Case(chain, item.originalname, _code_line(item))
        nodeid = item.nodeid
        citations: list[Citation] = []
        malformed = False
        for node, mark in marks:
            reading = self._reading(mark)
            citations.extend(reading.citations)
            if reading.problems:
                malformed = True
                self._keep_problems(reading, node, path, case, nodeid)
        case.instances[nodeid] = Instance(nodeid, self._in_order(citations), malformed)

    def _keep_problems(self, reading: Reading, node: object, path: str, case: _Case, nodeid: str) -> None:
        name = "::".join((*case.chain, case.function))
        owner = node.nodeid if isinstance(node, pytest.Collector) else f"{path}::{name}"
        for text in reading.problems:
            if (owner, text) not in self._problems:
                self._problems[owner, text] = MarkProblem(text, path, self._line(node, path, case), nodeid)

    def finish(self) -> Collected:
        paths = sorted({*self._files, *self._selection.modules})
        return Collected(
            rootpath=self._sources.rootpath,
            files=tuple(CollectedFile(path, self._cases(path), self._selection.partial(path)) for path in paths),
            problems=tuple(sorted(self._problems.values(), key=lambda p: (p.path, p.line or 0, p.text))),
            complete=self._selection.complete(),
        )

    def _cases(self, path: str) -> tuple[CollectedCase, ...]:
        return tuple(
            CollectedCase(name, case.chain, case.function, case.code_line, tuple(case.instances.values()))
            for name, case in self._files.get(path, {}).items()
        )

    def _holder(self, item: pytest.Function) -> _Holder:
        """What all the items of one class or module share, looked at once."""
        key = id(item.parent)
        if key not in self._holders:
            above = item.listchain()[:-1]
            self._holders[key] = _Holder(
                path=self._selection.relative(str(item.path)),
                chain=tuple(node.name for node in above if isinstance(node, pytest.Class)),
                marks=[(node, mark) for node in reversed(above) for mark in node.own_markers if mark.name == "cites"],
            )
        return self._holders[key]

    def _reading(self, mark: pytest.Mark) -> Reading:
        """Marks of a suite repeat one another, so each text is read once; odd arguments are read each time."""
        if not mark.kwargs:
            try:
                if reading := self._readings.get(mark.args):
                    return reading
            except TypeError:  # an argument that cannot be hashed
                return read_mark(mark.args, mark.kwargs)
        reading = read_mark(mark.args, mark.kwargs)
        if not mark.kwargs and all(type(arg) is str for arg in mark.args):
            self._readings[mark.args] = reading
        return reading

    def _in_order(self, citations: list[Citation]) -> tuple[Citation, ...]:
        """As `in_order`; the same citations, which the readings keep, are sorted once."""
        key = tuple(map(id, citations))
        ordered = self._ordered.get(key)
        if ordered is None:
            ordered = self._ordered[key] = in_order(citations)
            self._kept.extend(citations)  # so that their ids are not given to others
        return ordered

    def _line(self, node: object, path: str, case: _Case) -> int | None:
        """Where a mark is written: it has no place of its own, so that of what it is on."""
        if isinstance(node, pytest.Item) and case.code_line is not None:
            return case.code_line
        table = self._sources[path].table
        if isinstance(node, pytest.Item):
            span = table.find(case.chain, case.function)
        elif isinstance(node, pytest.Class):
            span = table.of_class(case.chain[: case.chain.index(node.name) + 1])
        else:
            span = table.binding((), "pytestmark")
        return span.first if span else None


def _code_line(item: pytest.Function) -> int | None:
    """The first line of the code that runs, when it is in the item's own file."""
    function: object = item.obj
    while isinstance(function, functools.partial):
        function = function.func
    if hasattr(function, "__wrapped__"):
        try:
            function = inspect.unwrap(function)  # type: ignore[arg-type]
        except ValueError:  # a circle of __wrapped__
            return None
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if inspect.iscode(code) and code.co_filename == str(item.path) else None
