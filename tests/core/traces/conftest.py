"""Where the logs of the tests lie."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


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
