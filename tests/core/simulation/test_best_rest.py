"""The best rest of a schedule: what is before stays to the bit; its bound holds however it goes on."""

from __future__ import annotations

from itertools import cycle, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.files.open_workload import open_workload
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.objectives import Objective
from core.optimize.rest import rest_of, seconds_until
from core.simulation.best_rest import optimize_rest, rest_schedule
from core.simulation.fifo_trials import isolated_runtimes
from core.simulation.fork import fork_of, run_before, simulate_fork, standing_at
from core.simulation.simulate import simulate
from tests import random_tests

if TYPE_CHECKING:
    from core.model.cluster import ShuffleModel
    from core.model.schedule import Schedule
    from core.simulation.best_rest import BestRest

MODELS: tuple[ShuffleModel, ...] = ("simmr", "overlap", "mumak")
FEW: dict[str, Any] = {"steps": 60}


def some_jobs(seed: int, jobs: int = 4) -> Workload:
    """Return jobs with arrivals, fillers and reduces whose shuffles differ, drawn by a seed."""
    draw = np.random.default_rng(seed)

    def job(number: int) -> Job:
        maps, reduces = int(draw.integers(1, 8)), int(draw.integers(0, 5))
        times = [draw.uniform(1, 15, reduces), draw.uniform(0, 3, reduces), draw.uniform(0, 6, reduces)]
        stage = Stage.of(reduces, *times) if reduces else Stage.of(0)
        arrival = float(draw.uniform(0, 25))
        due = arrival + float(draw.uniform(20, 60))
        return Job(
            f"J{number}", Stage.of(maps, draw.uniform(1, 20, maps)), stage, arrival=arrival, deadline=due
        )

    return Workload(f"drawn {seed}", tuple(job(number) for number in range(jobs)))


def some_cluster(seed: int, model: ShuffleModel) -> Cluster:
    return Cluster(3, 2, shuffle_model=model, slowstart=(0.05, 0.5, 1.0)[seed % 3])


GOALS = ("makespan", "tardiness", "late-jobs", "mean-response", "weighted-response")
"""Each model of shuffles has one or two of them unless tests are thorough."""


@pytest.mark.parametrize(("seed", "model"), list(enumerate(MODELS)))
def test_what_lies_before_is_kept_and_no_order_of_the_rest_is_below_the_bound(seed, model):
    workload, cluster = some_jobs(seed), some_cluster(seed, model)
    scenario = Scenario(1, PolicyChoice(("fifo", "fair", "sjf")[seed]))
    old = simulate(workload, cluster, scenario.choice)
    time = (0.25, 0.5)[seed % 2] * old.makespan
    for name in GOALS if random_tests.is_thorough else GOALS[seed :: len(MODELS)]:
        objective = Objective.of(name)
        best = optimize_rest(workload, cluster, scenario, time, objective=objective, **FEW)
        early = old.start < time
        for column in ("slot", "start"):
            kept, given = getattr(best.schedule, column), getattr(old, column)
            assert np.array_equal(kept[early], given[early])
        assert (best.schedule.start[~early] >= time).all()
        assert best.value == objective.value(workload, best.schedule.finish) <= best.value_before
        assert best.proof.certificate is not None
        assert best.proof.certificate.checked_again().is_confirmed
        assert best.bound is not None
        orders = [
            simulate_fork(workload, cluster, PolicyChoice("order"), best.fork, order=order)
            for order in permutations([job.name for job in workload.jobs])
        ]
        least = min(objective.value(workload, each.finish) for each in orders)
        assert best.bound <= least * (1 + 1e-9)
        if name in ("makespan", "mean-response"):
            assert best.value <= least * (1 + 1e-9)


def test_running_tasks_end_at_the_same_bit():
    ends = np.random.default_rng(1).uniform(10, 1e5, 1000)
    time = 10 * np.pi / 3.7
    assert np.array_equal(time + seconds_until(time, ends), ends)


def test_a_rest_worked_out_by_hand():
    """At 5 s a map of A runs for 5 s more and one of B for 3; A has one more map, and its reduce waits."""
    a = Job("A", Stage.of(2, np.array([10.0, 4.0])), Stage.of(1, 6.0, 1.0, 2.0))
    b = Job("B", Stage.of(1, 8.0), Stage.of(0))
    workload = Workload("by hand", (a, b))
    cluster = Cluster(2, 1, slowstart=1.0)
    scenario = Scenario(1, PolicyChoice("order"), order=("B", "A"))
    fork = fork_of(scenario, 5.0)
    run = standing_at(run_before(workload, cluster, fork, "interpreted"), 5.0, 0)
    rest = rest_of(run.schedule(), 5.0)
    assert [job.maps.task_durations.tolist() for job in rest.workload.jobs] == [[5.0, 4.0], [3.0]]
    assert rest.begun.tolist() == [[1, 0], [1, 0]]
    assert rest.done.tolist() == [0, 0]
    assert [job.arrival for job in rest.workload.jobs] == [5.0, 5.0]
    best = optimize_rest(workload, cluster, scenario, 5.0, **FEW)
    assert best.value == 20.0  # the other map from 8 to 12 s, the reduce 2 s of shuffle and 6 s behind it
    assert best.bound == pytest.approx(17.0)  # of the rest: 4 s + 1 s at least, hence no gap of 0


