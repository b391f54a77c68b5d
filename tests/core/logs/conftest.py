"""Where the logs of the tests lie."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

REPOSITORY = ROOT


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of the hand-written logs."""
    return REPOSITORY / "tests" / "data"


@pytest.fixture
def rumen(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of the hand-written Rumen logs alone."""
    folder = tmp_path_factory.mktemp("logs")
    for log in data.glob("rumen-*.json"):
        shutil.copy(log, folder)
    return folder
