"""A project on disk, and the command to run in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Chidev
from tests.running import MODEL, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project without a store."""
    return Project(tmp_path)


@pytest.fixture
def model(project: Project) -> Project:
    """A project with the model of the examples."""
    project.accepted(*MODEL)
    return project


@pytest.fixture
def chidev(project: Project) -> Chidev:
    return Chidev(project.root)
