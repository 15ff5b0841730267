"""Pinning the code of an Interface.

Source: specification, "Operations" (pin).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

import msgspec

from chidev.app import inputs
from chidev.app.commit import confirm, project_of
from chidev.app.diagnose import FindingAnswer
from chidev.app.entries import read_text
from chidev.app.ports.services import Services
from chidev.app.ports.store import StoreReader
from chidev.app.unknown import unknown_name
from chidev.domain.identity import Id, NewId
from chidev.domain.outline import Asset
from chidev.domain.pin import Pin
from chidev.domain.project import Context
from chidev.domain.rule import Applicability, Moment, Refused, Suggestion, Violation
from chidev.domain.rules.pin import UNCHECKED
from chidev.domain.subject import context_subject, interface_subject


class PinAnswer(msgspec.Struct, frozen=True):
    pin: Id
    findings: Sequence[FindingAnswer]


def pin(operation: inputs.Pin, services: Services) -> PinAnswer:
    """Record that the code was accepted, and judge the whole model.

    Raises:
        Refused: the code cannot be read, a name is unknown, or `pin.unchecked`.
    """
    code = read_text(operation.code, operation.code_file, "code", "", services)
    id_ = services.new_id()

    def keep(_: NewId) -> None:
        project_of(services.store)
        interface = named_interface(services.store, operation.context, operation.interface)[1]
        around = services.store.neighbourhood([part.id for part in services.store.parts(interface.id)], ())
        if interface.id not in around.cases_of_interface:
            raise Refused(_unchecked(operation, services.store, interface))
        digest = sha256(code.encode()).hexdigest()
        services.store.add_pin(Pin(id_, interface.id, digest, around.basis_of(interface)), code)

    return PinAnswer(findings=confirm(services, Moment.PIN, keep), pin=id_)


def _unchecked(operation: inputs.Pin, store: StoreReader, interface: Asset) -> Violation:
    keys = [part.name for part in store.parts(interface.id)]
    item = {"interface": operation.interface, "key": keys[0] if keys else "<key>"}
    return UNCHECKED.broken(
        interface_subject(operation.context, operation.interface),
        suggestions=(
            Suggestion(
                {
                    "op": "harness_put",
                    "context": operation.context,
                    "name": "<name>",
                    "source": "<source>",
                    "cases": [{"name": "<test>", "lines": [1, 1], "items": [item]}],
                },
                Applicability.PLACEHOLDER,
            ),
        ),
        interface=operation.interface,
        context=operation.context,
    )


def named_interface(store: StoreReader, context_name: str, name: str) -> tuple[Context, Asset]:
    """The Interface of this name.

    Raises:
        Refused: `input.unknown-name` for the Context or the Interface.
    """
    context = store.context_named(context_name)
    if context is None:
        raise Refused(unknown_name("context", context_name, "context", store.context_names()))
    interface = store.asset_named(context.id, "interface", name)
    if interface is None:
        names = store.asset_names(context.id, "interface")
        raise Refused(unknown_name("interface", name, "interface", names, context_subject(context_name)))
    return context, interface
