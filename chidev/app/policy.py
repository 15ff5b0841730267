"""The level at which each check speaks, after the settings of the project and of the person.

Source: specification, "The project and chidev.toml" ([checks]); open-points 16.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from chidev.app.ports.settings import CheckSetting, Scalar
from chidev.domain.rule import Level, Rule


class Policy:
    """Nearest wins: a person's id, a person's family, the project's id, the project's family, the rule's default.

    A mandatory check stays at error whatever a family says, and so does a rule that is no check.
    """

    def __init__(self, project: Sequence[CheckSetting] = (), person: Sequence[CheckSetting] = ()) -> None:
        self._layers = tuple(
            {setting.selector: setting.level for setting in layer if setting.level is not None}
            for layer in (person, project)
        )
        self._params = tuple({setting.selector: setting.params for setting in layer} for layer in (person, project))

    def level(self, rule: Rule) -> Level:
        if rule.mandatory or rule.kind != "check":
            return Level.ERROR
        level = rule.level
        for layer in self._layers:
            selected = [selector for selector in (rule.id, *_families(rule.id)) if selector in layer]
            if selected:
                level = layer[selected[0]]
                break
        return lower(level, rule.highest)

    def params(self, rule: Rule) -> dict[str, Scalar]:
        """The parameters in force: the nearest setting of each, else its default."""
        found = dict(rule.params)
        for layer in reversed(self._params):
            for selector in (*reversed(_families(rule.id)), rule.id):
                found.update({name: value for name, value in layer.get(selector, {}).items() if name in found})
        return found

    def set_by_person(self, rule: Rule) -> bool:
        """Whether the person's own file decides the level or a parameter."""
        selectors = (rule.id, *_families(rule.id))
        return any(selector in self._layers[0] or self._params[0].get(selector) for selector in selectors)

    def digest(self, rules: Iterable[Rule]) -> str:
        """64 hex digits over the levels and the parameters in force."""
        from hashlib import sha256

        levels = "\n".join(f"{rule.id} {self.level(rule)} {sorted(self.params(rule).items())}" for rule in rules)
        return sha256(levels.encode()).hexdigest()


def lower(level: Level, other: Level) -> Level:
    """The quieter of two levels."""
    order = list(Level)
    return min(level, other, key=order.index)


def _families(rule_id: str) -> list[str]:
    """The families of an id, the narrowest first: `a.b.` and `a.` for `a.b.c`."""
    words = rule_id.split(".")
    return [".".join(words[:n]) + "." for n in range(len(words) - 1, 0, -1)]
