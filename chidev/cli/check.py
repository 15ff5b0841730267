"""`chidev check`: the operation `check` as a command, on a store that is there.

Source: specification, "Commands: chidev check and chidev measure".
"""

from __future__ import annotations

import argparse
import sys

import msgspec

from chidev.app.check import CheckAnswer
from chidev.cli.asked import add_store_argument, ask
from chidev.domain.rule import Level


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules", nargs="*", metavar="RULE", help="a rule id (cite.stale), or a family with its dot (cite.); all without"
    )
    parser.add_argument("--context", metavar="C", help="only what is about this Context and what it holds")
    add_store_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when the operation was refused, or a finding that is printed is an error no change request deals with.

    Raises:
        SettingsError, StoreUnusable, StoreRefused: nothing could be run.
    """
    operation = {"op": "check"}
    operation |= {"context": arguments.context} if arguments.context is not None else {}
    operation |= {"rules": arguments.rules} if arguments.rules else {}
    answer = ask(operation, arguments.store)
    sys.stdout.buffer.write(answer.encoded() + b"\n")
    return 0 if answer.ok and not _owes(answer.fields) else 1


def _owes(fields: msgspec.Struct) -> bool:
    return isinstance(fields, CheckAnswer) and any(
        finding.level is Level.ERROR and finding.state == "open" for finding in fields.findings
    )
