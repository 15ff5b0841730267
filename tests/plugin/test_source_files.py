"""A test file is read once; what is no regular file is never opened."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from pytest_chidev.source_files import SourceFiles


def test_digest_text_and_lines_are_of_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"def test_x(): pass\r\n")
    file = SourceFiles(str(tmp_path))["a.py"]
    (tmp_path / "a.py").write_bytes(b"changed\n")

    assert file.digest == hashlib.sha256(b"def test_x(): pass\r\n").hexdigest()
    assert file.text == "def test_x(): pass\r\n"
    assert file.table.find((), "test_x") == (1, 1)
    assert file.problem is None


@pytest.mark.parametrize("kind", ["missing", "folder", "fifo"])
def test_what_cannot_be_read_is_a_problem(tmp_path: Path, kind: str) -> None:
    if kind == "folder":
        (tmp_path / "a.py").mkdir()
    elif kind == "fifo":
        os.mkfifo(tmp_path / "a.py")

    file = SourceFiles(str(tmp_path))["a.py"]

    assert file.problem is not None
    assert file.problem.startswith("cannot be read: ")
    assert file.text == ""


def test_a_file_changed_or_removed_since_is_told(tmp_path: Path) -> None:
    sources = SourceFiles(str(tmp_path))
    for name in ("same.py", "changed.py", "removed.py"):
        (tmp_path / name).write_bytes(b"x\n")
        assert sources[name].data == b"x\n"
    (tmp_path / "changed.py").write_bytes(b"y\n")
    (tmp_path / "removed.py").unlink()

    assert sources.moved() == {"changed.py", "removed.py"}
