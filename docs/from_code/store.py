"""The reference of the store file, as the code has it."""

from __future__ import annotations

from chidev.infra.store_layout import APPLICATION_ID, LAYOUT, SCHEMA
from docs.from_code.markdown import table


def numbers() -> str:
    rows = [
        ("`PRAGMA user_version`", f"`{LAYOUT}`", "the number of the layout"),
        (
            "`PRAGMA application_id`",
            f"`{APPLICATION_ID}` (`{APPLICATION_ID:#x}`)",
            "tells a store from other databases",
        ),
    ]
    return table(("where", "value", "what it says"), rows)


def layout() -> str:
    return f"```sql\n{SCHEMA.strip()}\n```"


SECTIONS = {"store-numbers": numbers, "store-layout": layout}
