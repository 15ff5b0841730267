"""The program `chidev provider items-python`: one JSON document in, one out.

Source: specification, "Provider protocol chidev-items 2".
"""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO, NoReturn, TextIO

_PROTOCOL = 2
_NAME = "chidev provider items-python"


class RequestError(Exception):
    """What came in is not a request of chidev-items 2."""


def main(stdin: BinaryIO | None = None, stdout: BinaryIO | None = None, stderr: TextIO | None = None) -> int:
    """Answer the request on `stdin`; the streams of the process are the default.

    Returns:
        The exit status: 0 with `{"protocol":2,"items":[{"key":..,"lines":[first,last]}],"left_out":n}` on `stdout`, or
        1 with nothing there and one line on `stderr`.
    """
    from chidev_provider_python.source_text import SourceError

    try:
        source = read_request((stdin or sys.stdin.buffer).read())
        answer = _answer(source)
    except RequestError as error:
        return _refuse(str(error), stderr)
    except SourceError as error:
        return _refuse(f"the source does not parse: {error}", stderr)
    out = stdout or sys.stdout.buffer
    out.write(answer)
    out.flush()
    return 0


def read_request(data: bytes) -> str:
    """The source text that a request holds.

    Raises:
        RequestError: it is not one JSON object `{"protocol":2,"source":".."}` in UTF-8.
    """
    request = _json(data)
    if not isinstance(request, dict):
        raise RequestError("the request is not a JSON object")
    if "protocol" not in request:
        raise RequestError("the request has no field 'protocol'")
    protocol = request["protocol"]
    if type(protocol) is not int or protocol != _PROTOCOL:
        raise RequestError(f"the request is of protocol {json.dumps(protocol)[:40]}; this provider reads {_PROTOCOL}")
    if unknown := sorted(request.keys() - {"protocol", "source"}):
        raise RequestError(f"the request has a field the protocol does not have: {unknown[0]!r:.100}")
    if "source" not in request:
        raise RequestError("the request has no field 'source'")
    source = request["source"]
    if not isinstance(source, str):
        raise RequestError("the request's 'source' is not a string")
    return source


def _json(data: bytes) -> Any:
    try:
        return json.loads(data.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise RequestError(f"the request is not UTF-8: byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise RequestError(f"the request is not JSON: {error}") from error
    except ValueError as error:
        # An integer with more digits than Python converts.
        raise RequestError("the request has a number that is too long") from error
    except RecursionError as error:
        raise RequestError("the request is nested too deeply") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RequestError("the request gives a field twice")
    return fields


def _refuse_constant(word: str) -> NoReturn:
    raise RequestError(f"the request is not JSON: {word} is not a JSON number")


def _answer(source: str) -> bytes:
    from chidev_provider_python.items import find_items

    found = find_items(source)
    items = [{"key": item.key, "lines": [item.first, item.last]} for item in found.items]
    document = {"protocol": _PROTOCOL, "items": items, "left_out": found.left_out}
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _refuse(message: str, stderr: TextIO | None) -> int:
    print(f"{_NAME}: {' '.join(message.split())}", file=stderr or sys.stderr)
    return 1
