"""What an edit answers with: the findings that it introduced.

Source: specification, "Change sets" and "Triggers and moments".
"""

from __future__ import annotations

from tests.running import (
    BASE,
    CONTEXT,
    CONTRACT,
    HARNESS,
    INIT,
    INTERFACE,
    PIN,
    Project,
    case,
    change_set,
    changed,
    clause,
    codes,
    contract,
    harness,
    names,
    retire,
)


def test_only_what_the_set_introduced_is_told(model: Project) -> None:
    model.accept(contract(clause("C1", "second")))

    answer = model.accept(change_set(BASE, changed(INTERFACE, name="other")))

    assert answer["findings"] == []


def test_one_more_thing_that_moved_under_a_case_is_told_again(model: Project) -> None:
    model.accept(contract(clause("C1", "second")))

    (finding,) = model.accept(changed(INTERFACE, source="def price(total: str): ...\n"))["findings"]

    assert finding["code"] == "cite.stale"
    assert names(finding["values"]["targets"]) == ["price price", "discount C1"]


def test_a_case_that_falls_further_behind_is_told_again(model: Project) -> None:
    model.accept(contract(clause("C1", "second")))

    (finding,) = model.accept(contract(clause("C1", "third")))["findings"]

    assert finding["values"]["targets"][0]["now"] == 3
    assert finding["values"]["targets"][0]["cited"] == 1


def test_a_pin_that_loses_what_checks_it_says_so(model: Project) -> None:
    model.accept(PIN)

    (finding,) = model.accept(retire("harness", "test-price"))["findings"]

    assert finding["code"] == "pin.stale"
    moved = {thing["name"]: (thing["pinned"], thing["now"]) for thing in finding["values"]["moved"]}
    assert moved["test-price (retired)"] == (1, None)


def test_a_contract_that_is_no_longer_cited_is_named_as_it_is_called(model: Project) -> None:
    model.accept(PIN)

    (told,) = model.accept(harness(case("test_refuses")))["findings"]

    (found,) = [finding for finding in model.accept({"op": "check"})["findings"] if finding["code"] == "pin.stale"]
    assert "contract `discount` no longer counts" in told["message"]
    assert told == found


def test_an_edit_tells_findings_in_the_order_of_the_model(model: Project) -> None:
    cases = [case(name, clauses=["C1"]) for name in ("b", "c", "a")]
    model.accepted(harness(*cases), harness(*reversed(cases)))

    told = model.accept(contract(clause("C1", "second")))["findings"]

    assert [finding["values"]["name"] for finding in told] == ["a", "c", "b"]


def test_a_contract_that_came_to_be_cited_after_the_pin_moves_it_again(model: Project) -> None:
    cites_more = harness({**case("more"), "clauses": [{"contract": "later", "label": "C1"}]}, name="test-more")
    model.accepted(PIN, contract(clause("C1"), name="later"), cites_more)

    told = model.accept(contract(clause("C1", "reworded"), name="later"))["findings"]

    assert codes(told) == ["cite.stale", "pin.stale"]


def test_a_new_harness_does_not_tell_again_what_was_stale(model: Project) -> None:
    model.accepted(PIN, contract(clause("C1", "reworded")))

    told = model.accept(harness(case("more"), name="test-more"))["findings"]

    assert codes(told) == ["pin.stale"]


def test_an_interface_that_is_used_does_not_tell_what_stands_on_it(project: Project) -> None:
    both = {**case("one"), "items": [*case("one")["items"], {**case("one")["items"][0], "context": "base"}]}
    project.accepted(
        *(changed(line, context="base") if "context" in line else line for line in (INIT, BASE, CONTRACT, INTERFACE)),
        *(changed(line, context="base") for line in (HARNESS, PIN)),
        changed(CONTEXT, uses=["base"]),
        INTERFACE,
        CONTRACT,
        harness({**both, "clauses": [{"contract": "discount", "label": "C1"}]}),
        PIN,
        contract(clause("C1", "reworded")),
    )

    told = project.accept(retire("harness", "test-price", "base"))["findings"]

    assert [(finding["code"], finding["values"]["context"]) for finding in told] == [("pin.stale", "base")]
