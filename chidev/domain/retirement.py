"""What left the model: the record that keeps names and revisions, not the text.

Source: specification, "Retiring".
"""

from __future__ import annotations

import msgspec

from chidev.domain.identity import Id


class Retired(msgspec.Struct, frozen=True):
    """One thing that is gone.

    `asset` is the name of the asset, None for a Context; `part` the label, key or case name of a part; `holder` the
    id of the asset a part was in. `at` is the revision of what held it, once it was retired.
    """

    kind: str
    id: Id
    context: str
    asset: str | None
    part: str | None
    holder: Id | None
    last_revision: int
    at: int

    @property
    def name(self) -> str:
        if self.asset is None:
            return self.context
        return self.asset if self.part is None else f"{self.asset} {self.part}"
