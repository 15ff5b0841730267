"""What `make record` writes of a view: the Harnesses as they would be put, and the Contracts as they are now."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from chidev.domain.rules.examples import CONTEXT, CONTRACT, HARNESS, INIT, MODEL, REWORDED, without
from tests.docs.page import ROOT
from tests.running import Project


@pytest.fixture(scope="module")
def record() -> ModuleType:
    spec = importlib.util.spec_from_file_location("record", ROOT / "ops" / "record.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def contexts_of(project: Project) -> list[dict[str, Any]]:
    return list(project.view("contracts", "interfaces", "harnesses")["contexts"])


def test_a_harness_is_written_as_it_was_put(record: ModuleType, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.accepted(*MODEL)

    written = list(record.harnesses(contexts_of(project), {("pricing", "test-price"): "tests/test_price.py"}))

    assert written == [{**without(HARNESS, "source"), "source_file": "tests/test_price.py"}]


def test_a_citation_of_another_context_names_it(record: ModuleType) -> None:
    target = ("base", "contract", "rounding", "C1")

    assert record.reference(target, "pricing", "label") == {"context": "base", "contract": "rounding", "label": "C1"}
    assert record.reference(target, "base", "label") == {"contract": "rounding", "label": "C1"}


def test_a_reworded_sentence_is_taken_into_the_contract_and_all_else_stays(record: ModuleType, tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.accepted(*MODEL, REWORDED)
    file = tmp_path / "contracts.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (INIT, CONTEXT, CONTRACT)), encoding="utf-8")

    written = list(record.contracts(file, contexts_of(project)))

    assert written == [INIT, CONTEXT, REWORDED]
