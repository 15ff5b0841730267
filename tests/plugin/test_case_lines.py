"""Which lines of a file a test is on: from its first decorator to the end of its body."""

from __future__ import annotations

import codecs
from textwrap import dedent

import pytest

from pytest_chidev.case_lines import LineTable, Span, line_table


def table(text: str) -> LineTable:
    return line_table(dedent(text).lstrip("\n").encode())


def test_a_test_begins_at_its_first_decorator_and_ends_with_its_body() -> None:
    lines = table("""
        import pytest

        @pytest.mark.parametrize(
            "x", [1, 2],
        )
        @pytest.mark.cites("a", "C1")
        def test_x(x):
            assert x

            assert x
    """)

    assert lines.find((), "test_x") == Span(3, 10)


def test_a_method_is_found_by_the_classes_around_it() -> None:
    lines = table("""
        class TestA:
            class TestInner:
                def test_x(self): pass
            async def test_x(self):
                pass
    """)

    assert lines.find(("TestA", "TestInner"), "test_x") == Span(3, 3)
    assert lines.find(("TestA",), "test_x") == Span(4, 5)


@pytest.mark.parametrize(
    "head",
    [
        "if True:",
        "for _ in '1':",
        "while True:",
        "with open('x'):",
        "try:\n    1\nexcept E:\n    2\nelse:",
        "try: pass\nfinally:",
    ],
)
def test_a_definition_inside_a_statement_is_found(head: str) -> None:
    text = f"{head}\n    def test_x():\n        pass\n"

    found = line_table(text.encode()).find((), "test_x")

    first = text.split("\n").index("    def test_x():") + 1
    assert found == Span(first, first + 1)


def test_a_definition_in_a_handler_or_a_case_is_found() -> None:
    lines = table("""
        try:
            import x
        except ImportError:
            def test_a(): pass
        match 1:
            case _:
                def test_b(): pass
    """)

    assert lines.find((), "test_a") == Span(4, 4)
    assert lines.find((), "test_b") == Span(7, 7)


TWICE = """
def test_x():
    first

@mark
def test_x():
    second
"""


def test_of_two_definitions_the_code_says_which_one_runs() -> None:
    assert table(TWICE).find((), "test_x", code_line=1) == Span(1, 2)


def test_of_two_definitions_the_last_one_counts_when_the_code_is_elsewhere() -> None:
    assert table(TWICE).find((), "test_x") == Span(4, 6)


def test_an_inherited_test_is_the_definition_in_the_base_class() -> None:
    lines = table("""
        class Base:
            def test_x(self):
                pass
            class TestInner:
                def test_y(self): pass
        class Middle(Base): pass
        class TestB(object, Middle[int]): pass
    """)

    assert lines.find(("TestB",), "test_x") == Span(2, 3)
    assert lines.find(("TestB", "TestInner"), "test_y") == Span(5, 5)


def test_a_base_class_of_another_file_gives_the_class_statement() -> None:
    lines = table("""
        from base import Base

        @mark
        class TestB(Base):
            size = 3
    """)

    assert lines.find(("TestB",), "test_x") == Span(3, 5)


def test_classes_that_inherit_from_each_other_are_no_endless_search() -> None:
    lines = table("class A(B): pass\nclass B(A): pass\n")

    assert lines.find(("A",), "test_x") == Span(1, 1)


def test_an_imported_test_is_its_import_statement() -> None:
    lines = table("""
        from shared import (
            other,
            test_y as test_x,
        )
        from more import TestC
        from rest import *
    """)

    assert lines.find((), "test_x") == Span(1, 4)
    assert lines.find(("TestC",), "test_a") == Span(5, 5)
    assert lines.find((), "test_star") == Span(6, 6)


def test_a_test_made_by_a_factory_is_the_inner_function() -> None:
    lines = table("""
        def make(n):
            def inner(self):
                assert n
            return inner
        class TestA: pass
        for n in range(3):
            setattr(TestA, f"test_{n}", make(n))
    """)

    assert lines.find(("TestA",), "test_1", code_line=2) == Span(2, 3)


def test_a_lambda_is_its_own_lines() -> None:
    lines = table("test_x = (\n    lambda:\n    None\n)\n")

    assert lines.find((), "test_x", code_line=2) == Span(2, 3)


def test_a_test_that_is_assigned_from_elsewhere_is_the_assignment() -> None:
    assert table("import o\ntest_x = o.make()\n").find((), "test_x") == Span(2, 2)


def test_what_exec_made_has_no_lines() -> None:
    assert table("exec('def test_x(): pass')\n").find((), "test_x") is None


def test_a_coding_line_gives_the_decoded_text() -> None:
    lines = line_table("# -*- coding: latin-1 -*-\ndef test_é(): 'ü'\n".encode("latin-1"))

    assert lines.text == "# -*- coding: latin-1 -*-\ndef test_é(): 'ü'\n"
    assert lines.find((), "test_é") == Span(2, 2)


@pytest.mark.parametrize(
    "data",
    [
        "# é coding: latin-1\nx = 'é'\n".encode("latin-1"),
        "# é\n# vim: set fileencoding=latin-1 :\nx = 'é'\n".encode("latin-1"),
        "#!/bin/é\r# coding=latin-1\rx = 'é'\r".encode("latin-1"),
        "# coding: latin-1\n\n# coding: utf-8\nx = 'é'\n".encode("latin-1"),
        "x = 1\n# coding: ascii\nx = 'é'\n".encode(),
        codecs.BOM_UTF8 + "# coding: utf-8\nx = 'é'\n".encode(),
    ],
)
def test_a_text_is_decoded_as_the_interpreter_does(data: bytes) -> None:
    names: dict[str, object] = {}
    exec(compile(data, "x", "exec"), names)

    assert (line_table(data).problem, names["x"]) == (None, "é")
    assert "x = 'é'" in line_table(data).text


def test_the_byte_order_mark_is_no_part_of_the_text() -> None:
    assert line_table(codecs.BOM_UTF8 + b"x = 1\r\n").text == "x = 1\r\n"


def test_lines_end_at_line_feeds_alone() -> None:
    """Python ends a line at a lone carriage return as well; the store does not."""
    lines = line_table(b"a = 1\rb = 2\r\nc = 3\n@d\r\ndef test_x():\r    pass\r\n")

    assert lines.find((), "test_x") == Span(3, 4)


def test_form_feeds_and_separators_of_unicode_end_no_line() -> None:
    lines = line_table("x = '\u2028\x85'\n\x0c\ndef test_x(): pass\n".encode())

    assert lines.find((), "test_x") == Span(3, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"def test_x(:\n",
        b"\xff\xfe",
        b"# coding: klingon\n",
        b"# coding: rot13\nx",
        b"x = 1\0",
        b"(" * 100_000,
        b"-" * 100_000 + b"1",
    ],
    ids=["syntax", "bytes", "unknown coding", "no text coding", "nul", "nested", "deep"],
)
def test_what_cannot_be_parsed_is_a_problem_and_no_exception(data: bytes) -> None:
    lines = line_table(data)

    assert lines.problem
    assert lines.find((), "test_x", code_line=1) is None


def test_an_invalid_escape_warns_nobody_again(recwarn: pytest.WarningsRecorder) -> None:
    lines = line_table(b"def test_x(): '\\d'\n")

    assert lines.find((), "test_x") == Span(1, 1)
    assert not recwarn.list


def test_the_same_bytes_are_parsed_once() -> None:
    assert line_table(b"def test_once(): pass\n") is line_table(bytes(bytearray(b"def test_once(): pass\n")))
