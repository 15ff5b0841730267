"""Cruxes: raising a question that nobody can derive, and recording who decided what.

Source: specification, "Crux, Policy and Assumption".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from chidev.app import inputs
from chidev.app.change_requests import by_of, frame_of, open_request_titled, resolution_text
from chidev.app.commit import edit
from chidev.app.diagnose import FindingAnswer
from chidev.app.draft import Draft
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.references import (
    Reference,
    Resolver,
    as_json,
    described,
    malformed_addresses,
    malformed_targets,
    one_key,
    reference_to,
    targets_twice,
)
from chidev.app.unknown import unknown_name
from chidev.domain.change_request import Address, ChangeRequest, Expectation
from chidev.domain.crux import (
    Answer,
    Asked,
    Basis,
    Beyond,
    Crux,
    CruxKind,
    Decision,
    Form,
    Importance,
    Option,
    Recommended,
)
from chidev.domain.footprint import Place
from chidev.domain.identity import Id, NewId
from chidev.domain.rule import Applicability, Refused, Suggestion, Violation
from chidev.domain.rules.cr.crux import (
    EXPECT_CONFLICT,
    NO_OPTION,
    OPTION_TWICE,
    RECOMMENDED_TWICE,
    SUPERSEDES_SUPERSEDED,
    supersedes_unanswered,
)
from chidev.domain.rules.cr.decision import (
    ANSWER_OUTSIDE,
    BEYOND_FORM,
    BEYOND_ITSELF,
    BEYOND_UNFRAMED,
    BEYOND_WITHDRAWN,
    DECISION_FORM,
    UNKNOWN_OPTION,
    UNSPECIFIED_NOT_ALLOWED,
    answered,
    line_unknown,
)
from chidev.domain.rules.cr.request import already_resolved, deciding
from chidev.domain.subject import change_request_subject, crux_subject


class OptionAnswer(msgspec.Struct, frozen=True):
    id: Id
    choice: str


class RaiseAnswer(msgspec.Struct, frozen=True):
    """The id of the Crux and of each option, in the order given: a decision points at them."""

    crux: Id
    options: Sequence[OptionAnswer]
    findings: Sequence[FindingAnswer]


class DecideAnswer(msgspec.Struct, frozen=True):
    findings: Sequence[FindingAnswer]


# Raising.


def raise_crux(operation: inputs.CrCruxRaise, services: Services) -> RaiseAnswer:
    """Keep the Crux in the request that it stops.

    Raises:
        Refused: a form that cannot be read; `input.unknown-name` for each name that is none; `cr.already-resolved`;
            the rules of options and of `supersedes`.
    """
    if malformed := list(_malformed(operation)):
        raise Refused(*malformed)
    kept: list[Crux] = []

    def plan(draft: Draft) -> None:
        resolver = Resolver(draft)
        request = open_request_titled(draft, operation.in_, "in")
        asked = [resolver.references(option, f"options[{n}].") for n, option in enumerate(operation.options)]
        findings = resolver.addresses(operation.findings, "findings")
        superseded = _superseded(draft, operation)
        draft.refuse_problems()
        if request is None:
            return
        if superseded:
            draft.rules.extend(_cannot_supersede(draft.store, superseded, operation))
        taken_back = _taken_back(superseded, request)
        for option, references in zip(operation.options, asked, strict=True):
            twice = list(targets_twice(request.title, references, option.choice))
            draft.rules.extend(twice or _conflicts(draft.store, request, taken_back, option.choice, references))
        draft.refuse_problems()
        crux = _crux(draft.new_id, request.id, operation, asked, findings)
        kept.append(crux)
        draft.touched_requests.add(request.id)
        draft.writes.append(lambda: draft.store.add_crux(crux))

    findings = edit(services, plan)
    crux = kept[-1]
    return RaiseAnswer(crux.id, [OptionAnswer(option.id, option.choice) for option in crux.options], findings)


def _malformed(operation: inputs.CrCruxRaise) -> Iterator[Violation]:
    """What the types do not say, and what can be seen of the options without the store."""
    for n, option in enumerate(operation.options):
        yield from malformed_targets(option, f"options[{n}].")
    yield from malformed_addresses(operation.findings, "findings")
    if not operation.options:
        yield NO_OPTION.broken(field="options")
    places: dict[str, list[int]] = {}
    for n, option in enumerate(operation.options):
        places.setdefault(option.choice, []).append(n)
    for choice, where in places.items():
        if len(where) > 1:
            yield OPTION_TWICE.broken(field=f"options[{where[1]}].choice", option=choice, count=len(where))
    recommended = [n for n, option in enumerate(operation.options) if option.recommended is not None]
    if len(recommended) > 1:
        yield RECOMMENDED_TWICE.broken(
            field=f"options[{recommended[1]}].recommended",
            count=len(recommended),
            options=[operation.options[n].choice for n in recommended],
        )


def _superseded(draft: Draft, operation: inputs.CrCruxRaise) -> Crux | None:
    """The Crux whose decision is to be replaced; a name that is none is kept on the draft."""
    if operation.supersedes is None:
        return None
    found = draft.store.crux(operation.supersedes)
    if found is None:
        draft.names.append(unknown_name("crux", operation.supersedes, "supersedes", draft.store.crux_ids()))
    return found


def _cannot_supersede(store: StoreReader, superseded: Crux, operation: inputs.CrCruxRaise) -> Iterator[Violation]:
    """Why the decision cannot be replaced: there is none, or another Crux replaced it."""
    if not superseded.decides:
        yield supersedes_unanswered(superseded.id, superseded.question, is_withdrawn=superseded.answer is not None)
        return
    by = replacing(store, superseded.id)
    if by:
        end = end_of_chain(store, by)
        yield SUPERSEDES_SUPERSEDED.broken(
            crux_subject(superseded.id),
            crux_subject(by.id),
            field="supersedes",
            suggestions=tuple(_instead(store, end, operation)),
            crux=superseded.id,
            by=by.id,
        )


def _instead(store: StoreReader, end: Crux, operation: inputs.CrCruxRaise) -> Iterator[Suggestion]:
    """Supersede the decision that stands; while it is open, decide it, after its request is open again."""
    if end.decides:
        again = {**msgspec.to_builtins(operation), "supersedes": end.id}
        yield Suggestion(again, Applicability.REVIEW)
        return
    title = store.titles([end.request])[end.request]
    request = store.change_request_titled(title)
    if request and request.resolved:
        reopening = {"op": "cr_reopen", "title": title, "reason": "<why>", "by": {"person": "<who>"}}
        yield Suggestion(reopening, Applicability.PLACEHOLDER)
    yield Suggestion(deciding(end.id), Applicability.PLACEHOLDER)


def replacing(store: StoreReader, crux: Id) -> Crux | None:
    """The Crux that has, or will have, the place of this one's decision."""
    return next((other for other in store.superseding(crux) if other.replaces), None)


