"""The command `chidev check`: what it prints, and what its exit status says.

Source: specification, "Commands: chidev check and chidev measure".
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chidev.cli import main as command
from tests.cli.commands import Chidev, Json, assert_cannot_run
from tests.running import BASE, HARNESS, Project, changed, clause, codes, contract

CITE_ERROR = '[checks."cite.stale"]\nlevel = "error"\n'
ADDRESSES = [
    {
        "rule": "cite.stale",
        "subject": {"case": {"context": "pricing", "harness": "test-price", "name": "test_refuses"}},
    }
]
REQUEST: Json = {"op": "cr_open", "title": "Mend", "intent": "keep_behavior", "addresses": ADDRESSES}


@pytest.fixture
def stale(model: Project, monkeypatch: pytest.MonkeyPatch) -> Project:
    """The model with a citation behind, and the working directory in it."""
    model.accepted(BASE, contract(clause("C1", "reworded")))
    monkeypatch.chdir(model.root)
    return model


def check(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, Json]:
    """Status and answer of the command, run in this process."""
    with pytest.raises(SystemExit) as ended:
        command.main(["check", *words])
    (line,) = capfd.readouterr().out.splitlines()
    assert isinstance(ended.value.code, int)
    return ended.value.code, json.loads(line)


@pytest.mark.parametrize(
    ("words", "operation"),
    [
        ((), {}),
        (("cite.",), {"rules": ["cite."]}),
        (("cite.stale", "pin.unpinned"), {"rules": ["cite.stale", "pin.unpinned"]}),
        (("--context", "base"), {"context": "base"}),
        (("context.", "--context", "base"), {"rules": ["context."], "context": "base"}),
        (("nothing.", "--context", "bse"), {"rules": ["nothing."], "context": "bse"}),
        (("Odd",), {"rules": ["Odd"]}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_it_prints_the_line_that_exec_prints(
    stale: Project, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], operation: Json
) -> None:
    (expected,) = stale.run({"op": "check", **operation})

    assert check(capfd, *words)[1] == expected


def test_a_warning_is_no_failure(stale: Project, capfd: pytest.CaptureFixture[str]) -> None:
    status, answer = check(capfd)

    assert status == 0
    assert "cite.stale" in codes(answer["findings"])


def test_an_error_that_nobody_deals_with_is_a_failure(stale: Project, capfd: pytest.CaptureFixture[str]) -> None:
    (stale.root / "chidev.toml").write_text(CITE_ERROR, encoding="utf-8")

    assert check(capfd)[0] == 1


@pytest.mark.parametrize("words", [("pin.",), ("--context", "base")])
def test_an_error_that_is_not_printed_is_no_failure(
    stale: Project, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    (stale.root / "chidev.toml").write_text(CITE_ERROR, encoding="utf-8")

    status, answer = check(capfd, *words)

    assert (status, answer["ok"]) == (0, True)
    assert answer["outside"] > 0


def test_an_error_that_a_request_deals_with_is_no_failure(stale: Project, capfd: pytest.CaptureFixture[str]) -> None:
    (stale.root / "chidev.toml").write_text(CITE_ERROR, encoding="utf-8")
    stale.accept(REQUEST)

    status, answer = check(capfd, "cite.stale")

    assert (status, answer["findings"][0]["state"]) == (0, "addressed")


def test_a_second_error_beside_one_that_is_dealt_with_is_a_failure(
    stale: Project, capfd: pytest.CaptureFixture[str]
) -> None:
    (stale.root / "chidev.toml").write_text(CITE_ERROR, encoding="utf-8")
    stale.accepted(changed(HARNESS, name="more"), contract(clause("C1", "again")), REQUEST)

    assert check(capfd)[0] == 1


@pytest.mark.parametrize("words", [("nothing.at-all",), ("Cite",), ("--context", "nowhere"), ("--context", "")])
def test_what_cannot_be_asked_is_refused(
    stale: Project, capfd: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    status, answer = check(capfd, *words)

    assert (status, answer["ok"], answer["line"]) == (1, False, 1)


def test_without_a_store_nothing_is_run_and_none_is_made(chidev: Chidev) -> None:
    assert_cannot_run(chidev("check"), "chidev.db")
    assert_cannot_run(chidev("check", "--store", "deep/er.db"), "er.db")
    assert [path.name for path in chidev.root.iterdir()] == ["chidev.toml"]


def test_a_store_without_a_project_is_one_that_can_be_asked(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    project.run()
    monkeypatch.chdir(project.root)

    status, answer = check(capfd)

    assert (status, codes(answer["diagnostics"])) == (1, ["project.none"])


def test_without_a_project_nothing_is_run(tmp_path_factory: pytest.TempPathFactory) -> None:
    assert_cannot_run(Chidev(tmp_path_factory.mktemp("elsewhere"))("check"), "chidev.toml")


@pytest.mark.parametrize("words", [("--nothing",), ("--context",), ("--rule", "cite.")])
def test_bad_arguments_run_nothing(chidev: Chidev, words: tuple[str, ...]) -> None:
    ended = chidev("check", *words)

    assert (ended.status, ended.out) == (2, b"")


def test_the_project_is_found_from_below_and_the_store_from_where_it_runs(model: Project, chidev: Chidev) -> None:
    below = model.root / "below"
    below.mkdir()
    (below / "copy.db").write_bytes((model.root / ".chidev" / "chidev.db").read_bytes())

    assert chidev("check", cwd=below).status == 0
    assert chidev("check", "--store", "copy.db", cwd=below).status == 0


def test_it_changes_no_byte_of_the_store(stale: Project, capfd: pytest.CaptureFixture[str]) -> None:
    store = Path(".chidev/chidev.db")
    before = store.read_bytes()

    check(capfd)

    assert store.read_bytes() == before


def test_nothing_is_left_beside_the_store(stale: Project, capfd: pytest.CaptureFixture[str]) -> None:
    check(capfd)

    assert [path.name for path in Path(".chidev").iterdir()] == ["chidev.db"]


def test_it_sees_what_another_process_has_just_written(model: Project, chidev: Chidev) -> None:
    with chidev.start("exec") as writer:
        assert writer.stdin
        assert writer.stdout
        writer.stdin.write(json.dumps(contract(clause("C1", "reworded"))).encode() + b"\n")
        writer.stdin.flush()
        writer.stdout.readline()

        (answer,) = chidev("check", "cite.stale").answers

        writer.communicate()
    assert codes(answer["findings"]) == ["cite.stale"]
