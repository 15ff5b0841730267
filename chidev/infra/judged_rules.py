"""The files of `checks/judged`: rules that an agent judges, one a file.

Source: open-points 1; specification, "Judged rule versions" and "Triggers and moments" (the old words).
"""

from __future__ import annotations

import os
import re

from chidev.app.ports.settings import SettingsError
from chidev.domain.judged_rule import JudgedRule
from chidev.domain.rule import Level, Moment
from chidev.domain.rules import judged

FOLDER = "checks/judged"
SUBJECTS = ("context", "interface", "item", "clause", "case", "change_request", "project")
_ID = re.compile(r"judged\.[a-z0-9-]+(\.[a-z0-9-]+)*")
_TAKEN = frozenset(rule.id for rule in judged.RULES)
_LEVELS = tuple(level.value for level in Level)


def read_judged(root: str) -> tuple[JudgedRule, ...]:
    """The rules, in the order of the names of their files; none without the folder.

    Raises:
        SettingsError: a file that cannot be read, or holds what it may not; two files with one id.
    """
    found: dict[str, tuple[str, JudgedRule]] = {}
    for name in _files(root):
        rule = _read(root, name)
        if rule.id in found:
            raise SettingsError(f"{name}: the id `{rule.id}` is that of {found[rule.id][0]} already")
        found[rule.id] = (name, rule)
    return tuple(rule for _, rule in found.values())


def _blank(text: str) -> str | None:
    return None if text.strip() else "is blank"


def _files(root: str) -> list[str]:
    try:
        names = os.listdir(os.path.join(root, FOLDER))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise SettingsError(f"{FOLDER}: cannot be read: {error.strerror}") from None
    return [f"{FOLDER}/{name}" for name in sorted(names) if name.endswith(".toml")]


def _read(root: str, name: str) -> JudgedRule:
    from chidev.infra.toml_file import read_tables
    from chidev.infra.toml_table import Problems, Table, printable

    values = read_tables(root, name)
    if values is None:
        raise SettingsError(f"{name}: is not there any more")
    problems = Problems(name)
    table = Table(values, "", problems)
    id_ = table.text("id", required=True)
    if id_ is not None and not _ID.fullmatch(id_):
        table.refuse("id", f"is `{printable(id_)}`, expected an id as `judged.naming`")
    elif id_ in _TAKEN:
        table.refuse("id", f"is `{id_}`, which is a rule of this release")
    words = {
        key: table.text(key, required=True, fault=_blank) or ""
        for key in ("summary", "question", "true", "false", "fix")
    }
    subject = table.text("subject", required=True)
    if subject is not None and subject not in SUBJECTS:
        table.refuse("subject", f"is `{printable(subject)}`, expected one of {', '.join(SUBJECTS)}")
    level = table.text("level", required=True)
    if level is not None and level not in _LEVELS:
        table.refuse("level", f"is `{printable(level)}`, expected one of {', '.join(_LEVELS)}")
    if "hooks" in table.values:
        table.refuse("hooks", "is called `moments` now")
        table.skip("hooks", "moments")
        moments: tuple[str, ...] = ()
    else:
        moments = table.words("moments", tuple(Moment), {"put": "edit"}) or ()
    when = table.texts("when", empty=True, fault=_blank) or ()
    table.done()
    problems.raise_any()
    return JudgedRule(
        id=id_ or "",
        subject=subject or "",
        moments=tuple(Moment(moment) for moment in moments),
        level=Level(level or "warning"),
        when=when,
        **words,
    )
