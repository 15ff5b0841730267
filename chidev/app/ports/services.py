"""The ports a use case is given, together.

Handlers take what they need from it by name; tests give fakes through the same door.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from chidev.app.policy import Policy
from chidev.app.ports.files import ProjectFiles
from chidev.app.ports.programs import Programs
from chidev.app.ports.provider import ItemsProvider
from chidev.app.ports.store import Store
from chidev.app.registry import Registry
from chidev.domain.identity import NewId


class Services(msgspec.Struct, frozen=True):
    """A store, the files, the provider and the programs of a project, its checks with their policy, and where new ids
    and the time come from.

    `clock` says how many milliseconds it is since 1970, UTC.
    `before_slow` makes durable what is waiting; it is called before anything slow is started.
    """

    store: Store
    files: ProjectFiles
    provider: ItemsProvider
    policy: Policy
    registry: Registry
    programs: Programs
    new_id: NewId
    clock: Callable[[], int]
    before_slow: Callable[[], None]
