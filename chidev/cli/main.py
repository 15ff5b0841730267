"""The command `chidev`: finds the module of the command that is asked for and runs it.

Only that module is imported, so that a command starts as fast as what it needs.

Exit status of every command: 2 and one line on standard error that begins `chidev: ` when nothing could be run.
Source: specification, "Operations" and "Commands: chidev check and chidev measure".
"""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
from collections.abc import Sequence

COMMANDS = {
    "exec": "run operations, one JSON object a line",
    "check": "run every check on the project and print what it finds",
    "status": "say what holds now, what waits and what is left to do",
    "request": "say what one change request still misses",
    "schema": "print the JSON Schema of what a program writes or reads",
    "provider": "run a bundled provider: JSON in, JSON out",
    "explain": "explain a rule: why it holds and how to mend a violation",
    "help": "explain an operation: its fields and what it is for",
}
INTERRUPTED = 130
TERMINATED = 143


class Terminated(BaseException):
    """The command was asked to end; like Ctrl-C it lets what was started be ended first."""


def _terminate(*_: object) -> None:
    raise Terminated


def entry() -> None:
    """The command as a process of its own: its streams and its signals are this module's."""
    signal.signal(signal.SIGTERM, _terminate)
    closed = _closed_streams()
    status = _cannot(f"{closed[0]}: it is closed") if closed else run(sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a late Ctrl-C is no reason for a traceback
    sys.exit(_flushed(status))


def main(argv: Sequence[str] | None = None) -> None:
    """Run a command inside another program and raise `SystemExit` with its status."""
    sys.exit(_flushed(run(list(sys.argv[1:] if argv is None else argv))))


def _closed_streams() -> list[str]:
    """Which of standard input and output are closed; a closed standard error is opened to nowhere.

    SQLite and the system give these numbers to the next file that is opened, so nothing may be opened before.
    """
    closed = [number for number in range(3) if not _is_open(number)]
    for _ in closed:
        os.open(os.devnull, os.O_RDWR)
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)
    return [name for number, name in ((0, "standard input"), (1, "standard output")) if number in closed]


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def run(words: list[str]) -> int:
    """Run a command; its exit status."""
    try:
        arguments = _parser(words).parse_args(words)
        return int(importlib.import_module(f"chidev.cli.{arguments.command}").run(arguments))
    except KeyboardInterrupt:
        print("chidev: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Terminated:
        print("chidev: terminated", file=sys.stderr)
        return TERMINATED
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        return _cannot(f"{name}{error.strerror or error}")
    except _stoppers() as error:
        return _cannot(str(error))


def _stoppers() -> tuple[type[Exception], ...]:
    """What a person can cause and what stops a command; asked for when a command was stopped, so imported late."""
    from chidev.app.ports.settings import SettingsError
    from chidev.app.ports.store import StoreRefused, StoreUnusable

    return SettingsError, StoreRefused, StoreUnusable


def _cannot(sentence: str) -> int:
    print(f"chidev: {sentence}", file=sys.stderr)
    return 2


def _parser(words: list[str]) -> argparse.ArgumentParser:
    """A parser that knows the options of the command asked for, and the names of all."""
    parser = argparse.ArgumentParser(
        prog="chidev",
        description="Contracts, Interfaces and Harnesses as versioned records, and code pinned to them.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, says in COMMANDS.items():
        command = commands.add_parser(name, help=says, description=says, allow_abbrev=False)
        if words and words[0] == name:
            importlib.import_module(f"chidev.cli.{name}").add_arguments(command)
    return parser


def _flushed(status: int) -> int:
    """The status once all was printed; output that nobody reads any more is no reason for a traceback."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return status or 2
    return status
