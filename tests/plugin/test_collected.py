"""Which Cases a run has: their names, citations, instances and places, whatever kind of test they are."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from pytest_chidev.collected import Collected, CollectedCase, CollectedFile, gather
from pytest_chidev.selection import Selection
from pytest_chidev.source_files import SourceFiles
from tests.plugin.conftest import Run

Gather = Callable[..., Collected]


class _Keeper:
    """A plugin that reads the marks as our session does, without options and without a judge."""

    def __init__(self) -> None:
        self.collected: Collected | None = None
        self._selection: Selection | None = None

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        self._selection = Selection(config)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if self._selection:
            self._selection.collected(report)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        if self._selection:
            self._selection.removed(items)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if self._selection:
            self._selection.modified([], [])
            sources = SourceFiles(str(session.config.rootpath))
            self.collected = gather(session.items, self._selection, sources)


@pytest.fixture
def collect(run: Run, pytester: pytest.Pytester) -> Gather:
    """Collects one file, `test_it.py`, and answers with what was read of it."""

    def collect_file(text: str, *args: str) -> Collected:
        keeper = _Keeper()
        (pytester.path / "test_it.py").write_text(dedent(text).lstrip("\n"), encoding="utf-8")
        run("--collect-only", *args, plugins=(keeper,))
        assert keeper.collected is not None
        return keeper.collected

    return collect_file


def cases(collected: Collected) -> dict[str, CollectedCase]:
    (file,) = collected.files
    return {case.name: case for case in file.cases}


def cited(collected: Collected) -> dict[str, list[str]]:
    return {name: [c.compact for c in case.citations] for name, case in cases(collected).items()}


def test_marks_of_function_class_and_module_add_up(collect: Gather) -> None:
    collected = collect(
        """
        import pytest
        pytestmark = [pytest.mark.cites("price::price"), pytest.mark.slow]

        @pytest.mark.cites("discount#C2")
        class TestBase:
            @pytest.mark.cites("discount", "C1")
            def test_x(self): pass

        @pytest.mark.cites("other#C1")
        class TestChild(TestBase):
            pass

        def test_y(): pass
    """,
        "-o",
        "markers=slow",
    )

    assert cited(collected) == {
        "TestBase::test_x": ["discount#C1", "discount#C2", "price::price"],
        "TestChild::test_x": ["discount#C1", "discount#C2", "other#C1", "price::price"],
        "test_y": ["price::price"],
    }


def test_parameter_sets_are_one_case_and_a_mark_on_one_adds_for_it(collect: Gather) -> None:
    collected = collect("""
        import pytest

        @pytest.mark.cites("a#C1")
        @pytest.mark.parametrize("x", ["a::b", "[", pytest.param("é", marks=pytest.mark.cites("a#C2"))])
        def test_x(x): pass
    """)

    (case,) = cases(collected).values()
    assert [c.compact for c in case.citations] == ["a#C1", "a#C2"]
    assert [(i.nodeid, [c.compact for c in i.citations]) for i in case.instances] == [
        ("test_it.py::test_x[a::b]", ["a#C1"]),
        ("test_it.py::test_x[[]", ["a#C1"]),
        ("test_it.py::test_x[\\xe9]", ["a#C1", "a#C2"]),
    ]


def test_a_test_without_a_mark_is_no_case(collect: Gather) -> None:
    assert cited(collect("def test_x(): pass")) == {}


def test_methods_of_unittest_and_nested_classes_have_their_chain(collect: Gather) -> None:
    collected = collect("""
        import pytest, unittest

        class PriceTest(unittest.TestCase):
            @pytest.mark.cites("a#C1")
            def test_x(self): pass

        class TestOuter:
            class TestInner:
                @pytest.mark.cites("a#C1")
                def test_x(self): pass
    """)

    assert list(cases(collected)) == ["PriceTest::test_x", "TestOuter::TestInner::test_x"]


def test_a_coroutine_function_is_a_case(collect: Gather) -> None:
    collected = collect("""
        import pytest

        @pytest.mark.cites("a#C1")
        async def test_x(): pass
    """)

    assert cases(collected)["test_x"].code_line == 3


def test_of_two_tests_of_one_name_the_one_that_runs_is_the_case(collect: Gather) -> None:
    collected = collect("""
        import pytest

        @pytest.mark.cites("a#C1")
        def test_x(): pass

        @pytest.mark.cites("a#C2")
        def test_x(): pass
    """)

    assert cited(collected) == {"test_x": ["a#C2"]}
    assert cases(collected)["test_x"].code_line == 6


def test_code_that_runs_elsewhere_has_no_line_here(collect: Gather, pytester: pytest.Pytester) -> None:
    (pytester.path / "shared.py").write_text(
        "def test_x(): pass\n\ndef plain(f):\n    def test(): f()\n    return test\n"
    )

    collected = collect("""
        import functools, pytest
        from shared import plain, test_x
        pytestmark = pytest.mark.cites("a#C1")

        @plain
        def test_y(): pass

        def _z(n): pass
        test_z = functools.partial(_z, 1)
    """)

    assert {name: case.code_line for name, case in cases(collected).items() if name != "test_z"} == {
        "test_x": None,
        "test_y": None,
    }


def test_doctests_and_items_of_others_are_passed_over(collect: Gather, pytester: pytest.Pytester) -> None:
    (pytester.path / "test_doc.txt").write_text(">>> 1\n1\n")
    (pytester.path / "conftest.py").write_text(
        (pytester.path / "conftest.py").read_text()
        + "\nclass Own(pytest.Item):\n    def runtest(self): pass\n"
        + "class Suite(pytest.File):\n    def collect(self): yield Own.from_parent(self, name='own')\n"
        + "def pytest_collect_file(file_path, parent):\n"
        + "    if file_path.suffix == '.yaml': return Suite.from_parent(parent, path=file_path)\n"
    )
    (pytester.path / "own.yaml").write_text("")

    collected = collect(
        """
        '''
        >>> 1
        1
        '''
        import pytest
        pytestmark = pytest.mark.cites("a#C1")
        def test_x(): pass
    """,
        "--doctest-modules",
    )

    assert {file.path: [case.name for case in file.cases] for file in collected.files if file.cases} == {
        "test_it.py": ["test_x"]
    }


def test_marks_that_a_conftest_adds_count(collect: Gather, pytester: pytest.Pytester) -> None:
    with (pytester.path / "conftest.py").open("a") as conftest:
        conftest.write(
            "\ndef pytest_collection_modifyitems(items):\n    items[0].add_marker(pytest.mark.cites('a#C1'))\n"
        )

    assert cited(collect("def test_x(): pass")) == {"test_x": ["a#C1"]}


def test_a_file_below_a_folder_has_its_path_from_the_root(collect: Gather, pytester: pytest.Pytester) -> None:
    pytester.mkpydir("deep")
    text = "import pytest\n@pytest.mark.cites('a#C1')\ndef test_x(): pass\n"
    (pytester.path / "deep" / "test_below.py").write_text(text)

    collected = collect("", "deep")

    assert [file.path for file in collected.files] == ["deep/test_below.py"]


def test_a_file_outside_the_root_is_named_from_it(collect: Gather, pytester: pytest.Pytester) -> None:
    inner = pytester.mkdir("inner")

    collected = collect("import pytest\n@pytest.mark.cites('a#C1')\ndef test_x(): pass\n", f"--rootdir={inner}")

    assert [file.path for file in collected.files if file.cases] == ["../test_it.py"]


BAD = """
import pytest
pytestmark = pytest.mark.cites("module")

