"""The reference says all that the code has, and says it as the code does."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from chidev.app.catalogue import RULES
from chidev.app.operations import OPERATIONS
from chidev.app.schema import SCHEMAS, schema
from chidev.cli.main import COMMANDS
from tests.docs.page import ROOT


def page(name: str) -> str:
    return (ROOT / "docs" / "reference" / name).read_text(encoding="utf-8")


def test_every_page_is_as_the_code_would_make_it() -> None:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )

    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_section_and_a_row(rule: str) -> None:
    assert f"\n### {rule}\n" in page("rules.md")
    assert f"[`{rule}`](#" in page("rules.md")


@pytest.mark.parametrize("op", [row.op for row in OPERATIONS])
def test_every_operation_has_a_section_with_an_example(op: str) -> None:
    _, _, section = page("operations.md").partition(f"\n### {op}\n")

    assert f'{{"op": "{op}"' in section.partition("\n### ")[0]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_section(command: str) -> None:
    assert f"\n### chidev {command}\n" in page("commands.md")


@pytest.mark.parametrize("option", ["--chidev-check", "--chidev-update", "--chidev-stale", "--chidev-report=FILE"])
def test_every_option_of_pytest_has_a_row(option: str) -> None:
    assert f"| `{option}` |" in page("pytest.md")


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_a_file_beside_the_page(name: str) -> None:
    assert json.loads(page(f"schemas/{name}.json")) == schema(name)