def end_of_chain(store: StoreReader, crux: Crux) -> Crux:
    """The Crux whose decision stands in place of this one's, at the end of those that supersede one another."""
    while later := replacing(store, crux.id):
        crux = later
    return crux


def _taken_back(superseded: Crux | None, request: ChangeRequest) -> Crux | None:
    """The Crux whose expectations no longer stand in a request, once the one that supersedes it is decided."""
    return superseded if superseded and superseded.request == request.id else None


def _conflicts(
    store: StoreReader, request: ChangeRequest, taken_back: Crux | None, choice: str, references: Sequence[Reference]
) -> Iterator[Violation]:
    """`cr.crux-expect-conflict` for each target that is asked with the other kind already."""
    standing = standing_expectations(store, request, taken_back)
    for reference in references:
        asked = standing.get(reference.target.place.id)
        if asked and asked.kind != reference.kind:
            yield expect_conflict(choice, as_json(reference.ref), reference.kind, asked.kind, reference.at)


def expect_conflict(choice: str, ref: dict[str, Any], asked: str, standing: str, field: str) -> Violation:
    return EXPECT_CONFLICT.broken(
        field=field, option=choice, target=ref, name=described(ref), asked=asked, standing=standing
    )


def standing_expectations(store: StoreReader, request: ChangeRequest, taken_back: Crux | None) -> dict[Id, Expectation]:
    """What a request asks of each target, of its own or by a decision that stands, but for those of one Crux."""
    decided = store.decided_without(request.id, taken_back.id) if taken_back else request.decided
    return {expected.id: expected for expected in (*decided, *request.expects)}


