"""Every marked test carries what it cites, and how it stands, into JUnit XML."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tests.plugin.conftest import Run

Store = Callable[..., None]

TESTS = """
import pytest

@pytest.fixture
def broken(): raise Exception

@pytest.mark.cites("price::Cart.total", "discount#C1")
@pytest.mark.cites("discount", "C2")
def test_stale(): pass

@pytest.mark.cites("discount", "C2")
@pytest.mark.skip
def test_skipped(): pass

@pytest.mark.cites("discount", "C2")
def test_broken(broken): pass

@pytest.mark.cites("discont", "C2")
def test_unknown(): pass

@pytest.mark.cites("discount")
def test_malformed(): pass

def test_plain(): pass
"""
PROPERTIES = {
    "test_stale": {"chidev.cites": "discount#C1,discount#C2,price::Cart.total", "chidev.state": "stale"},
    "test_skipped": {"chidev.cites": "discount#C2", "chidev.state": "unrecorded"},
    "test_broken": {"chidev.cites": "discount#C2", "chidev.state": "current"},
    "test_unknown": {"chidev.cites": "discont#C2", "chidev.state": "unknown"},
    "test_malformed": {"chidev.cites": "", "chidev.state": "malformed"},
    "test_plain": {},
}


@pytest.mark.parametrize("args", [(), ("-n2",)], ids=" ".join)
def test_properties_are_there_whatever_became_of_the_test(
    run: Run, store: Store, pytester: pytest.Pytester, args: tuple[str, ...]
) -> None:
    pytester.makepyfile(test_price=TESTS)
    store(recorded=["test_price.py::test_stale", "test_price.py::test_broken"])

    run("--chidev-check", "--junitxml=junit.xml", *args, process=bool(args))

    found = {
        case.attrib["name"]: {p.attrib["name"]: p.attrib["value"] for p in case.iter("property")}
        for case in ElementTree.parse(pytester.path / "junit.xml").iter("testcase")
    }
    assert found == PROPERTIES


def test_without_an_option_no_property_is_added(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_price=TESTS)

    run("--junitxml=junit.xml")

    assert not list(ElementTree.parse(pytester.path / "junit.xml").iter("property"))
