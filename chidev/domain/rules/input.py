"""Rules of the input: what a line of exec must be to be read, to name what exists and to find its Items.

The `items.*` rules are here as well: they are what a put that leaves its Items out is refused with.

Source: specification, "Diagnostics"; "Operations", interface_put and clauses_put.
"""

from __future__ import annotations

from typing import Any

from chidev.domain.rule import Example, Rule

# What the examples are made of. `cat` is a provider: it answers with a file, whatever it is sent.

_INIT = {"op": "init"}
_CONTEXT = {"op": "context_add", "name": "pricing"}
_DISCOUNT = {
    "op": "contract_put",
    "context": "pricing",
    "name": "discount",
    "title": "Discount",
    "clauses": [{"label": "C1", "text": "a discount over 100% is refused"}],
}
_PRICE: dict[str, Any] = {
    "op": "interface_put",
    "context": "pricing",
    "name": "price",
    "source": "def price(total): ...\n",
}
_COST = {**_PRICE, "items": [{"key": "cost", "lines": [1, 1]}]}
_LAYOUT = '\n[[measure.layout]]\ncontext = "pricing"\ninterface = "price"\nlang = "toy"\npath = "price.toy"\n'
_ANSWERS = '[measure.items]\ntoy = ["cat", "answer.json"]\n'
_FAILS = '[measure.items]\ntoy = ["false"]\n'
_FOUND = '{"protocol":2,"items":[{"key":"price","lines":[1,1]}],"left_out":0}'


UNKNOWN_OP = Rule(
    id="input.unknown-op",
    summary="a line whose `op` is no operation",
    message="there is no operation `{name}`",
    help="A line is one operation, and `op` says which. Write one of the names that `chidev schema ops` lists, "
    "exactly as it is there.",
    values={"name": "the word that `op` has"},
    example=Example(breaks={"op": "contextadd", "name": "pricing"}),
)

UNKNOWN_FIELD = Rule(
    id="input.unknown-field",
    summary="a field that the operation, or an object in it, does not have",
    message="there is no field `{name}` here",
    help="A field that is not known would be without effect and nobody would be told, so it is refused. Correct the "
    "name of the field or leave it out; `chidev schema ops` lists the fields of each operation.",
    values={"name": "the field that is not known"},
    example=Example(breaks={"op": "context_add", "name": "pricing", "use": []}),
)

RENAMED_FIELD = Rule(
    id="input.renamed-field",
    summary="a field by the name that it once had",
    message="the field `{name}` is called `{now}`",
    help="The protocol has one name for each thing, and an old one is not read. Write the new name; its values may "
    "have been renamed as well, and `chidev schema ops` lists them.",
    values={"name": "the old name", "now": "the name to write"},
    example=Example(given=(_INIT,), breaks={"op": "check_rules", "hook": "check"}),
)

MISSING_FIELD = Rule(
    id="input.missing-field",
    summary="a field that is required and not given",
    message="the field `{name}` is missing",
    help="The operation means nothing without this field and no value is assumed for it. Add the field.",
    values={"name": "the field that is missing"},
    example=Example(breaks={"op": "context_add"}),
)

WRONG_TYPE = Rule(
    id="input.wrong-type",
    summary="a value of another JSON type than its field takes",
    message="a value has the wrong type: {detail}",
    help="A value is taken as it is written and never converted: the text `1` is not the number 1, and null is a "
    "value only where the schema says so. Write a value of the type that is expected.",
    values={"detail": "the type that is expected, where, and the type that was given"},
    example=Example(breaks={"op": "context_add", "name": 5}),
)

UNKNOWN_NAME = Rule(
    id="input.unknown-name",
    summary="a name that nothing in the project has",
    message="there is no {kind} `{name}`",
    help="An operation names what is there: a Context, an asset of its Context, a label, a key, a title. Use a name "
    "that `status` or `view` shows, or make the thing first.",
    values={
        "kind": "what was looked for",
        "name": "the name that nothing has",
        "field": "the field of the operation that has the name; empty when it is no field",
    },
    example=Example(given=(_INIT,), breaks=_DISCOUNT),
)

INVALID = Rule(
    id="input.invalid",
    summary="a line that is not JSON, or a value that its field does not allow",
    message="{detail}",
    help="What a line says is kept for good and is cited by name, so a value that cannot be kept or cited is refused "
    "where it is read. Correct the value as the message says.",
    values={"detail": "what is not allowed, and where"},
    example=Example(breaks={"op": "context_add", "name": "Pricing"}),
)

REPLACES_KEPT = Rule(
    id="input.replaces-kept",
    summary="a key or label that is replaced and also kept",
    message="`{key}` is replaced, and it is also one of those that are there afterwards",
    help="A rename moves an id from the old name to the new one, so the old name cannot stay in use by the same "
    "operation. Take the rename out, or give the other one another name.",
    values={"key": "the key, or the label, that is replaced and kept"},
    example=Example(
        given=(_INIT, _CONTEXT, _DISCOUNT),
        breaks={
            "op": "clauses_put",
            "context": "pricing",
            "contract": "discount",
            "clauses": [
                {"label": "C2", "text": "a discount is given once", "replaces": "C1"},
                {"label": "C1", "text": "a discount over 90% is refused"},
            ],
        },
    ),
)

