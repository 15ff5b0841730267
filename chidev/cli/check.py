"""`chidev check`: the operation `check` as a command, on a store that is there.

Source: specification, "Commands: chidev check and chidev measure".
"""

from __future__ import annotations

import argparse
import os
import sys

import msgspec

from chidev.app.check import CheckAnswer
from chidev.app.execution import Answer
from chidev.domain.rule import Level
from chidev.wiring import execution_of, open_store, project_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "rules", nargs="*", metavar="RULE", help="a rule id (cite.stale), or a family with its dot (cite.); all without"
    )
    parser.add_argument("--context", metavar="C", help="only what is about this Context and what it holds")
    parser.add_argument("--store", metavar="DB", help="the store file; without it the settings say where it is")


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when the operation was refused, or a finding that is printed is an error no change request deals with.

    Raises:
        SettingsError, StoreUnusable, StoreRefused: nothing could be run.
    """
    operation = {"op": "check"}
    operation |= {"context": arguments.context} if arguments.context is not None else {}
    operation |= {"rules": arguments.rules} if arguments.rules else {}
    settings = project_settings(os.getcwd(), arguments.store)
    told: list[Answer] = []
    with open_store(settings, read_only=True) as store:
        execution = execution_of(settings, store, told.extend)
        execution.run(msgspec.json.encode(operation), 1)
        execution.close_group()
    answer = told[0]
    sys.stdout.buffer.write(answer.encoded() + b"\n")
    return 0 if answer.ok and not _owes(answer.fields) else 1


def _owes(fields: msgspec.Struct) -> bool:
    return isinstance(fields, CheckAnswer) and any(
        finding.level is Level.ERROR and finding.state == "open" for finding in fields.findings
    )
