"""What can be asked: check, check_list, status and view, and that asking changes nothing.

Source: specification, "Operations" (status, check, check_list, view); users.md, second part, 4 and 6.
"""

from __future__ import annotations

import pytest

from tests.running import (
    BASE,
    CONTEXT,
    HARNESS,
    INIT,
    INTERFACE,
    MODEL,
    PIN,
    TWO_ITEMS,
    Json,
    Project,
    case,
    changed,
    clause,
    codes,
    contract,
    fields_of,
    harness,
    item,
    names,
    retire,
    retire_context,
    uses,
)

CHECK: Json = {"op": "check"}
QUESTIONS: tuple[Json, ...] = (
    CHECK,
    {"op": "check", "rules": ["cite."], "context": "pricing"},
    {"op": "check_list"},
    {"op": "status"},
    {"op": "view", "sections": ["contracts", "cruxes"]},
)
TWO_CONTEXTS = (*MODEL, BASE, contract(clause("C1"), context="base"), changed(INTERFACE, context="base"))


def check(**fields: object) -> Json:
    return {"op": "check", **fields}


def found(answer: Json) -> list[tuple[str, str]]:
    return [(finding["code"], finding["about"]) for finding in answer["findings"]]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["op"])
def test_a_question_changes_nothing(model: Project, question: Json) -> None:
    before = model.everything()

    first, again = model.accepted(question, question)

    assert {**first, "line": 0} == {**again, "line": 0}
    assert model.everything() == before


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["op"])
def test_a_question_needs_a_project_unless_it_is_about_the_program(project: Project, question: Json) -> None:
    (answer,) = project.run(question)

    if question["op"] == "check_list":
        assert answer["ok"]
    else:
        assert codes(answer["diagnostics"]) == ["project.none"]


# check


def test_findings_come_by_check_and_then_in_the_order_of_the_model(project: Project) -> None:
    project.accepted(*TWO_CONTEXTS, contract(clause("C1", "reworded")), TWO_ITEMS)

    assert found(project.accept(CHECK)) == [
        ("cite.stale", "test_refuses"),
        ("pin.unpinned", "price"),
        ("pin.unpinned", "price"),
        ("cite.uncited-clause", "discount C1"),
        ("cite.uncited-item", "price cost"),
        ("cite.uncited-item", "price price"),
        ("context.no-harness", "base"),
    ]


@pytest.mark.parametrize("context", ["pricing", "base"])
@pytest.mark.parametrize("rules", [None, ["cite."], ["pin.unpinned"], ["cite.stale", "context."], ["mutation."]])
def test_what_is_shown_and_what_is_outside_are_all_there_is(
    project: Project, context: str, rules: list[str] | None
) -> None:
    project.accepted(*TWO_CONTEXTS, contract(clause("C1", "reworded")))
    whole = project.accept(CHECK)["findings"]

    answer = project.accept(check(context=context, **({"rules": rules} if rules else {})))

    assert len(answer["findings"]) + answer["outside"] == len(whole)
    assert [finding for finding in whole if finding in answer["findings"]] == answer["findings"]


def test_a_check_that_is_not_narrowed_counts_nothing_outside(model: Project) -> None:
    assert "outside" not in model.accept(CHECK)
    assert model.accept(check(context="pricing"))["outside"] == 0
    assert model.accept(check(rules=["cite.", "pin.", "context."]))["outside"] == 0


def test_no_rules_ask_for_no_finding(model: Project) -> None:
    answer = model.accept(check(rules=[]))

    assert (answer["findings"], answer["outside"]) == ([], 1)


@pytest.mark.parametrize("selector", ["cite", "cit.", "ite.stale", "cite.stal", "context.name-taken", "input."])
def test_a_selector_that_no_check_has_is_an_unknown_name(model: Project, selector: str) -> None:
    (problem,) = model.refuse(check(rules=["cite.stale", selector]))

    assert problem["code"] == "input.unknown-name"
    assert problem["field"] == "rules[1]"
    assert problem["values"] == {"kind": "rule", "name": selector, "field": "rules"}


