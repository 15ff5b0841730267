"""The reference of chidev.toml: the keys and defaults are those of the types that are read."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from typing import Any

import msgspec

from chidev.app.ports.settings import ExamplesSettings, ExternalSettings, Layout, MeasureSettings, SimSettings
from chidev.infra import settings as files
from docs.from_code.markdown import table

_MEASURE = {
    "build": "the command that builds the project, as a list of words",
    "test": "the command that runs its tests",
    "copy_exclude": "paths that are not copied for a run",
    "env": "variables a run has besides those that are there",
    "timeout": "seconds a provider of Items, and the tests of one mutant, may take",
    "baseline_timeout": "seconds the first run without a mutant, and a provider of mutants, may take",
    "budget": "seconds the whole run may take",
    "max_mutants": "how many mutants are tried at most",
    "seed": "what a sample of mutants is drawn with",
    "operators": "which operators of mutants are used; all without it",
    "mutants": "for each language, the command that makes mutants",
    "items": "for each language, the command that finds Items",
    "layout": "entries `[[measure.layout]]`, see below",
    "sim": "tables `[measure.sim.<context>]`, see below",
    "examples": "tables `[measure.examples.<context>]`, see below",
}
_LAYOUT = {
    "context": "the Context",
    "path": "where the code of the Interface, or the tests of the Harness, are",
    "interface": "the Interface; this or `harness`",
    "harness": "the Harness; this or `interface`",
    "lang": "the language, one that `items` or `mutants` has a command for",
}
_SIM = {
    "interpreter": "the command that runs a script",
    "program": "the command of the program that is simulated",
    "seeds": "how many seeds are run",
    "sample": "how many of them are run twice",
    "timeout": "seconds one case may take",
    "budget": "seconds the whole run may take",
}
_EXAMPLES = {
    "program": "the command that is given the examples",
    "timeout": "seconds one example may take",
    "budget": "seconds the whole run may take",
}
_EXTERNAL = {
    "command": "the program",
    "args": "its arguments",
    "moments": "when it runs: edit, pin, resolve, check",
    "reads": "the sections of the view that it is sent",
    "timeout": "seconds one call may take",
    "gate": "whether an edit is refused for what it finds",
    "params": "parameters, with their defaults",
}


def measure() -> str:
    return _keys(MeasureSettings, _MEASURE)


def layout() -> str:
    return _keys(Layout, _LAYOUT)


def sim() -> str:
    return _keys(SimSettings, _SIM)


def acceptance() -> str:
    return _keys(ExamplesSettings, _EXAMPLES)


def external() -> str:
    return _keys(ExternalSettings, _EXTERNAL, left_out=("id",))


def places() -> str:
    rows = [
        ("settings of the project", f"`{files.PROJECT_FILE}`", "kept with the project; marks its root"),
        ("settings of a person", f"`{files.PERSON_FILE}`", "`[store]` and `[checks]` only; not kept with the project"),
        ("the store", f"`{files.DEFAULT_STORE}`", "where no `--store` and no `[store] path` says otherwise"),
    ]
    return table(("what", "where, under the root", ""), rows)


def _keys(type_: type[msgspec.Struct], says: Mapping[str, str], left_out: tuple[str, ...] = ()) -> str:
    """A row for each field of a type; a field that nobody described, and a description of none, is an error."""
    hints = typing.get_type_hints(type_)
    fields = [field for field in msgspec.structs.fields(type_) if field.name not in left_out]
    named = {field.name.removesuffix("_s"): field for field in fields}
    if named.keys() != says.keys():
        raise KeyError(f"{type_.__name__}: described and read differ in {sorted(named.keys() ^ says.keys())}")
    return table(
        ("key", "holds", "default", "what it says"),
        ((f"`{key}`", _kind(hints[field.name]), _default(field), says[key]) for key, field in named.items()),
    )


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    default = field.default if field.default is not msgspec.NODEFAULT else field.default_factory()
    if default is None or default in ((), {}):
        return ""
    if isinstance(default, tuple):
        return f"`[{', '.join(_toml(item) for item in default)}]`"
    if isinstance(default, dict):
        return f"`{{ {', '.join(f'{key} = {_toml(value)}' for key, value in default.items())} }}`"
    return f"`{_toml(default)}`"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _kind(hint: Any) -> str:
    origin = typing.get_origin(hint)
    if origin is types.UnionType:
        return " or ".join(_kind(one) for one in typing.get_args(hint) if one is not type(None))
    if origin is tuple:
        return "a list of tables" if typing.get_args(hint)[0] is Layout else "a list of texts"
    if origin is not None:
        return "a table"
    return {str: "a text", int: "a whole number", float: "seconds", bool: "true or false"}[hint]


SECTIONS = {
    "settings-places": places,
    "settings-measure": measure,
    "settings-layout": layout,
    "settings-sim": sim,
    "settings-examples": acceptance,
    "settings-external": external,
}
