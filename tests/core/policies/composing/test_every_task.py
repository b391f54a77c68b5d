"""Hooks of users see the times of every task, and what their jobs have held."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.policies.composing.every_task import with_every_task
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.policies.user_files.policy_file import load_policy_file
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.schedule import Schedule
    from core.model.workload import Workload

HEAD = "from core.policies.policy import MAP, REDUCE, Policy\nSEEN = []\n\n"
THIRTY = make_workload(
    Job("J1", Stage.of(30, 4.0), Stage.of(5, [1.0, 2.0, 3.0], 0.5, [4.0, 5.0])),
    Job("J2", Stage.of(2, [1.0, 3.0]), Stage.of(0)),
)


def run(folder: Path, body: str, workload: Workload, cluster: Cluster) -> tuple[Schedule, list[Any]]:
    path = folder / "mine.py"
    path.write_text(f"{HEAD}class Mine(Policy):\n{body}", encoding="utf-8")
    policy = load_policy_file(path)
    register_policy("mine", policy)
    schedule = simulate(workload, cluster, PolicyChoice("mine"), engine="interpreted")
    return schedule, vars(sys.modules[policy.__module__])["SEEN"]


@pytest.mark.parametrize(
    "hook", ["plan(jobs, workload)", "figures(workload)", "task_key(duration, workload)"]
)
def test_the_sum_of_thirty_maps_is_that_of_thirty(tmp_path: Path, hook: str) -> None:
    answer = {"plan": "None", "figures": '{"rank": [0, 1]}', "task_key": "duration"}[hook.split("(")[0]]
    body = (
        f"    def {hook}:\n        SEEN.extend(float(sum(job.maps.durations)) for job in workload.jobs)\n"
        f"        return {answer}\n"
    )
    _, seen = run(tmp_path, body, THIRTY, Cluster(2, 2))
    assert seen[:2] == [30 * 4.0, 4.0]


def test_every_time_is_that_of_its_task() -> None:
    every = with_every_task(THIRTY)
    for job, full in zip(THIRTY.jobs, every.jobs, strict=True):
        for stage, other in zip(job.stages, full.stages, strict=True):
            for name in ("durations", "first_shuffle", "typical_shuffle"):
                given, each = getattr(stage, name), getattr(other, name)
                count = max(stage.count, 1)
                assert each.tolist() == [float(given[task % len(given)]) for task in range(count)]
                assert not each.flags.writeable
    assert every.columns is THIRTY.columns
    assert with_every_task(every) is every


def test_policies_of_ours_see_the_workload_itself(tmp_path: Path) -> None:
    seen: list[Any] = []

    class Ours(Policy):
        def plan(workload: Workload) -> None:  # type: ignore[misc]  # a namespace, not a method
            seen.append(workload)

    register_policy("ours", Ours)
    simulate(THIRTY, Cluster(2, 2), PolicyChoice("ours"), engine="interpreted")
    assert seen[0] is THIRTY


def test_what_a_job_has_held_follows_from_slot_time(tmp_path: Path) -> None:
    """As the manual has it: slot_time plus the time now for each task that runs."""
    body = (
        "    def watch(job, pool, cluster):\n        for j in range(len(job)):\n"
        "            running = job[j].running[MAP] + job[j].running[REDUCE]\n"
        "            SEEN.append((cluster.now, j, job[j].slot_time, running))\n"
    )
    workload = make_workload(
        make_job("J1", (5, 3.0), (2, 4.0)), make_job("J2", (3, 2.0), (3, 1.0), arrival=1.0)
    )
    schedule, seen = run(tmp_path, body, workload, Cluster(2, 2))
    assert any(slot_time < 0 for _, _, slot_time, _ in seen)
    assert len({now for now, *_ in seen}) > 4
    for now, job, slot_time, running in seen:
        mine = schedule.workload.columns.job == job
        begun = mine & (schedule.start < now)
        held = float((np.minimum(schedule.end[begun], now) - schedule.start[begun]).sum())
        assert slot_time + running * now == pytest.approx(held), (now, job)