@pytest.mark.parametrize(
    ("selector", "meant"), [("cite.stal", "cite.stale"), ("cite.satle", "cite.stale"), ("mutaton.", "mutation.")]
)
def test_a_selector_that_is_nearly_right_is_told_as_what_was_meant(model: Project, selector: str, meant: str) -> None:
    (problem,) = model.refuse(check(rules=[selector]))

    assert problem["did_you_mean"][0] == meant


@pytest.mark.parametrize("selector", ["", "Cite.stale", "cite stale", ".cite", "cite..stale", "cite.stale\n", "*"])
def test_a_malformed_selector_is_invalid(model: Project, selector: str) -> None:
    (problem,) = model.refuse(check(rules=[selector]))

    assert problem["code"] == "input.invalid"


def test_every_unknown_name_of_a_check_is_told(model: Project) -> None:
    problems = model.refuse(check(context="base", rules=["a", "cite.", "b."]))

    assert fields_of(problems) == [
        ("input.unknown-name", "context"),
        ("input.unknown-name", "rules[0]"),
        ("input.unknown-name", "rules[2]"),
    ]


def test_a_finding_tells_every_fact_as_a_value(model: Project) -> None:
    model.accept(contract(clause("C1", "a discount over 50% is refused")))

    (finding,) = model.accept(check(rules=["cite.stale"]))["findings"]

    assert finding["subjects"] == [
        {"kind": "case", "name": "test_refuses", "context": "pricing", "harness": "test-price"}
    ]
    assert finding["values"]["targets"] == [
        {
            "kind": "clause",
            "name": "discount C1",
            "context": "pricing",
            "cited": 1,
            "now": 2,
            "old": "a discount over 100% is refused",
            "new": "a discount over 50% is refused",
        }
    ]
    assert (finding["level"], finding["state"], finding["rule"]) == ("warning", "open", "cite.stale")


def test_a_case_stays_behind_a_clause_that_was_renamed_since(model: Project) -> None:
    model.accepted(contract(clause("C1", "reworded")), contract(clause("C5", "reworded", replaces="C1")))

    (finding,) = model.accept(check(rules=["cite.stale"]))["findings"]

    assert finding["values"]["targets"][0]["name"] == "discount C5"


def test_a_sentence_that_comes_back_is_a_revision_of_its_own(model: Project) -> None:
    first = model.contract()["clauses"][0]["text"]
    model.accepted(contract(clause("C1", "reworded")), contract(clause("C1", first)))

    (finding,) = model.accept(check(rules=["cite.stale"]))["findings"]

    assert (finding["values"]["targets"][0]["cited"], finding["values"]["targets"][0]["now"]) == (1, 3)
    assert finding["values"]["targets"][0]["old"] == finding["values"]["targets"][0]["new"]


def test_a_check_at_off_finds_nothing_and_is_no_unknown_rule(project: Project) -> None:
    (project.root / "chidev.toml").write_text('[checks."pin."]\nlevel = "off"\n', encoding="utf-8")
    project.accepted(*MODEL)

    answer = project.accept(check(rules=["pin.unpinned"]))

    assert (answer["findings"], answer["outside"]) == ([], 0)


# check_list


def test_the_list_has_each_check_with_what_it_is(project: Project) -> None:
    listed = project.accept({"op": "check_list"})["checks"]

    table = {entry["id"]: (entry["level"], entry["kind"], entry["moments"]) for entry in listed}
    unfinished = ["pin", "resolve", "check"]
    assert table == {
        "cite.stale": ("warning", "change", ["edit", "check"]),
        "pin.stale": ("warning", "change", ["edit", "pin", "check"]),
        "pin.unpinned": ("note", "state", unfinished),
        "cite.uncited-clause": ("warning", "state", unfinished),
        "cite.uncited-item": ("warning", "state", unfinished),
        "context.no-interface": ("note", "state", unfinished),
        "context.no-harness": ("note", "state", unfinished),
        "cr.awaiting-decision": ("warning", "state", ["resolve", "check"]),
        "cr.keep-moved": ("warning", "change", ["edit", "resolve", "check"]),
        "cr.keep-targeted": ("warning", "change", ["edit", "check"]),
        "cr.out-of-frame": ("warning", "change", ["edit", "resolve", "check"]),
        "cr.resolved-without-work": ("warning", "state", ["resolve", "check"]),
        "cr.targets-untouched": ("note", "state", ["resolve", "check"]),
        "cr.intent-mismatch": ("note", "state", ["resolve", "check"]),
        "crux.policy-line-gone": ("note", "change", ["edit", "check"]),
    }


