"""A table of a settings file, asked for its values: each is checked as it is taken, and every problem is kept.

Source: specification, "The project and chidev.toml": what is not known is refused, with the file named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from chidev.app.ports.settings import Scalar, SettingsError

MOST_TOLD = 10  # problems of one file that its message names
LONGEST_TIME_S = 86400.0

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,80}")
_NOT_IN_A_NAME = re.compile(r"[^a-z0-9_-]")
_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a truth value"),
    (int, "a whole number"),
    (float, "a number"),
    (str, "a text"),
    (list, "an array"),
    (dict, "a table"),
)
_LARGEST_WHOLE = 2**63 - 1  # of TOML
Fault = Callable[[str], str | None]  # what is wrong with a text, as the end of a sentence; None when nothing is


class Problems:
    """What is wrong with one file, in the order it was met; `in_all` counts also what is no longer told."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.told: list[str] = []
        self.in_all = 0

    def add(self, where: str, what: str) -> None:
        self.in_all += 1
        if self.in_all <= MOST_TOLD:
            self.told.append(f"{where} {what}")

    def raise_any(self) -> None:
        """Raises SettingsError, as one line that names the file, when there is a problem."""
        if self.in_all:
            more = [f"and {self.in_all - MOST_TOLD} more"] if self.in_all > MOST_TOLD else []
            raise SettingsError(f"{self.file}: " + "; ".join(self.told + more))

    def meant(self, name: str, known: Collection[str]) -> str:
        """The end of a sentence about a name that is not known: the close ones, else all of them when they are few."""
        if self.in_all >= MOST_TOLD:
            return ""
        from chidev.app.close_names import close_names

        close = close_names(name, known, 3)
        if close:
            return "; did you mean " + " or ".join(f"`{word}`" for word in close) + "?"
        return "; there are " + _listed(known) if 0 < len(known) <= 20 else ""


