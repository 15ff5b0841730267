"""The one place where real adapters are chosen: a project on disk becomes what the use cases need.

Nothing here reads or writes before it is asked to, and what only some callers need is imported for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from chidev.app.checks import CHECK_RULES
from chidev.app.policy import Policy
from chidev.app.ports.settings import KnownCheck, Settings
from chidev.app.registry import Registry
from chidev.domain.rules import test
from chidev.infra import settings as settings_files
from chidev.infra.project_root import find_root
from chidev.infra.sqlite_store import SqliteStore

if TYPE_CHECKING:
    from chidev.app.execution import Answer, Execution
    from chidev.app.ports.services import Services


def project_settings(start: str, store: str | None) -> Settings:
    """The settings of the project that a directory is in.

    Args:
        start: the directory the command runs in.
        store: the path of `--store`, relative to it.

    Raises:
        SettingsError: no project, or settings that cannot be used.
    """
    known = [KnownCheck(rule.id, rule.mandatory, rule.params) for rule in (*CHECK_RULES, *test.RULES)]
    return settings_files.load(find_root(start), store, start, known)


def open_store(settings: Settings, *, make: bool = False, read_only: bool = False) -> SqliteStore:
    """The store of a project; whoever opens it closes it.

    Raises:
        StoreUnusable, StoreRefused: see `SqliteStore`.
    """
    return SqliteStore(settings.store_path, make=make, read_only=read_only)


def policy_of(settings: Settings) -> Policy:
    return Policy(settings.project_checks, settings.person_checks)


def registry_of(settings: Settings) -> Registry:
    """Every check that the project has."""
    return Registry(settings.judged, settings.external)


def services_of(settings: Settings, store: SqliteStore, before_slow: Callable[[], None]) -> Services:
    """The ports over a project's directory, its programs and an open store."""
    from chidev.app.ports.services import Services
    from chidev.infra.process_programs import ProcessPrograms
    from chidev.infra.process_provider import ProcessProvider
    from chidev.infra.project_files import DiskFiles
    from chidev.infra.system_clock import now_ms
    from chidev.infra.uuid7 import Uuid7Maker

    return Services(
        store=store,
        files=DiskFiles(settings.root),
        provider=ProcessProvider(settings.root, settings.measure),
        policy=policy_of(settings),
        registry=registry_of(settings),
        programs=ProcessPrograms(settings.root),
        new_id=Uuid7Maker(),
        clock=now_ms,
        before_slow=before_slow,
    )


def execution_of(settings: Settings, store: SqliteStore, tell: Callable[[Sequence[Answer]], None]) -> Execution:
    """What runs lines against an open store."""
    from chidev.app.execution import Execution

    return Execution(lambda close_group: services_of(settings, store, close_group), tell)
