"""`chidev schema`: the JSON Schemas of the protocol, derived from the types that read and write it.

Source: specification, "Protocol chidev-exec 1".
"""

from __future__ import annotations

import argparse
import json

from chidev.app.schema import SCHEMAS, listing, schema


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", choices=list(SCHEMAS), help="which schema; without it they are listed")


def run(arguments: argparse.Namespace) -> int:
    document = listing() if arguments.name is None else schema(arguments.name)
    print(json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False))
    return 0
