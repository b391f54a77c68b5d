"""Why tasks start and what jobs wait for where nodes fail: against the run, stopped at that time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.explain.instant import instant_at, instant_of
from core.explain.start_cause import NO_TASK, StartCause, start_of
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import WaitCause, waiting_reasons
from core.model.cluster import Cluster
from core.model.lost_attempts import eras_of
from core.model.schedule import PolicyChoice
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.test_failures import ONE, TWICE
from tests.core.engine.test_failures import _known as _known
from tests.core.simulation.test_fork_with_events import drawn, instants, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.explain.instant import Instant
    from core.model.schedule import Schedule

FIFO = PolicyChoice("fifo")


def some(seed: int, count: int) -> Iterator[tuple[Schedule, float]]:
    """Yield schedules with a time in each."""
    draw = np.random.default_rng(seed)
    for workload, cluster, _ in drawn(seed, count):
        schedule = whole(workload, cluster, "fifo")
        if schedule is not None:
            for time in draw.choice(instants(schedule), 4).tolist():
                yield schedule, time


def test_a_schedule_stands_at_a_time_as_the_run_does() -> None:
    compared = lost = 0
    for schedule, time in some(31, 70):
        run = Simulation(schedule.workload, schedule.cluster, FIFO, engine="interpreted")
        run.advance_until(time)
        was, here = run.schedule(), eras_of(schedule).at(time)
        begun, ended = was.start <= time, was.end <= time
        assert ((here.start <= time) == begun).all()
        assert ((here.end <= time) == ended).all()
        for name, which in (("slot", begun), ("start", begun), ("end", ended)):
            assert getattr(here, name)[which].tolist() == getattr(was, name)[which].tolist()
        there, own = instant_of(run), instant_at(schedule, time)
        assert own.slot_task.tolist() == there.slot_task.tolist()
        assert (own.running.tolist(), own.done.tolist()) == (there.running.tolist(), there.done.tolist())
        if not schedule.cluster.has_nodes:
            assert own.free == there.free
        assert jobs_of(own) == jobs_of(there), (time, schedule.workload, schedule.cluster)
        if schedule.workload.is_map_reduce:
            assert own.queues == there.queues
        compared, lost = compared + 1, lost + bool((eras_of(schedule).lost_at > time).any())
    assert compared > 150
    assert lost > 30


def jobs_of(instant: Instant) -> list[set[int]]:
    """Return the jobs that wait for either kind of slot."""
    return [{each.job for each in queue} for queue in instant.queues]


def test_a_policy_that_never_declines_is_never_said_to() -> None:
    """Each start has its event: an arrival, the end of a task, the loss of its work, or a node's return."""
    causes: dict[StartCause, int] = {}
    for schedule, time in some(32, 60):
        for task in range(schedule.tasks):
            start = start_of(schedule, task)
            causes[start.cause] = causes.get(start.cause, 0) + 1
            assert start.ready <= start.time
            assert start.cause is not StartCause.POLICY, (start, schedule.workload, schedule.cluster)
            assert all(task_reason(schedule, task).why_then)
        for job in range(len(schedule.workload.jobs)):
            for reason in waiting_reasons(schedule, job, time):
                assert reason.cause is not WaitCause.DECLINED or schedule.cluster.has_nodes
    assert causes[StartCause.LOST] > 10
    assert causes[StartCause.OPENED] > 10


def test_the_night_of_one_job_in_sentences() -> None:
    """N1 runs maps 0 and 2; it fails at 15 s, with the output of map 0, and is back at 30 s."""
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    schedule = simulate(ONE, cluster, FIFO)
    again = task_reason(schedule, 0)
    assert again.start.lost == again.start.ready == 15
    assert again.start.cause is StartCause.SLOT_FREED
    assert again.why_then == (
        "Map 1 of A was ready again at 0:15, when what it had done was lost.",
        "It waited 5 s; no other map started meanwhile.",
        "It ran on M1 from 0:00 to 0:10; node N1 failed, and its output was lost at 0:15.",
        "It started at 0:20: map 4 of A ended and freed its slot.",
    )
    back = start_of(schedule, 2)
    assert (back.cause, back.trigger, back.time) == (StartCause.OPENED, NO_TASK, 30)
    assert task_reason(schedule, 2).why_then[-1] == "It started at 0:30: node N1 returned."
    waits = waiting_reasons(schedule, 0, 17.0)[0]
    assert waits.sentences[0] == "2 maps of A wait: no map slot is free; node N1 is away since 0:15."


def test_what_runs_again_at_once_is_said_to() -> None:
    """A map is lost at 5 s beside free slots of the other node."""
    early = replace(TWICE, happen=(replace(TWICE.happen[0], time=5.0), TWICE.happen[1]))
    found = simulate(ONE, Cluster(8, 1, 1.0, events=early), FIFO)
    reason = task_reason(found, int(np.argmax(found.start[:4])))
    assert reason.start.cause is StartCause.LOST
    assert reason.why_then[-1] == "It started at 0:05: it runs again, and a map slot was free."
