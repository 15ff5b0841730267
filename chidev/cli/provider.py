"""`chidev provider`: the bundled providers, each a program of its own that this command starts.

Source: specification, "Provider protocol chidev-items 2"; open-points 5.
"""

from __future__ import annotations

import argparse
import sys

PROVIDERS = {"items-python": "chidev_provider_python.program"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", choices=list(PROVIDERS), help="which provider")


def run(arguments: argparse.Namespace) -> int:
    """One JSON document on standard input, one on standard output; status 1 when it cannot answer."""
    import importlib

    program = importlib.import_module(PROVIDERS[arguments.name])
    return int(program.main(sys.stdin.buffer, sys.stdout.buffer, sys.stderr))
