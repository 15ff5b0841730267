"""Every check that a project has: those of this release, those an agent judges, and its own programs.

Source: specification, "Triggers and moments", "External checks" and "Judged rule versions".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from chidev.app.checks import CHECK_RULES
from chidev.app.ports.settings import ExternalSettings
from chidev.domain.judged_rule import JudgedRule
from chidev.domain.rule import Moment, Rule


class Registry:
    """The checks of one project, in the order in which their findings are told.

    Args:
        judged, external: as the settings have them; they are ordered by id here.
    """

    def __init__(self, judged: Sequence[JudgedRule] = (), external: Sequence[ExternalSettings] = ()) -> None:
        self.judged = sorted(judged, key=lambda rule: rule.id)
        self.external = sorted(external, key=lambda registered: registered.id)

    @cached_property
    def executors(self) -> Mapping[str, str]:
        """By the id of each check, what runs it: builtin, judged or external."""
        found = {rule.id: "builtin" for rule in CHECK_RULES}
        found |= {rule.id: "judged" for rule in self.judged}
        return found | {registered.id: "external" for registered in self.external}

    @cached_property
    def own(self) -> Mapping[str, Rule]:
        """The checks of the project itself, by id."""
        rules = [*(judged.rule for judged in self.judged), *(registered.rule for registered in self.external)]
        return {rule.id: rule for rule in rules}

    @property
    def checks(self) -> Sequence[Rule]:
        """Every check, those of this release first, then judged ones, then programs."""
        return [*CHECK_RULES, *self.own.values()]

    def external_at(self, moment: Moment) -> Sequence[ExternalSettings]:
        return [registered for registered in self.external if moment in registered.moments]
