"""The one seam between the plugin and the core: what a run hands over, and what it gets back.

The plugin knows pytest and no store; a `Judge` knows the store and no pytest. Which judge a run has is said by a
factory in the stash of its config, else it is the one of the core.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Protocol

import msgspec
import pytest

from pytest_chidev.collected import Collected
from pytest_chidev.source_files import SourceFiles

if TYPE_CHECKING:
    from pytest_chidev.own_checks import Ask

Level = Literal["error", "warning", "note"]
State = Literal["current", "stale", "unrecorded", "unknown", "malformed"]


class SettingsError(Exception):
    """The project or its settings cannot be used (no chidev.toml, an unknown key). The text names file and key.

    pytest stops with a usage error before anything is collected.
    """


class JudgeError(Exception):
    """This run gets no answer (no store, or one that is locked, foreign, corrupt). The text is one sentence.

    The tests run as ever; the sentence is told as an error and the exit status is 1.
    """


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What is wrong, about one test or (without a place) about the model.

    Attributes:
        message: one sentence, all that is shown without -v.
        nodeid: of the test as pytest names it, or of its function when all parameter sets are meant.
        path: relative to pytest's root, with "/". line: from 1.
        subjects, values, suggestions: as `chidev exec` answers them; plain values that JSON can hold.
        owed: False when a change request deals with it: it is told, and it does not fail the run.
        addressed_by: the titles of the change requests that deal with it.
        old, new: the sentence or signature before and now, for the word diff of -v; `values` holds them as well.
    """

    rule: str
    level: Level
    message: str
    nodeid: str | None = None
    path: str | None = None
    line: int | None = None
    subjects: tuple[dict[str, Any], ...] = ()
    values: Mapping[str, Any] = {}
    help: str = ""
    suggestions: tuple[dict[str, Any], ...] = ()
    old: str | None = None
    new: str | None = None
    owed: bool = True
    addressed_by: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one collection.

    Attributes:
        findings: in any order; those at level `off` are left out.
        states: for the node id of each marked item, by what that item itself cites. The worst of its citations counts:
            malformed, unknown (the store has no such thing), unrecorded (never put, or put with other citations),
            stale, current.
        notes: sentences that are told before the findings and change no status, such as "the store is empty: ...".
    """

    findings: tuple[Finding, ...] = ()
    states: Mapping[str, State] = {}
    notes: tuple[str, ...] = ()


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """A citation that an update brought up to what its target says now."""

    path: str
    case: str
    target: str
    old: str
    new: str


class Left(msgspec.Struct, frozen=True):
    """A test file that an update did not put, and why."""

    path: str
    reason: str


class Updated(msgspec.Struct, frozen=True, kw_only=True):
    """What an update did, or why it did nothing (then `findings` has errors).

    Attributes:
        put: paths of the files whose Harness was put, also those that it left as they were.
        brought: every citation that was behind, with both sides.
        stayed: how many citations are behind still, since the frame of the request does not hold them.
        left: each file with Cases that was not put.
        findings: refusals of the store, and Cases that cannot be put (`test.no-item`).
    """

    put: tuple[str, ...] = ()
    brought: tuple[Brought, ...] = ()
    stayed: int = 0
    left: tuple[Left, ...] = ()
    findings: tuple[Finding, ...] = ()


class Judge(Protocol):
    """Compares the tests of a run with the store."""

    def judge(self, collected: Collected) -> Judged:
        """Judges what was collected; writes nothing. Called in every process of xdist, in one of them for its findings.

        Only a file with `whole` may be said to lack a Case, only a `complete` collection to lack a file. `problems` of
        the collection become findings (`test.malformed-citation`).

        Raises:
            JudgeError: no answer can be given.
        """

    def own_findings(self, collected: Collected, judged: Judged, ask: Ask) -> tuple[Finding, ...]:
        """What the project's own checks find (`pytest_chidev_checks`), at the levels that the settings give them.

        Raises:
            JudgeError: the model cannot be read, or what `ask` raises.
        """

    def update(self, collected: Collected, request: str | None) -> Updated:
        """Puts the Harness of each whole file with Cases, all in one change, and writes nothing else.

        With the title of a change request the change is work for it, and brings up only what its frame holds.

        Called once, at the end of a run without xdist; the text and the lines of a file are those of `Setup.sources`.

        Raises:
            JudgeError: nothing was written.
        """

    def close(self) -> None:
        """Lets go of the store; the run is over. Called once."""


class Setup(msgspec.Struct, frozen=True):
    """What a judge is made from.

    Attributes:
        rootpath: pytest's root, absolute; the project's root (nearest chidev.toml) may be another.
        context: the ini key `chidev_context`; "" when it is not set.
        sources: the test files by the paths of `Collected`; each is read when it is first asked for. Under
            --chidev-update those with Cases were read when they had been collected.
    """

    rootpath: str
    context: str
    sources: SourceFiles


JudgeFactory = Callable[[Setup], Judge]
"""May raise SettingsError."""

JUDGE_FACTORY = pytest.StashKey[JudgeFactory]()
"""For tests, and for a project that judges otherwise: set it in `pytest_configure` of a conftest."""
