"""A project on disk for the tests of the use cases."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.running import MODEL, Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project without a store."""
    return Project(tmp_path)


@pytest.fixture
def model(project: Project) -> Project:
    """A project with the model of the examples: a Contract, an Interface and a Harness that cites both."""
    project.accepted(*MODEL)
    return project