def test_levels_come_from_the_nearest_setting(project: Project) -> None:
    (project.root / "chidev.toml").write_text(
        '[checks."cite."]\nlevel = "error"\n[checks."cite.stale"]\nlevel = "note"\n', encoding="utf-8"
    )
    (project.root / ".chidev").mkdir()
    own = project.root / ".chidev" / "chidev.local.toml"
    own.write_text('[checks."cite.uncited-item"]\nlevel = "off"\n', encoding="utf-8")

    listed = {entry["id"]: entry for entry in project.accept({"op": "check_list"})["checks"]}

    assert listed["cite.stale"]["level"] == "note"
    assert listed["cite.uncited-clause"]["level"] == "error"
    assert (listed["cite.uncited-item"]["level"], listed["cite.uncited-item"]["person"]) == ("off", True)
    assert listed["cite.uncited-item"]["default_level"] == "warning"


def test_the_digest_of_the_policy_moves_with_a_level(project: Project) -> None:
    before = project.accept({"op": "check_list"})["policy"]
    (project.root / "chidev.toml").write_text('[checks."pin.stale"]\nlevel = "error"\n', encoding="utf-8")

    assert project.accept({"op": "check_list"})["policy"] != before


# status


def test_status_gives_the_sections_that_are_asked_for(model: Project) -> None:
    answer = model.status("pins", "retired")

    assert answer.keys() - {"ok", "line", "op"} == {"store_revision", "pins", "retired"}


def test_status_without_sections_gives_all(model: Project) -> None:
    answer = model.accept({"op": "status"})

    requests = {"change_requests", "cruxes", "awaiting", "keep_moved", "policy"}
    sections = {"pins", "stale_cites", *requests, "retired", "external", "judged", "findings"}
    assert answer.keys() - {"ok", "line", "op", "store_revision"} == sections


def test_status_of_a_context_that_is_not_there_names_the_field(model: Project) -> None:
    (problem,) = model.refuse({"op": "status", "context": "prcing"})

    assert (problem["code"], problem["field"]) == ("input.unknown-name", "context")
    assert problem["did_you_mean"] == ["pricing"]


def test_status_of_a_context_is_about_that_context(project: Project) -> None:
    project.accepted(*TWO_CONTEXTS, PIN, contract(clause("C1", "reworded")), retire("contract", "discount", "base"))

    answer = project.accept({"op": "status", "context": "base"})

    assert [(pin["context"], pin["state"]) for pin in answer["pins"]] == [("base", "unpinned")]
    assert answer["stale_cites"] == []
    assert {record["context"] for record in answer["retired"]} == {"base"}
    assert {finding["values"].get("context", finding["about"]) for finding in answer["findings"]} == {"base"}


def test_a_pin_is_unpinned_fresh_stale_or_gone(model: Project) -> None:
    def state() -> list[tuple[str, str, list[str]]]:
        return [(pin["interface"], pin["state"], pin["why"]) for pin in model.status("pins")["pins"]]

    assert state() == [("price", "unpinned", [])]
    model.accept(PIN)
    assert state() == [("price", "fresh", [])]
    model.accept(contract(clause("C1", "reworded")))
    assert state() == [("price", "stale", ["contract `discount` changed"])]
    model.accept(PIN)
    assert state() == [("price", "fresh", [])]
    model.accepted(retire("harness", "test-price"), retire("interface", "price"))
    assert state() == [("price (retired)", "gone", [])]


def test_why_a_pin_is_stale_begins_with_its_interface(model: Project) -> None:
    model.accepted(PIN, TWO_ITEMS, contract(clause("C1", "reworded")), HARNESS)

    (pin,) = model.status("pins")["pins"]

    assert pin["why"] == ["the interface changed", "harness `test-price` changed", "contract `discount` changed"]


def test_a_pin_is_stale_when_one_more_harness_checks_it(model: Project) -> None:
    model.accepted(PIN, harness(case("more"), name="test-more"))

    (pin,) = model.status("pins")["pins"]

    assert pin["why"] == ["harness `test-more` came to check it"]


