"""Second copies that are killed at a time: compiled as interpreted, and both as the slow loop."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.execution_history import BY_HAND
from core.model.killed_copies import KilledCopy
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.core.engine import test_speculation
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_speculation import SlowSpeculation
from tests.core.engine.test_speculation import (
    POLICIES,
    SEVERAL,
    SavesMost,
    admits,
    lost_of,
    prefer,
    random_case,
    worth,
)
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.policies.policy import Policy

_known = test_speculation._known


@pytest.mark.parametrize("policy", POLICIES)
def test_both_engines_kill_what_the_slow_loop_kills(policy: type[Policy]) -> None:
    """Most of the times are those of copies that run by then, the others of tasks that have none."""
    draw = np.random.default_rng(320)
    compared = killed = 0
    for _ in range(draws(100)):
        workload, cluster = random_case(draw)
        loop = SlowSpeculation(workload, cluster, prefer(policy), worth(policy), admits(policy))
        loop.tasks()
        copies = [each for each in loop.lost if draw.random() < 0.5]
        kills = [
            (
                float(draw.integers(int(2 * each.start), int(2 * each.end) + 1)) / 2,
                each.job,
                each.stage,
                each.task,
            )
            for each in copies
        ]
        kills += [(float(draw.integers(0, 20)) / 2, *each[1:]) for each in kills]
        loop = SlowSpeculation(workload, cluster, prefer(policy), worth(policy), admits(policy))
        loop.kills = sorted(kills)
        expected = loop.tasks()
        if len(expected) < len(workload.columns.job) or len(loop.ended) < len(workload.jobs):
            continue  # fillers hold all slots that what they wait for needs
        names = [job.name for job in workload.jobs]
        told = tuple(KilledCopy(time, names[j], stage, task) for time, j, stage, task in kills)
        for engine in ENGINES:
            told_so = replace(cluster, killed_copies=told)
            schedule = simulate(workload, told_so, PolicyChoice(policy.id), engine=engine)
            for name in ("slot", "start", "shuffled", "end"):
                assert getattr(schedule, name).tolist() == [task[name] for task in expected], (engine, name)
            assert lost_of(schedule) == sorted(loop.lost, key=lambda lost: (lost.slot, lost.start, lost.end))
            history = schedule.given_up
            by_hand = 0 if history is None else int((history.given_up.outrun == BY_HAND).sum())
            assert by_hand == len(loop.alone)
        compared, killed = compared + 1, killed + bool(loop.alone)
    assert compared > draws(70)
    assert killed > draws(10)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_copy_that_is_killed_frees_its_slot_and_is_not_started_again(engine: Any) -> None:
    """The only copy of map 1 of A runs from 14 s on and would end at 24 s; its task then ends at 40 s."""
    killed = (KilledCopy(20.0, "A", 0, 0),)
    cluster = Cluster(4, 2, killed_copies=killed)
    schedule = simulate(SEVERAL, cluster, PolicyChoice("saves-most"), engine=engine)
    assert schedule.start[0] == 0.0
    assert schedule.end[0] == 40.0
    part = next(each for each in lost_of(schedule) if (each.job, each.stage, each.task) == (0, 0, 0))
    assert (part.start, part.end, part.was_first) == (14.0, 20.0, False)


def test_what_is_not_there_is_not_killed() -> None:
    """Of a job, a stage and a task that are not there, of a time without copies, and under other policies."""
    told = (
        KilledCopy(20.0, "Z", 0, 0),
        KilledCopy(20.0, "A", 7, 0),
        KilledCopy(20.0, "A", 0, 99),
        KilledCopy(1.0, "A", 0, 0),
    )
    for choice in (PolicyChoice(SavesMost.id), PolicyChoice("fifo")):
        plain, with_kills = (
            simulate(SEVERAL, Cluster(4, 2, killed_copies=each), choice) for each in ((), told)
        )
        assert bits(plain) == bits(with_kills)
