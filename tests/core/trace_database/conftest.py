"""A trace library for each test, and logs to put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.trace_database.trace_database import Library
from tests.paths import DATA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where the test's library lies; nothing is there yet."""
    return tmp_path / "data" / "library.sqlite"


@pytest.fixture
def library(path: Path) -> Iterator[Library]:
    """Return an empty library."""
    with Library.open(path) as opened:
        yield opened


@pytest.fixture
def logs() -> Path:
    """Return the folder of the hand-written logs."""
    return DATA
