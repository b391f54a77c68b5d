"""Make the example policies known to the simulator."""

from __future__ import annotations

import pytest

from core.policies import registry
from tests.core.policies.example_policies import GOOD
from tests.core.policies.misbehaving_policies import BAD


@pytest.fixture(autouse=True, scope="module")
def example_policies() -> object:
    """Register the examples for one module of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "POLICIES", (*registry.POLICIES, *GOOD, *BAD))
        yield
