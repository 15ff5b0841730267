"""Making the Project.

Source: specification, "Operations" (init).
"""

from __future__ import annotations

import msgspec

from chidev.app import inputs
from chidev.app.commit import record
from chidev.app.ports.services import Services
from chidev.domain.identity import Id
from chidev.domain.project import Project
from chidev.domain.rule import Refused
from chidev.domain.rules.project import EXISTS


class InitAnswer(msgspec.Struct, frozen=True):
    project: Id


def init(_: inputs.Init, services: Services) -> InitAnswer:
    project = Project(services.new_id(), 1)

    def keep() -> None:
        if services.store.project():
            raise Refused(EXISTS.broken())
        services.store.add_project(project)

    record(services, keep, moves_model=True)
    return InitAnswer(project.id)
