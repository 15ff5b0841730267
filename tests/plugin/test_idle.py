"""Without one of our options a run pays nothing, prints nothing and imports nothing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.plugin.conftest import CONFTEST, Run

LIST_MODULES = """
import json, sys, pytest
before = set(sys.modules)
status = pytest.main(["-q", "-p", "no:cacheprovider", *sys.argv[1:]])
json.dump([int(status), sorted(set(sys.modules) - before)], open("modules.json", "w"))
"""


def modules(pytester: pytest.Pytester, *args: str) -> set[str]:
    """What a run imports in a process of its own, with no plugin but those named."""
    (pytester.path / "list_modules.py").write_text(LIST_MODULES)
    subprocess.run([sys.executable, "list_modules.py", *args], check=True, cwd=pytester.path, capture_output=True)
    status, names = json.loads((pytester.path / "modules.json").read_text())
    assert status == 0
    return set(names)


def test_an_idle_run_imports_the_plugin_alone(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (pytester.path / "conftest.py").unlink()
    pytester.makepyfile("import pytest\n@pytest.mark.cites('a', 'C1')\ndef test_x(): pass")

    plain = modules(pytester, "-o", "strict_markers=false")
    idle = modules(pytester, "-p", "pytest_chidev.plugin")

    assert idle - plain == {"pytest_chidev", "pytest_chidev.plugin"}


def test_an_idle_run_prints_the_same(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.cites('a', 'C1')\ndef test_x(): pass")

    result = run("-v", "--no-header")

    result.stdout.no_fnmatch_line("*chidev*")
    assert result.ret == pytest.ExitCode.OK


def test_the_judge_that_a_conftest_names_is_asked(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        CONFTEST.replace("= FakeJudge", "= lambda setup: print(f'<{setup.context}>') or FakeJudge(setup)")
    )

    result = run("--chidev-check", "-s", "-o", "chidev_context=pricing")

    result.stdout.fnmatch_lines(["<pricing>"])
