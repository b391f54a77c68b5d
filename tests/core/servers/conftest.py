"""RequestLimits under which a test of what goes wrong takes no time."""

from __future__ import annotations

import pytest

from core.servers.http_client import RequestLimits


@pytest.fixture
def quick() -> RequestLimits:
    return RequestLimits(
        json_bytes=1 << 16, file_bytes=1 << 20, tries=3, pause_seconds=0.001, idle_seconds=10.0
    )
