"""The program `chidev provider items-python`: chidev-items 2 over standard input and output."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from chidev_provider_python import program

SOURCE = "def price(\n    total,\n): ...\ndef tax(): ...\ndef _round(n): ...\n"


def run(request: bytes, *options: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, *options, "-m", "chidev_provider_python"]
    environment = {**os.environ, **variables}
    return subprocess.run(command, input=request, capture_output=True, check=False, timeout=60, env=environment)


def asked(**fields: Any) -> bytes:
    return json.dumps(fields).encode()


def refusal(request: bytes) -> str:
    """What `main` says on stderr, with its prefix taken off; asserts that it answers nothing and one line."""
    stdout, stderr = io.BytesIO(), io.StringIO()

    status = program.main(io.BytesIO(request), stdout, stderr)

    assert (status, stdout.getvalue()) == (1, b"")
    said = stderr.getvalue()
    assert said.startswith("chidev provider items-python: ")
    assert said.count("\n") == 1
    assert said.endswith("\n")
    return said.removeprefix("chidev provider items-python: ").rstrip("\n")


def test_a_request_is_answered_with_the_items_and_the_number_left_out() -> None:
    done = run(asked(protocol=2, source=SOURCE))

    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout) == {
        "protocol": 2,
        "items": [{"key": "price", "lines": [1, 3]}, {"key": "tax", "lines": [4, 4]}],
        "left_out": 1,
    }


def test_an_empty_source_is_answered_with_no_items() -> None:
    assert json.loads(run(asked(protocol=2, source="")).stdout) == {"protocol": 2, "items": [], "left_out": 0}


def test_the_answer_is_utf_8_whatever_the_locale_is() -> None:
    done = run('{"protocol":2,"source":"größe = 1"}'.encode(), PYTHONIOENCODING="ascii")

    assert json.loads(done.stdout.decode())["items"] == [{"key": "größe", "lines": [1, 1]}]


def test_a_warning_of_the_source_is_not_printed() -> None:
    done = run(asked(protocol=2, source=r"x = '\d'"), "-W", "error")

    assert (done.returncode, done.stderr) == (0, b"")


def test_a_source_that_does_not_parse_fails_with_one_line() -> None:
    done = run(asked(protocol=2, source="a = 1\nb = = 2"))

    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"chidev provider items-python: the source does not parse: line 2: invalid syntax\n"


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        pytest.param(b"", "not JSON", id="nothing"),
        pytest.param(b"{", "not JSON", id="half"),
        pytest.param(b'{"protocol":2,"source":""} {}', "not JSON", id="two documents"),
        pytest.param(b'{"protocol":NaN,"source":""}', "NaN", id="NaN"),
        pytest.param(b'\xff{"protocol":2}', "not UTF-8", id="bytes"),
        pytest.param(b"[" * 200_000, "nested too deeply", id="deep"),
        pytest.param(b'{"protocol":' + b"2" * 5000 + b',"source":""}', "too long", id="a long number"),
        pytest.param(b"[]", "not a JSON object", id="a list"),
        pytest.param(b'{"protocol":2,"source":"","source":""}', "twice", id="a field twice"),
        pytest.param(asked(source=""), "'protocol'", id="no protocol"),
        pytest.param(asked(protocol=1, source=""), "protocol 1; this provider reads 2", id="protocol 1"),
        pytest.param(asked(protocol=3, text=""), "protocol 3; this provider reads 2", id="protocol 3"),
        pytest.param(asked(protocol="2", source=""), 'protocol "2"', id="a protocol that is a string"),
        pytest.param(asked(protocol=2.0, source=""), "protocol 2.0", id="a protocol that is a fraction"),
        pytest.param(asked(protocol=True, source=""), "protocol true", id="a protocol that is true"),
        pytest.param(asked(protocol=2), "'source'", id="no source"),
        pytest.param(asked(protocol=2, source=None), "not a string", id="a source that is null"),
        pytest.param(asked(protocol=2, source="", lang="py"), "'lang'", id="an unknown field"),
        pytest.param(asked(protocol=2, source="", **{"a\nb": 1}), r"'a\nb'", id="an unknown field of two lines"),
    ],
)
def test_a_request_against_the_protocol_is_refused_in_one_line(request_: bytes, words: str) -> None:
    assert words in refusal(request_)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        pytest.param("x = '\0'", "line 1: a null byte", id="a null byte"),
        pytest.param(chr(0xD800), "line 1: a lone surrogate", id="a lone surrogate"),
        pytest.param("x = " + "-" * 100_000 + "1", "nested too deeply", id="deep"),
        pytest.param("x = “1”", "line 1: invalid character", id="a character"),
    ],
)
def test_an_odd_source_is_refused_in_one_line(source: str, words: str) -> None:
    assert words in refusal(asked(protocol=2, source=source))


def test_the_streams_of_the_process_are_the_default(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(asked(protocol=2, source="a = 1"))))

    status = program.main()

    assert status == 0
    assert json.loads(capfdbinary.readouterr().out)["items"] == [{"key": "a", "lines": [1, 1]}]


def test_importing_the_program_does_not_read_the_parser() -> None:
    """The command line imports it to name it; the parser is paid for when it is used."""
    code = "import sys, chidev_provider_python.program; print('chidev_provider_python.items' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert done.stdout == "False\n"
