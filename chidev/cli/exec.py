"""`chidev exec`: operations in, one a line; results out, one a line.

Source: specification, "Operations" and "Protocol chidev-exec 1".
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from chidev.app.execution import Answer
from chidev.cli.lines import LineSource
from chidev.wiring import execution_of, open_store, project_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="the operations, one JSON object a line; standard input without it")
    parser.add_argument("--store", metavar="DB", help="the store file; without it the settings say where it is")


def run(arguments: argparse.Namespace) -> int:
    """Status 0 when every line was accepted, 1 when one was refused.

    Raises:
        SettingsError, StoreUnusable, StoreRefused, OSError: nothing, or nothing more, could be run.
    """
    settings = project_settings(os.getcwd(), arguments.store)
    with LineSource(arguments.file) as lines, open_store(settings, make=True) as store:
        execution = execution_of(settings, store, _tell)
        number = 0
        for raw in lines:
            if raw is None:
                execution.close_group()
            else:
                number += 1
                execution.run(raw, number)
        execution.close_group()
        store.clear_when_due()
    return 1 if execution.refused else 0


def _tell(answers: Sequence[Answer]) -> None:
    sys.stdout.buffer.write(b"".join(answer.encoded() + b"\n" for answer in answers))
    sys.stdout.buffer.flush()
