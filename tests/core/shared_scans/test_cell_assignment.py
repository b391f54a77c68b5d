"""Semi-shared scans task by task: Figure 4's cells by hand, the fluid model, and what always holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.metrics import bound_of, measure
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Dataset, Job, scan_stage
from core.model.scan_sharing import concurrency
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import REDUCE
from core.model.workload import Workload
from core.shared_scans.block_sets import schedule_block_sets
from core.shared_scans.metric import optimised_metrics
from core.shared_scans.scan_jobs import workload_block_sets
from core.shared_scans.shared_schedule import sharing_jobs
from core.shared_scans.windows import SCAN_POLICIES, ScanPolicy
from core.simulation.simulate import Simulation, simulate
from tests.core.shared_scans.savings import saved_seconds, waiting_to_board
from tests.random_tests import examples

MONTH = Dataset("month", 30, 1.0)
MINIMAX = [metric.id for metric in optimised_metrics(semi_shared=True)]
SHARING: tuple[ScanPolicy, ...] = ("circumflex", "batch", "ako")


def scan(name: str, *blocks: tuple[int, int], arrival: float = 0.0, dataset: Dataset = MONTH) -> Job:
    return Job(name, scan_stage(dataset, blocks), arrival=arrival, dataset=dataset.name, blocks=blocks)


DAY, WEEK, WHOLE = scan("day", (26, 27)), scan("week", (20, 27)), scan("whole", (0, 30))
FIGURE_4 = Workload("figure 4", (DAY, WEEK, WHOLE), datasets=(MONTH,))


def run(
    workload: Workload, policy: str, slots: int = 1, engine: str = "interpreted", **more: object
) -> Schedule:
    choice = PolicyChoice(policy, {"metric": "max-stretch"} | more)
    return simulate(workload, Cluster(slots, 0), choice, engine=engine)  # type: ignore[arg-type]


@st.composite
def block_sets(draw: st.DrawFn) -> Workload:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    fraction = draw(st.sampled_from([1.0, 0.5]))
    datasets = tuple(Dataset(f"d{d}", int(random.integers(4, 40)), 1.0, fraction) for d in range(2))
    jobs = []
    for i in range(draw(st.integers(1, 6))):
        dataset = datasets[random.integers(2)]
        cuts = np.sort(random.choice(dataset.blocks + 1, 2 * int(random.integers(1, 3)), replace=False))
        ranges = tuple((int(a), int(b)) for a, b in cuts.reshape(-1, 2))
        jobs.append(scan(f"J{i}", *ranges, arrival=float(random.integers(0, 12)), dataset=dataset))
    return Workload("w", tuple(jobs), datasets=datasets)


# ---- by hand


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_the_day_serves_all_then_the_week_then_the_rest(engine: str) -> None:
    schedule = run(FIGURE_4, "circumflex", engine=engine)
    assert schedule.finish.tolist() == [1, 7, 30]
    assert [job.maps.count for job in schedule.workload.jobs] == [1, 6 + 1, 23 + 1]
    assert [sharing_jobs(schedule, task) for task in (0, 1, 8)] == [(0, 1, 2), (1, 2), (2,)]
    assert (
        concurrency(schedule.workload.columns, schedule.start, schedule.sharing).tolist()
        == [3] + [2] * 6 + [1] * 25
    )
    assert saved_seconds(schedule) == 1 + 7
    assert bound_of(schedule) == measure(schedule).makespan == 30


def test_who_arrives_later_rides_what_has_not_begun_and_scans_the_rest() -> None:
    """On one slot the first week scans days 0 to 2 before the other one arrives, which begins with day 2."""
    weeks = (scan("one", (0, 7)), scan("two", (2, 9), arrival=2.5))
    schedule = run(Workload("weeks", weeks, datasets=(MONTH,)), "circumflex")
    assert [sharing_jobs(schedule, task) for task in range(7)] == [(0,)] * 3 + [(0, 1)] * 4
    assert schedule.sharing is not None
    assert schedule.sharing.block is not None
    assert sorted(schedule.sharing.block[7:10].tolist()) == [2, 7, 8]
    assert schedule.finish.tolist() == [7, 10]


def test_a_job_ends_with_the_last_map_it_rides() -> None:
    """The second job has its own block scanned at once; the ride is held up by the first one's maximum."""
    jobs = (replace(scan("slow", (0, 4)), max_slots=1), scan("rider", (3, 5)))
    schedule = run(Workload("w", jobs, datasets=(MONTH,)), "circumflex", slots=4)
    ridden = [t for t in range(schedule.tasks) if 1 in sharing_jobs(schedule, t)]
    assert schedule.stage_end[1] == schedule.end[ridden].max()


def test_reduces_wait_for_rides() -> None:
    jobs = tuple(job.with_stage(REDUCE, Stage.of(1, 2.0)) for job in FIGURE_4.jobs)
    workload = Workload("w", jobs, datasets=(MONTH,))
    choice = PolicyChoice("circumflex", {"metric": "max-stretch"})
    schedule = simulate(workload, Cluster(1, 3, slowstart=1.0), choice, engine="interpreted")
    assert schedule.stage_end.tolist() == [1, 7, 30]
    assert schedule.finish.tolist() == [3, 9, 32]


def test_batches_of_sets_wait_for_their_window() -> None:
    schedule = run(FIGURE_4, "batch", window=10.0)
    assert waiting_to_board(schedule).tolist() == [10, 10, 10]
    assert schedule.finish.tolist() == [11, 17, 40]