def _crux(
    new_id: NewId,
    request: Id,
    operation: inputs.CrCruxRaise,
    asked: Sequence[Sequence[Reference]],
    findings: Sequence[Address],
) -> Crux:
    id_ = new_id()
    options = tuple(
        Option(
            new_id(),
            option.choice,
            option.wording,
            option.consequence,
            tuple(Asked(one.kind, one.target.place.kind, one.target.place.id) for one in references),
        )
        for option, references in zip(operation.options, asked, strict=True)
    )
    recommended = next(
        (
            Recommended(made.id, given.recommended.reason, given.recommended.confidence)
            for made, given in zip(options, operation.options, strict=True)
            if given.recommended is not None
        ),
        None,
    )
    return Crux(
        id=id_,
        request=request,
        kind=CruxKind(operation.kind),
        question=operation.question,
        importance=Importance(operation.importance) if operation.importance else None,
        findings=tuple(findings),
        options=options,
        recommended=recommended,
        supersedes=Id(operation.supersedes) if operation.supersedes else None,
    )


# Deciding.


def decide_crux(operation: inputs.CrCruxDecide, services: Services) -> DecideAnswer:
    """Keep the decision of a Crux, and what it asks of the targets of the request that the Crux stops.

    Raises:
        Refused: a form that cannot be read; `input.unknown-name` of the Crux or of a request beyond;
            `cr.crux-answered`, `cr.already-resolved`; then the rules of the decision.
    """
    if malformed := list(_malformed_decision(operation)):
        raise Refused(*malformed)

    def plan(draft: Draft) -> None:
        store = draft.store
        crux = store.crux(operation.crux)
        if crux is None:
            draft.names.append(unknown_name("crux", operation.crux, "crux", store.crux_ids()))
        beyond = list(_requests_beyond(draft, operation))
        draft.refuse_problems()
        if crux is None:
            return
        title = store.titles([crux.request])[crux.request]
        request = store.change_request_titled(title)
        if request is None:
            return
        _refuse_states(draft, crux, request, operation, beyond)
        for n, other in enumerate(beyond):
            if other.id == request.id:
                subject = change_request_subject(other.title)
                draft.rules.append(BEYOND_ITSELF.broken(subject, field=f"beyond.requests[{n}]"))
        option = _option(draft, crux, operation)
        basis = _basis(draft, operation)
        draft.refuse_problems()
        decided = _decided(draft, crux, request, option, operation, beyond) if option else []
        draft.refuse_problems()
        answer = Answer(
            id=draft.new_id(),
            decision=_decision(operation),
            basis=basis,
            by=by_of(operation.by),
            at=services.clock(),
            beyond=_beyond(operation, beyond),
        )
        _keep(draft, crux, request, answer, decided)

    return DecideAnswer(edit(services, plan))