@pytest.mark.cites("Class#C1")
class TestA:
    @pytest.mark.cites(1)
    def test_x(self): pass
    @pytest.mark.cites
    def test_y(self): pass
    def test_z(self): pass

@pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.cites("set"))])
def test_p(x): pass
"""


def test_each_problem_is_told_once_where_its_mark_is(collect: Gather) -> None:
    problems = collect(BAD).problems

    assert [(problem.line, problem.nodeid.split("::", 1)[1]) for problem in problems] == [
        (2, "TestA::test_x"),
        (4, "TestA::test_x"),
        (6, "TestA::test_x"),
        (8, "TestA::test_y"),
        (12, "test_p[2]"),
    ]


def test_an_item_knows_that_a_mark_of_it_is_malformed(collect: Gather) -> None:
    collected = collect("""
        import pytest

        @pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.cites("set"))])
        @pytest.mark.cites("a#C1")
        def test_p(x): pass
    """)

    (case,) = cases(collected).values()
    assert [instance.malformed for instance in case.instances] == [False, True]


def test_a_mark_on_a_lambda_is_not_collected_and_does_no_harm(collect: Gather) -> None:
    collected = collect(
        """
        import pytest
        test_x = pytest.mark.cites("a", "C1")(lambda: None)
        @pytest.mark.cites("a", "C1")
        def test_y(): pass
    """,
        "-W",
        "default::pytest.PytestCollectionWarning",
    )

    assert cited(collected) == {"test_y": ["a#C1"]}


def test_a_mark_that_got_a_lambda_as_argument_is_told(collect: Gather) -> None:
    collected = collect("""
        import pytest
        @pytest.mark.cites(lambda: None)
        def test_y(): pass
    """)

    assert [problem.text for problem in collected.problems] == ["cites takes texts, and argument 1 is of type function"]


def test_what_was_collected_goes_through_json(collect: Gather) -> None:
    collected = collect(BAD)

    assert Collected.from_json(collected.to_json()) == collected


def test_a_file_taken_back_from_whole_keeps_its_first_reason() -> None:
    files = (CollectedFile("a.py", (), ""), CollectedFile("b.py", (), "--lf was given"), CollectedFile("c.py", (), ""))
    collected = Collected("/r", files, (), complete=True)

    changed = collected.without_whole(frozenset({"a.py", "b.py"}), "changed")

    assert [file.partial for file in changed.files] == ["changed", "--lf was given", ""]
    assert not changed.complete
