"""The table `[measure]`: every key of it, read and checked whole, whatever a run reads of it.

Source: specification, "[measure] in chidev.toml", "[measure.sim.<context>] in chidev.toml" and "Examples".
"""

from __future__ import annotations

import os

from chidev.app.ports.settings import ExamplesSettings, Layout, MeasureSettings, SimSettings
from chidev.infra.toml_table import Problems, Table, printable, wrong_name

LONGEST_BUDGET_S = 3600.0
MOST_SEEDS = 10_000
MOST_SAMPLED = 1_000

_DEFAULT = MeasureSettings()
_DEFAULT_SIM = SimSettings((), ())
_DEFAULT_EXAMPLES = ExamplesSettings(())


def read_measure(values: dict[str, object], problems: Problems) -> MeasureSettings:
    """The settings, defaults applied; not to be used when it added to `problems`.

    Nothing in it is required: a project that only wants Items has no `build`. What a run lacks is told by the run.
    """
    table = Table(values, "[measure] ", problems, _misplaced)
    mutants, items = _commands(table, "mutants"), _commands(table, "items")
    copy_exclude = table.texts("copy_exclude", empty=True, fault=_no_path)
    settings = MeasureSettings(
        build=table.texts("build"),
        test=table.texts("test"),
        copy_exclude=_DEFAULT.copy_exclude if copy_exclude is None else copy_exclude,
        env=_env(table),
        timeout_s=table.time("timeout", _DEFAULT.timeout_s),
        baseline_timeout_s=table.time("baseline_timeout", _DEFAULT.baseline_timeout_s),
        budget_s=table.time("budget", _DEFAULT.budget_s, LONGEST_BUDGET_S),
        max_mutants=table.whole("max_mutants", _DEFAULT.max_mutants, 1),
        seed=table.whole("seed", _DEFAULT.seed, 0),
        operators=table.texts("operators"),
        mutants=mutants,
        items=items,
        layout=_layouts(table, {**mutants, **items}),
        sim={context: _sim(inner) for context, inner in _by_context(table, "sim")},
        examples={context: _examples(inner) for context, inner in _by_context(table, "examples")},
    )
    table.done()
    return settings


def _env(table: Table) -> dict[str, str]:
    env = table.table("env")
    if env is None:
        return dict(_DEFAULT.env)
    env.refuse_fault_in_keys()
    for key in env.values:
        if "=" in key:
            env.refuse(key, "has the character '=', which no name of a variable has")
    values = {key: env.text(key, blank=True, fault=_old_place) for key in env.values}
    return {key: value for key, value in values.items() if value is not None}


def _commands(table: Table, key: str) -> dict[str, tuple[str, ...]]:
    """Language -> command. A language whose command is refused is kept, so that its layouts are not refused as well."""
    inner = table.table(key)
    if inner is None:
        return {}
    inner.refuse_fault_in_keys()
    return {lang: inner.texts(lang) or () for lang in inner.values}


def _layouts(table: Table, langs: dict[str, tuple[str, ...]]) -> tuple[Layout, ...]:
    layouts: list[Layout] = []
    seen: dict[tuple[str, str, str], int] = {}
    for n, entry in enumerate(table.array_of_tables("layout")):
        layout = _layout(entry, langs)
        kind = "interface" if layout.interface else "harness"
        name = (layout.context, kind, layout.interface or layout.harness or "")
        if all(name) and seen.setdefault(name, n) != n:
            entry.refuse(kind, f"is `{name[2]}` of `{name[0]}`, which layout[{seen[name]}] places already")
        layouts.append(layout)
    return tuple(layouts)


def _layout(entry: Table, langs: dict[str, tuple[str, ...]]) -> Layout:
    if "interface" in entry.values and "harness" in entry.values:
        entry.refuse("interface", "is given and `harness` too, expected one of the two")
    elif not ("interface" in entry.values or "harness" in entry.values):
        entry.refuse("interface", "is missing and `harness` too, expected one of the two")
    context = entry.name("context", required=True)
    interface, harness = entry.name("interface"), entry.name("harness")
    lang = entry.text("lang")
    if lang is not None and lang not in langs:
        unknown = f"is `{printable(lang)}`, for which neither mutants nor items has a command"
        entry.refuse("lang", unknown + entry.problems.meant(lang, langs))
    path = entry.text("path", required=True, fault=_no_file_path)
    entry.done()
    return Layout(context or "", path or "", interface, harness, lang)


def _by_context(table: Table, key: str) -> list[tuple[str, Table]]:
    inner = table.table(key)
    if inner is None:
        return []
    for context in inner.values:
        if wrong := wrong_name(context) if context else "is empty, expected the name of a Context":
            inner.refuse(context, wrong)
    return list(inner.tables())


def _sim(table: Table) -> SimSettings:
    settings = SimSettings(
        interpreter=table.texts("interpreter", required=True) or (),
        program=table.texts("program", required=True, fault=_old_place) or (),
        seeds=table.whole("seeds", _DEFAULT_SIM.seeds, 1, MOST_SEEDS),
        sample=table.whole("sample", _DEFAULT_SIM.sample, 0, MOST_SAMPLED),
        timeout_s=table.time("timeout", _DEFAULT_SIM.timeout_s),
        budget_s=table.time("budget", _DEFAULT_SIM.budget_s, LONGEST_BUDGET_S),
    )
    table.done()
    return settings


def _examples(table: Table) -> ExamplesSettings:
    settings = ExamplesSettings(
        program=table.texts("program", required=True, fault=_old_place) or (),
        timeout_s=table.time("timeout", _DEFAULT_EXAMPLES.timeout_s),
        budget_s=table.time("budget", _DEFAULT_EXAMPLES.budget_s, LONGEST_BUDGET_S),
    )
    table.done()
    return settings


def _old_place(text: str) -> str | None:
    """For a text that takes placeholders. Source: "[measure] in chidev.toml", "Placeholders"."""
    if "{work}" in text:
        return "holds `{work}`, once the name of two places: write `{run}` for the run, `{tree}` for the copy"
    return None


def _misplaced(text: str) -> str | None:
    """For every other text of `[measure]`."""
    for place in ("{run}", "{tree}"):
        if place in text:
            return f"holds `{place}`, which only a value of env and a word of a program may hold"
    return _old_place(text)


def _no_path(text: str) -> str | None:
    """For a path below the root."""
    if wrong := _misplaced(text):
        return wrong
    if text.startswith("/"):
        return f"is the absolute path `{printable(text)}`, expected one relative to the root"
    if ".." in text.split("/"):
        return f"is `{printable(text)}`, a path with a part `..`"
    return f"is `{printable(text)}`, the root itself" if os.path.normpath(text) == "." else None


def _no_file_path(text: str) -> str | None:
    wrong = _no_path(text)
    if not wrong and text.endswith(("/", "/.")):
        return f"is `{printable(text)}`, a directory, expected the path of a file"
    return wrong
