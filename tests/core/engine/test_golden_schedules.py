"""Two-stage workloads run as version 0.2.0 ran them, to the last bit: samples and families, every policy."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from tests.core.engine.golden_schedules import FAMILIES, GOLDEN, SAMPLES, digests, workloads

if TYPE_CHECKING:
    from core.model.workload import Workload

NAMES = (*SAMPLES, *(f"family {family}" for family in FAMILIES))


@cache
def golden() -> dict[str, Any]:
    return dict(json.loads(GOLDEN.read_text()))


@cache
def judged() -> dict[str, Workload]:
    return workloads()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_has_changed_since_version_0_2_0(name: str) -> None:
    assert digests(name, judged()[name], "auto") == golden()[name]


def test_hardly_anything_was_refused_then() -> None:
    said = [
        told for clusters in golden().values() for policies in clusters.values() for told in policies.values()
    ]
    assert len(said) > 1600
    assert said.count("refused") == 16  # BalancedPools on containers
    assert len(set(said)) > 700
