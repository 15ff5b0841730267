"""`chidev status`: what holds now, for somebody who comes back after a week.

Source: specification, "Opening, and what status and the checks show".
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from chidev.app.execution import Refusal
from chidev.app.status import StatusAnswer
from chidev.cli.asked import add_store_argument, ask
from chidev.cli.page import Page, print_page, terminal_width

Plain = Mapping[str, Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--context", metavar="C", help="only what is about this Context")
    parser.add_argument("--json", action="store_true", help="print the line that `exec` answers to `status`")
    add_store_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Status 1 when the question was refused (a Context that is not there).

    Raises:
        SettingsError, StoreUnusable, StoreRefused: nothing could be run.
    """
    context = {"context": arguments.context} if arguments.context is not None else {}
    answer = ask({"op": "status", **context}, arguments.store)
    if arguments.json:
        sys.stdout.buffer.write(answer.encoded() + b"\n")
    elif isinstance(answer.fields, StatusAnswer):
        print_page(status_page(msgspec.to_builtins(answer.fields), terminal_width()))
    elif isinstance(answer.fields, Refusal):
        tell_refusal(answer.fields)
    return 0 if answer.ok else 1


def tell_refusal(refusal: Refusal) -> None:
    """Why a question was refused, on standard error, one line a problem."""
    for diagnostic in refusal.diagnostics:
        close = ", ".join(f"`{name}`" for name in diagnostic.did_you_mean)
        print(f"chidev: {diagnostic.message}{f'; did you mean {close}?' if close else ''}", file=sys.stderr)


def status_page(status: Plain, width: int) -> Page:
    """The whole answer of `status` as a page."""
    page = Page(width)
    unresolved = [request for request in status["change_requests"] if request["state"] != "resolved"]
    owed = [finding for finding in status["findings"] if finding["state"] == "open"]
    stale = [pin for pin in status["pins"] if pin["state"] == "stale"]
    page.add(
        f"{counted(len(unresolved), 'change request')} open, {counted(len(status['awaiting']), 'question')} waiting, "
        f"{counted(len(owed), 'finding')} to look at, {counted(len(stale), 'pin')} stale",
        style="heading",
    )
    if status["awaiting"]:
        page.heading("Questions that wait")
        for crux in status["awaiting"]:
            add_question(page, crux)
    if unresolved:
        page.heading("Open change requests")
        for request in unresolved:
            add_request(page, request)
    if status["findings"]:
        page.heading("Findings, by what they are about")
        add_findings(page, status["findings"])
    if stale:
        page.heading("Pins that no longer hold")
        page.items((f"{pin['context']} {pin['interface']}: {', '.join(pin['why'])}" for pin in stale), 1)
    return page


def counted(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def add_question(page: Page, crux: Plain) -> None:
    """A Crux that waits: what is asked, what can be chosen, and what is recommended."""
    importance = f", importance {crux['importance']}" if crux["importance"] else ""
    page.add(crux["question"], 1)
    page.add(f"{crux['kind']}{importance}; stops `{crux['raised_in']}`", 2, "weak")
    page.add(f"crux {crux['id']}", 2, "weak")
    recommended = crux["recommended"]
    for option in crux["options"]:
        is_it = recommended is not None and recommended["option"] == option["id"]
        page.add(option["choice"] + (_recommendation(recommended) if is_it else ""), 2, mark="- ")
        for word in ("wording", "consequence"):
            if option[word]:
                page.add(f"{word}: {option[word]}", 3)
        for asked in option["expects"]:
            page.add(f"{'changes' if asked['kind'] == 'target' else 'keeps'} {asked['target']}", 3)
        page.add(f"option {option['id']}", 3, "weak")


def _recommendation(recommended: Plain) -> str:
    sure = f", {recommended['confidence']}% sure" if recommended["confidence"] is not None else ""
    why = f": {recommended['reason']}" if recommended["reason"] else ""
    return f" (recommended{sure}{why})"


def add_request(page: Page, request: Plain) -> None:
    """A request in a few lines: what was asked and what it still misses."""
    page.add(f"{request['title']}{_part_of(request)}", 1)
    misses = list(what_is_missing(request))
    page.items(misses or ["nothing is missing: resolve it"], 2)


def _part_of(request: Plain) -> str:
    return f" (a part of `{request['parent']}`)" if request["parent"] else ""


def what_is_missing(request: Plain) -> Iterable[str]:
    """What keeps an open request from its end, one sentence each."""
    untouched = [target["target"] for target in request["targets"] if target["progress"] == "not touched yet"]
    if untouched:
        yield f"not touched yet: {', '.join(untouched)}"
    if request["state"] == "open" and request["cruxes"]:
        yield "waits for a decision"
    moved = [keep["target"] for keep in request["keep"] if keep["moved"]]
    if moved:
        yield f"was to stay and moved: {', '.join(moved)}"
    outside = list(dict.fromkeys(target for one in request["out_of_frame"] for target in one["moved"]))
    if outside:
        yield f"moved outside its frame: {', '.join(outside)}"


def add_findings(page: Page, findings: Sequence[Plain]) -> None:
    """Findings below what they are about, the loudest first."""
    loudness = ("error", "warning", "note")
    by_subject: dict[str, list[Plain]] = {}
    for finding in sorted(findings, key=lambda finding: loudness.index(finding["level"])):
        by_subject.setdefault(_about(finding), []).append(finding)
    for about, some in by_subject.items():
        page.add(about, 1)
        for finding in some:
            dealt = ", ".join(f"`{title}`" for title in finding.get("addressed_by", ()))
            state = f" ({finding['state']} by {dealt})" if dealt else ""
            page.add(f"{finding['level']} {finding['rule']}: {finding['message']}{state}", 2, finding["level"])


def _about(finding: Plain) -> str:
    if not finding["subjects"]:
        return "the project"
    subject = finding["subjects"][0]
    where = [subject[word] for word in ("context", "harness") if word in subject]
    within = f" ({' '.join(where)})" if where else ""
    return f"{subject['kind'].replace('_', ' ')} {subject['name']}{within}"
