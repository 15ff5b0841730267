"""Texts that are read from files.

Source: specification, "Operations" (source_file, code_file) and "Change sets".
"""

from __future__ import annotations

from tests.running import HARNESS, INTERFACE, Project, change_set, changed, fields_of, uses, without


def test_a_file_beside_a_source_is_one_too_many_also_when_it_is_empty(model: Project) -> None:
    both = changed(INTERFACE, source_file="")

    (problem,) = model.refuse(both)

    assert problem["message"].startswith("both `source` and `source_file` are given")


def test_neither_source_nor_file_is_one_too_few(model: Project) -> None:
    problems = model.refuse(change_set(without(INTERFACE, "source"), without(HARNESS, "source")))

    assert fields_of(problems) == [("input.invalid", "puts[0].source"), ("input.invalid", "puts[1].source")]


def test_a_file_is_read_with_its_carriage_returns(model: Project) -> None:
    (model.root / "price.py").write_bytes(b"def price(): ...\r\n")

    model.accept(without(changed(INTERFACE, source_file="price.py"), "source"))

    assert model.interface()["source"] == "def price(): ...\r\n"


def test_a_file_that_cannot_be_used_is_told_before_a_name_that_is_unknown(model: Project) -> None:
    entry = without(changed(INTERFACE, context="nowhere", source_file="missing.py"), "source")

    problems = model.refuse(change_set(entry, uses("pricing", "base")))

    assert fields_of(problems) == [("input.invalid", "puts[0].source_file")]
