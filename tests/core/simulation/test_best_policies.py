"""The policies that end soonest are those that a loop over all of them finds."""

from __future__ import annotations

import pytest

from core.files.samples import load_sample
from core.model.errors import SlotscopeError
from core.model.schedule import PolicyChoice
from core.policies.registry import POLICIES
from core.simulation.best_policies import best_policies
from core.simulation.simulate import simulate


@pytest.mark.parametrize("sample", ["five-jobs", "three-pools", "spark-application"])
def test_the_three_best_are_the_shortest_of_all(sample: str) -> None:
    workload = load_sample(sample)
    found = best_policies(workload, workload.cluster)
    assert [each.makespan for each in found] == sorted(each.makespan for each in found)
    ends, starts = [], set()
    for policy in POLICIES:
        if policy.id in ("by-hand", "order") or {"search", "partition"} & set(dir(policy)):
            continue
        try:
            schedule = simulate(workload, workload.cluster, PolicyChoice(policy.id))
        except SlotscopeError:
            continue
        ends.append(schedule.makespan)
        starts.add(schedule.start.tobytes())
    assert found[0].makespan == min(ends)
    assert len({each.start.tobytes() for each in found}) == len(found) == min(3, len(starts))
