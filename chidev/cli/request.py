"""`chidev request TITLE`: one change request, what was asked, what was done and what is left.

Source: specification, "Opening, and what status and the checks show".
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec

from chidev.app.execution import Refusal
from chidev.app.status import StatusAnswer
from chidev.app.unknown import unknown_name
from chidev.cli.asked import add_store_argument, ask
from chidev.cli.page import Page, print_page, terminal_width
from chidev.cli.status import Plain, add_findings, add_question, tell_refusal, what_is_missing

_SECTIONS = ["change_requests", "cruxes", "awaiting", "findings"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("title", metavar="TITLE", help="the title of the change request")
    parser.add_argument("--json", action="store_true", help="print it as JSON: request, parts, cruxes and findings")
    add_store_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when no request has the title.

    Raises:
        SettingsError, StoreUnusable, StoreRefused: nothing could be run.
    """
    answer = ask({"op": "status", "sections": _SECTIONS}, arguments.store)
    if isinstance(answer.fields, Refusal):
        tell_refusal(answer.fields)
    if not isinstance(answer.fields, StatusAnswer):
        return 1
    status = msgspec.to_builtins(answer.fields)
    titles = [request["title"] for request in status["change_requests"]]
    if arguments.title not in titles:
        close = ", ".join(f"`{t}`" for t in unknown_name("change request", arguments.title, None, titles).did_you_mean)
        sentence = f"no change request has the title `{arguments.title}`"
        print(f"chidev: {sentence}{f'; did you mean {close}?' if close else ''}", file=sys.stderr)
        return 1
    told = _of_request(status, arguments.title)
    if arguments.json:
        sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
    else:
        print_page(request_page(told, terminal_width()))
    return 0


def _of_request(status: Plain, title: str) -> dict[str, Any]:
    """What of the answer of `status` is about one request."""
    return {
        "request": next(request for request in status["change_requests"] if request["title"] == title),
        "parts": [request["title"] for request in status["change_requests"] if request["parent"] == title],
        "cruxes": [crux for crux in status["cruxes"] if crux["raised_in"] == title],
        "awaiting": [crux for crux in status["awaiting"] if crux["raised_in"] == title],
        "findings": [
            finding
            for finding in status["findings"]
            if {"kind": "change_request", "name": title} in finding["subjects"]
            or title in finding.get("addressed_by", ())
        ],
    }


def request_page(told: Plain, width: int) -> Page:
    """One request as a page."""
    page, request = Page(width), told["request"]
    page.add(f"{request['title']} ({request['state']})", style="heading")
    _add_ask(page, request, told["parts"])
    missing = list(what_is_missing(request)) if request["state"] != "resolved" else []
    if missing:
        page.heading("What it still misses")
        page.items(missing, 1)
    _add_targets(page, request)
    if told["awaiting"]:
        page.heading("Questions that wait")
        for crux in told["awaiting"]:
            add_question(page, crux)
    _add_decisions(page, [crux for crux in told["cruxes"] if crux["state"] == "answered"])
    _add_work(page, request)
    _add_assumptions(page, request["assumptions"])
    if told["findings"]:
        page.heading("Findings")
        add_findings(page, told["findings"])
    _add_history(page, request)
    return page


def _add_ask(page: Page, request: Plain, parts: Sequence[str]) -> None:
    if request["situation"]:
        page.add(request["situation"], 1)
    who = f", asked by {request['issuer']}" if request["issuer"] else ""
    page.add(f"{request['intent'].replace('_', ' ')}{who}", 1, "weak")
    if request["parent"]:
        page.add(f"a part of `{request['parent']}`", 1, "weak")
    if parts:
        page.add(f"parts: {', '.join(f'`{part}`' for part in parts)}", 1, "weak")


def _add_targets(page: Page, request: Plain) -> None:
    if request["targets"] or request["keep"]:
        page.heading("Targets")
    page.items((f"{target['target']}: {target['progress']}" for target in request["targets"]), 1)
    page.items((f"{keep['target']}: kept, {'moved' if keep['moved'] else 'as it was'}" for keep in request["keep"]), 1)


def _add_decisions(page: Page, cruxes: Sequence[Plain]) -> None:
    if cruxes:
        page.heading("Decisions")
    for crux in cruxes:
        answer = crux["answer"]
        page.add(f"{crux['question']} {_decision(crux)}", 1, mark="- ")
        page.add(f"by {_who(answer['by'])}, {_when(answer['at'])}; {_basis(answer['basis'])}", 2, "weak")
        beyond = answer.get("beyond", {})
        if "requests" in beyond:
            page.add(f"what is outside goes to {', '.join(f'`{title}`' for title in beyond['requests'])}", 2)
        elif "declined" in beyond:
            page.add(f"what is outside is not done: {beyond['declined']}", 2)


def _decision(crux: Plain) -> str:
    decision = crux["answer"]["decision"]
    if "chosen" in decision:
        choice = next(o["choice"] for o in crux["options"] if o["id"] == decision["chosen"]["option"])
        reason = decision["chosen"]["reason"]
        return f"{choice}{f' ({reason})' if reason else ''}"
    if "worded" in decision:
        return str(decision["worded"]["wording"])
    if "unspecified" in decision:
        keep = ", ".join(decision["unspecified"]["keep"])
        return f"left unspecified{f', but: {keep}' if keep else ''}"
    return "withdrawn"


def _who(by: Plain) -> str:
    return f"{by['role']} (role)" if "role" in by else str(by["person"])


def _basis(basis: Plain) -> str:
    if "policy" in basis:
        return f"from the Policy line {basis['policy']['line']} (revision {basis['policy']['policy_revision']})"
    return f"arbitrary: {basis['arbitrary']['reason']}"


def _when(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _add_work(page: Page, request: Plain) -> None:
    if request["work"]:
        page.heading("Work")
    outside = {one["store_revision"]: one["moved"] for one in request["out_of_frame"]}
    for work in request["work"]:
        page.add(f"at store revision {work['store_revision']}", 1)
        if work["moved"]:
            page.add(f"moved {', '.join(work['moved'])}", 2)
        page.items((f"renamed {r['from']} to {r['to']}: {r['target']}" for r in work["renamed"]), 2)
        if work["store_revision"] in outside:
            page.add(f"outside its frame: {', '.join(outside[work['store_revision']])}", 2, "warning")


def _add_assumptions(page: Page, assumptions: Sequence[Plain]) -> None:
    if assumptions:
        page.heading("Assumptions")
    for assumption in assumptions:
        page.add(f"{assumption['statement']}: {assumption['reason']}", 1, mark="- ")
        for evidence in assumption["evidence"]:
            page.add(_evidence(evidence), 2, "weak")


def _evidence(evidence: Plain) -> str:
    if "knowledge" in evidence:
        return str(evidence["knowledge"]["reference"])
    repo = evidence["repo"]
    lines = repo.get("lines")
    return f"{repo['path']}:{lines[0]}-{lines[1]}" if lines else str(repo["path"])


def _add_history(page: Page, request: Plain) -> None:
    if request["history"]:
        page.heading("History")
    for step in request["history"]:
        what = step["resolution"].replace("_", " ") if step["resolution"] else ""
        of = f" of `{step['of']}`" if step["of"] else ""
        how = f" as {what}{of}" if what else f" {', '.join(step['fields'])}" if "fields" in step else ""
        who = f"{step['by']['name']}{' (role)' if step['by']['kind'] == 'role' else ''}"
        page.add(f"{_when(step['at'])} {step['step']}{how} by {who}: {step['reason']}", 1)