def _malformed_decision(operation: inputs.CrCruxDecide) -> Iterator[Violation]:
    """What the types do not say of the form of a decision."""
    forms = [name for name in ("option", "wording", "unspecified", "withdrawn") if getattr(operation, name) is not None]
    if len(forms) != 1:
        yield DECISION_FORM.broken(given=forms, count=len(forms))
    elif operation.reason is not None and forms[0] in {"unspecified", "withdrawn"}:
        yield DECISION_FORM.broken(field="reason", given=[*forms, "reason"], count=1)
    yield from one_key(operation.basis, "basis")
    yield from one_key(operation.by, "by")
    if operation.beyond is None:
        return
    if operation.withdrawn:
        yield BEYOND_WITHDRAWN.broken(field="beyond")
        return
    requests, declined = operation.beyond.requests, operation.beyond.declined
    if isinstance(requests, list) == isinstance(declined, str):
        yield BEYOND_FORM.broken(field="beyond", detail="exactly one of the two is given")
    elif isinstance(requests, list):
        twice = [title for title, times in Counter(requests).items() if times > 1]
        if not requests:
            yield BEYOND_FORM.broken(field="beyond.requests", detail="no request is named")
        for title in twice:
            yield BEYOND_FORM.broken(field="beyond.requests", detail=f"`{title}` is named twice")


def _requests_beyond(draft: Draft, operation: inputs.CrCruxDecide) -> Iterator[ChangeRequest]:
    titles = operation.beyond.requests if operation.beyond else ()
    resolver = Resolver(draft)
    for n, title in enumerate(titles if isinstance(titles, list) else ()):
        found = resolver.request(title, f"beyond.requests[{n}]")
        if found:
            yield found


def _refuse_states(
    draft: Draft,
    crux: Crux,
    request: ChangeRequest,
    operation: inputs.CrCruxDecide,
    beyond: Sequence[ChangeRequest],
) -> None:
    """Refuse what the states of the Crux and of the requests named do not allow, all of it at once."""
    if crux.answer is not None:
        end = end_of_chain(draft.store, crux)
        draft.states.append(
            answered(crux.id, crux.kind.value, crux.question, crux.answer.decision.form.value, request.title, end.id)
        )
    elif request.resolved and not operation.withdrawn:
        draft.states.append(already_resolved(request.title, resolution_text(request, draft.store), "crux"))
    for n, other in enumerate(beyond):
        if other.resolved:
            field = f"beyond.requests[{n}]"
            draft.states.append(already_resolved(other.title, resolution_text(other, draft.store), field))
    draft.refuse_problems()


def _option(draft: Draft, crux: Crux, operation: inputs.CrCruxDecide) -> Option | None:
    """The option that is chosen; None when the decision has another form. Problems are kept on the draft."""
    if operation.unspecified is not None and crux.kind is CruxKind.MODEL:
        draft.rules.append(
            UNSPECIFIED_NOT_ALLOWED.broken(crux_subject(crux.id), field="unspecified", crux=crux.id, kind="model")
        )
    if operation.option is None:
        return None
    option = crux.option(operation.option)
    if option is None:
        draft.rules.append(
            UNKNOWN_OPTION.broken(
                crux_subject(crux.id),
                field="option",
                crux=crux.id,
                option=operation.option,
                options=[{"id": known.id, "choice": known.choice} for known in crux.options],
            )
        )
    return option


def _basis(draft: Draft, operation: inputs.CrCruxDecide) -> Basis:
    line = operation.basis.policy
    if not isinstance(line, str):
        return Basis(reason=str(operation.basis.arbitrary))
    policy = draft.store.decision_policy()
    text = policy.text_of(line)
    if text is None:
        draft.rules.append(line_unknown(line, [{"id": known.id, "text": known.text} for known in policy.lines]))
    return Basis(line=line, text=text, policy_revision=policy.revision)


