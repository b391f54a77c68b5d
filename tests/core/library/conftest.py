"""A trace library for each test, and logs to put into it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from core.library.library import Library

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).resolve().parents[2] / "data"


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
