"""How a `cites` mark is read, and what it says when it cannot be."""

from __future__ import annotations

import pytest

from pytest_chidev.marks import Citation, in_order, read_mark


@pytest.mark.cites("marks#C1", "marks::Citation.compact", "marks::Reading.problems", "marks::read_mark")
@pytest.mark.parametrize(
    ("args", "compact"),
    [
        (("discount", "C1"), ["discount#C1"]),
        (("discount", "C1", "C2"), ["discount#C1", "discount#C2"]),
        (("base/rounding", "C3"), ["base/rounding#C3"]),
        (("base/rounding#C3", "price::Cart.total"), ["base/rounding#C3", "price::Cart.total"]),
        (("base/price::Cart.total",), ["base/price::Cart.total"]),
        (("discount", "C1", "price::price"), ["discount#C1", "price::price"]),
        (("price::name#2",), ["price::name#2"]),
        (("money::m::<Money as Display>::fmt",), ["money::m::<Money as Display>::fmt"]),
    ],
)
def test_each_form_is_read(args: tuple[str, ...], compact: list[str]) -> None:
    reading = read_mark(args, {})

    assert [citation.compact for citation in reading.citations] == compact
    assert reading.problems == ()


@pytest.mark.cites("marks#C1", "marks::read_mark", "marks::Citation", "marks::Citation.kind", "marks::Citation.context")
@pytest.mark.cites("marks::Citation.asset", "marks::Citation.part", "marks::Reading", "marks::Reading.citations")
def test_a_citation_is_told_in_parts() -> None:
    clause, item = read_mark(("base/rounding#C3", "price::Cart.total"), {}).citations

    assert clause == Citation("clause", "base", "rounding", "C3")
    assert item == Citation("item", None, "price", "Cart.total")


@pytest.mark.cites("marks#C2", "marks::MarkError", "marks::read_mark")
@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ((), "cites has no arguments: *"),
        (("discount",), "`discount` has no label: *"),
        (("discount", "c1"), "`c1`: `c1` is no label *"),
        (("discount", "C1x"), "`C1x`: `C1x` is no label *"),
        (("discount", "C"), "`C`: `C` is no label *"),
        (("discount", "C1\n"), "'C1?n': 'C1?n' is no label *"),
        (("discount", "C1 "), "*is no label*"),
        (("discount", "C\u0661"), "*is no label*"),
        (("discount", ""), "*is no label*"),
        (("Discount", "C1"), "`Discount`: the name of the Contract or Interface has `D`; *"),
        (("dis count", "C1"), "*has ` `; *"),
        (("", "C1"), "*the name of the Contract or Interface is empty"),
        (("/discount", "C1"), "*the name of the Context is empty"),
        (("a/b/discount", "C1"), "*the name of the Context has `/`; *"),
        (("#C1",), "*the name of the Contract or Interface is empty"),
        (("discount#",), "*is no label*"),
        (("discount#C1 ",), "*is no label*"),
        (("discount#C1#C2",), "*is no label*"),
        (("price::",), "*the key after :: is empty*"),
        (("price:: Cart",), "*white space around it*"),
        (("price::a\nb",), "*line end in it"),
        (("discount#C1", "C2"), '`C2` has no Contract: write "discount#C2"'),
        (("discount#C1", "C2x"), "`C2x` is no citation: *"),
        ((3,), "cites takes texts, and argument 1 is of type int"),
        (("discount", None), "cites takes texts, and argument 2 is of type NoneType"),
        ((["discount#C1"],), "cites takes texts, and argument 1 is of type list"),
        ((lambda: None,), "cites takes texts, and argument 1 is of type function"),
    ],
)
def test_what_cannot_be_read_is_one_problem(args: tuple[object, ...], problem: str) -> None:
    from fnmatch import fnmatchcase

    problems = read_mark(args, {}).problems

    assert len(problems) == 1
    assert fnmatchcase(problems[0], problem), problems[0]


@pytest.mark.cites("marks#C2", "marks::read_mark")
def test_keyword_arguments_are_refused_and_the_rest_is_read() -> None:
    reading = read_mark(("discount", "C1"), {"label": "C2"})

    assert reading.problems == ("cites takes no keyword arguments: `label`",)
    assert [citation.compact for citation in reading.citations] == ["discount#C1"]


@pytest.mark.cites("marks#C2", "marks::read_mark")
def test_all_problems_of_a_mark_are_told() -> None:
    assert len(read_mark(("discount#1", 3, "price::"), {"x": 1}).problems) == 4


def test_a_very_long_text_is_cut() -> None:
    assert all(len(problem) < 300 for problem in read_mark(("x" * 100_000 + "X#C1",), {}).problems)


@pytest.mark.cites("marks#C3", "marks::in_order")
def test_citations_are_a_set_in_one_order() -> None:
    citations = read_mark(("b#C1", "a::z", "b#C1", "a#C2"), {}).citations

    assert [citation.compact for citation in in_order(citations)] == ["a#C2", "a::z", "b#C1"]