def test_a_pin_stands_on_the_interface_of_another_context_that_its_cases_cite(project: Project) -> None:
    both = {
        **case("one"),
        "items": [
            {"interface": "price", "key": "price"},
            {"context": "base", "interface": "price", "key": "price"},
        ],
    }
    project.accepted(*TWO_CONTEXTS, uses("pricing", "base"), harness(both), PIN)

    answer = project.accept(changed(TWO_ITEMS, context="base"))

    (pin,) = [pin for pin in project.status("pins")["pins"] if pin["context"] == "pricing"]
    assert pin["why"] == ["interface `price` changed"]
    assert codes(answer["findings"]) == ["cite.stale", "pin.stale"]


def test_a_second_interface_of_the_same_context_is_not_what_a_pin_stands_on(model: Project) -> None:
    other = changed(INTERFACE, name="other")
    both = {**case("one"), "items": [*case("one")["items"], {"interface": "other", "key": "price"}]}
    model.accepted(other, harness(both), PIN)

    model.accept(changed(other, source="def price(): ...\n"))

    assert [pin["state"] for pin in model.status("pins")["pins"]] == ["fresh", "unpinned"]


def test_a_citation_that_is_behind_is_listed_with_both_revisions(model: Project) -> None:
    model.accepted(contract(clause("C1", "two")), contract(clause("C1", "three")))

    assert model.status("stale_cites")["stale_cites"] == [
        {
            "context": "pricing",
            "harness": "test-price",
            "case": "test_refuses",
            "target": "discount C1",
            "cited": 1,
            "now": 3,
        }
    ]


def test_the_retired_are_listed_in_the_order_they_went(model: Project) -> None:
    model.accepted(retire("harness", "test-price"), retire("interface", "price"), retire_context("pricing"))

    assert names(model.status("retired")["retired"]) == [
        "test-price",
        "test-price test_refuses",
        "price",
        "price price",
        "pricing",
        "discount",
        "discount C1",
    ]


# view


def test_a_view_has_the_sections_asked_for_and_no_others(model: Project) -> None:
    view = model.view("interfaces", "cruxes")

    assert view.keys() == {"version", "contexts", "cruxes"}
    assert view["contexts"][0].keys() == {"id", "name", "basis", "uses", "interfaces"}
    assert view["version"] == 5


def test_a_view_gives_back_what_was_put(model: Project) -> None:
    source = "  indented\r\n\tänd\u2028odd \x0c\n\nno line feed at the end"
    model.accept(changed(INTERFACE, name="odd", source=source, items=[item("a b::c#1", 1, 4)]))

    interface = model.interface("pricing", "odd")

    assert interface["source"] == source
    assert interface["items"][0]["lines"] == [1, 4]
    assert interface["items"][0]["key"] == "a b::c#1"


def test_a_view_of_no_context_has_the_requests_all_the_same(model: Project) -> None:
    model.accept({"op": "cr_open", "title": "Ask", "intent": "keep_behavior"})

    answer = model.accept({"op": "view", "sections": ["contracts", "change_requests"], "contexts": []})

    assert answer["view"]["contexts"] == []
    assert [request["title"] for request in answer["view"]["change_requests"]] == ["Ask"]


def test_a_view_names_each_context_once_and_in_the_order_of_the_model(project: Project) -> None:
    project.accepted(INIT, CONTEXT, BASE)

    answer = project.accept({"op": "view", "sections": ["contracts"], "contexts": ["base", "pricing", "base"]})

    assert names(answer["view"]["contexts"]) == ["pricing", "base"]


def test_every_context_that_a_view_cannot_name_is_told(model: Project) -> None:
    problems = model.refuse({"op": "view", "sections": ["contracts"], "contexts": ["pricng", "pricing", "other"]})

    assert fields_of(problems) == [("input.unknown-name", "contexts[0]"), ("input.unknown-name", "contexts[2]")]
    assert problems[0]["did_you_mean"] == ["pricing"]


def test_a_view_tells_the_revision_it_was_read_at(model: Project) -> None:
    answer = model.accept({"op": "view", "sections": ["contracts"]})

    assert answer["store_revision"] == len(MODEL)
