"""Make the example policies known to the simulator: together they use every hook of a policy."""

from __future__ import annotations

import pytest

from core.policies import registry
from tests.core.explain.runs import EXAMPLES


@pytest.fixture(autouse=True, scope="module")
def example_policies() -> object:
    """Register the examples for one module of tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "POLICIES", (*registry.POLICIES, *EXAMPLES))
        yield
