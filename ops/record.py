"""`make record`: which of our tests stand for which of our promises, written into ops/30-harnesses.jsonl.

Makes the store from ops/, lets pytest put our marked tests as they are now, and writes what the store then has as
operations. A sentence of ops/50-reworded.jsonl is taken into ops/10-contracts.jsonl: whoever runs this has read the
tests that were behind.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

OPS = Path(__file__).parent
ROOT = OPS.parent
CONTRACTS, HARNESSES, REWORDED = OPS / "10-contracts.jsonl", OPS / "30-harnesses.jsonl", OPS / "50-reworded.jsonl"
MAY_BE_BEHIND = ("30-harnesses.jsonl", "40-pins.jsonl")  # a test or an Item that they name may be gone


def main() -> int:
    settings = tomllib.loads((ROOT / "chidev.toml").read_text(encoding="utf-8"))
    store = ROOT / settings["store"]["path"]
    store.parent.mkdir(exist_ok=True)
    for leftover in store.parent.glob(f"{store.name}*"):
        leftover.unlink()
    for file in sorted(OPS.glob("*.jsonl")):
        refused = [answer for answer in execute(file.read_text(encoding="utf-8")) if not answer["ok"]]
        if refused and file.name not in MAY_BE_BEHIND:
            raise SystemExit("\n".join(f"{file.name}:{json.dumps(answer)}" for answer in refused))
    run("pytest", "--chidev-update", "--collect-only", "-q", "--no-header", show="chidev update")
    (view,) = execute('{"op":"view","sections":["contracts","interfaces","harnesses"]}\n')
    contexts = view["view"]["contexts"]
    paths = {(entry["context"], entry.get("harness")): entry["path"] for entry in settings["measure"]["layout"]}
    write(HARNESSES, harnesses(contexts, paths))
    if REWORDED.exists():
        write(CONTRACTS, contracts(CONTRACTS, contexts))
        REWORDED.unlink()
    return 0


def harnesses(contexts: list[Json], paths: dict[tuple[str, str | None], str]) -> Iterable[Json]:
    """Each Harness of the view as the operation that would put it, with its citations by name."""
    cited = {
        part["id"]: (context["name"], kind, asset["name"], part[name])
        for context in contexts
        for kind, parts, name in (("contract", "clauses", "label"), ("interface", "items", "key"))
        for asset in context[f"{kind}s"]
        for part in asset[parts]
    }
    for context in contexts:
        for harness in context["harnesses"]:
            yield {
                "op": "harness_put",
                "context": context["name"],
                "name": harness["name"],
                "source_file": paths[context["name"], harness["name"]],
                "cases": [
                    {
                        "name": case["name"],
                        "lines": case["lines"],
                        "items": [
                            reference(cited[cite["id"]], context["name"], "key") for cite in case["cites"]["items"]
                        ],
                        "clauses": [
                            reference(cited[cite["id"]], context["name"], "label") for cite in case["cites"]["clauses"]
                        ],
                    }
                    for case in harness["cases"]
                ],
            }


def reference(target: tuple[str, str, str, str], own_context: str, name: str) -> Json:
    context, kind, asset, part = target
    return {kind: asset, name: part} | ({"context": context} if context != own_context else {})


def contracts(file: Path, contexts: list[Json]) -> Iterable[Json]:
    """The operations of a file, each Contract with the Clauses that it has now."""
    now = {(context["name"], contract["name"]): contract for context in contexts for contract in context["contracts"]}
    for line in file.read_text(encoding="utf-8").splitlines():
        operation = json.loads(line)
        if operation["op"] == "contract_put":
            contract = now[operation["context"], operation["name"]]
            operation["title"] = contract["title"]
            operation["clauses"] = [{"label": it["label"], "text": it["text"]} for it in contract["clauses"]]
        yield operation


def write(file: Path, operations: Iterable[Json]) -> None:
    text = "".join(json.dumps(operation, ensure_ascii=False, separators=(",", ":")) + "\n" for operation in operations)
    file.write_text(text, encoding="utf-8")
    print(f"record: wrote {file.relative_to(ROOT)}")


def execute(lines: str) -> list[Json]:
    return [json.loads(answer) for answer in run("chidev", "exec", given=lines).splitlines()]


def run(*command: str, given: str = "", show: str | None = None) -> str:
    """What a program of this environment prints; what comes after a heading `show` is printed here too.

    Raises:
        SystemExit: it ended with another status than 0 (of `chidev exec`: with one over 1).
    """
    scripts = sysconfig.get_path("scripts")
    ended = subprocess.run(
        [Path(scripts, command[0]), *command[1:]],
        cwd=ROOT,
        env=os.environ | {"PATH": os.pathsep.join([scripts, os.environ.get("PATH", os.defpath)])},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode > (command[0] == "chidev"):
        raise SystemExit(f"{ended.stdout}{ended.stderr}record: {' '.join(command)} ended with {ended.returncode}")
    if show:
        print(ended.stdout.partition(show)[2].lstrip(" =").strip())
    return ended.stdout


if __name__ == "__main__":
    sys.exit(main())
