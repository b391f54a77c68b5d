"""No policy goes without a slow and obvious twin that both engines are compared with."""

from __future__ import annotations

from core.policies import registry
from core.shared_scans.fluid import SCAN_POLICIES
from tests.core.engine.strategies import POLICIES
from tests.naive_sharing import TWINS

OVERLAP = ("fresh", "omo")
"""`tests.core.policies.test_overlap`."""

POOLS = ("balanced-pools",)
"""`tests.core.engine.test_partition` for runs, `tests.core.planning.test_balanced_pools` for the search."""


def test_every_policy_has_one() -> None:
    followed = {*POLICIES, *TWINS, *OVERLAP, *POOLS, *SCAN_POLICIES}
    assert {policy.id for policy in registry.POLICIES} == followed
