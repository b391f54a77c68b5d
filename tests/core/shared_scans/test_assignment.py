"""Shared scans task by task: the examples by hand, and the fluid model as an oracle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.measures.metrics import measure
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Dataset, Job, scan_stage
from core.model.scan_sharing import concurrency
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.metric import optimised_metrics
from core.shared_scans.scan_jobs import workload_scans
from core.shared_scans.shared_schedule import sharing_jobs
from core.shared_scans.windows import SCAN_POLICIES, ScanPolicy
from core.simulation.simulate import Simulation, simulate
from tests.core.shared_scans.savings import saved_seconds, waiting_to_board
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.model.job import Blocks

HUNDRED = Dataset("d", 100, 1.0)
HAND = Workload(
    "hand",
    (
        Job("J1", scan_stage(HUNDRED), dataset="d"),
        Job("J2", scan_stage(HUNDRED), arrival=5, dataset="d"),
    ),
    datasets=(HUNDRED,),
)
TEN = Cluster(10, 0)
METRICS = [metric.id for metric in optimised_metrics()]


def run(workload: Workload, policy: str, cluster: Cluster = TEN, **parameters: object) -> Schedule:
    return simulate(workload, cluster, PolicyChoice(policy, parameters), engine="interpreted")


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    seconds = draw(st.sampled_from([1.0, 0.25]))
    fraction = draw(st.sampled_from([1.0, 0.5]))
    datasets = tuple(
        Dataset(f"d{d}", int(random.integers(1, 60)), seconds, fraction)
        for d in range(draw(st.integers(1, 3)))
    )
    arrival = np.sort(np.round(random.uniform(0, 20, draw(st.integers(1, 8))), draw(st.sampled_from([0, 3]))))
    jobs = tuple(
        Job(f"J{i}", scan_stage(datasets[d]), arrival=float(a), dataset=datasets[d].name)
        for i, (a, d) in enumerate(zip(arrival, random.integers(0, len(datasets), len(arrival)), strict=True))
    )
    return Workload("w", jobs, datasets=datasets)


# ---- by hand


@pytest.mark.parametrize(
    ("policy", "parameters", "finish", "maps", "saved"),
    [
        ("flex", {}, [10, 20], [100, 100], 0),
        ("circumflex", {}, [10, 15], [100, 50], 50),
        ("batch", {"window": 8}, [18, 18], [100, 1], 100),
    ],
)
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_the_hand_example(
    policy: str,
    parameters: dict[str, object],
    finish: list[float],
    maps: list[int],
    saved: float,
    engine: str,
) -> None:
    schedule = simulate(HAND, TEN, PolicyChoice(policy, parameters), engine=engine)  # type: ignore[arg-type]
    assert schedule.finish.tolist() == finish
    assert [job.maps.count for job in schedule.workload.jobs] == maps
    assert saved_seconds(schedule) == saved
    assert schedule.before_sharing == HAND


def test_riders_are_those_who_had_boarded_when_the_map_started() -> None:
    schedule = run(HAND, "circumflex")
    assert sharing_jobs(schedule, 0) == (0,)
    assert sharing_jobs(schedule, 49) == (0,)
    assert sharing_jobs(schedule, 50) == (0, 1)
    assert sharing_jobs(schedule, 120) == (1,)
    assert (
        concurrency(schedule.workload.columns, schedule.start, schedule.sharing).tolist()
        == [1] * 50 + [2] * 50 + [1] * 50
    )


def test_batches_tell_what_their_windows_cost() -> None:
    schedule = run(HAND, "batch", window=8)
    assert waiting_to_board(schedule).tolist() == [8, 3]
    assert sharing_jobs(schedule, 0) == (0, 1)


def test_maps_take_longer_where_only_a_part_is_shared() -> None:
    half = replace(HUNDRED, scan_fraction=0.5)
    workload = replace(HAND, datasets=(half,))
    schedule = run(workload, "circumflex")
    durations = schedule.workload.columns.duration
    assert set(durations[:50]) == {1.0}
    assert set(durations[50:100]) == {1.5}, "two sharing jobs: 0.5 shared and 0.5 for each"
    assert schedule.finish.tolist() == [12.5, 17.5]


def test_others_go_by_their_stretch_and_the_time_alone_is_that_of_the_whole_scan() -> None:
    assert measure(run(HAND, "circumflex"))["mean_stretch"] == 1


def test_jobs_without_a_dataset_scan_alone() -> None:
    jobs = (*HAND.jobs, Job("K", Stage.of(20, 2.0), reduces=Stage.of(3, 1.0)))
    schedule = run(Workload("w", jobs, datasets=HAND.datasets), "circumflex", Cluster(10, 2))
    assert schedule.workload.jobs[2].maps.count == 20
    assert sharing_jobs(schedule, schedule.workload.columns.first[2, MAP]) == (2,)
    assert np.all(np.isfinite(schedule.finish))


def test_reduces_wait_for_the_maps_that_others_ran() -> None:
    reduces = Stage.of(2, 1.0)
    jobs = tuple(job.with_stage(REDUCE, reduces) for job in HAND.jobs)
    schedule = run(Workload("w", jobs, datasets=HAND.datasets), "circumflex", Cluster(10, 4, slowstart=1.0))
    assert schedule.stage_end.tolist() == [10, 15]
    assert schedule.finish.tolist() == [11, 16]


@pytest.mark.parametrize("blocks", [(), ((0, 60),)])
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_with_slowstart_0_reduces_wait_for_no_maps(blocks: tuple[tuple[int, int], ...], engine: str) -> None:
    """They start as their job arrives, also where it then rides and has fewer maps left to run."""
    jobs = tuple(job.with_stage(REDUCE, Stage.of(2, 1.0)) for job in HAND.jobs)
    if blocks:
        jobs = (jobs[0], replace(jobs[1].with_stage(MAP, Stage.of(60, 1.0)), blocks=blocks))
    workload, metric = Workload("w", jobs, datasets=HAND.datasets), {"metric": "max-stretch"}
    cluster = Cluster(10, 4, slowstart=0.0)
    schedule = simulate(workload, cluster, PolicyChoice("circumflex", metric), engine=engine)  # type: ignore[arg-type]
    columns = schedule.workload.columns
    assert schedule.start[columns.kind == REDUCE].tolist() == [0, 0, 5, 5]
    assert schedule.finish.tolist() == [schedule.stage_end[0] + 1, schedule.stage_end[1] + 1]


# ---- against the fluid model


def largest_block(workload: Workload, schedule: Schedule) -> float:
    """Return the longest that one block may take: each rider adds its own part."""
    longest = [d.block_seconds for d in workload.datasets]
    return max(longest) * float(
        concurrency(schedule.workload.columns, schedule.start, schedule.sharing).max()
    )


@examples(25)
@given(workloads(), st.sampled_from(SCAN_POLICIES), st.sampled_from(METRICS), st.sampled_from([1, 4, 10]))
def test_one_dataset_ends_within_one_block_per_subjob_of_the_fluid_model(
    workload: Workload, policy: ScanPolicy, metric: str, slots: int
) -> None:
    """Each subjob may end as much later than planned, and delay those behind it; FLEX may swap equal jobs."""
    dataset = workload.datasets[0]
    jobs = tuple(
        replace(job.with_stage(MAP, scan_stage(dataset)), dataset=dataset.name) for job in workload.jobs
    )
    one = replace(workload, datasets=(dataset,), jobs=jobs)
    scans = workload_scans(one)
    fluid = schedule_scans(scans.jobs, slots, policy, metric, compiled=False)
    schedule = run(one, policy, Cluster(slots, 0), metric=metric)
    ours, theirs = schedule.finish[scans.index], fluid.finish
    if policy != "circumflex":
        ours, theirs = np.sort(ours), np.sort(theirs)
    assert np.abs(ours - theirs).max() <= largest_block(one, schedule) * len(jobs) + 1e-9


@examples(25)
@given(workloads(), st.sampled_from(SCAN_POLICIES), st.sampled_from([1, 4, 10]))
def test_the_mean_response_is_within_one_block_per_subjob_of_the_fluid_model(
    workload: Workload, policy: ScanPolicy, slots: int
) -> None:
    """Between datasets of nearly equal priority the two may choose differently; the metric stays the same."""
    scans = workload_scans(workload)
    fluid = schedule_scans(scans.jobs, slots, policy, window=7.0, compiled=False)
    parameters = {"window": 7.0} if policy == "batch" else {}
    schedule = run(workload, policy, Cluster(slots, 0), **parameters)
    apart = abs(float(np.mean(schedule.finish[scans.index] - fluid.finish)))
    assert apart <= largest_block(workload, schedule) * len(workload.jobs)


# ---- what always holds


@examples(30)
@given(workloads(), st.sampled_from(SCAN_POLICIES), st.sampled_from(METRICS))
def test_every_job_is_served_every_block_once(workload: Workload, policy: ScanPolicy, metric: str) -> None:
    schedule = run(workload, policy, metric=metric)
    columns = schedule.workload.columns
    served = np.zeros(len(workload.jobs), int)
    for task in range(len(columns.job)):
        if columns.duration[task] > 0:
            served[list(sharing_jobs(schedule, task))] += 1
    assert served.tolist() == [job.maps.count for job in workload.jobs]
    assert np.all(schedule.start >= columns.arrival[columns.job])
    for job in range(len(workload.jobs)):
        mine = [t for t in range(len(columns.job)) if job in sharing_jobs(schedule, t)]
        assert schedule.stage_end[job] >= schedule.end[mine].max(), "a job waits for the maps it rides"


@examples(20)
@given(workloads(), st.sampled_from(SCAN_POLICIES), st.sampled_from(METRICS))
def test_compiled_is_interpreted(workload: Workload, policy: ScanPolicy, metric: str) -> None:
    choice = PolicyChoice(policy, {"metric": metric})
    one, other = (simulate(workload, TEN, choice, engine=engine) for engine in ("compiled", "interpreted"))
    for name in ("slot", "sequence", "start", "end", "finish"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()


@examples(20)
@given(workloads(), st.sampled_from(SCAN_POLICIES), st.floats(0, 30))
@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_copies_and_slices_change_nothing(engine: str, workload: Workload, policy: str, time: float) -> None:
    whole = simulate(workload, TEN, PolicyChoice(policy), engine=engine)  # type: ignore[arg-type]
    sliced = Simulation(workload, TEN, PolicyChoice(policy), engine=engine)  # type: ignore[arg-type]
    sliced.advance(until=time)
    twin = sliced.fork()
    for part in (twin, sliced):
        while not part.advance():
            pass
        assert part.schedule().start.tolist() == whole.start.tolist()
        assert part.schedule().finish.tolist() == whole.finish.tolist()


def test_minima_and_maxima_hold_in_the_engine() -> None:
    parameters = {"jobs": 60, "datasets": 4, "max_slots": 7, "block_seconds": 5, "mean_interarrival": 20}
    workload = generate("circumflex", seed=3, parameters=parameters)
    schedule = run(workload, "circumflex", workload.cluster)
    columns = schedule.workload.columns
    for job in range(60):
        mine = (columns.job == job) & (columns.kind == MAP)
        times = schedule.start[mine]
        running = [int(np.sum((schedule.start[mine] <= t) & (schedule.end[mine] > t))) for t in times]
        assert max(running) <= 7


def test_sharing_saves_work_on_a_generated_workload() -> None:
    parameters = {"jobs": 80, "datasets": 5, "block_seconds": 20}
    workload = generate("circumflex", seed=1, parameters=parameters)
    flex, circumflex = (run(workload, policy, workload.cluster) for policy in ("flex", "circumflex"))
    assert saved_seconds(flex) == 0
    assert saved_seconds(circumflex) > 0
    assert measure(circumflex)["mean_response"] < measure(flex)["mean_response"]


@pytest.mark.parametrize("policy", SCAN_POLICIES)
def test_a_cluster_without_map_slots_runs_reduces(policy: str) -> None:
    jobs = (Job("J1", reduces=Stage.of(3, 2.0)),)
    assert run(Workload("w", jobs), policy, Cluster(0, 3)).makespan == 2


def test_service_levels_are_read_or_refused() -> None:
    run(HAND, "circumflex", metric="max-sla", service_levels="5:1, 12.5:3")
    with pytest.raises(InputError, match="'5=1' is not 'seconds:cost'"):
        run(HAND, "circumflex", metric="max-sla", service_levels="5=1")


def test_a_job_s_own_service_levels_count_and_others_have_the_policy_s() -> None:
    datasets = (Dataset("a", 50), Dataset("b", 50))
    jobs = [Job(name, scan_stage(datasets[0]), dataset=name) for name in "ab"]
    workload = Workload("w", tuple(jobs), datasets=datasets)

    def finish(given: Workload) -> list[float]:
        return run(given, "flex", metric="average-sla", service_levels="5:2").finish.tolist()

    assert finish(workload) == [5, 10]
    late = workload.with_jobs((jobs[0], replace(jobs[1], service_levels=((5.0, 3.0),))))
    assert finish(late) == [10, 5], "b would cost 3, a only 2"


def test_a_run_that_shares_scans_cannot_change_its_policy() -> None:
    simulation = Simulation(HAND, TEN, PolicyChoice("circumflex"), engine="interpreted")
    with pytest.raises(InputError, match="shares scans"):
        simulation.with_policy(PolicyChoice("fifo"))


@pytest.mark.parametrize(
    ("policy", "parameters"), [("flex", {}), ("circumflex", {}), ("batch", {"window": 4})]
)
@pytest.mark.parametrize("blocks", [(), ((0, 2),)])
def test_reduces_leave_untyped_slots_to_the_maps_they_wait_for(
    policy: str, parameters: dict[str, Any], blocks: Blocks
) -> None:
    """With slowstart 0 they could start at 0 s on both containers, and no map ever: batch waits until 4 s."""
    job = Job("J1", Stage.of(2, 2.0), Stage.of(5, 1.0), dataset="D", blocks=blocks)
    workload = Workload("w", (job,), datasets=(Dataset("D", 2, 2.0),))
    cluster = Cluster(0, 0, 0.0, containers=2)
    schedule = run(workload, policy, cluster, **parameters)
    boards = parameters.get("window", 0)
    assert schedule.start.tolist() == [boards + start for start in (0, 0, 2, 2, 3, 3, 4)]
    assert schedule.makespan == boards + 5
