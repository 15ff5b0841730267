"""The entries of a change, each with where it was written and with its texts read.

Everything that has to be read from a file or asked of a program is read here, before the store is held.

Source: specification, "Operations" (source_file, code_file, items left out) and "Change sets".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from chidev.app import inputs
from chidev.app.ports.files import FileRefused
from chidev.app.ports.provider import FoundItems, ProviderRefused
from chidev.app.ports.services import Services
from chidev.domain.rule import Refused, Violation
from chidev.domain.rules.input import (
    FAILED,
    INVALID,
    ITEMS_REQUIRED,
    NO_PROVIDER,
    PROTOCOL,
    RENAMES_WITH_ITEMS,
)
from chidev.domain.subject import asset_subject, context_subject, interface_subject

PutFields = (
    inputs.ContextFields
    | inputs.UsesFields
    | inputs.BasisFields
    | inputs.ContractFields
    | inputs.ClausesFields
    | inputs.InterfaceFields
    | inputs.HarnessFields
)
RetireFields = (
    inputs.BasisFields | inputs.ContractRetireFields | inputs.InterfaceRetireFields | inputs.HarnessRetireFields
)


class PutEntry(msgspec.Struct, frozen=True):
    """One put. `at` is the path it was written at, with its dot, or empty; `text` its source, read.

    `found` is what a provider answered; None when the Items are written.
    """

    fields: PutFields
    at: str
    text: str = ""
    found: FoundItems | None = None


class RetireEntry(msgspec.Struct, frozen=True):
    """One retirement, and the path it was written at."""

    fields: RetireFields
    at: str


def read_puts(puts: Sequence[tuple[PutFields, str]], services: Services) -> list[PutEntry]:
    """Read the files, then ask the providers, of all entries.

    Args:
        puts: each entry with its path.

    Raises:
        Refused: every file that cannot be used; or every provider that cannot be asked.
    """
    violations: list[Violation] = []
    texts: list[str] = []
    for fields, at in puts:
        try:
            texts.append(_source(fields, at, services))
        except Refused as refused:
            violations.extend(refused.violations)
            texts.append("")
    for fields, at in puts:
        violations.extend(_renames_with_items(fields, at))
    if violations:
        raise Refused(*violations)
    return [_entry(fields, at, text, services) for (fields, at), text in zip(puts, texts, strict=True)]


def _source(fields: PutFields, at: str, services: Services) -> str:
    if isinstance(fields, inputs.InterfaceFields | inputs.HarnessFields):
        return read_text(fields.source, fields.source_file, "source", at, services)
    return ""


def _renames_with_items(fields: PutFields, at: str) -> Iterator[Violation]:
    if isinstance(fields, inputs.InterfaceFields) and fields.items is not None and fields.renames:
        yield RENAMES_WITH_ITEMS.broken(
            context_subject(fields.context), interface_subject(fields.context, fields.name), field=f"{at}renames"
        )


def read_text(given: str | None, path: str | None, word: str, at: str, services: Services) -> str:
    """The text of `source` or `code`, or of the file that is named in its place.

    Args:
        word: `source` or `code`; the other field is that word with `_file`.

    Raises:
        Refused: both or neither is given (`input.invalid`), or the file cannot be used.
    """
    if (given is None) == (path is None):
        both, neither = f"both `{word}` and `{word}_file` are", f"neither `{word}` nor `{word}_file` is"
        what = f"{neither if path is None else both} given"
        raise Refused(INVALID.broken(field=at + word, detail=f"{what}; exactly one of the two is"))
    if path is None:
        return given or ""
    try:
        return services.files.read_text(path)
    except FileRefused as error:
        detail = f"the file `{error.path}` cannot be used: {error.reason}"
        raise Refused(INVALID.broken(field=f"{at}{word}_file", detail=detail)) from None


def _entry(fields: PutFields, at: str, text: str, services: Services) -> PutEntry:
    if isinstance(fields, inputs.InterfaceFields) and fields.items is None:
        return PutEntry(fields, at, text, find_items(fields.context, fields.name, text, f"{at}items", services))
    return PutEntry(fields, at, text)


def find_items(context: str, interface: str, source: str, field: str, services: Services) -> FoundItems:
    """What the provider of an Interface finds in its code; what waits to be kept is made durable first.

    Raises:
        Refused: `input.items-required`, `items.no-provider`, `items.protocol` or `items.failed`.
    """
    services.before_slow()
    try:
        return services.provider.find_items(context, interface, source)
    except ProviderRefused as error:
        raise Refused(_provider_refused(error, context, interface, field)) from None


def _provider_refused(error: ProviderRefused, context: str, interface: str, field: str) -> Violation:
    subjects = (context_subject(context), asset_subject("interface", context, interface))
    if error.rule_id == ITEMS_REQUIRED.id:
        return ITEMS_REQUIRED.broken(*subjects, field=field)
    if error.rule_id == NO_PROVIDER.id:
        return NO_PROVIDER.broken(*subjects, field=field, lang=error.lang, reason=error.detail)
    rule = PROTOCOL if error.rule_id == PROTOCOL.id else FAILED
    return rule.broken(*subjects, field=field, lang=error.lang, detail=error.detail)
