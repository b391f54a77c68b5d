"""Where the logs of the tests lie."""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of the hand-written logs."""
    return REPOSITORY / "tests" / "data"