RENAME_CONFLICT = Rule(
    id="input.rename-conflict",
    summary="a key or label that one operation names twice",
    message="`{key}` is named more than once ({side})",
    help="Each Clause and each Item has one name, and one id goes to one name: what is named twice would have two "
    "meanings. Keep one of the places that name it.",
    values={
        "key": "the key, or the label, that is named twice",
        "side": "where it is named twice: label, replaces, remove, from or to",
    },
    example=Example(
        given=(_INIT, _CONTEXT, _DISCOUNT),
        breaks={
            "op": "clauses_put",
            "context": "pricing",
            "contract": "discount",
            "clauses": [
                {"label": "C2", "text": "a discount is given once", "replaces": "C1"},
                {"label": "C3", "text": "a discount is rounded down", "replaces": "C1"},
            ],
        },
    ),
)

ITEMS_REQUIRED = Rule(
    id="input.items-required",
    summary="Items left out for an Interface whose language is not known",
    message="the Items are left out, and the language of the Interface is not known",
    help="Items that are left out are found by the provider for the language of the Interface, which is the `lang` "
    "of its `[[measure.layout]]` in chidev.toml. Write `items`, or add that entry with a `lang`.",
    example=Example(given=(_INIT, _CONTEXT), breaks=_PRICE, settings=_ANSWERS, files={"answer.json": _FOUND}),
)

RENAME_UNKNOWN = Rule(
    id="input.rename-unknown",
    summary="a rename from a key the Interface does not have, or to one the provider did not find",
    message="`{key}`, which a rename gives as `{field}`, is not there",
    help="A rename carries the id of an Item the Interface has to a key that its provider finds in the new code. "
    "Write `from` as `view` shows the key, and `to` as the provider gives it.",
    values={"key": "the key that is not there", "field": "from or to"},
    example=Example(
        given=(_INIT, _CONTEXT, _COST),
        breaks={**_PRICE, "renames": [{"from": "cots", "to": "price"}]},
        settings=_ANSWERS + _LAYOUT,
        files={"answer.json": _FOUND},
    ),
)

RENAMES_WITH_ITEMS = Rule(
    id="input.renames-with-items",
    summary="`renames` beside Items that are written",
    message="`renames` is given beside `items`",
    help="`renames` says which of the keys that a provider found belongs to an Item there was. With `items` written, "
    "each Item says it itself: use its `replaces`, or leave `items` out.",
    example=Example(
        given=(_INIT, _CONTEXT, _COST),
        breaks={**_PRICE, "items": [{"key": "price", "lines": [1, 1]}], "renames": [{"from": "cost", "to": "price"}]},
    ),
)

VIEW_SECTIONS_EMPTY = Rule(
    id="input.view-sections-empty",
    summary="a view of no section",
    message="`{name}` names no section",
    help="A view gives the sections that are asked for and no others, so one of none would say nothing. Name one at "
    "least of contracts, interfaces, harnesses, change_requests and cruxes.",
    values={"name": "the field that is empty"},
    example=Example(breaks={"op": "view", "sections": []}),
)

NO_PROVIDER = Rule(
    id="items.no-provider",
    summary="Items left out for a language that no provider reads",
    message="no provider finds the Items of language `{lang}`: {reason}",
    help="The program that finds Items is named for each language in the table `[measure.items]` of chidev.toml. "
    "Name one there, or write `items`.",
    values={"lang": "the language of the Interface; empty when it is not known", "reason": "what is not set"},
    example=Example(given=(_INIT, _CONTEXT), breaks=_PRICE),
)

PROTOCOL = Rule(
    id="items.protocol",
    summary="a provider whose answer is not of the protocol, or not of the code",
    message="the provider for `{lang}` answered what the protocol does not allow: {detail}",
    help="Keys and lines are taken as the provider gives them, so an answer that does not follow chidev-items 2, or "
    "names lines the code does not have, is not used. Correct the provider, or write `items`.",
    values={"lang": "the language the provider is for", "detail": "what the protocol or the code does not allow"},
    example=Example(
        given=(_INIT, _CONTEXT),
        breaks=_PRICE,
        settings=_ANSWERS + _LAYOUT,
        files={"answer.json": _FOUND.replace('"protocol":2', '"protocol":1')},
    ),
)

FAILED = Rule(
    id="items.failed",
    summary="a provider that did not run to its end",
    message="the provider for `{lang}` failed: {detail}",
    help="A provider that cannot be started, exits with a failure or does not answer within `timeout` has found "
    "nothing that can be relied on. Run its command by hand to see why, or write `items`.",
    values={"lang": "the language the provider is for", "detail": "how it ended"},
    example=Example(given=(_INIT, _CONTEXT), breaks=_PRICE, settings=_FAILS + _LAYOUT),
)

RULES = (
    UNKNOWN_OP,
    UNKNOWN_FIELD,
    RENAMED_FIELD,
    MISSING_FIELD,
    WRONG_TYPE,
    UNKNOWN_NAME,
    INVALID,
    REPLACES_KEPT,
    RENAME_CONFLICT,
    ITEMS_REQUIRED,
    NO_PROVIDER,
    PROTOCOL,
    FAILED,
    RENAME_UNKNOWN,
    RENAMES_WITH_ITEMS,
    VIEW_SECTIONS_EMPTY,
)
