"""The worked examples of the papers come out to the number, in both engines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.task_types import MAP, REDUCE
from core.planning.estimated_makespan import estimate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

both_engines = pytest.mark.parametrize("engine", ["interpreted", "compiled"])
any_slowstart = pytest.mark.parametrize("slowstart", [0.05, 1.0])

FIGURE_9 = two_stage_workload(FIVE_JOBS, (30, 30, 20, 20, 30))


def served(workload: Workload, policy: str) -> str:
    """The jobs in the order of their first task."""
    schedule = run(workload, Cluster(30, 30), policy)
    first = sorted(range(len(workload.jobs)), key=lambda j: schedule.job_start[j])
    return " ".join(workload.jobs[j].name for j in first)


@both_engines
@any_slowstart
@pytest.mark.parametrize(("order", "makespan"), [(("J1", "J2"), 42), (("J2", "J1"), 24)])
def test_two_orders_of_two_jobs(
    order: tuple[str, str], makespan: float, slowstart: float, engine: Engine
) -> None:
    """000 Figure 4."""
    workload = two_stage_workload([(20, 2), (2, 20)])
    schedule = run(workload, Cluster(30, 30, slowstart), order=order, engine=engine)
    assert schedule.makespan == makespan


@both_engines
@any_slowstart
@pytest.mark.parametrize(("policy", "makespan"), [("fifo", 30), ("fair", 40)])
def test_sharing_costs_when_stages_are_equal(
    policy: str, makespan: float, slowstart: float, engine: Engine
) -> None:
    """000 Figure 5."""
    workload = two_stage_workload([(10, 10), (10, 10)])
    assert run(workload, Cluster(30, 30, slowstart), policy, engine=engine).makespan == makespan


@both_engines
@any_slowstart
@pytest.mark.parametrize(("policy", "makespan"), [("johnson", 47), ("johnson-reverse", 78), ("fifo", 74)])
def test_five_jobs(policy: str, makespan: float, slowstart: float, engine: Engine) -> None:
    """000 Figures 6 to 8, simulated task by task (MinSim and MaxSim)."""
    workload = two_stage_workload(FIVE_JOBS)
    assert run(workload, Cluster(30, 30, slowstart), policy, engine=engine).makespan == makespan


def test_five_jobs_estimated() -> None:
    """Min and Max: the same without simulating."""
    workload = two_stage_workload(FIVE_JOBS)
    assert estimate(workload, Cluster(30, 30)) == (47, 78)
    assert estimate(FIGURE_9, Cluster(30, 30)) == (47, 78)


def test_johnsons_order_of_five_jobs() -> None:
    """000 Figure 7."""
    assert served(two_stage_workload(FIVE_JOBS), "johnson") == "J2 J5 J1 J4 J3"
    assert served(two_stage_workload(FIVE_JOBS), "johnson-reverse") == "J3 J4 J1 J5 J2"


@both_engines
def test_five_jobs_of_two_sizes_in_pools(engine: Engine) -> None:
    """000 Figure 9: one pool takes 47; small and large jobs apart take 39 and 40."""
    small = FIGURE_9.with_jobs(FIGURE_9.jobs[j] for j in (1, 4, 0))
    large = FIGURE_9.with_jobs(FIGURE_9.jobs[j] for j in (3, 2))
    assert run(FIGURE_9, Cluster(30, 30), "johnson", engine=engine).makespan == 47
    assert run(small, Cluster(10, 10), "johnson", engine=engine).makespan == 39
    assert run(large, Cluster(20, 20), "johnson", engine=engine).makespan == 40


@both_engines
@pytest.mark.parametrize(
    ("tasks", "slots", "waves"),
    [((71, 64), 16, (5, 4)), ((71, 64), 64, (2, 1)), ((200, 256), 128, (2, 2)), ((200, 256), 64, (4, 4))],
)
def test_waves(tasks: tuple[int, int], slots: int, waves: tuple[int, int], engine: Engine) -> None:
    """000 Figures 1 and 2 (WikiTrends), 001 Figures 1 and 2 (WordCount)."""
    workload = make_workload(make_job("J1", (tasks[MAP], 10.0), (tasks[REDUCE], 5.0, 2.0, 3.0)))
    schedule = run(workload, Cluster(slots, slots), engine=engine)
    assert tuple(int(schedule.job_wave(0, kind).max()) for kind in (MAP, REDUCE)) == waves


@both_engines
@pytest.mark.parametrize(("maps", "end"), [(12, 5), (13, 6)])
def test_one_map_more_is_one_wave_more(maps: int, end: float, engine: Engine) -> None:
    """004 Figure 4."""
    workload = make_workload(make_job("J1", (maps, 1.0), (1, 1.0)))
    assert run(workload, Cluster(3, 1), engine=engine).makespan == end


@both_engines
@pytest.mark.parametrize(
    ("model", "shuffled", "ends"),
    [
        ("simmr", [11, 13, 20], [14, 16, 23]),
        ("overlap", [13, 13, 22], [16, 16, 25]),
        ("mumak", [10, 10, 13], [13, 13, 16]),
    ],
)
def test_what_a_shuffle_costs(model: str, shuffled: list[float], ends: list[float], engine: Engine) -> None:
    """Two fillers start at 5 with first shuffles of 1 and 3 and typical ones of 8 and 6; a third is late."""
    reduces = (3, 3.0, [1.0, 3.0], [8.0, 6.0, 6.0])
    workload = make_workload(make_job("J1", (2, 5.0), reduces))
    schedule = run(workload, Cluster(1, 2, 0.5, model), engine=engine)  # type: ignore[arg-type]
    assert schedule.start[2:4].tolist() == [5, 5]
    assert schedule.is_filler.tolist() == [False, False, True, True, False]
    assert schedule.shuffled[2:].tolist() == shuffled
    assert schedule.end[2:].tolist() == ends


@both_engines
@pytest.mark.parametrize(("model", "end"), [("simmr", 9), ("overlap", 9), ("mumak", 1)])
def test_a_reduce_that_starts_just_as_its_maps_end_is_no_filler(
    model: str, end: float, engine: Engine
) -> None:
    """It takes its slot before the map, which takes no time, ends in the same instant."""
    workload = make_workload(make_job("J1", (2, 0.0), (1, 1.0, 0.0, 8.0)))
    schedule = run(workload, Cluster(2, 1, 0.0, model), engine=engine)  # type: ignore[arg-type]
    assert (schedule.start[2], schedule.stage_end[0]) == (0, 0)
    assert schedule.makespan == end
    assert not schedule.is_filler.any()


@both_engines
@pytest.mark.parametrize(
    ("slowstart", "maps", "needed"),
    [(0.05, 20, 1), (0.05, 21, 2), (0.07, 100, 7), (0.55, 20, 11), (0.001, 5, 1), (0.0, 5, 0), (1.0, 5, 5)],
)
def test_slowstart_counts_whole_maps(slowstart: float, maps: int, needed: int, engine: Engine) -> None:
    """The fraction is rounded up, but 0.07 of 100 maps are 7, not the 8 that binary fractions would give."""
    workload = make_workload(make_job("J1", (maps, 1.0), (1, 1.0)))
    schedule = run(workload, Cluster(1, 1, slowstart), engine=engine)
    assert schedule.start[-1] == needed
