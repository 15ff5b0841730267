"""The options of pytest-chidev and the marker `cites`; all the rest is imported when an option asks for it.

Without one of the options a run pays for this module alone. Source: pytest-conventions.md, sections 1 and 2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pytest_chidev.own_checks import Case, Found


class Hooks:
    """The hooks that a project's conftest or plugin may implement."""

    @pytest.hookspec
    def pytest_chidev_checks(self, cases: Sequence[Case], model: Mapping[str, Any]) -> Iterable[Found] | None:
        """Say what is wrong with the collected tests, or with the model: a check of the project's own.

        Called once under --chidev-check, in the process that tells the findings; no test has to be run for it. Mark an
        implementation `@pytest.hookimpl(optionalhook=True)`: it then stands where pytest-chidev is not installed.

        Args:
            cases: every collected test with a mark `cites`.
            model: the view of every section, as `chidev exec` answers it (chidev-view 5).

        Returns:
            What was found, each under an id that begins with `ext.`; also as a generator, or None.
        """


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    pluginmanager.add_hookspecs(Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("chidev", "promises that tests cite (chidev)")
    group.addoption(
        "--chidev-check",
        dest="chidev_check",
        action="store_true",
        default=False,
        help="compare the citations of the collected tests with the store; tell findings, and fail on errors",
    )
    group.addoption(
        "--chidev-update",
        dest="chidev_update",
        action="store_true",
        default=False,
        help="put the test files as they were collected into the store; tell what that brought up",
    )
    group.addoption(
        "--chidev-for",
        dest="chidev_for",
        metavar="TITLE",
        default=None,
        help="with --chidev-update: put them as work for this change request, and bring up only what its frame holds",
    )
    group.addoption(
        "--chidev-stale",
        dest="chidev_stale",
        action="store_true",
        default=False,
        help="run only the tests with a citation whose target changed since it was recorded",
    )
    group.addoption(
        "--chidev-report",
        dest="chidev_report",
        metavar="FILE",
        default=None,
        help="check as --chidev-check does, and write the findings to FILE as JSON",
    )
    parser.addini(
        "chidev_context",
        type="string",
        default="",
        help="the Context of a test file that no [[measure.layout]] entry of chidev.toml places",
    )


# Last, so that a conftest can say which judge it wants before, and so that our hook wrappers are outermost.
@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "cites(contract, *labels): the Clauses and Items this test stands for")
    asked = any(config.getoption(name) for name in ("chidev_check", "chidev_update", "chidev_stale"))
    if asked or any(config.getoption(name) is not None for name in ("chidev_report", "chidev_for")):
        from pytest_chidev.session import start

        start(config)
