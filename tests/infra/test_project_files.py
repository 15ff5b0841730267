"""Which files a path in an operation reads, and as what text."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from chidev.app.ports.files import FileRefused, ProjectFiles
from chidev.infra.project_files import DiskFiles

SECRET = "outside"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project beside a file that is none of its own."""
    (tmp_path / "secret.txt").write_text(SECRET)
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "ok.py").write_text("inside")
    return root


@pytest.fixture
def files(root: Path) -> ProjectFiles:
    return DiskFiles(str(root))


def refusal(files: ProjectFiles, path: str) -> str:
    with pytest.raises(FileRefused) as caught:
        files.read_text(path)
    assert caught.value.path == path
    return caught.value.reason


# What is read


@pytest.mark.parametrize("path", ["src/ok.py", "./src/ok.py", "src/./ok.py", "src//ok.py"])
def test_a_path_is_relative_to_the_root(files: ProjectFiles, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")

    assert files.read_text(path) == "inside"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\r\nb\rc\n",
        "\ufeffa\n",
        "no end",
        "a\0b\n",
        "tail  \t\n\n\n",
        "\u2028\u2029\x85\x0b\x0c\x1c\n",
        "\u540d\U0001f600 e\u0301\u00e9",
    ],
)
def test_a_text_is_kept_as_it_is(root: Path, files: ProjectFiles, text: str) -> None:
    (root / "text").write_bytes(text.encode("utf-8"))

    assert files.read_text("text") == text


@pytest.mark.parametrize("name", [" ok", "ok\n", "~", "a\\b", "...", "file:", "caf\u00e9", "-", "$HOME", "*"])
def test_a_name_has_no_meaning_beyond_its_characters(root: Path, files: ProjectFiles, name: str) -> None:
    (root / name).write_text("named so")

    assert files.read_text(name) == "named so"


@pytest.mark.parametrize("target", ["src/ok.py", "./src/../src/ok.py", "link-to-src/ok.py", "{root}/src/ok.py"])
def test_a_link_inside_the_root_is_followed(root: Path, files: ProjectFiles, target: str) -> None:
    (root / "link-to-src").symlink_to("src")
    (root / "link").symlink_to(target.format(root=root))

    assert files.read_text("link") == "inside"


def test_the_root_may_be_reached_through_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    (root / "absolute").symlink_to(tmp_path / "link" / "src" / "ok.py")

    assert DiskFiles(f"{tmp_path}/link").read_text("src/ok.py") == "inside"
    assert DiskFiles(f"{tmp_path}/link/").read_text("absolute") == "inside"


def test_a_directory_that_can_be_passed_but_not_listed_is_passed(root: Path, files: ProjectFiles) -> None:
    (root / "src").chmod(0o111)

    assert files.read_text("src/ok.py") == "inside"


# What is refused


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("", "it names no file"),
        ("a\0b", "no file can have that name"),
        ("src/ok.py\0", "no file can have that name"),
        ("\ud800", "no file can have that name"),
        ("/etc/hostname", "it is absolute; paths are relative to the project's root"),
        ("//etc/hostname", "it is absolute; paths are relative to the project's root"),
        ("..", "it has a part `..`; paths stay below the project's root"),
        ("../secret.txt", "it has a part `..`; paths stay below the project's root"),
        ("src/../src/ok.py", "it has a part `..`; paths stay below the project's root"),
        ("gone/../src/ok.py", "it has a part `..`; paths stay below the project's root"),
        ("src/..", "it has a part `..`; paths stay below the project's root"),
        ("gone.py", "there is no such file"),
        ("gone/x", "there is no such file"),
        ("src\\..\\ok.py", "there is no such file"),
        ("~/x", "there is no such file"),
        ("file:///etc/hostname", "there is no such file"),
        ("src/ok.py\n", "there is no such file"),
        ("src", "it is a directory"),
        ("src/", "it is a directory"),
        (".", "it is a directory"),
        ("./", "it is a directory"),
        ("src/ok.py/", "a part of it is a file, not a directory"),
        ("src/ok.py/.", "a part of it is a file, not a directory"),
        ("src/ok.py/x", "a part of it is a file, not a directory"),
        ("x" * 5000, "the name is too long"),
        ("x" * 256, "the name is too long"),
        ("src/" * 3000 + "x", "the name is too long"),
    ],
)
def test_a_path_that_names_no_file_of_the_project_is_refused(files: ProjectFiles, path: str, reason: str) -> None:
    assert refusal(files, path) == reason


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("../secret.txt", "it leads out of the project's root"),
        ("{outside}/secret.txt", "it leads out of the project's root"),
        ("src/out/secret.txt", "it leads out of the project's root"),
        ("{root}-beside/secret.txt", "it leads out of the project's root"),
        ("..", "it leads out of the project's root"),
        ("/proc/self/environ", "it leads out of the project's root"),
        ("/dev/zero", "it leads out of the project's root"),
        ("../gone.txt", "there is no such file"),
        ("link", "its links lead in a circle"),
        (".", "it is a directory"),
    ],
)
def test_a_link_that_leads_to_no_file_of_the_project_is_refused(
    root: Path, files: ProjectFiles, target: str, reason: str
) -> None:
    beside = root.with_name("project-beside")
    beside.mkdir()
    (beside / "secret.txt").write_text(SECRET)
    (root / "src" / "out").symlink_to("../..")
    (root / "link").symlink_to(target.format(outside=root.parent, root=root))

    assert refusal(files, "link") == reason


def test_a_directory_that_is_a_link_out_of_the_root_is_not_passed(root: Path, files: ProjectFiles) -> None:
    (root / "out").symlink_to("..")

    assert refusal(files, "out/secret.txt") == "it leads out of the project's root"
    assert files.read_text("out/project/src/ok.py") == "inside"  # for this leads back


