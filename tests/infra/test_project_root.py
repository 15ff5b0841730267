"""Which directory chidev takes for the project, and what it says when none can be told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from chidev.app.ports.settings import SettingsError
from chidev.infra.project_root import find_root


def refusal(start: Path | str) -> str:
    with pytest.raises(SettingsError) as caught:
        find_root(str(start))
    return str(caught.value)


def make(root: Path, *files: str) -> None:
    for file in files:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()


def test_the_nearest_directory_upwards_with_the_file_is_the_root(tmp_path: Path) -> None:
    make(tmp_path, "chidev.toml", "own/chidev.toml", "own/deep/er/x", "sub/deep/x")

    assert find_root(str(tmp_path / "sub" / "deep")) == str(tmp_path)
    assert find_root(str(tmp_path / "own" / "deep" / "er")) == str(tmp_path / "own")
    assert find_root(str(tmp_path)) == str(tmp_path)


def test_a_repository_on_the_way_up_is_passed(tmp_path: Path) -> None:
    make(tmp_path, "chidev.toml", "inner/.git/HEAD")

    assert find_root(str(tmp_path / "inner")) == str(tmp_path)


def test_a_relative_start_gives_an_absolute_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "chidev.toml", "a/x")
    monkeypatch.chdir(tmp_path / "a")

    assert find_root(".") == str(tmp_path)


def test_a_link_to_a_directory_is_not_resolved(tmp_path: Path) -> None:
    make(tmp_path, "real/chidev.toml")
    (tmp_path / "link").symlink_to(tmp_path / "real")

    assert find_root(str(tmp_path / "link")) == str(tmp_path / "link")


def test_a_link_to_a_file_marks_the_root(tmp_path: Path) -> None:
    make(tmp_path, "shared.toml", "a/x")
    (tmp_path / "a" / "chidev.toml").symlink_to("../shared.toml")

    assert find_root(str(tmp_path / "a")) == str(tmp_path / "a")


def test_with_no_file_up_to_the_top_the_start_is_named(tmp_path: Path) -> None:
    message = refusal(tmp_path)

    assert str(tmp_path) in message
    assert "chidev.toml" in message


def test_with_no_file_up_to_the_top_a_file_with_an_old_name_is_told_as_well(tmp_path: Path) -> None:
    make(tmp_path, "checks.toml")

    assert str(tmp_path / "checks.toml") in refusal(tmp_path)


@pytest.mark.parametrize("start", ["not/there", "a-file", "nul\0", "line\nfeed"])
def test_a_start_that_is_no_directory_is_refused(tmp_path: Path, start: str) -> None:
    make(tmp_path, "chidev.toml", "a-file")

    message = refusal(f"{tmp_path}/{start}")

    assert "no such directory" in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("checks.toml", "chidev.toml"),
        ("a/checks.toml", "chidev.toml"),
        (".chidev/checks.local.toml", ".chidev/chidev.local.toml"),
        ("a/.chidev/checks.local.toml", ".chidev/chidev.local.toml"),
    ],
)
def test_an_old_name_on_the_way_up_is_refused_with_the_name_to_give_it(tmp_path: Path, old: str, new: str) -> None:
    make(tmp_path, "chidev.toml", "a/b/x", old)

    message = refusal(tmp_path / "a" / "b")

    assert message.startswith(f"{tmp_path / old}: ")
    assert f"`{new}`" in message


def test_every_old_name_on_the_way_up_is_told_at_once(tmp_path: Path) -> None:
    make(tmp_path, "chidev.toml", "a/checks.toml", "checks.toml", ".chidev/checks.local.toml")

    message = refusal(tmp_path / "a")

    assert message.count("is no longer read") == 3
    assert "\n" not in message


@pytest.mark.parametrize("old", ["../checks.toml", "beside/checks.toml", "../.chidev/checks.local.toml"])
def test_an_old_name_above_or_beside_the_way_does_not_matter(tmp_path: Path, old: str) -> None:
    root = tmp_path / "root"
    make(root, "chidev.toml", "a/x", old)

    assert find_root(str(root / "a")) == str(root)


def test_a_directory_with_an_old_name_is_no_file_of_an_earlier_version(tmp_path: Path) -> None:
    make(tmp_path, "chidev.toml", "checks.toml/x")

    assert find_root(str(tmp_path)) == str(tmp_path)


def test_a_directory_with_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "chidev.toml").mkdir()

    assert f"{tmp_path / 'chidev.toml'}: is a directory" in refusal(tmp_path)


def test_a_fifo_with_the_name_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "chidev.toml")

    assert "is no regular file" in refusal(tmp_path)


@pytest.mark.parametrize("target", ["nothing.toml", "chidev.toml"])
def test_a_link_that_leads_nowhere_is_refused_and_the_parent_is_not_taken(tmp_path: Path, target: str) -> None:
    make(tmp_path, "chidev.toml", "a/x")
    (tmp_path / "a" / "chidev.toml").symlink_to(target)

    assert f"{tmp_path / 'a' / 'chidev.toml'}: is a link" in refusal(tmp_path / "a")
