"""The reference of the plugin, read from its own registration with pytest."""

from __future__ import annotations

from typing import Any

from docs.from_code.markdown import table
from pytest_chidev import plugin


class Registration:
    """Stands for pytest's parser and config, and keeps what the plugin registers."""

    def __init__(self) -> None:
        self.options: list[tuple[str, str]] = []
        self.ini: list[tuple[str, str, str, str]] = []
        self.markers: list[tuple[str, str]] = []
        plugin.pytest_addoption(self)  # type: ignore[arg-type]
        plugin.pytest_configure(self)  # type: ignore[arg-type]

    def getgroup(self, *_: str) -> Registration:
        return self

    def addoption(self, name: str, *, help: str, metavar: str | None = None, **_: Any) -> None:  # noqa: A002
        self.options.append((f"`{name}={metavar}`" if metavar else f"`{name}`", help))

    def addini(self, name: str, *, type: str, default: Any, help: str) -> None:  # noqa: A002
        self.ini.append((f"`{name}`", type, f"`{default}`" if default else "not set", help))

    def addinivalue_line(self, _: str, line: str) -> None:
        form, _, says = line.partition(": ")
        self.markers.append((f"`{form}`", says))

    def getoption(self, _: str) -> None:
        """No option was given."""


def options() -> str:
    return table(("option", "what it does"), Registration().options)


def ini() -> str:
    return table(("key", "type", "default", "what it says"), Registration().ini)


def markers() -> str:
    return table(("marker", "what it says"), Registration().markers)


SECTIONS = {"options": options, "ini": ini, "markers": markers}
