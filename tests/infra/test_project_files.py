"""Which files below the project's root are read, how their text comes out, and every path that is refused."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chidev.app.ports.files import FileRefused
from chidev.infra.project_files import DiskFiles

SECRET = "nobody outside may read this"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a project, beside which there is something that is none of its files."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text(SECRET)
    made = tmp_path / "root"
    (made / "src").mkdir(parents=True)
    (made / "src" / "price.py").write_text("def price(): ...\n")
    return made


def refusal(root: Path, path: str, **limits: int) -> str:
    """Why a path is refused, with the path itself taken off."""
    with pytest.raises(FileRefused) as caught:
        DiskFiles(str(root), **limits).read_text(path)
    assert caught.value.path == path
    assert "\n" not in caught.value.reason
    return caught.value.reason


# What is read


def test_a_file_is_found_from_the_root(root: Path) -> None:
    assert DiskFiles(str(root)).read_text("src/price.py") == "def price(): ...\n"


@pytest.mark.parametrize("path", ["./src/price.py", "src//price.py", "src/./price.py"])
def test_other_ways_to_write_a_path_below_the_root_mean_the_same_file(root: Path, path: str) -> None:
    assert DiskFiles(str(root)).read_text(path) == "def price(): ...\n"


@pytest.mark.parametrize(
    "text",
    ["", "a\r\nb\r\n", "a\rb", "\ufeffa\n", "a\0b", "a\u2028b\u0085c\x0cd\n", "caf\u00e9 \U0001f600", "no line end"],
    ids=["empty", "CR LF", "CR", "BOM", "NUL", "other line ends", "beyond ASCII", "no line end"],
)
def test_every_character_is_kept_as_it_is(root: Path, text: str) -> None:
    (root / "price.py").write_bytes(text.encode())

    assert DiskFiles(str(root)).read_text("price.py") == text


@pytest.mark.parametrize(
    ("link", "to", "path"),
    [
        ("link.py", "src/price.py", "link.py"),
        ("link", "src", "link/price.py"),
        ("src/up.py", "../src/price.py", "src/up.py"),
        ("out-and-in.py", "../root/src/price.py", "out-and-in.py"),
    ],
)
def test_a_link_inside_the_root_is_followed(root: Path, link: str, to: str, path: str) -> None:
    (root / link).symlink_to(to)

    assert DiskFiles(str(root)).read_text(path) == "def price(): ...\n"


def test_an_absolute_link_inside_the_root_is_followed(root: Path) -> None:
    (root / "link.py").symlink_to(root / "src" / "price.py")

    assert DiskFiles(str(root)).read_text("link.py") == "def price(): ...\n"


def test_the_root_itself_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "by-link").symlink_to(root)

    assert DiskFiles(str(tmp_path / "by-link")).read_text("src/price.py") == "def price(): ...\n"


def test_a_name_that_is_no_utf_8_can_be_the_name_of_a_file(root: Path) -> None:
    (root / os.fsdecode(b"caf\xe9.py")).write_text("x\n")

    assert DiskFiles(str(root)).read_text(os.fsdecode(b"caf\xe9.py")) == "x\n"


# Paths that are refused by their looks


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("", "names no file"),
        ("/etc/passwd", "absolute"),
        ("//etc/passwd", "absolute"),
        ("../outside/secret.py", "`..`"),
        ("src/../../outside/secret.py", "`..`"),
        ("src/../src/price.py", "`..`"),
        ("..", "`..`"),
        ("src\0/price.py", "no file can have that name"),
        ("\ud800.py", "no file can have that name"),
    ],
)
def test_a_path_that_cannot_be_below_the_root_is_refused(root: Path, path: str, says: str) -> None:
    assert says in refusal(root, path)


def test_an_absolute_path_is_refused_also_when_it_is_below_the_root(root: Path) -> None:
    assert "absolute" in refusal(root, str(root / "src" / "price.py"))


# Paths that lead nowhere, or elsewhere


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("gone.py", "there is no such file"),
        ("gone/price.py", "there is no such file"),
        ("src", "it is a directory"),
        (".", "it is a directory"),
        ("src/", "it is a directory"),
        ("src/price.py/x", "a part of it is a file"),
        ("src/price.py/", "a part of it is a file"),
        ("src/price.py/.", "a part of it is a file"),
        ("x" * 300, "the name is too long"),
        ("x" * 5000, "the name is too long"),
        ("x/" * 5000, "the name is too long"),
    ],
    ids=lambda value: value[:30],
)
def test_a_path_with_no_file_at_its_end_is_refused(root: Path, path: str, says: str) -> None:
    assert says in refusal(root, path)


@pytest.mark.parametrize(
    ("link", "to", "path"),
    [
        ("link.py", "../outside/secret.py", "link.py"),
        ("src/link", "../../outside", "src/link/secret.py"),
        ("link", "/", "link/etc/passwd"),
        ("link.py", "/dev/null", "link.py"),
        ("link", "/dev", "link/zero"),
    ],
)
def test_a_link_out_of_the_root_is_refused(root: Path, link: str, to: str, path: str) -> None:
    (root / link).symlink_to(to)

    assert refusal(root, path) == "it leads out of the project's root"


def test_a_folder_whose_name_begins_as_the_roots_is_outside(root: Path, tmp_path: Path) -> None:
    (tmp_path / "root-too").mkdir()
    (tmp_path / "root-too" / "secret.py").write_text(SECRET)
    (root / "link").symlink_to(tmp_path / "root-too")

    assert refusal(root, "link/secret.py") == "it leads out of the project's root"


def test_a_link_out_and_back_over_a_link_outside_is_judged_by_where_it_ends(root: Path, tmp_path: Path) -> None:
    (tmp_path / "outside" / "back").symlink_to(root / "src")
    (root / "link").symlink_to(tmp_path / "outside" / "back")

    assert DiskFiles(str(root)).read_text("link/price.py") == "def price(): ...\n"


@pytest.mark.parametrize("path", ["circle", "circle/price.py", "one"])
def test_links_in_a_circle_are_refused(root: Path, path: str) -> None:
    (root / "circle").symlink_to("circle")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")

    assert refusal(root, path) == "its links lead in a circle"


def test_a_link_to_nothing_is_a_file_that_is_not_there(root: Path) -> None:
    (root / "link.py").symlink_to("gone.py")

    assert refusal(root, "link.py") == "there is no such file"


def test_a_fifo_is_refused_and_never_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "link").symlink_to("pipe")

    assert "FIFO" in refusal(root, "pipe")
    assert "FIFO" in refusal(root, "link")


def test_a_socket_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")

        assert "socket" in refusal(root, "socket")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_refused_and_never_read(root: Path) -> None:
    try:
        os.mknod(root / "zero", 0o600 | 0o020000, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this machine lets nobody make a device")

    assert "device" in refusal(root, "zero")


def test_a_root_that_is_gone_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path / "gone", "price.py") == "there is no such file"


# Files that are no text that could be kept


@pytest.mark.parametrize(
    ("data", "offset"), [(b"\xff\xfe", 0), (b"caf\xe9\n", 3), (b"ok\n\xed\xa0\x80", 3), (b"cut \xf0\x9f\x98", 4)]
)
def test_the_first_byte_that_is_not_utf_8_is_told(root: Path, data: bytes, offset: int) -> None:
    (root / "price.py").write_bytes(data)

    assert refusal(root, "price.py") == f"it is not UTF-8 text (the byte at offset {offset})"


def test_a_file_over_the_limit_is_refused_with_the_limit(root: Path) -> None:
    (root / "price.py").write_text("x" * 11)

    assert refusal(root, "price.py", size_limit_bytes=10) == "it has more than 10 bytes"


def test_a_file_just_at_the_limit_is_read(root: Path) -> None:
    (root / "price.py").write_text("x" * 10)

    assert DiskFiles(str(root), size_limit_bytes=10).read_text("price.py") == "x" * 10


def test_the_limit_is_16_mib(root: Path) -> None:
    with (root / "at.py").open("wb") as file:
        file.truncate(16 << 20)
    with (root / "over.py").open("wb") as file:
        file.truncate((16 << 20) + 1)

    assert len(DiskFiles(str(root)).read_text("at.py")) == 16 << 20
    assert refusal(root, "over.py") == "it has more than 16777216 bytes"


def test_a_file_that_says_it_is_empty_and_is_not_has_the_same_limit(root: Path) -> None:
    """Files of /proc are of size 0 to `stat`; here the project is below it."""
    files = DiskFiles("/proc/self", size_limit_bytes=1)

    with pytest.raises(FileRefused, match="more than 1 bytes"):
        files.read_text("status")


def test_no_handle_is_left_open_whatever_is_asked(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "out").symlink_to("../outside/secret.py")
    (root / "latin").write_bytes(b"\xff")
    before = os.listdir("/dev/fd")

    for path in ("pipe", "out", "latin", "src", "gone", "src/price.py/x"):
        refusal(root, path)
    DiskFiles(str(root)).read_text("src/price.py")

    assert os.listdir("/dev/fd") == before


# Any path

PARTS = st.sampled_from(
    ["..", ".", "", "src", "in.py", "out", "up", "circle", "pipe", "dir-out", "secret.py", "outside", "root", "/"]
) | st.text(max_size=6)


@pytest.fixture(scope="module")
def maze() -> Iterator[Path]:
    """A root with links of every kind; one file below it may be read, and one outside may not."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        (top / "outside").mkdir()
        (top / "outside" / "secret.py").write_text(SECRET)
        root = top / "root"
        (root / "src").mkdir(parents=True)
        (root / "src" / "in.py").write_text("inside\n")
        (root / "out").symlink_to("../outside/secret.py")
        (root / "src" / "up").symlink_to("..")
        (root / "up").symlink_to("..")
        (root / "dir-out").symlink_to("../outside")
        (root / "circle").symlink_to("circle")
        os.mkfifo(root / "pipe")
        yield root


@given(parts=st.lists(PARTS, max_size=8))
@settings(max_examples=500, deadline=None)
def test_whatever_the_path_is_it_is_read_from_below_the_root_or_refused(maze: Path, parts: list[str]) -> None:
    try:
        text = DiskFiles(str(maze)).read_text("/".join(parts))
    except FileRefused as refused:
        text = "inside\n"
        assert "\n" not in refused.reason
    assert text == "inside\n"
