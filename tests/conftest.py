"""How thorough random tests are, for all folders."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies import critical
from tests import random_tests

if TYPE_CHECKING:
    import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--thorough`."""
    parser.addoption(
        "--thorough", action="store_true", help="slow random tests try ten times as many examples"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Note the option before any test is read; the policy `optimized` searches a moment only."""
    critical.MOST_STEPS = critical.LEAST_STEPS = 4
    random_tests.is_thorough = config.getoption("--thorough")
