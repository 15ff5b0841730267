"""`chidev status` and `chidev request`: what somebody reads who comes back after a week.

Source: specification, "Opening, and what status and the checks show".
"""

from __future__ import annotations

import json
import os
import pty
import subprocess
from pathlib import Path

import pytest

from chidev.cli import main as command
from chidev.cli.page import Page
from tests.app.requests_model import (
    TITLE,
    clause_ref,
    decided,
    opened,
    raised,
    reopened,
    resolved,
    reword,
    three_clauses,
    work,
)
from tests.cli.commands import COMMAND, Chidev, assert_cannot_run, environment
from tests.running import Json, Project, clause, clauses_put

OPTION: Json = {
    "choice": "a new error",
    "wording": "C2: it is DiscountRefused",
    "consequence": "callers match it",
    "targets": [clause_ref("C2")],
    "recommended": {"reason": "clear", "confidence": 85},
}


@pytest.fixture
def project(project: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Quiet where it is not about requests, and the working directory is in it."""
    quiet = "".join(f'[checks."{family}."]\nlevel = "off"\n' for family in ("pin", "cite"))
    (project.root / "chidev.toml").write_text(quiet, encoding="utf-8")
    monkeypatch.chdir(project.root)
    monkeypatch.delenv("COLUMNS", raising=False)
    return project


@pytest.fixture
def asked(model: Project) -> Project:
    """A request that was worked for, kept something that moved, and waits for a decision."""
    three_clauses(model)
    ask = opened(
        situation="discounts above 50% should never be given",
        issuer="sales",
        targets=[clause_ref("C1"), clause_ref("C2")],
        keep=[clause_ref("C3")],
        assumptions=[
            {
                "statement": "prices are in euro",
                "reason": "no other",
                "evidence": [{"repo": {"path": "a.py", "lines": [3, 4]}}, {"knowledge": {"reference": "ISO 4217"}}],
            }
        ],
    )
    model.accepted(ask, raised({"choice": "the old error"}, OPTION, importance="high", question="Which error?"))
    model.accepted(work(reword("C1"), reword("C1", name="tax")), clauses_put(clause("C3", "moved")))
    return model


def page(capfd: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    """What the command prints, run in this process."""
    with pytest.raises(SystemExit) as ended:
        command.main(list(words))
    told = capfd.readouterr()
    assert ended.value.code == status, told.err
    return told.out if status == 0 else told.err


def test_status_says_what_waits_what_is_missing_and_what_was_found(
    asked: Project, capfd: pytest.CaptureFixture[str]
) -> None:
    (crux,) = asked.view("cruxes")["cruxes"]

    told = page(capfd, "status")

    assert (
        told
        == f"""\
1 change request open, 1 question waiting, 3 findings to look at, 0 pins stale

Questions that wait
  Which error?
    ambiguity, importance high; stops `Refuse big discounts`
    crux {crux["id"]}
    - the old error
      option {crux["options"][0]["id"]}
    - a new error (recommended, 85% sure: clear)
      wording: C2: it is DiscountRefused
      consequence: callers match it
      changes discount C2
      option {crux["options"][1]["id"]}

Open change requests
  Refuse big discounts
    - not touched yet: discount C2
    - waits for a decision
    - was to stay and moved: discount C3
    - moved outside its frame: contract tax, tax C1

Findings, by what they are about
  change request Refuse big discounts
    warning cr.awaiting-decision: the change request `Refuse big discounts` waits for a decision:
    Which error?
    warning cr.keep-moved: the change request `Refuse big discounts` keeps 1 target(s) that moved:
    discount C3 (revision 1, now 2)
    warning cr.out-of-frame: the work of the change request `Refuse big discounts` moved 2 target(s)
    outside its frame: contract tax, tax C1
"""
    )


def test_a_request_is_told_whole(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    told = page(capfd, "request", TITLE)

    assert told.startswith(f"{TITLE} (open)\n  discounts above 50% should never be given\n")
    for line in (
        "  change behavior, asked by sales",
        "  - not touched yet: discount C2",
        "  - discount C1: revised",
        "  - discount C3: kept, moved",
        "    moved contract discount, contract tax, discount C1, tax C1",
        "    outside its frame: contract tax, tax C1",
        "  - prices are in euro: no other",
        "    a.py:3-4",
        "    ISO 4217",
    ):
        assert line in told.splitlines()


def test_a_request_that_ended_says_who_decided_what(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    asked.accept({"op": "policy_put", "lines": [{"id": "P1", "text": "take the recommendation"}]})
    (crux,) = asked.view("cruxes")["cruxes"]
    raising = {"crux": crux["id"], "options": crux["options"]}
    asked.accept(decided(raising, option=crux["options"][1]["id"], reason="so", basis={"policy": "P1"}))
    asked.accepted(resolved(by={"role": "orchestrator"}), reopened())

    told = page(capfd, "request", TITLE)

    assert "  - Which error? a new error (so)\n    by alice, 20" in told
    assert "; from the Policy line P1 (revision 2)\n" in told
    history = told.partition("\nHistory\n")[2].splitlines()
    assert history[0].endswith("resolved as done by orchestrator (role): agreed")
    assert history[1].endswith("reopened by alice: more")
    assert "What it still misses" in told


def test_a_title_that_is_none_names_the_close_one(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    told = page(capfd, "request", "Refuse big discount", status=1)

    assert told == (
        "chidev: no change request has the title `Refuse big discount`; did you mean `Refuse big discounts`?\n"
    )


def test_status_of_a_context_that_is_none_names_the_close_one(
    asked: Project, capfd: pytest.CaptureFixture[str]
) -> None:
    assert "did you mean `pricing`?" in page(capfd, "status", "--context", "prcing", status=1)


def test_json_is_the_line_of_exec(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    told = json.loads(page(capfd, "status", "--json"))

    assert told == asked.accept({"op": "status"})


def test_json_of_a_request_has_all_that_is_about_it(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    asked.accepted(opened("Part", parent=TITLE), opened("Other"))

    told = json.loads(page(capfd, "request", TITLE, "--json"))

    assert told.keys() == {"request", "parts", "cruxes", "awaiting", "findings"}
    assert (told["request"]["title"], told["parts"]) == (TITLE, ["Part"])
    assert {finding["rule"] for finding in told["findings"]} == {
        "cr.awaiting-decision",
        "cr.keep-moved",
        "cr.out-of-frame",
    }


def test_a_finding_says_which_request_deals_with_it(asked: Project, capfd: pytest.CaptureFixture[str]) -> None:
    address = {"rule": "cr.keep-moved", "subject": {"change_request": TITLE}}
    asked.accept(opened("Mend", targets=[clause_ref("C3")], addresses=[address]))

    told = page(capfd, "status")

    assert "(addressed by `Mend`)" in told.replace("\n    ", " ")
    assert "2 findings to look at" not in told


@pytest.mark.parametrize("words", [("status",), ("request", "A")])
def test_without_a_store_nothing_can_be_run(project: Project, chidev: Chidev, words: tuple[str, ...]) -> None:
    assert_cannot_run(chidev(*words), ".chidev/chidev.db")
    assert not (project.root / ".chidev").exists()


def test_a_page_is_as_wide_as_columns_say(
    asked: Project, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "50")

    told = page(capfd, "status")

    assert max(len(line) for line in told.splitlines()) == 50
    assert max(len(line) for line in told.replace(" ", "").splitlines()) <= 50


def test_a_pipe_gets_no_colour_and_a_terminal_does(asked: Project) -> None:
    piped = subprocess.run([*COMMAND, "status"], cwd=asked.root, env=environment(), capture_output=True, check=True)
    coloured = on_a_terminal(asked.root, {"TERM": "xterm-256color"})
    plain = on_a_terminal(asked.root, {"TERM": "xterm-256color", "NO_COLOR": "1"})

    assert b"\x1b" not in piped.stdout
    assert b"\x1b[33mwarning" in coloured.replace(b"    ", b"")
    assert b"\x1b[33m" not in plain


def on_a_terminal(root: Path, more: dict[str, str]) -> bytes:
    """What `chidev status` prints on a terminal."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "status"], cwd=root, env=environment() | more, stdout=theirs)
    os.close(theirs)
    printed = b""
    while True:
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # so a terminal on Linux says that nobody writes any more
            break
        if not chunk:
            break
        printed += chunk
    os.close(ours)
    assert process.wait(30) == 0
    return printed


# Pages.


def test_a_text_of_more_lines_stays_below_its_mark() -> None:
    made = Page(40)

    made.add("one\ntwo", indent=1, mark="- ")

    assert [line for line, _ in made.lines] == ["  - one", "    two"]


def test_what_cannot_be_printed_is_an_escape() -> None:
    made = Page(40)

    made.add("a\x1b[31mb\tc")

    assert [line for line, _ in made.lines] == ["a\\x1b[31mb\\tc"]


def test_a_long_word_is_broken_and_nothing_is_lost() -> None:
    made = Page(40)

    made.add("x" * 100, indent=1)

    assert "".join(line.strip() for line, _ in made.lines) == "x" * 100
    assert all(len(line) <= 40 for line, _ in made.lines)
