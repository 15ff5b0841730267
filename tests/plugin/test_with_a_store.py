"""What a person reads whose promises are in a real store: before the first update, in peace, and after a rewording."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

import pytest

from chidev.domain.rules import cite
from tests.plugin.store_project import (
    BEHIND,
    CONTRACT,
    NEW,
    OLD,
    PROMISES,
    QUIET,
    RETYPED,
    REWORDED,
    SETTLED,
    STALE_LINE,
    TESTS,
    StoreProject,
    everything_in,
    findings_of,
    rules_of,
)
from tests.running import INIT

EMPTY = "chidev: the store is empty: put the promises with `chidev exec`, then run `pytest --chidev-update`"
ALL_CURRENT = {"test_refuses": "current", "test_keeps": "current"}
C1_STALE = {"test_refuses": "stale", "test_keeps": "current"}


@pytest.fixture
def project(pytester: pytest.Pytester) -> StoreProject:
    """Promises in the store, and a test file that was put."""
    made = StoreProject(pytester)
    made.settled()
    return made


@pytest.fixture
def fresh(pytester: pytest.Pytester) -> StoreProject:
    """A test file, and no store."""
    made = StoreProject(pytester, promises=())
    made.file()
    return made


# First use


def test_without_a_store_one_line_names_the_next_command(fresh: StoreProject) -> None:
    result = fresh.run("--chidev-check")

    assert findings_of(result) == [EMPTY]
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2)
    assert not fresh.store.parent.exists()


def test_without_a_store_nothing_is_stale(fresh: StoreProject) -> None:
    result = fresh.run("--chidev-stale")

    assert EMPTY in result.stdout.lines
    result.assert_outcomes(deselected=2)


def test_without_a_store_nothing_can_be_put_and_none_is_made(fresh: StoreProject) -> None:
    result = fresh.run("--chidev-update")

    result.stdout.fnmatch_lines(["chidev: error: *chidev.db: there is no store here; `chidev exec` * makes it"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)
    assert not fresh.store.parent.exists()


def test_an_empty_file_is_an_empty_store(fresh: StoreProject) -> None:
    fresh.store.parent.mkdir()
    fresh.store.touch()

    result = fresh.run("--chidev-check")

    assert findings_of(result) == [EMPTY]
    assert result.ret == pytest.ExitCode.OK
    assert fresh.store.read_bytes() == b""


def test_a_store_that_was_made_and_has_no_project_is_empty(fresh: StoreProject) -> None:
    fresh.model.run({"op": "nonsense"})
    assert fresh.store.exists()

    assert fresh.check() == [EMPTY]


def test_a_project_without_promises_says_what_each_marker_lacks(fresh: StoreProject) -> None:
    fresh.put(INIT)

    result = fresh.run("--chidev-check")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "test_price.py:6: error test.unknown-citation: test_refuses cites `discount#C1`, but " in result.stdout.str()
    assert "there is no Context `pricing`" in result.stdout.str()


def test_before_the_first_update_each_test_is_told_as_not_recorded(pytester: pytest.Pytester) -> None:
    project = StoreProject(pytester)
    project.file()

    result = project.run("--chidev-check")

    assert findings_of(result)[:2] == [
        "test_price.py:6: warning test.unrecorded: test_refuses is not recorded yet",
        "test_price.py:11: warning test.unrecorded: test_keeps is not recorded yet",
    ]
    assert result.ret == pytest.ExitCode.OK


def test_before_the_first_update_what_nothing_cites_is_told(pytester: pytest.Pytester) -> None:
    project = StoreProject(pytester)
    project.file()

    told = [finding["values"].get("label") or finding["values"].get("key") for finding in project.report()["findings"]]

    assert told[2:] == ["C1", "C2", "Cart.total", "price", None]  # the last: no Harness


def test_the_first_update_puts_lines_citations_and_source(pytester: pytest.Pytester) -> None:
    project = StoreProject(pytester)
    project.file()

    result = project.run("--chidev-update")

    assert "chidev: 1 test file put, 0 citations brought up" in result.stdout.lines
    assert result.ret == pytest.ExitCode.OK
    assert project.source() == TESTS
    assert {name: case["lines"] for name, case in project.cases().items()} == {
        "test_refuses": [6, 8],
        "test_keeps": [11, 14],
    }
    assert [len(case["cites"]["items"]) for case in project.cases().values()] == [1, 2]


# In peace


def test_after_an_update_there_is_nothing_to_say(project: StoreProject) -> None:
    result = project.run("--chidev-check")

    assert findings_of(result) == []
    assert "chidev: no findings" in result.stdout.lines
    assert project.states() == ALL_CURRENT


def test_a_second_update_changes_nothing(project: StoreProject) -> None:
    before = project.revision()

    result = project.update()

    assert "chidev: 1 test file put, 0 citations brought up" in result.stdout.lines
    assert project.revision() == before


def test_an_edit_beside_the_tests_needs_no_update_to_be_clean(project: StoreProject) -> None:
    project.file("# a line above\n" + TESTS)

    assert project.check() == []


def test_an_update_after_an_edit_beside_the_tests_moves_their_lines(project: StoreProject) -> None:
    project.file("# a line above\n" + TESTS)

    project.update()

    assert project.cases()["test_refuses"]["lines"] == [7, 9]


# After a rewording


def test_a_reworded_promise_names_the_test_that_cites_it_and_no_other(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.run("--chidev-check")

    assert findings_of(result) == [STALE_LINE]
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=2)
    assert project.states() == C1_STALE


def test_verbose_shows_the_old_and_the_new_sentence_as_one(project: StoreProject) -> None:
    project.put(REWORDED)

    line, diff, help_line = project.check("-v")

    assert (line, diff) == (STALE_LINE, "    a discount over [-100%-]{+90%+} is refused")
    assert help_line == f"    help: {cite.STALE.help}"


def test_a_changed_signature_names_every_test_that_goes_through_it(project: StoreProject) -> None:
    project.put(RETYPED)

    lines = project.check("-v")

    assert [line for line in lines if line.startswith("    help: ")] == [f"    help: {cite.STALE.help}"]
    assert [line for line in lines if not line.startswith("    help: ")] == [
        (
            "test_price.py:6: warning cite.stale: the Case `test_refuses` of the Harness `test-price` "
            "is behind the item "
            "`price price` (revision 1, now 2)"
        ),
        "    def price(total: [-int)-]{+float)+} -> int: ...",
        (
            "test_price.py:11: warning cite.stale: the Case `test_keeps` of the Harness "
            "`test-price` is behind the item "
            "`price price` (revision 1, now 2)"
        ),
        "    def price(total: [-int)-]{+float)+} -> int: ...",
    ]


def test_a_promise_that_only_changed_its_white_space_says_so(project: StoreProject) -> None:
    project.put({**REWORDED, "clauses": [{"label": "C1", "text": OLD.replace(" ", "  ")}]})

    lines = project.check("-v")

    assert lines == [] or "only white space differs" in lines[1]


def test_a_promise_reworded_and_put_back_is_behind_still(project: StoreProject) -> None:
    """By revision, not by date or text alone: somebody has to look, and the diff says that nothing differs."""
    project.put(REWORDED, {**REWORDED, "clauses": [{"label": "C1", "text": OLD}]})

    (line,) = project.check()

    assert "(revision 1, now 3)" in line


def test_the_stale_tests_alone_are_run(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.run("--chidev-stale", "-v")

    result.assert_outcomes(passed=1, deselected=1)
    result.stdout.fnmatch_lines(["test_price.py::test_refuses PASSED*"])


def test_nothing_stale_runs_nothing(project: StoreProject) -> None:
    result = project.run("--chidev-stale")

    assert "chidev: no test has a stale citation" in result.stdout.lines
    result.assert_outcomes(deselected=2)


def test_the_report_has_both_texts_and_the_place(project: StoreProject) -> None:
    project.put(REWORDED)

    report = project.report("-q")

    (finding,) = report["findings"]
    (target,) = finding["values"]["targets"]
    assert finding["rule"] == "cite.stale"
    assert (finding["nodeid"], finding["path"], finding["line"]) == ("test_price.py::test_refuses", "test_price.py", 6)
    assert finding["message"] == BEHIND
    assert (target["old"], target["new"], target["cited"], target["now"]) == (OLD, NEW, 1, 2)
    assert (target["kind"], target["name"], target["context"]) == ("clause", "discount C1", "pricing")
    assert finding["subjects"] == [
        {"kind": "case", "name": "test_refuses", "context": "pricing", "harness": "test-price"}
    ]
    assert "pytest --chidev-update" in finding["help"]
    assert set(finding) == {
        "rule", "level", "message", "nodeid", "path", "line", "subjects", "values", "help", "suggestions"
    }  # fmt: skip


def test_the_report_counts_findings_and_states(project: StoreProject) -> None:
    project.put(REWORDED)

    report = project.report()

    assert report["version"] == 1
    assert report["stale"] == ["test_price.py::test_refuses"]
    assert report["summary"] == {
        "findings": {"error": 0, "warning": 1, "note": 0},
        "states": {"current": 1, "stale": 1},
        "notes": [],
        "faults": [],
        "partial": {},
    }


def test_an_update_shows_both_sides_and_brings_the_test_up(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.update()

    text = result.stdout.str()
    assert f"test_price.py::test_refuses now stands on discount#C1 as it is\n    - {OLD}\n    + {NEW}\n" in text
    assert "chidev: 1 test file put, 1 citation brought up" in result.stdout.lines
    assert project.check() == []
    assert project.states() == ALL_CURRENT


def test_an_update_with_a_check_says_what_is_left_after_it(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.run("--chidev-update", "--chidev-check")

    assert findings_of(result) == []


@pytest.mark.parametrize("args", [("--chidev-check",), ("--chidev-stale",), ("--chidev-report=r.json",), ()])
def test_nothing_but_an_update_writes_to_the_store(project: StoreProject, args: tuple[str, ...]) -> None:
    project.put(REWORDED)
    before = everything_in(project.store.parent)

    project.run(*args)

    assert everything_in(project.store.parent) == before


def test_an_update_of_a_part_of_a_file_brings_nothing_up(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.run("--chidev-update", "-k", "refuses")

    assert "test_price.py was not put: tests of it were deselected" in result.stdout.lines
    assert project.check() == [STALE_LINE]


def test_a_promise_that_was_retired_is_a_name_that_is_gone(project: StoreProject) -> None:
    project.file(TESTS.replace('@pytest.mark.cites("discount", "C2")\n', "").replace("C1", "C2"))
    project.update()
    project.put({**CONTRACT, "clauses": [{"label": "C2", "text": "all else"}]})
    project.file()

    lines = project.check()

    assert any("test_refuses cites `discount#C1`, but the Contract `discount` has no Clause `C1`" in x for x in lines)


# What the markers say and the store does not


def test_a_citation_that_was_added_is_told_until_it_is_put(project: StoreProject) -> None:
    project.file(TESTS.replace('"discount", "C1"', '"discount", "C1", "C2"'))

    assert project.check() == [
        "test_price.py:6: warning test.unrecorded: test_refuses cites `discount#C2`, which is not recorded"
    ]
    assert project.states() == {"test_refuses": "unrecorded", "test_keeps": "current"}


def test_a_citation_that_was_taken_away_is_told_until_it_is_put(project: StoreProject) -> None:
    project.file(TESTS.replace('@pytest.mark.cites("price::Cart.total")\n', ""))

    assert project.check() == [
        "test_price.py:11: warning test.unrecorded: test_keeps no longer cites `price::Cart.total`, which is recorded"
    ]


def test_both_are_told_in_one_line(project: StoreProject) -> None:
    project.file(TESTS.replace('"C1"', '"C2"'))

    assert project.check() == [
        (
            "test_price.py:6: warning test.unrecorded: test_refuses cites `discount#C2`, which is not recorded and "
            "no longer cites `discount#C1`, which is recorded"
        )
    ]


def test_a_renamed_test_is_gone_under_its_old_name_and_new_under_its_own(project: StoreProject) -> None:
    project.file(TESTS.replace("test_keeps", "test_holds"))

    assert project.check() == [
        (
            "test_price.py: warning test.gone: the Case `test_keeps` of the Harness `test-price` is recorded, "
            "but no test of that name was collected"
        ),
        "test_price.py:11: warning test.unrecorded: test_holds is not recorded yet",
    ]


def test_an_update_forgets_a_test_that_is_gone(project: StoreProject) -> None:
    project.file(TESTS.replace("test_keeps", "test_holds"))

    project.update()

    assert sorted(project.cases()) == ["test_holds", "test_refuses"]
    assert project.check() == []


def test_a_file_that_lost_its_last_marker_is_put_without_cases(project: StoreProject) -> None:
    project.file("def test_plain(): pass\n")

    project.update()

    assert project.cases() == {}


# Runs that see a part


PARTIAL = [
    ("-k", "refuses"),
    ("test_price.py::test_refuses",),
    ("-m", "cites", "--deselect", "test_price.py::test_keeps"),
]


@pytest.mark.parametrize("args", PARTIAL, ids=" ".join)
def test_a_partial_run_does_not_speak_of_what_it_did_not_see(pytester: pytest.Pytester, args: tuple[str, ...]) -> None:
    project = StoreProject(pytester)
    project.settled()
    project.put({**CONTRACT, "clauses": [*CONTRACT["clauses"], {"label": "C3", "text": "nothing cites this"}]})

    assert project.check(*args) == []
    assert project.check() == ["warning cite.uncited-clause: no Case cites the Clause `C3` of the Contract `discount`"]


def test_one_file_of_two_does_not_say_that_the_other_is_gone(project: StoreProject) -> None:
    project.file(TESTS, "test_other.py")
    project.update()
    project.file().unlink()

    assert project.check("test_other.py") == []
    assert [line.split(": ")[0] for line in project.check()] == ["warning test.gone"] * 2


def test_a_file_whose_module_is_skipped_is_not_gone(project: StoreProject) -> None:
    project.file("import pytest\npytest.skip('not here', allow_module_level=True)\n")

    assert project.check() == []


def test_stale_is_told_also_in_a_partial_run(project: StoreProject) -> None:
    project.put(REWORDED)

    assert project.check("-k", "refuses") == [STALE_LINE]


def test_a_stale_test_that_was_not_collected_is_told_without_its_place(project: StoreProject) -> None:
    """`chidev check` says it, so this run does too: once, about the model."""
    project.put(REWORDED)

    assert project.check("-k", "keeps") == [f"warning cite.stale: {BEHIND}"]


# What `chidev check` finds


def test_what_the_model_lacks_is_told_once(project: StoreProject) -> None:
    project.put({"op": "context_add", "name": "base"})

    assert project.check() == [
        "note context.no-interface: the Context `base` has no Interface",
        "note context.no-harness: the Context `base` has no Harness",
    ] or sorted(project.check()) == [
        "note context.no-harness: the Context `base` has no Harness",
        "note context.no-interface: the Context `base` has no Interface",
    ]


def test_what_a_change_request_deals_with_fails_no_run(pytester: pytest.Pytester) -> None:
    project = StoreProject(pytester, QUIET + '[checks."cite.stale"]\nlevel = "error"\n')
    project.settled()
    project.put(REWORDED)
    case = {"case": {"context": "pricing", "harness": "test-price", "name": "test_refuses"}}
    request = {"op": "cr_open", "title": "look at it", "intent": "keep_behavior"}
    project.put({**request, "addresses": [{"rule": "cite.stale", "subject": case}]})

    result = project.run("--chidev-check")

    told = STALE_LINE.replace("warning", "error") + " (the change request `look at it` deals with it)"
    assert findings_of(result) == [told]
    assert result.ret == pytest.ExitCode.OK

    by = {"person": "alice"}
    project.put({"op": "cr_resolve", "title": "look at it", "resolution": "wont_do", "reason": "it is right", "by": by})
    result = project.run("--chidev-check", "--chidev-report=report.json")

    (stale,) = json.loads((pytester.path / "report.json").read_text(encoding="utf-8"))["findings"]
    assert findings_of(result) == [told]
    assert result.ret == pytest.ExitCode.OK
    assert (stale["values"]["state"], stale["values"]["addressed_by"]) == ("decided", ["look at it"])


# Levels


def test_an_error_by_the_settings_fails_a_run_whose_tests_pass(project: StoreProject) -> None:
    project.settings(QUIET + '[checks."cite.stale"]\nlevel = "error"\n')
    project.put(REWORDED)

    result = project.run("--chidev-check")

    assert findings_of(result) == [STALE_LINE.replace("warning", "error")]
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(passed=2)


def test_an_error_fails_no_run_that_did_not_ask(project: StoreProject) -> None:
    project.settings(QUIET + '[checks."cite.stale"]\nlevel = "error"\n')
    project.put(REWORDED)

    assert project.run().ret == pytest.ExitCode.OK
    assert project.run("--chidev-stale").ret == pytest.ExitCode.OK


def test_off_by_the_settings_says_nothing_and_the_state_is_as_it_is(project: StoreProject) -> None:
    project.settings(QUIET + '[checks."cite.stale"]\nlevel = "off"\n')
    project.put(REWORDED)

    assert project.check() == []
    assert project.states() == C1_STALE


@pytest.mark.parametrize(
    ("selector", "level", "lines"),
    [
        ("test.", "off", []),
        ("test.unrecorded", "off", []),
        ("test.", "error", ["test_price.py:6: error test.unrecorded: test_refuses is not recorded yet"]),
        ("test.unrecorded", "note", ["test_price.py:6: note test.unrecorded: test_refuses is not recorded yet"]),
    ],
)
def test_the_levels_of_the_plugins_own_rules_are_set_likewise(
    pytester: pytest.Pytester, selector: str, level: str, lines: list[str]
) -> None:
    project = StoreProject(pytester, QUIET + f'[checks."{selector}"]\nlevel = "{level}"\n')
    project.file()

    result = project.run("--chidev-check", "-k", "refuses")

    told = [line for line in findings_of(result) if "test.unrecorded" in line]
    assert told == lines
    assert (result.ret == pytest.ExitCode.TESTS_FAILED) == (level == "error")


def test_a_person_may_have_levels_of_their_own(project: StoreProject) -> None:
    (project.root / "chidev.user.toml").exists()  # the name is not ours to know: see the settings' own tests
    project.put(REWORDED)

    assert project.check() == [STALE_LINE]


def test_settings_that_cannot_be_used_stop_the_run_before_it_begins(project: StoreProject) -> None:
    project.settings('[checks."cite.stal"]\nlevel = "off"\n')

    result = project.run("--chidev-check")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "chidev.toml" in result.stderr.str()
    assert "cite.stal" in result.stderr.str()


# Where it is run from


def test_paths_are_from_the_root_of_pytest_wherever_it_is_run(
    project: StoreProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.file(TESTS, "sub/test_below.py")
    project.update()
    project.put(REWORDED)
    monkeypatch.chdir(project.root / "sub")

    lines = project.check()

    assert lines[0].startswith("sub/test_below.py:6: warning cite.stale: ")
    assert lines[1].startswith("warning cite.stale: ")  # of test_price.py, which was not collected


def test_the_root_of_pytest_may_be_below_that_of_the_project(
    project: StoreProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.file().unlink()
    inner = project.root / "inner"
    inner.mkdir()
    shutil.move(project.root / "tox.ini", inner / "tox.ini")
    project.file(TESTS, "inner/test_price.py")
    monkeypatch.chdir(inner)
    project.put(REWORDED)

    assert project.check("--rootdir", str(inner)) == [STALE_LINE]
    project.update("--rootdir", str(inner))

    assert project.check("--rootdir", str(inner)) == []


def test_the_root_of_the_project_may_not_be_below_that_of_pytest(project: StoreProject) -> None:
    (project.root / "chidev.toml").rename(project.file(b"", "sub/chidev.toml"))

    result = project.run("--chidev-check")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "chidev.toml" in result.stderr.str()


# Ways of running


def test_collect_only_checks_all_and_runs_nothing(project: StoreProject) -> None:
    project.put(REWORDED)

    result = project.run("--chidev-check", "--collect-only")

    assert findings_of(result) == [STALE_LINE]
    result.assert_outcomes()


def test_collect_only_is_enough_for_an_update(project: StoreProject) -> None:
    project.put(REWORDED)

    project.update("--collect-only")

    assert project.check() == []


@pytest.mark.slow
@pytest.mark.parametrize("dist", ["load", "loadfile", "worksteal", "each"])
def test_two_processes_tell_the_same_once(project: StoreProject, dist: str) -> None:
    pytest.importorskip("xdist")
    project.put(REWORDED)
    processes = ("--tx", "2*popen", "--dist", dist)

    report = project.report(*processes, process=True)
    result = project.run("--chidev-check", *processes, process=True)

    assert rules_of(report) == ["cite.stale"]
    assert report["stale"] == ["test_price.py::test_refuses"]
    assert findings_of(result) == [STALE_LINE]


@pytest.mark.slow
def test_two_processes_set_the_properties_that_one_sets(project: StoreProject) -> None:
    pytest.importorskip("xdist")
    project.put(REWORDED)

    project.run("--chidev-check", "-n2", "--junit-xml=junit.xml", process=True)

    xml = (project.root / "junit.xml").read_text()
    assert xml.count('name="chidev.state" value="stale"') == 1
    assert xml.count('name="chidev.state" value="current"') == 1


@pytest.mark.slow
def test_two_processes_run_the_stale_tests_alone(project: StoreProject) -> None:
    pytest.importorskip("xdist")
    project.put(REWORDED)

    result = project.run("--chidev-stale", "-n2", process=True)

    result.assert_outcomes(passed=1)


def test_the_properties_of_a_test_are_what_it_cites_and_its_state(project: StoreProject) -> None:
    project.put(REWORDED)

    project.run("--chidev-check", "--junit-xml=junit.xml")

    xml = (project.root / "junit.xml").read_text()
    assert f'value="{SETTLED[0]},{SETTLED[3]}"' in xml
    assert f'value="{SETTLED[1]},{SETTLED[2]},{SETTLED[3]}"' in xml


# Without any option

PLAIN = """
import sys, pytest
sys.dont_write_bytecode = True
status = pytest.main(["-p", "no:cacheprovider", "-q"])
ours = sorted(name for name in sys.modules if name.split(".")[0] in ("chidev", "pytest_chidev", "sqlite3", "msgspec"))
print("MODULES", int(status), *ours)
"""


@pytest.mark.parametrize("args", [(), ("-v",), ("--collect-only",)])
def test_plain_pytest_writes_nothing_anywhere(
    project: StoreProject, args: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    project.put(REWORDED)
    before = everything_in(project.root)

    result = project.run(*args)

    assert everything_in(project.root) == before
    result.stdout.no_fnmatch_line("*chidev findings*")


def test_plain_pytest_imports_the_plugin_alone(project: StoreProject, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)

    done = subprocess.run([sys.executable, "-c", PLAIN], capture_output=True, text=True, check=True, cwd=project.root)

    assert done.stdout.splitlines()[-1].split() == ["MODULES", "0", "pytest_chidev", "pytest_chidev.plugin"]


def test_switched_off_its_options_are_not_known(project: StoreProject) -> None:
    result = project.run("-p", "no:chidev", "--chidev-check")

    assert result.ret == pytest.ExitCode.USAGE_ERROR


# One change


def test_files_are_put_in_one_change(project: StoreProject) -> None:
    project.file(TESTS, "test_other.py")
    project.file(TESTS.replace("test_keeps", "test_holds"))
    before = project.revision()

    result = project.update()

    assert "chidev: 2 test files put, 0 citations brought up" in result.stdout.lines
    assert project.revision() == before + 1


def test_promises_that_changed_between_collection_and_update_are_cited_as_they_are_then(
    pytester: pytest.Pytester,
) -> None:
    """A test of the run changes the store itself, through the protocol."""
    project = StoreProject(pytester)
    project.settled()
    edit = (
        "\n\ndef test_edits():\n    from pathlib import Path\n    from tests.running import run\n"
        f"    run([{REWORDED!r}], Path({str(project.root)!r}))\n"
    )
    project.file(TESTS + edit)

    result = project.update()

    assert f"    + {NEW}" in result.stdout.lines
    assert project.check("-k", "not edits") == []


@pytest.mark.parametrize("kind", ["contract", "interface"])
def test_a_promise_of_a_context_that_is_not_used_cannot_be_cited(pytester: pytest.Pytester, kind: str) -> None:
    project = StoreProject(pytester, promises=(*PROMISES, {"op": "context_add", "name": "base"}))
    if kind == "contract":
        project.put({**CONTRACT, "context": "base", "name": "rounding"})
        project.file(TESTS.replace('"discount", "C1"', '"base/rounding#C1"'))
    else:
        project.put({**RETYPED, "context": "base", "name": "round"})
        project.file(TESTS.replace('"discount", "C1"', '"base/round::price"'))

    refused = project.run("--chidev-update")
    project.put({"op": "context_uses", "context": "pricing", "uses": ["base"]})
    accepted = project.run("--chidev-update")

    assert "the Context `pricing` does not use `base`" in refused.stdout.str()
    assert refused.ret == pytest.ExitCode.TESTS_FAILED
    assert "chidev: 1 test file put, 0 citations brought up" in accepted.stdout.lines