def _decided(
    draft: Draft,
    crux: Crux,
    request: ChangeRequest,
    option: Option,
    operation: inputs.CrCruxDecide,
    beyond: Sequence[ChangeRequest],
) -> list[Expectation]:
    """What the option chosen asks of the targets of its request from now on; problems are kept on the draft."""
    store, project = draft.store, draft.project
    superseded = store.crux(crux.supersedes) if crux.supersedes else None
    standing = standing_expectations(store, request, _taken_back(superseded, request))
    names = store.named({asked.id for asked in option.expects})
    places = {project.id: Place("project", project.id), **store.places({asked.id for asked in option.expects})}
    frame = frame_of(request, project.id)
    outside: list[Asked] = []
    decided: list[Expectation] = []
    for asked in option.expects:
        known = standing.get(asked.id)
        if asked.kind == "target" and not frame.holds(places[asked.id]):
            outside.append(asked)
        elif known and known.kind != asked.kind:
            ref = reference_to(asked.id, names)
            draft.rules.append(expect_conflict(option.choice, ref, asked.kind, known.kind, "option"))
        elif known is None:
            revision = project.revision if asked.target == "project" else names[asked.id].revision
            decided.append(Expectation(asked.kind, asked.target, asked.id, revision or 0))
        elif known in request.decided:
            decided.append(known)
    refs = {asked.id: reference_to(asked.id, names) for asked in outside}
    if operation.beyond is None and outside:
        draft.rules.append(_answer_outside(crux, request, option, operation, list(refs.values())))
    elif beyond:
        frames = [frame_of(other, project.id) for other in beyond]
        for asked in outside:
            if not any(frame.holds(places[asked.id]) for frame in frames):
                draft.rules.append(_unframed(beyond, refs[asked.id]))
    return decided


def _answer_outside(
    crux: Crux, request: ChangeRequest, option: Option, operation: inputs.CrCruxDecide, refs: list[dict[str, Any]]
) -> Violation:
    """The suggestions open a request for the targets outside, and decide with it or without."""
    title = f"<the title of a request for {described(refs[0])}>"
    opening = {"op": "cr_open", "title": title, "intent": request.intent.value, "targets": refs}
    given = {key: value for key, value in msgspec.to_builtins(operation).items() if key != "beyond"}
    return ANSWER_OUTSIDE.broken(
        change_request_subject(request.title),
        crux_subject(crux.id),
        field="option",
        suggestions=(
            Suggestion(opening, Applicability.PLACEHOLDER),
            Suggestion({**given, "beyond": {"requests": [title]}}, Applicability.PLACEHOLDER),
            Suggestion({**given, "beyond": {"declined": "<why they are not done>"}}, Applicability.PLACEHOLDER),
        ),
        option=option.choice,
        targets=refs,
        names=", ".join(described(ref) for ref in refs),
        count=len(refs),
    )


def _unframed(beyond: Sequence[ChangeRequest], ref: dict[str, Any]) -> Violation:
    return BEYOND_UNFRAMED.broken(
        *(change_request_subject(other.title) for other in beyond),
        field="beyond.requests",
        target=ref,
        name=described(ref),
    )


def _decision(operation: inputs.CrCruxDecide) -> Decision:
    if operation.option is not None:
        return Decision(Form.CHOSEN, option=Id(operation.option), reason=operation.reason)
    if operation.wording is not None:
        return Decision(Form.WORDED, wording=operation.wording, reason=operation.reason)
    if operation.unspecified is not None:
        return Decision(Form.UNSPECIFIED, keep=tuple(operation.unspecified))
    return Decision(Form.WITHDRAWN)


def _beyond(operation: inputs.CrCruxDecide, beyond: Sequence[ChangeRequest]) -> Beyond | None:
    if operation.beyond is None:
        return None
    declined = operation.beyond.declined
    return Beyond(tuple(other.id for other in beyond), declined if isinstance(declined, str) else None)


def _keep(draft: Draft, crux: Crux, request: ChangeRequest, answer: Answer, decided: list[Expectation]) -> None:
    """Plan the record of a decision: what the decision before it asked is taken back first."""
    store = draft.store
    superseded = store.crux(crux.supersedes) if crux.supersedes else None
    draft.touched_requests.add(request.id)
    if answer.basis.line:
        draft.touched_lines.add(answer.basis.line)

    def write() -> None:
        store.add_answer(crux.id, answer)
        if _taken_back(superseded, request) and answer.decision.form is not Form.WITHDRAWN and crux.supersedes:
            store.take_back(crux.supersedes, crux.id)
        store.add_decided(crux.id, request.id, decided)

    draft.writes.append(write)
