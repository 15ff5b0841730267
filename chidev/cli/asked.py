"""Asking the store of the project one question, as a command does.

Source: specification, "Commands: chidev check and chidev measure".
"""

from __future__ import annotations

import argparse
import os
from typing import Any

import msgspec

from chidev.app.execution import Answer
from chidev.wiring import execution_of, open_store, project_settings


def add_store_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="DB", help="the store file; without it the settings say where it is")


def ask(operation: dict[str, Any], store: str | None) -> Answer:
    """The answer of `exec` to one question, on a store that is there.

    Raises:
        SettingsError, StoreUnusable, StoreRefused: nothing could be run.
    """
    settings = project_settings(os.getcwd(), store)
    told: list[Answer] = []
    with open_store(settings, read_only=True) as opened:
        execution = execution_of(settings, opened, told.extend)
        execution.run(msgspec.json.encode(operation), 1)
        execution.close_group()
    return told[0]