def test_the_schedule_of_the_rest_is_one_of_its_workload():
    workload, cluster = some_jobs(7, 6), some_cluster(1, "simmr")
    old = simulate(workload, cluster, PolicyChoice("fifo"))
    time = 0.4 * old.makespan
    fork = fork_of(old, time)
    run = standing_at(run_before(workload, cluster, fork, "interpreted"), time, 0)
    rest = rest_of(run.schedule(), time)
    shown = rest_schedule(old, rest)
    assert shown.start.min() >= time
    assert np.array_equal(shown.end, old.end[rest.task])
    assert np.array_equal(shown.end, shown.shuffled + rest.workload.columns.duration)


MIXES = (
    "makespan=1,mean-response=0.5",
    "makespan=1,tardiness=2,weighted-response=1",
    "late-jobs=9,stretch=2",
)
ANY_SLOT = Cluster(0, 0, containers=4, slowstart=0.5)


def check_kept(best: BestRest, old: Schedule, time: float) -> None:
    """Check that what starts before a time is as it was, to the bit, and nothing else starts before it."""
    early = old.start < time
    assert early.any()
    for column in ("slot", "start"):
        assert np.array_equal(getattr(best.schedule, column)[early], getattr(old, column)[early])
    assert (best.schedule.start[~early] >= time).all()


EITHER = ANY_SLOT, some_cluster(1, "overlap")
ANY_GOALS = ("makespan", "mean-response", "stretch", *MIXES)
ANY_CASES = product(ANY_GOALS, EITHER) if random_tests.is_thorough else zip(ANY_GOALS, cycle(EITHER))


@pytest.mark.parametrize(("name", "cluster"), list(ANY_CASES))
def test_on_any_slots_and_for_any_goals_no_order_of_the_rest_is_below_the_bound(name, cluster):
    workload, scenario = some_jobs(4), Scenario(1, PolicyChoice("fair"))
    objective, alone = Objective.of(name), isolated_runtimes(workload, cluster)
    old = simulate(workload, cluster, scenario.choice)
    time = 0.4 * old.makespan
    shown: list[float] = []
    best = optimize_rest(
        workload, cluster, scenario, time, objective=objective, on_found=lambda f: shown.append(f.best), **FEW
    )
    check_kept(best, old, time)
    assert best.value == objective.value(workload, best.schedule.finish, alone) <= best.value_before
    assert shown[-1] >= best.value * (1 - 1e-12)  # the search is shown values of the whole
    assert best.proof.certificate is not None, best.proof.why_not
    assert best.proof.certificate.checked_again().is_confirmed
    orders = [
        simulate_fork(workload, cluster, PolicyChoice("order"), best.fork, order=order)
        for order in permutations([job.name for job in workload.jobs])
    ]
    least = min(objective.value(workload, each.finish, alone) for each in orders)
    assert best.bound is not None
    assert 0 < best.bound <= least * (1 + 1e-9)
    assert best.bound <= best.value * (1 + 1e-9)


def test_the_bound_of_what_is_left_is_above_that_of_the_whole():
    """All maps of a long job have run before the time: one of 40 s on four slots has to wait for them."""
    long = Job("long", Stage.of(8, 10.0), Stage.of(0))
    tail = Job("tail", Stage.of(1, 40.0), Stage.of(0))
    workload = Workload("late tail", (long, tail))
    best = optimize_rest(
        workload, Cluster(0, 0, containers=4), Scenario(1, PolicyChoice("fifo")), 15.0, **FEW
    )
    assert best.value == best.value_before == 60.0
    assert best.bound == pytest.approx(55.0)  # from 15 s on 40 s for tail; of the whole it would be 40 s


@pytest.mark.parametrize(
    ("workload", "cluster", "why"),
    [
        (
            some_jobs(2),
            Cluster(3, 3, events=NodeEvents(3, (NodeEvent(12.0, 1), NodeEvent(30.0, 1, "returns")))),
            "nodes that fail",
        ),
        (some_jobs(2), Cluster(3, 3, overheads=Overheads(setup=1.0)), "overheads"),
    ],
)
def test_where_the_checker_knows_no_bound_none_is_claimed_and_it_is_said_why(workload, cluster, why):
    scenario = Scenario(1, PolicyChoice("fair"))
    old = simulate(workload, cluster, scenario.choice)
    best = optimize_rest(workload, cluster, scenario, 0.4 * old.makespan, **FEW)
    check_kept(best, old, 0.4 * old.makespan)
    assert best.value <= best.value_before
    assert best.bound is None
    assert best.gap is None
    assert best.proof.certificate is None
    assert why in best.proof.why_not


def test_graphs_and_linked_jobs_have_a_best_rest_with_the_bound_of_the_whole():
    opened = open_workload("sample_workloads/spark-application.workload.json").workload
    assert len(opened.columns.links)
    assert not opened.columns.stages.are_map_reduce
    scenario = Scenario(1, PolicyChoice("fair"))
    old = simulate(opened, opened.cluster, scenario.choice)
    best = optimize_rest(opened, opened.cluster, scenario, 0.3 * old.makespan, **FEW)
    check_kept(best, old, 0.3 * old.makespan)
    assert best.bound is not None
    assert best.bound <= best.value <= best.value_before


@pytest.mark.parametrize(
    ("time", "given", "said"),
    [
        (1e6, {}, "nothing is left"),
        (10.0, {"levers": ("pools",)}, "allow order"),
        (-1.0, {}, "0 s or later"),
    ],
)
def test_what_has_no_rest_is_refused_in_a_sentence(time, given, said):
    scenario = Scenario(1, PolicyChoice("fifo"))
    with pytest.raises(InputError, match=said):
        optimize_rest(some_jobs(1), some_cluster(1, "simmr"), scenario, time, **given, **FEW)
