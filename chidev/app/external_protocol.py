"""What an external check is sent on its standard input, and what it answers on its standard output: protocol 2.

The call is open: a program ignores a field it does not know. The reply is closed: one with a field that the protocol
does not have is a failed run (open-points 18). That the rule is the one asked for, the message not blank and the
subject one of the model sent is not in the types and is judged by whoever reads the reply.

Source: specification, "External checks".
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from chidev.app.view_types import SubjectKind, View
from chidev.domain.rule import Moment

EXTERNAL_VERSION: Final = 2


class ExternalCall(msgspec.Struct, frozen=True):
    """What a program is asked. `model` is the view of every Context, with the sections that it `reads`."""

    protocol: Literal[2]
    moment: Annotated[Moment, Meta(description="when the program is asked; not which operation asks")]
    rules: Annotated[list[str], Meta(description="the one rule that is asked for, as it is registered")]
    read_at: Annotated[int, Meta(ge=0, description="the store revision that the model was read at")]
    params: Annotated[dict[str, bool | int | float | str], Meta(description="the parameters, policy applied")]
    model: View


class ReplySubject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a finding is about, by its id in the model that was sent."""

    kind: SubjectKind
    id: str


class ReplyFinding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Without a subject it is about the whole project; without a level it is at the level its rule is held to."""

    rule: str
    message: Annotated[str, Meta(description="what is wrong; not blank")]
    subject: ReplySubject | None = None
    level: Literal["note", "warning", "error"] | None = None


class ExternalReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a program found. A reply of protocol 1 has the same form and is taken as well."""

    protocol: Literal[1, 2]
    findings: list[ReplyFinding]
