"""A text that must not stay: found in every field of the records that only grow, and taken out of them and of the file.

Source: specification, "Correcting a record"; open-points 4 and 19.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

import pytest

from chidev.cli.main import main
from tests.app.requests_model import ALICE, TITLE, decided, opened, raised, reopened, request_of, resolved
from tests.running import Json, Project, clause, clauses_put, codes, fields_of

SECRET = "tok-5f3a9c"
PROGRAM = f"""#!/bin/sh
cat > /dev/null
echo 'said {SECRET}' >&2
echo '{{"protocol": 2, "findings": [{{"rule": "ext.a", "message": "left {SECRET} in"}}]}}'
"""
REGISTERED = """[external."ext.a"]
command = "./a"
moments = ["check"]
reads = ["contracts"]
"""


def find(project: Project, text: str = SECRET) -> list[Json]:
    return list(project.accept({"op": "text_find", "text": text})["places"])


def correct(*places: Json, **fields: Any) -> Json:
    return {"op": "record_correct", "text": SECRET, "reason": "a token", "by": ALICE, "places": list(places), **fields}


def in_request(project: Project, field: str, title: str = TITLE) -> Json:
    requests = project.view("change_requests")["change_requests"]
    return {"change_request": {"id": next(r["id"] for r in requests if r["title"] == title), "field": field}}


def fields(places: list[Json]) -> list[str]:
    return [ref["field"] for place in places for ref in place.values()]


def store_bytes(project: Project) -> bytes:
    return b"".join(path.read_bytes() for path in sorted((project.root / ".chidev").rglob("*")) if path.is_file())


@pytest.fixture
def filled(model: Project) -> Project:
    """A request, a Crux and a run of a program, each with the secret in all that somebody writes there."""
    (model.root / "chidev.toml").write_text(REGISTERED)
    (model.root / "a").write_text(PROGRAM)
    (model.root / "a").chmod(0o755)
    evidence = [{"knowledge": {"reference": SECRET}}, {"repo": {"path": SECRET}}]
    model.accepted(
        {"op": "policy_put", "lines": [{"id": "P1", "text": f"as {SECRET} says"}]},
        opened(
            situation=SECRET,
            issuer=SECRET,
            assumptions=[{"statement": SECRET, "reason": SECRET, "evidence": evidence}],
        ),
        opened(f"about {SECRET}"),
        resolved(f"about {SECRET}", reason=SECRET, by={"role": SECRET}),
    )
    options: list[Json] = [
        {"choice": SECRET, "wording": SECRET, "consequence": SECRET, "recommended": {"reason": SECRET}},
        {"choice": "no"},
    ]
    crux, other, third = model.accepted(
        raised(*options, question=SECRET), raised(question="what"), raised(question="how")
    )
    model.accepted(
        decided(crux, basis={"policy": "P1"}, beyond={"declined": SECRET}, reason=SECRET, by={"person": SECRET}),
        decided(other, wording=SECRET, basis={"arbitrary": SECRET}),
        decided(third, unspecified=[SECRET]),
        {"op": "check_run"},
    )
    # What a decision was derived from may be corrected once the Policy itself says something else.
    model.accept({"op": "policy_put", "lines": []})
    return model


def test_the_text_is_found_in_every_field_that_somebody_writes(filled: Project) -> None:
    assert fields(find(filled)) == [
        "situation",
        "issuer",
        "assumptions[0].statement",
        "assumptions[0].reason",
        "assumptions[0].evidence[0].knowledge.reference",
        "assumptions[0].evidence[1].repo.path",
        "title",
        "history[0].reason",
        "history[0].by.name",
        "question",
        "options[0].choice",
        "options[0].wording",
        "options[0].consequence",
        "recommended.reason",
        "answer.decision.reason",
        "answer.basis.text",
        "answer.by.name",
        "answer.beyond.declined",
        "answer.decision.wording",
        "answer.basis.reason",
        "answer.decision.keep[0]",
        "findings[0].message",
        "evidence.stderr",
    ]


@pytest.mark.cites("corrections#C1", "correction::redacted")
def test_a_correction_of_all_that_is_found_leaves_the_text_nowhere(filled: Project) -> None:
    places = find(filled)

    answer = filled.accept(correct(*places))

    assert answer["corrected"] == places
    assert (answer["remaining"], answer["cleared"]) == ([], True)
    assert "reason" not in answer
    assert find(filled) == []
    assert SECRET not in json.dumps(filled.everything())
    assert SECRET.encode() not in store_bytes(filled)


@pytest.mark.cites("corrections#C2", "correction::redacted")
def test_everything_else_is_as_it_was(filled: Project) -> None:
    before = json.dumps(filled.everything()).replace(SECRET, "[redacted]")

    filled.accept(correct(*find(filled)))

    after = filled.everything()
    for request in (*after[0]["view"]["change_requests"], *after[0]["view"]["cruxes"], *after[1]["cruxes"]):
        assert request["corrections"] or request["question"] == "what"
        request["corrections"] = []
    for request in after[1]["change_requests"]:
        assert request["history"].pop()["step"] == "corrected"
    for answer in after:
        answer["store_revision"] -= 1
    assert json.dumps(after) == before


def test_a_request_says_in_its_history_what_was_corrected(filled: Project) -> None:
    filled.accept(correct(in_request(filled, "situation"), in_request(filled, "issuer")))

    step = request_of(filled)["history"][-1]
    assert (step["step"], step["fields"], step["reason"]) == ("corrected", ["situation", "issuer"], "a token")
    assert step["by"] == {"kind": "person", "name": "alice"}
    (seen,) = filled.view("change_requests")["change_requests"][0]["corrections"]
    assert seen == {"fields": ["situation", "issuer"], "reason": "a token", "by": ALICE, "at": step["at"]}


def test_a_correction_changes_no_state(filled: Project) -> None:
    title = f"about {SECRET}"
    place = in_request(filled, "history[0].reason", title)

    filled.accept(correct(place))

    assert request_of(filled, title)["state"] == "resolved"
    assert codes(filled.refuse(resolved(title))) == ["cr.already-resolved"]
    filled.accepted(reopened(title), correct(in_request(filled, "title", title)))
    assert request_of(filled, "about [redacted]")["state"] == "open"


def test_what_a_correction_says_can_be_corrected(filled: Project) -> None:
    filled.accept(correct(in_request(filled, "situation"), reason="from the vault of ops-7", by={"role": "ops-7"}))
    places = find(filled, "ops-7")

    answer = filled.accept(correct(*places, text="ops-7"))

    assert fields(places) == ["history[0].reason", "history[0].by.name"]
    assert [step["reason"] for step in request_of(filled)["history"]] == ["from the vault of [redacted]", "a token"]
    assert answer["cleared"]


@pytest.mark.cites("corrections#C3", "correction::redacted")
def test_a_title_that_would_be_that_of_another_takes_a_number(model: Project) -> None:
    model.accepted(opened("[redacted]"), opened("tok-one"), opened("tok-two"))

    model.accept(correct(in_request(model, "title", "tok-one"), text="tok-one"))
    model.accept(correct(in_request(model, "title", "tok-two"), text="tok-two"))

    titles = [request["title"] for request in model.status("change_requests")["change_requests"]]
    assert titles == ["[redacted]", "[redacted 2]", "[redacted 3]"]
    model.accept(resolved("[redacted 3]"))


@pytest.mark.cites(
    "corrections#C4",
    "correction::Correction",
    "correction::Correction.fields",
    "correction::Correction.reason",
    "correction::Correction.by",
    "correction::Correction.at",
)
def test_a_crux_says_what_was_corrected_and_never_the_text(model: Project) -> None:
    model.accepted(opened(), raised({"choice": SECRET}, {"choice": "no"}))

    answer = model.accept(correct(*find(model)))

    (seen,) = model.view("cruxes")["cruxes"][0]["corrections"]
    assert seen == {"fields": ["options[0].choice"], "reason": "a token", "by": ALICE, "at": seen["at"]}
    assert model.status("cruxes")["cruxes"][0]["corrections"] == [seen]
    assert SECRET not in json.dumps(answer)


def test_two_titles_of_one_correction_stay_apart(model: Project) -> None:
    model.accepted(opened("a tok-one"), opened("a tok-onetok-one"), opened("tok-one"))
    places = find(model, "tok-one")

    model.accept(correct(*places, text="tok-one"))

    titles = [request["title"] for request in model.status("change_requests")["change_requests"]]
    assert titles == ["a [redacted]", "a [redacted][redacted]", "[redacted]"]


def test_choices_of_a_crux_stay_apart_and_those_of_another_do_not_count(model: Project) -> None:
    choices = [{"choice": "tok-one"}, {"choice": "[redacted]"}]
    model.accepted(opened(), raised(*choices), raised({"choice": "tok-one"}, {"choice": "no"}, question="else"))

    model.accept(correct(*find(model, "tok-one"), text="tok-one"))

    told = [[option["choice"] for option in crux["options"]] for crux in model.view("cruxes")["cruxes"]]
    assert told == [["[redacted 2]", "[redacted]"], ["[redacted]", "no"]]


@pytest.mark.cites("correction::LEAST_CHARACTERS", "correction::is_in_mark")
@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"text": ""}, [("correct.text-empty", "text")]),
        ({"text": "t"}, [("correct.text-too-short", "text")]),
        ({"text": "pri"}, [("correct.text-too-short", "text")]),
        ({"text": "redacted"}, [("correct.text-in-mark", "text")]),
        ({"places": []}, [("correct.places-empty", "places")]),
        ({"reason": f"{SECRET} leaked"}, [("correct.reason-holds-text", "reason")]),
        ({"by": {"role": SECRET}}, [("correct.reason-holds-text", "by")]),
        ({"by": {}}, [("input.invalid", "by")]),
        ({"by": {"role": "a", "person": "b"}}, [("input.invalid", "by")]),
        ({"reason": " "}, [("input.invalid", "reason")]),
        ({"places": [{}]}, [("input.invalid", "places[0]")]),
        ({"places": [{"crux": {"id": "x"}}]}, [("input.missing-field", "places[0].crux.field")]),
        ({"text": "", "places": []}, [("correct.text-empty", "text"), ("correct.places-empty", "places")]),
    ],
)
def test_what_cannot_be_a_correction_is_refused_and_changes_nothing(
    filled: Project, changes: Json, rules: list[tuple[str, str]]
) -> None:
    line = correct(in_request(filled, "situation")) | changes

    assert fields_of(filled.refuse(line)) == rules


@pytest.mark.cites("corrections#C4", "correction::redacted")
def test_places_that_are_none_are_told_all_at_once_and_never_repeated(filled: Project) -> None:
    nowhere = [
        {"change_request": {"id": SECRET, "field": "situation"}},
        {"change_request": {**in_request(filled, "")["change_request"], "field": SECRET}},
        {"crux": in_request(filled, "situation")["change_request"]},
        {"measurement": {"id": "m", "field": "evidence"}},
        in_request(filled, "parent"),
        in_request(filled, "id"),
    ]

    problems = filled.refuse(correct(in_request(filled, "situation"), *nowhere))

    assert fields_of(problems) == [("correct.place-unknown", f"places[{n}]") for n in range(1, 7)]
    assert SECRET not in json.dumps(problems)


def test_a_place_that_lacks_the_text_refuses_all(filled: Project) -> None:
    problems = filled.refuse(correct(in_request(filled, "situation"), in_request(filled, "title")))

    assert fields_of(problems) == [("correct.text-absent", "places[1]")]


def test_a_place_named_twice_is_refused(filled: Project) -> None:
    place = in_request(filled, "situation")

    (problem,) = filled.refuse(correct(place, place))

    assert (problem["code"], problem["field"], problem["values"]) == ("correct.place-twice", "places[1]", {"first": 0})


def test_the_empty_text_is_in_no_place(filled: Project) -> None:
    assert codes(filled.refuse({"op": "text_find", "text": ""})) == ["correct.text-empty"]


def test_finding_a_text_changes_nothing(filled: Project) -> None:
    before = filled.everything()

    find(filled)

    assert filled.everything() == before


def test_a_text_that_is_left_elsewhere_in_the_records_is_not_cleared(filled: Project) -> None:
    places = find(filled)

    answer = filled.accept(correct(places[0]))

    assert answer["remaining"] == places[1:]
    assert not answer["cleared"]
    assert answer["reason"]


def test_a_text_that_a_clause_has_is_not_cleared(model: Project) -> None:
    model.accepted(opened(situation=SECRET), clauses_put(clause("C1", f"it takes {SECRET}")))

    answer = model.accept(correct(in_request(model, "situation")))

    assert (answer["remaining"], answer["cleared"]) == ([], False)
    assert "Clause" in answer["reason"]


@pytest.mark.parametrize("secret", ['a"b\\c"d', "two\nlines", "pässwörd", "x" * 9_000, "\U0001f511\U0001f511ab"])
def test_a_text_of_any_kind_is_gone_from_the_file(model: Project, secret: str) -> None:
    model.accept(opened(situation=f"{'before ' * 400}{secret}", assumptions=[{"statement": secret, "reason": "so"}]))

    answer = model.accept(correct(*find(model, secret), text=secret))

    assert answer["cleared"]
    kept = store_bytes(model)
    assert secret.encode()[:200] not in kept
    assert json.dumps(secret)[1:-1].encode()[:200] not in kept


def test_a_reader_in_the_way_is_told_and_the_next_run_clears(model: Project) -> None:
    model.accept(opened(situation=SECRET))
    place = in_request(model, "situation")
    reader = sqlite3.connect(model.root / ".chidev" / "chidev.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM texts").fetchone()

    answer = model.accept(correct(place))

    assert not answer["cleared"]
    assert "another process" in answer["reason"]
    reader.close()
    (model.root / "none.jsonl").write_text("")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(model.root)
        with pytest.raises(SystemExit) as ended:
            main(["exec", "none.jsonl"])
    assert ended.value.code == 0
    assert SECRET.encode() not in store_bytes(model)


def test_a_correction_counts_as_a_commit_and_moves_no_model(filled: Project) -> None:
    before = filled.revision()

    filled.accept(correct(in_request(filled, "situation")))

    assert filled.revision() == before + 1
    report = filled.accept({"op": "check_rules"})
    assert report["store_revision"] == before + 1


def test_no_program_is_asked_about_a_correction(model: Project) -> None:
    model.accept(opened(situation=SECRET))
    (model.root / "chidev.toml").write_text(
        REGISTERED.replace('"check"', '"edit", "pin", "resolve", "check"') + "gate = true\n"
    )

    assert model.accept(correct(in_request(model, "situation")))["cleared"]


def test_a_run_that_is_not_the_latest_is_corrected_too(filled: Project) -> None:
    filled.accept({"op": "check_run"})
    runs = [place for place in find(filled) if "check_run" in place]

    assert len({place["check_run"]["id"] for place in runs}) == 2
    filled.accept(correct(*runs))
    (finding,) = filled.accept({"op": "check", "rules": ["ext.a"]})["findings"]
    assert finding["message"] == "left [redacted] in"
    assert [place for place in find(filled) if "check_run" in place] == []