class Table:
    """One table, by its place in the file, e.g. `[measure] sim.shop.`; each method takes one key out of it.

    A method answers None, or the default, for a key that is not there or whose value is refused. `done` refuses the
    keys nobody asked for.

    Args:
        fault: what no text of the table, no key and no table inside it may be; a method can be given another.
    """

    def __init__(
        self, values: Mapping[str, object], place: str, problems: Problems, fault: Fault | None = None
    ) -> None:
        self.values = values
        self.problems = problems
        self._place = place
        self._fault = fault
        self._asked: list[str] = []

    def where(self, key: str) -> str:
        return self._place + shown_key(key)

    def refuse(self, key: str, what: str) -> None:
        self.problems.add(self.where(key), what)

    def skip(self, *keys: str) -> None:
        """Leaves keys alone that the caller has told the problem of."""
        self._asked += keys

    def done(self) -> None:
        """Refuses every key that nobody asked for."""
        for key in self.values:
            if key not in self._asked:
                self.refuse(key, "is not a setting" + self.problems.meant(key, sorted(self._asked)))

    def text(self, key: str, *, required: bool = False, blank: bool = False, fault: Fault | None = None) -> str | None:
        """A text; an empty one only when it may be `blank`."""
        value = self._take(key, required)
        return None if value is None else self._text(self.where(key), value, blank, fault)

    def name(self, key: str, *, required: bool = False) -> str | None:
        """A name of a Context or of an asset. Source: "Operations"."""
        text = self.text(key, required=required)
        if text is not None and (wrong := wrong_name(text)):
            self.refuse(key, wrong)
            return None
        return text

    def texts(
        self, key: str, *, required: bool = False, empty: bool = False, blanks: bool = False, fault: Fault | None = None
    ) -> tuple[str, ...] | None:
        """An array of texts, e.g. a command.

        Args:
            empty: the array may be empty.
            blanks: a text of it may be empty.
            fault: see the class.
        """
        value = self._take(key, required)
        if value is None:
            return None
        if not isinstance(value, list):
            self._refuse_kind(self.where(key), value, "an array of texts")
            return None
        if not value and not empty:
            self.refuse(key, "is empty, expected one text at least")
            return None
        items = [self._text(f"{self.where(key)}[{n}]", item, blanks, fault) for n, item in enumerate(value)]
        return tuple(item for item in items if item is not None)

    def words(self, key: str, known: Collection[str], renamed: Mapping[str, str]) -> tuple[str, ...] | None:
        """An array, not empty, of words out of `known`, each kept once; `renamed` are words of earlier versions."""
        words = self.texts(key, required=True)
        for n, word in enumerate(words or ()):
            where = f"{self.where(key)}[{n}]"
            if word in renamed:
                self.problems.add(where, f"is `{word}`, which is called `{renamed[word]}` now")
            elif word not in known:
                self.problems.add(where, f"is `{printable(word)}`, expected one of {_listed(known)}")
        return None if words is None else tuple(dict.fromkeys(words))

    def truth(self, key: str, default: bool) -> bool:
        value = self._take(key)
        if value is None or isinstance(value, bool):
            return default if value is None else value
        self._refuse_kind(self.where(key), value, "true or false")
        return default

    def time(self, key: str, default: float, most: float = LONGEST_TIME_S) -> float:
        """Seconds, over 0."""
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            self._refuse_kind(self.where(key), value, "a number of seconds")
        elif not 0 < value <= most:  # also what is no number
            self.refuse(key, f"is {_shown_number(value)}, expected seconds over 0 and at most {most:g}")
        else:
            return float(value)
        return default

    def whole(self, key: str, default: int, least: int, most: int = _LARGEST_WHOLE) -> int:
        value = self._take(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int):
            self._refuse_kind(self.where(key), value, "a whole number")
        elif not least <= value <= most:
            bound = f"{least} or more" if most == _LARGEST_WHOLE else f"a number from {least} to {most}"
            self.refuse(key, f"is {_shown_number(value)}, expected {bound}")
        else:
            return value
        return default

    def scalars(self, key: str) -> dict[str, Scalar]:
        """A table of parameters: each a truth value, a number that JSON can write, or a text."""
        inner = self.table(key)
        kept: dict[str, Scalar] = {}
        if inner is None:
            return kept
        for name, value in inner.values.items():
            if not isinstance(value, bool | int | float | str):
                self._refuse_kind(inner.where(name), value, "a truth value, a number or a text")
            elif isinstance(value, float) and not abs(value) < float("inf"):
                inner.refuse(name, f"is {value}, expected a number that JSON can write")
            elif isinstance(value, int) and not -_LARGEST_WHOLE <= value <= _LARGEST_WHOLE:
                inner.refuse(name, f"is {_shown_number(value)}, expected a number of 64 bits")
            else:
                kept[name] = value
        return kept

    def table(self, key: str, fault: Fault | None = None) -> Table | None:
        """The table under a key, None when it is not there."""
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            self._refuse_kind(self.where(key), value, "a table")
            return None
        return Table(value, f"{self.where(key)}.", self.problems, fault or self._fault)

    def tables(self) -> Iterator[tuple[str, Table]]:
        """Every key of this table as a table, for one whose keys are names, e.g. `[checks]`."""
        for name in self.values:
            inner = self.table(name)
            if inner:
                yield name, inner

    def array_of_tables(self, key: str) -> Iterator[Table]:
        """Each table of an array of them, e.g. `[[measure.layout]]`."""
        value = self._take(key)
        if value is None:
            return
        if not isinstance(value, list):
            self._refuse_kind(self.where(key), value, "an array of tables")
            return
        for n, item in enumerate(value):
            where = f"{self.where(key)}[{n}]"
            if isinstance(item, dict):
                yield Table(item, f"{where}.", self.problems, self._fault)
            else:
                self._refuse_kind(where, item, "a table")

    def refuse_fault_in_keys(self) -> None:
        """For a table whose keys are names of the project's own: a key is a text of it as well."""
        for key in self.values:
            wrong = "is empty, expected a name" if not key else self._wrong(key, self._fault)
            if wrong:
                self.refuse(key, wrong)

    def _take(self, key: str, required: bool = False) -> object:
        self._asked.append(key)
        if required and key not in self.values:
            self.refuse(key, "is missing")
        return self.values.get(key)

    def _text(self, where: str, value: object, blank: bool = False, fault: Fault | None = None) -> str | None:
        if not isinstance(value, str):
            self._refuse_kind(where, value, "a text")
            return None
        wrong = "is empty" if not value and not blank else self._wrong(value, fault or self._fault)
        if wrong:
            self.problems.add(where, wrong)
            return None
        return value

    @staticmethod
    def _wrong(text: str, fault: Fault | None) -> str | None:
        return "holds the character NUL" if "\0" in text else fault(text) if fault else None

    def _refuse_kind(self, where: str, value: object, expected: str) -> None:
        self.problems.add(where, f"is {kind_of(value)}, expected {expected}")


def kind_of(value: object) -> str:
    """What a value of TOML is, in the words of a message."""
    return next((words for type_, words in _KINDS if isinstance(value, type_)), "a date or a time")


def shown_key(key: str) -> str:
    """A key as TOML writes it, short enough for a message."""
    if _BARE_KEY.fullmatch(key):
        return key
    return f'"{key}"' if len(key) < 60 and key.isprintable() else f'"{printable(key)}"'


def wrong_name(name: str) -> str | None:
    """Why a text is no name of a Context or of an asset, naming the first character that is not allowed."""
    bad = _NOT_IN_A_NAME.search(name)
    return bad and f"is `{printable(name)}`, a name with the character {bad[0]!r}; only a-z, 0-9, - and _ are allowed"


def printable(text: str) -> str:
    """The beginning of a text, what cannot be seen written as an escape."""
    from chidev.app import faults

    return faults.printable(text)


def _listed(words: Collection[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _shown_number(value: float) -> str:
    return "a number of more than 64 bits" if abs(value) > _LARGEST_WHOLE and isinstance(value, int) else str(value)
