"""`--chidev-update --chidev-for TITLE`: the Harnesses are put as the work of a change request.

Source: specification, "Attribution and frame"; open-points 20.
"""

from __future__ import annotations

import pytest

from tests.plugin.store_project import NEW, OLD, StoreProject
from tests.running import Json

C1, C2 = ({"clause": {"context": "pricing", "contract": "discount", "label": label}} for label in ("C1", "C2"))
BOTH_REWORDED: Json = {
    "op": "clauses_put",
    "context": "pricing",
    "contract": "discount",
    "clauses": [{"label": "C1", "text": NEW}, {"label": "C2", "text": "what is refused is kept a year"}],
}
MINE: Json = {"op": "cr_open", "title": "Lower the limit", "intent": "change_behavior", "targets": [C1]}
RESOLVED: Json = {
    "op": "cr_resolve",
    "title": "Lower the limit",
    "resolution": "wont_do",
    "reason": "not now",
    "by": {"person": "alice"},
}


@pytest.fixture
def project(pytester: pytest.Pytester) -> StoreProject:
    """Two Clauses were reworded, and a request is open that names the first of them."""
    made = StoreProject(pytester)
    made.settled()
    made.put(BOTH_REWORDED, MINE)
    return made


def cited(project: StoreProject) -> dict[str, int]:
    """By test, the revision at which it cites its Clause."""
    harness = project.model.harness()
    return {case["name"]: case["cites"]["clauses"][0]["revision"] for case in harness["cases"]}


def work(project: StoreProject) -> Json:
    (request,) = project.model.status("change_requests")["change_requests"]
    return dict(request)


def test_only_what_the_frame_holds_is_brought_up(project: StoreProject) -> None:
    result = project.run("--chidev-update", "--chidev-for", "Lower the limit")

    assert cited(project) == {"test_refuses": 2, "test_keeps": 1}
    result.stdout.fnmatch_lines(
        [
            "test_price.py::test_refuses now stands on discount#C1 as it is",
            f"    - {OLD}",
            f"    + {NEW}",
            "1 citation outside the frame of the change request stayed behind",
            "chidev: 1 test file put, 1 citation brought up",
        ]
    )
    result.stdout.no_fnmatch_line("*test_keeps now stands*")
    assert result.ret == pytest.ExitCode.OK


def test_the_update_is_work_of_the_request_inside_its_frame(project: StoreProject) -> None:
    project.run("--chidev-update", "--chidev-for", "Lower the limit")

    request = work(project)
    assert [entry["moved"] for entry in request["work"]] == [["harness test-price", "case test-price test_refuses"]]
    assert request["out_of_frame"] == []


def test_an_update_without_a_request_brings_all_up_and_is_nobodys_work(project: StoreProject) -> None:
    project.run("--chidev-update")

    assert cited(project) == {"test_refuses": 2, "test_keeps": 2}
    assert work(project)["work"] == []


def test_a_second_update_finds_nothing_to_do(project: StoreProject) -> None:
    project.run("--chidev-update", "--chidev-for", "Lower the limit")

    result = project.run("--chidev-update", "--chidev-for", "Lower the limit")

    result.stdout.fnmatch_lines(["chidev: 1 test file put, 0 citations brought up"])
    assert len(work(project)["work"]) == 1


def test_a_title_that_is_none_puts_nothing_and_names_the_close_one(project: StoreProject) -> None:
    before = project.model.everything()

    result = project.run("--chidev-update", "--chidev-for", "Lower the limits")

    result.stdout.fnmatch_lines(["*nothing was put: *`Lower the limits`*did you mean `Lower the limit`*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert project.model.everything() == before


def test_a_resolved_request_takes_no_update(project: StoreProject) -> None:
    project.put(RESOLVED)
    before = project.model.everything()

    result = project.run("--chidev-update", "--chidev-for", "Lower the limit")

    result.stdout.fnmatch_lines(["*nothing was put: the change request `Lower the limit` is resolved already*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert project.model.everything() == before


@pytest.mark.parametrize("options", [("--chidev-for=x",), ("--chidev-for=x", "--chidev-check")])
def test_a_request_without_an_update_is_a_usage_error(project: StoreProject, options: tuple[str, ...]) -> None:
    result = project.run(*options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: chidev: --chidev-for *add --chidev-update*"])