@pytest.fixture
def waiting_for_a_reader(root: Path) -> Iterator[threading.Event]:
    """Somebody who waits until the FIFO is opened for reading; the event is set when it was."""
    os.mkfifo(root / "fifo")
    opened = threading.Event()

    def write() -> None:
        os.close(os.open(root / "fifo", os.O_WRONLY))
        opened.set()

    thread = threading.Thread(target=write)
    thread.start()
    yield opened
    os.close(os.open(root / "fifo", os.O_RDONLY | os.O_NONBLOCK))
    thread.join()


def test_a_fifo_is_refused_and_not_opened(files: ProjectFiles, waiting_for_a_reader: threading.Event) -> None:
    time.sleep(0.05)

    assert refusal(files, "fifo") == "it is a FIFO, not a file"
    assert not waiting_for_a_reader.wait(0.1)


def test_a_socket_is_refused(root: Path, files: ProjectFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")

        assert refusal(files, "socket") == "it is a socket, not a file"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a device")
def test_a_device_is_refused(root: Path, files: ProjectFiles) -> None:
    try:
        os.mknod(root / "zero", 0o20666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("this root cannot make a device")

    assert refusal(files, "zero") == "it is a device, not a file"


@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"caf\xe9\n", 3),
        ("fn k();\n".encode("utf-16"), 0),
        (b"ok\n\xed\xa0\x80\n", 3),
        (b"\xc0\xaf\n", 0),
        (b"fn k();\n\xe2\x82", 8),
    ],
)
def test_a_file_that_is_not_utf_8_is_refused_with_the_place(
    root: Path, files: ProjectFiles, data: bytes, offset: int
) -> None:
    (root / "bytes").write_bytes(data)

    assert refusal(files, "bytes") == f"it is not UTF-8 text (the byte at offset {offset})"


@pytest.mark.parametrize("is_sparse", [False, True])
def test_a_file_over_the_limit_is_refused(root: Path, is_sparse: bool) -> None:
    limited = DiskFiles(str(root), size_limit_bytes=10)
    (root / "fits").write_bytes(b"x" * 10)
    with (root / "large").open("wb") as large:
        large.truncate(1 << 40) if is_sparse else large.write(b"x" * 11)

    assert limited.read_text("fits") == "x" * 10
    assert refusal(limited, "large") == "it has more than 10 bytes"


NOT_READABLE = """
import os, sys
sys.path[:0] = {path!r}
from chidev.infra.project_files import DiskFiles, FileRefused
if os.geteuid() == 0:
    os.setuid(65534)
try:
    DiskFiles({root!r}).read_text("closed/file" if sys.argv[1] == "directory" else "closed-file")
except FileRefused as error:
    print(error.reason)
"""


@pytest.mark.parametrize("what", ["file", "directory"])
def test_what_may_not_be_read_is_refused(what: str) -> None:
    """In a directory that others may enter, and as somebody to whom permissions apply."""
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        root = Path(made)
        (root / "closed").mkdir()
        (root / "closed" / "file").touch()
        (root / "closed-file").touch()
        (root / "closed-file").chmod(0)
        (root / "closed").chmod(0)
        root.chmod(0o755)
        command = [sys.executable, "-c", NOT_READABLE.format(path=sys.path, root=made), what]

        said = subprocess.run(command, capture_output=True, text=True, check=False)
        (root / "closed").chmod(0o755)

    assert said.stdout == "it may not be read\n", said.stderr


def test_a_root_that_is_gone_is_no_exception_of_its_own(tmp_path: Path) -> None:
    assert refusal(DiskFiles(f"{tmp_path}/gone"), "a") == "there is no such file"


# Whatever comes


PARTS = st.sampled_from(["src", "ok.py", "..", ".", "", "out", "loop", "fifo", "secret.txt", "\\", "x" * 300, "\0"])


@given(path=st.lists(PARTS, max_size=6).map("/".join) | st.text())
@example(path="src/ok.py")
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_path_is_read_or_refused_and_nothing_else_happens(root: Path, path: str) -> None:
    if not (root / "fifo").exists():
        os.mkfifo(root / "fifo")
        (root / "out").symlink_to("..")
        (root / "loop").symlink_to("loop")

    files = DiskFiles(str(root))
    try:
        text = files.read_text(path)
    except FileRefused:
        assert refusal(files, path)
    else:
        assert text == "inside"


def test_a_link_that_is_put_there_while_a_file_is_read_does_not_lead_out(root: Path, files: ProjectFiles) -> None:
    """A directory and a link out of the root take turns under one name."""
    (root / "turns").mkdir()
    (root / "turns" / "secret.txt").write_text("inside")
    (root / "away").symlink_to("..")
    done = threading.Event()

    def take_turns() -> None:
        while not done.is_set():
            for here, there in (("turns", "aside"), ("away", "turns"), ("turns", "away"), ("aside", "turns")):
                (root / here).rename(root / there)

    thread = threading.Thread(target=take_turns)
    thread.start()
    read = []
    until = time.monotonic() + 0.7
    while time.monotonic() < until:
        try:
            read.append(files.read_text("turns/secret.txt"))
        except FileRefused:
            continue
    done.set()
    thread.join()

    assert set(read) == {"inside"}


def test_no_handle_is_left_open(root: Path, files: ProjectFiles) -> None:
    before = os.listdir("/dev/fd")

    for path in ("src/ok.py", "src", "gone", "../x", "src/ok.py/x"):
        try:
            files.read_text(path)
        except FileRefused:
            continue

    assert os.listdir("/dev/fd") == before
