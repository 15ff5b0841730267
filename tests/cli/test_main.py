"""The command itself: its sub-commands, and that it starts what is asked for and nothing more."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from chidev.cli import main as command
from chidev.cli.main import COMMANDS
from tests.cli.commands import Chidev, environment


@pytest.mark.parametrize("words", [(), ("nothing",), ("--nothing",), ("exe", "ops.jsonl"), ("exec", "a", "b")])
def test_what_is_no_command_runs_nothing(chidev: Chidev, words: tuple[str, ...]) -> None:
    ended = chidev(*words)

    assert (ended.status, ended.out) == (2, b"")
    assert "Traceback" not in ended.err


def test_help_lists_every_command(chidev: Chidev) -> None:
    ended = chidev("--help")

    assert ended.status == 0
    assert all(f"\n    {name} " in ended.out.decode() for name in COMMANDS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_its_help(chidev: Chidev, name: str) -> None:
    ended = chidev(name, "--help")

    assert (ended.status, ended.err) == (0, "")
    assert COMMANDS[name] in " ".join(ended.out.decode().split())


def test_a_command_inside_another_program_leaves_the_signals_of_that_program_alone() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]

    with pytest.raises(SystemExit):
        command.main(["help"])

    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("name", ["explain", "help"])
def test_a_command_that_needs_no_store_imports_none(name: str) -> None:
    assert "sqlite3" not in imported_by(name)


@pytest.mark.parametrize("module", ["pytest", "pytest_chidev", "tomlkit", "rich", "psutil", "rapidfuzz", "hypothesis"])
def test_running_operations_does_not_import_what_is_slow(chidev: Chidev, module: str) -> None:
    (chidev.root / "ops").write_text('{"op":"init"}\n{"op":"status"}\n', encoding="utf-8")

    assert module not in imported_by("exec", str(chidev.root / "ops"), cwd=str(chidev.root))


def imported_by(*words: str, cwd: str | None = None) -> set[str]:
    """The packages that are there when a command has run."""
    program = (
        "import sys, atexit; from chidev.cli.main import main;"
        "atexit.register(lambda: print(*sys.modules, sep='\\n', file=sys.stderr)); main(sys.argv[1:])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *words], cwd=cwd, env=environment(), capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stderr.splitlines()}