@pytest.mark.parametrize("policy", SHARING)
def test_sums_are_refused_with_the_reason(policy: str) -> None:
    with pytest.raises(InputError, match="'average-response' can be measured but not optimised: over sets"):
        run(FIGURE_4, policy, metric="average-response")


def test_an_automatic_metric_fits_the_workload() -> None:
    automatic = simulate(FIGURE_4, Cluster(1, 0), PolicyChoice("circumflex"), engine="interpreted")
    assert automatic.start.tolist() == run(FIGURE_4, "circumflex").start.tolist()
    assert automatic.choice.parameters["metric"] == "automatic"


# ---- what always holds


@examples(30)
@given(block_sets(), st.sampled_from(SHARING), st.sampled_from(MINIMAX), st.sampled_from([1, 3, 8]))
def test_every_job_gets_each_of_its_blocks_once(
    workload: Workload, policy: str, metric: str, slots: int
) -> None:
    schedule = run(workload, policy, slots, metric=metric)
    columns, sharing = schedule.workload.columns, schedule.sharing
    assert sharing is not None
    assert sharing.block is not None
    got: list[list[int]] = [[] for _ in workload.jobs]
    ends = np.zeros(len(workload.jobs))
    for task in range(schedule.tasks):
        if columns.duration[task] > 0:
            served = sharing_jobs(schedule, task)
            assert concurrency(schedule.workload.columns, schedule.start, schedule.sharing)[task] == len(
                served
            )
            for job in served:
                assert schedule.start[task] >= sharing.boards[job]
                got[job].append(int(sharing.block[task]))
                ends[job] = max(ends[job], schedule.end[task])
    for job, blocks in enumerate(got):
        assert sorted(blocks) == sharing.wanted[job].tolist()
    assert schedule.stage_end.tolist() == ends.tolist(), "a stage ends with the last map that serves it"


@examples(30)
@given(block_sets(), st.sampled_from(SCAN_POLICIES), st.sampled_from(MINIMAX), st.sampled_from([1, 3, 8]))
def test_the_engine_is_within_one_block_per_subjob_of_the_fluid_model(
    workload: Workload, policy: ScanPolicy, metric: str, slots: int
) -> None:
    sets = workload_block_sets(workload)
    fluid = schedule_block_sets(sets.jobs, sets.ranges, slots, metric, policy, window=7.0)
    more = {"window": 7.0} if policy == "batch" else {}
    schedule = run(workload, policy, slots, metric=metric, **more)  # type: ignore[arg-type]
    block = float(
        concurrency(schedule.workload.columns, schedule.start, schedule.sharing).max()
    )  # each rider adds its own part
    cells = len({piece.sharing_jobs for piece in fluid.pieces})
    finish = schedule.finish[sets.index]
    assert abs(finish.max() - fluid.finish.max()) <= block * cells
    if metric == "max-stretch":  # with others, many orders of the jobs are equally good
        shortest = float(sets.jobs.shortest_response(slots).min())
        ours = fluid.metric.value(sets.jobs, slots, finish)
        assert abs(ours - fluid.value) <= block * cells / shortest


@examples(20)
@given(block_sets(), st.sampled_from(SHARING), st.integers(0, 2**32))
def test_no_more_maps_serve_a_job_at_once_than_its_maximum(
    workload: Workload, policy: str, seed: int
) -> None:
    random = np.random.default_rng(seed)
    jobs = tuple(replace(job, max_slots=int(random.integers(1, 5))) for job in workload.jobs)
    schedule = run(workload.with_jobs(jobs), policy, 8)
    served = [sharing_jobs(schedule, task) for task in range(schedule.tasks)]
    for time in np.unique(schedule.start).tolist():
        now = np.flatnonzero((schedule.start <= time) & (schedule.end > time))
        held = np.bincount([job for task in now for job in served[task]], minlength=len(jobs))
        assert all(held[j] <= (job.max_slots or 0) for j, job in enumerate(jobs))


def test_a_job_below_its_minimum_goes_first() -> None:
    """Two of three slots are held for long; "short" is more urgent, but "long" should have one."""
    held = Job("held", Stage.of(2, 10.0))
    short = scan("short", (0, 2), arrival=1)
    long = replace(scan("long", (10, 30), arrival=1), min_slots=1)
    schedule = run(Workload("w", (held, short, long), datasets=(MONTH,)), "circumflex", slots=3)
    third = int(schedule.sequence[2])
    assert schedule.start[third] == 1
    assert schedule.workload.columns.job[third] == 2


@examples(20)
@given(block_sets(), st.sampled_from(SHARING), st.sampled_from(MINIMAX))
def test_compiled_is_interpreted(workload: Workload, policy: str, metric: str) -> None:
    one, other = (run(workload, policy, 4, engine, metric=metric) for engine in ("compiled", "interpreted"))
    for name in ("slot", "sequence", "start", "end", "finish"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


@examples(20)
@given(block_sets(), st.sampled_from(SHARING), st.floats(0, 20))
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_copies_and_slices_change_nothing(engine: str, workload: Workload, policy: str, time: float) -> None:
    choice = PolicyChoice(policy, {"metric": "makespan"})
    whole = simulate(workload, Cluster(4, 0), choice, engine=engine)  # type: ignore[arg-type]
    sliced = Simulation(workload, Cluster(4, 0), choice, engine=engine)  # type: ignore[arg-type]
    sliced.advance(until=time)
    twin = sliced.fork()
    for part in (twin, sliced):
        while not part.advance():
            pass
        assert part.schedule().start.tolist() == whole.start.tolist()
        assert part.schedule().finish.tolist() == whole.finish.tolist()
