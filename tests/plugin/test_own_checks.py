"""Checks of a project's own in the findings of a run: the hook `pytest_chidev_checks`, and what was saved before.

Source: specification, "External checks" and "Judged rule versions"; pytest-conventions.md, section 13.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.plugin.store_project import QUIET, REWORDED, StoreProject

HOOK = """
import pytest
from pytest_chidev.own_checks import Found

@pytest.hookimpl(optionalhook=True)
def pytest_chidev_checks(cases, model):
"""
NAMING = HOOK + (
    "    return [Found('ext.pytest.naming', f'the test `{c.name}` has no verb', nodeid=c.nodeids[0],"
    " help='Say what it does.') for c in cases if 'keeps' in c.name]\n"
)
SLOW = "test_price.py:11: warning ext.pytest.naming: the test `test_keeps` has no verb"
JUDGED = """id = "judged.vague"
summary = "a sentence that can be read two ways"
subject = "clause"
moments = ["check"]
level = "error"
question = "Can two people disagree?"
true = "Two readings"
false = "One reading"
fix = "Reword it"
"""
PROGRAM = f"""#!{sys.executable}
import json, pathlib, sys
pathlib.Path("started").touch()
rule = json.load(sys.stdin)["rules"][0]
print(json.dumps({{"protocol": 2, "findings": [{{"rule": rule, "message": "two promises disagree"}}]}}))
"""
REGISTERED = '[external."ext.a"]\ncommand = "./a"\nmoments = ["check"]\nreads = ["contracts"]\n'


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> StoreProject:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    project = StoreProject(pytester)
    project.settled()
    return project


def hook(project: StoreProject, body: str) -> None:
    project.pytester.makeconftest(HOOK + "".join(f"    {line}\n" for line in body.splitlines()))


# What the hook is given, and what becomes of what it returns.


def test_what_the_hook_finds_is_told_at_the_test_it_is_about(project: StoreProject) -> None:
    project.pytester.makeconftest(NAMING)

    assert project.check() == [SLOW]
    assert project.check("-v") == [SLOW, "    help: Say what it does."]


def test_the_hook_is_given_every_case_and_the_whole_model(project: StoreProject) -> None:
    project.put(REWORDED)
    hook(
        project,
        "import json\n"
        "told = [[c.name, c.path, c.line, list(c.nodeids), list(c.cites), list(c.states)] for c in cases]\n"
        "(context,) = model['contexts']\n"
        "told += [model['version'], context['contracts'][0]['clauses'][0]['text'], sorted(model)]\n"
        "open('told.json', 'w').write(json.dumps(told))",
    )

    project.check()

    import json

    told: list[Any] = json.loads((project.root / "told.json").read_text())
    assert told == [
        [
            "test_refuses",
            "test_price.py",
            6,
            ["test_price.py::test_refuses"],
            ["discount#C1", "price::price"],
            ["stale"],
        ],
        [
            "test_keeps",
            "test_price.py",
            11,
            ["test_price.py::test_keeps"],
            ["discount#C2", "price::Cart.total", "price::price"],
            ["current"],
        ],
        5,
        "a discount over 90% is refused",
        ["change_requests", "contexts", "cruxes", "version"],
    ]


def test_a_finding_about_the_model_has_its_subject(project: StoreProject) -> None:
    hook(
        project,
        "clause = model['contexts'][0]['contracts'][0]['clauses'][0]\n"
        "yield Found('ext.pytest.vague', 'it is vague', subject={'kind': 'clause', 'id': clause['id']})",
    )

    (finding,) = project.report()["findings"]

    assert (finding["rule"], finding["path"]) == ("ext.pytest.vague", None)
    assert [subject["kind"] for subject in finding["subjects"]] == ["clause"]


@pytest.mark.parametrize(
    ("setting", "level", "told"),
    [
        ("", None, "warning"),
        ("", "note", "note"),
        ("", "error", "warning"),
        ('[checks."ext.pytest.naming"]\nlevel = "error"\n', None, "error"),
        ('[checks."ext.pytest.naming"]\nlevel = "error"\n', "note", "note"),
        ('[checks."ext."]\nlevel = "note"\n', None, "note"),
        ('[checks."ext.pytest."]\nlevel = "off"\n', "error", None),
    ],
)
def test_the_settings_say_the_level(project: StoreProject, setting: str, level: str | None, told: str | None) -> None:
    project.settings(QUIET + setting)
    hook(project, f"return [Found('ext.pytest.naming', 'no verb', level={level!r})]")

    result = project.run("--chidev-check")

    line = f"{told} ext.pytest.naming: no verb"
    assert (line in result.stdout.lines) is (told is not None)
    assert result.ret == (pytest.ExitCode.TESTS_FAILED if told == "error" else pytest.ExitCode.OK)


def test_a_project_without_a_store_is_asked_too(pytester: pytest.Pytester) -> None:
    project = StoreProject(pytester, promises=())
    project.file()
    hook(project, "return [Found('ext.pytest.naming', str(model['contexts']))]")

    assert "warning ext.pytest.naming: []" in project.check()


def test_a_hook_that_has_nothing_to_say_may_return_none(project: StoreProject) -> None:
    hook(project, "return None")

    assert project.check() == []


def test_the_hook_is_asked_only_for_a_check(project: StoreProject) -> None:
    hook(project, "raise ValueError('it was asked')")

    assert "it was asked" not in project.run("--chidev-update").stdout.str()
    assert "it was asked" not in project.run("--chidev-stale").stdout.str()
    assert "it was asked" not in project.run().stdout.str()


def test_under_xdist_the_hook_is_asked_once(project: StoreProject) -> None:
    pytest.importorskip("xdist")
    hook(project, "open('asked', 'a').write('x')\nreturn [Found('ext.pytest.naming', 'no verb')]")

    result = project.run("--chidev-check", "-n2", process=True)

    assert result.stdout.lines.count("warning ext.pytest.naming: no verb") == 1
    assert (project.root / "asked").read_text() == "x"


# What the hook may not do.


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("raise ValueError('broken')", "failed at conftest.py:6: ValueError: broken"),
        ("yield Found('ext.pytest.a', 'm')\nraise ValueError('late')", "failed at conftest.py:7: ValueError: late"),
        ("return 'ext.pytest.a'", "it returned `str`, expected findings in a list"),
        ("return Found('ext.pytest.a', 'm')", "it returned `Found`, expected findings in a list"),
        ("return 7", "it returned `int`, expected findings in a list"),
        ("return ['m']", "it returned `str` among its findings, expected `Found`"),
        (
            "return [Found('cite.stale', 'm')]",
            "it returned a finding of 'cite.stale', expected an id as `ext.pytest.naming`",
        ),
        ("return [Found('ext.A', 'm')]", "it returned a finding of 'ext.A', expected an id as `ext.pytest.naming`"),
        ("return [Found('ext.a', ' ')]", "it returned a finding of 'ext.a' without a message"),
        ("return [Found('ext.a', 7)]", "it returned a finding that cannot be read: *"),
        ("return [Found('ext.a', 'm', level='fatal')]", "it returned a finding that cannot be read: *"),
        ("return [Found('ext.a', 'm', subject={'kind': 'clause'})]", "*whose subject is not a kind and an id"),
        ("return [Found('ext.a', 'm', nodeid='test_x.py::a')]", "`test_x.py::a` is no collected test with a mark"),
        (
            "return [Found('ext.a', 'm', subject={'kind': 'clause', 'id': 'x'})]",
            "the model has no clause with the id `x`",
        ),
    ],
)
def test_a_hook_at_fault_is_told_and_the_other_findings_stay(project: StoreProject, body: str, says: str) -> None:
    project.put(REWORDED)
    hook(project, body)

    result = project.run("--chidev-check")

    result.stdout.fnmatch_lines([f"chidev: error: the hook pytest_chidev_checks*{says}"])
    assert any("cite.stale" in line for line in result.stdout.lines)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)


# What programs and judges said before.


def test_saved_findings_of_programs_are_told_and_none_is_started(project: StoreProject) -> None:
    project.settings(QUIET + REGISTERED)
    (project.root / "a").write_text(PROGRAM)
    (project.root / "a").chmod(0o755)
    project.put({"op": "check_run"})
    (project.root / "started").unlink()

    assert project.check() == ["warning ext.a: two promises disagree"]
    project.put(REWORDED)
    told = project.check()

    stale = "warning ext.a: two promises disagree (stale: what was judged has changed since)"
    assert stale in told
    assert not (project.root / "started").exists()


def test_saved_findings_of_a_judge_are_told_with_their_state(project: StoreProject) -> None:
    (project.root / "checks" / "judged").mkdir(parents=True)
    (project.root / "checks" / "judged" / "vague.toml").write_text(JUDGED)
    (answer,) = project.model.accepted({"op": "check_rules"})
    subject = {"clause": {"context": "pricing", "contract": "discount", "label": "C1"}}
    report = {
        "op": "finding_report",
        "rule": "judged.vague",
        "rule_digest": answer["rules"][0]["rule_digest"],
        "judge": "reader",
        "read_at": answer["store_revision"],
        "findings": [{"subject": subject, "message": "over or from?"}],
    }
    project.put(report)

    (finding,) = project.report()["findings"]
    assert (finding["level"], finding["values"]["stale"]) == ("error", False)
    assert project.run("--chidev-check").ret == pytest.ExitCode.TESTS_FAILED
    project.put(REWORDED)
    assert "error judged.vague: over or from? (stale: what was judged has changed since)" in project.check()
