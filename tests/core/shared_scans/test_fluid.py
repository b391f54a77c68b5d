"""The fluid model: the example worked out by hand, an oracle of plain parts, and what always holds."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.model.errors import InputError
from core.shared_scans.cells import backwards_order
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.metric import METRICS, SEARCH, SMITH, ScanMetric
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.subjob_bars import subjob_bars
from core.shared_scans.windows import SCAN_POLICIES, ScanPolicy
from tests.core.shared_scans.reference_planner import chain_of_subjobs, pack, smith_order
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.shared_scans.subjob_bars import SubjobBar
    from tests.core.shared_scans.reference_planner import Subjob

SLOTS = 10.0
OPTIMISED = [metric.id for metric in METRICS]
BY_RULES = [metric.id for metric in METRICS if metric.rule != SEARCH]
"""Of the other sums see `test_search.py`."""
quick = examples(30)
HAND = ScanJobs.of([0, 5], [0, 0], 100)


@st.composite
def scan_jobs(draw: st.DrawFn) -> ScanJobs:
    seed = draw(st.integers(0, 2**32))
    random = np.random.default_rng(seed)
    count = draw(st.integers(1, 12))
    arrival = np.cumsum(random.exponential(draw(st.sampled_from([0.5, 4.0, 30.0])), count))
    if draw(st.booleans()):
        arrival = np.round(arrival / 8) * 8  # several at once
    dataset = random.integers(0, draw(st.integers(1, 4)), count)
    maximum = random.uniform(1, 12, count) if draw(st.booleans()) else np.full(count, np.inf)
    minimum = np.minimum(random.uniform(0, 3, count), maximum) if draw(st.booleans()) else 0.0
    return ScanJobs.of(
        arrival,
        dataset,
        random.uniform(5, 90, 4)[dataset],
        scan_fraction=draw(st.sampled_from([1.0, 0.4, 0.0])),
        weight=random.uniform(0.2, 5, count),
        minimum=minimum,
        maximum=maximum,
        deadline=arrival + random.uniform(1, 40, count),
        steps=[((5.0 + a, 1.0), (20.0 + a, 4.0)) for a in arrival.tolist()],
    )


# ---- by hand (one dataset of 100 slot-seconds on 10 slots, arrivals at 0 s and 5 s)


@pytest.mark.parametrize("compiled", [False, True])
def test_the_hand_example(compiled: bool) -> None:
    flex = schedule_scans(HAND, SLOTS, "flex", compiled=compiled)
    assert flex.response.tolist() == [10, 15]
    assert flex.work == 200
    circumflex = schedule_scans(HAND, SLOTS, "circumflex", compiled=compiled)
    assert circumflex.response.tolist() == [10, 10]
    assert (circumflex.work, circumflex.saved_work) == (150, 50)
    pieces = circumflex.pieces
    assert list(
        zip(pieces.job, pieces.place, pieces.concurrency, pieces.start, pieces.end, pieces.slots, strict=True)
    ) == [(0, 1, 1, 0, 5, 10), (0, 1, 2, 5, 10, 10), (1, 2, 1, 10, 15, 10)]


def test_four_sharing_jobs_are_four_subjobs() -> None:
    """003 Figure 3, at the moment when the fourth job arrives."""
    pieces = schedule_scans(ScanJobs.of([0, 1, 2, 3], 0, 100), SLOTS, "circumflex").pieces
    later = pieces.start >= 3
    assert pieces.concurrency[later].tolist() == [4, 3, 2, 1]
    assert pieces.place[later].tolist() == [1, 2, 3, 4]


def test_a_batch_waits_for_its_window_and_scans_once() -> None:
    batch = schedule_scans(HAND, SLOTS, "batch", window=8)
    assert batch.boarded.tolist() == [8, 8]
    assert batch.response.tolist() == [18, 13]
    assert batch.work == 100


def test_windows_are_offset_evenly() -> None:
    jobs = ScanJobs.of([1, 1, 1], [0, 1, 2], 1)
    assert schedule_scans(jobs, SLOTS, "batch", window=30).boarded.tolist() == [30, 10, 20]


def test_only_the_scan_fraction_is_shared() -> None:
    jobs = ScanJobs.of([0, 0], [0, 0], 100, scan_fraction=0.25)
    # both ride one subjob of length 100: it costs 100 * (0.25 + 0.75 * 2) = 175
    together = schedule_scans(jobs, SLOTS, "circumflex")
    assert together.finish.tolist() == [17.5, 17.5]
    assert together.work == 175


def test_riders_share_the_larger_minimum_and_the_smaller_maximum() -> None:
    jobs = ScanJobs.of([0, 0, 0], [0, 0, 1], [100, 100, 100], minimum=[1, 3, 0], maximum=[8, 4, 20])
    pieces = schedule_scans(jobs, SLOTS, "circumflex", "makespan").pieces
    assert {
        (int(j), float(s)) for j, s, t in zip(pieces.job, pieces.slots, pieces.start, strict=True) if t == 0
    } == {
        (0, 4.0),
        (2, 6.0),
    }


# ---- against plain parts


def weights(jobs: ScanJobs, metric: ScanMetric) -> list[float]:
    alone = [w / min(m, SLOTS) for w, m in zip(jobs.work.tolist(), jobs.maximum.tolist(), strict=True)]
    by_name = {"none": [1.0] * len(alone), "weight": jobs.weight.tolist(), "stretch": [1 / s for s in alone]}
    return by_name[metric.weighting]


def penalty_by_definition(jobs: ScanJobs, metric: ScanMetric, j: int, time: float) -> float:
    """What a job costs that completes at a time, by the words of 003 A.2 (section 1 for waits)."""
    response = time - float(jobs.arrival[j])
    alone = float(jobs.work[j]) / min(float(jobs.maximum[j]), SLOTS)
    late = time - float(jobs.deadline[j])
    cost = 0.0
    for seconds, level in jobs.steps[j] if jobs.steps else ():
        cost = level if time > seconds else cost
    return {
        "completion": time,
        "response": response,
        "wait": response - alone,
        "lateness": late,
        "tardiness": max(late, 0.0),
        "tardy": float(late > 0),
        "steps": cost,
    }[metric.penalty]


def planned(
    jobs: ScanJobs, chains: list[list[Subjob]], metric_id: str, now: float
) -> tuple[dict[int, Subjob], list[int], dict[int, set[int]]]:
    """Return subjobs by the job they complete, their priority and their successors."""
    metric = next(m for m in METRICS if m.id == metric_id)
    factor = weights(jobs, metric)
    subjobs = {s.completes: s for chain in chains for s in chain if s.completes is not None}
    successors: dict[int, set[int]] = {j: set() for j in subjobs}
    for chain in chains:
        jobs_in_order = [s.completes for s in chain if s.completes is not None]
        for a, b in itertools.pairwise(jobs_in_order):
            successors[a].add(b)
    if metric.rule == SMITH:
        links = [
            [(s.work, factor[s.completes]) for s in chain if s.completes is not None] for chain in chains
        ]
        order = [chains[d][k].completes for d, k in smith_order(links)]
        return subjobs, [j for j in order if j is not None], successors

    def penalty(j: int, end: float, _: Sequence[int]) -> float:
        return factor[j] * penalty_by_definition(jobs, metric, j, now + end)

    work = {j: s.work / SLOTS for j, s in subjobs.items()}
    return subjobs, backwards_order(work, successors, penalty), successors


def plain_finish(jobs: ScanJobs, share: bool, metric_id: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Run the model by its plain parts: subjobs, priority, packing; a new plan at each arrival."""
    count = len(jobs.arrival)
    remaining = dict.fromkeys(range(count), 0.0)
    finish = np.full(count, np.nan)
    for i, now in enumerate(jobs.arrival):
        remaining[i] = float(jobs.work[i])
        until = jobs.arrival[i + 1] if i + 1 < count else np.inf
        if until == now:
            continue
        active = [j for j in range(i + 1) if remaining[j] > 0]
        groups = (
            [[j for j in active if jobs.dataset[j] == d] for d in range(4)]
            if share
            else [[j] for j in active]
        )
        chains = [
            chain_of_subjobs(
                group,
                [remaining[j] for j in range(count)],
                float(jobs.scan_fraction[group[0]]),
                jobs.minimum,
                np.minimum(jobs.maximum, SLOTS),
            )
            for group in groups
            if group
        ]
        subjobs, order, successors = planned(jobs, chains, metric_id, float(now))
        left = {j: s.work for j, s in subjobs.items()}
        for interval in pack(order, subjobs, successors, SLOTS, start=float(now), until=float(until)):
            for j, held in interval.slots.items():
                left[j] -= held * (interval.end - interval.start)
                if left[j] <= 1e-9:
                    left[j] = 0.0
                    finish[j] = interval.end
        for chain in chains:
            total = 0.0
            for s in chain:
                assert s.completes is not None
                total += s.length * (left[s.completes] / s.work if s.work else 0.0)
                remaining[s.completes] = total
                if total == 0 and np.isnan(finish[s.completes]):
                    finish[s.completes] = max(
                        finish[j] for j in subjobs if left[j] == 0 and s.completes in subjobs[j].sharing_jobs
                    )
    return finish


@quick
@given(scan_jobs(), st.sampled_from(["flex", "circumflex"]), st.sampled_from(BY_RULES))
def test_the_loop_agrees_with_the_plain_parts(jobs: ScanJobs, policy: ScanPolicy, metric: str) -> None:
    fluid = schedule_scans(jobs, SLOTS, policy, metric)
    plain = plain_finish(jobs, policy == "circumflex", metric)
    assert fluid.value == pytest.approx(fluid.metric.value(jobs, SLOTS, plain), rel=1e-6, abs=1e-6)


@quick
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.sampled_from(OPTIMISED))
def test_compiled_and_interpreted_are_equal_to_the_last_bit(
    jobs: ScanJobs, policy: ScanPolicy, metric: str
) -> None:
    one, other = (schedule_scans(jobs, SLOTS, policy, metric, compiled=c) for c in (True, False))
    assert one.finish.tolist() == other.finish.tolist()
    assert one.work == other.work


@quick
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.sampled_from(METRICS))
def test_the_value_is_that_of_the_definitions(jobs: ScanJobs, policy: ScanPolicy, metric: ScanMetric) -> None:
    schedule = schedule_scans(jobs, SLOTS, policy, metric.id)
    factor, finish = weights(jobs, metric), schedule.finish.tolist()
    costs = [f * penalty_by_definition(jobs, metric, j, finish[j]) for j, f in enumerate(factor)]
    value = max(costs) if metric.combine == "max" else sum(costs) / len(costs)
    assert schedule.value == pytest.approx(value)


# ---- what always holds


@quick
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.sampled_from(OPTIMISED))
def test_slots_minima_and_maxima_are_honoured_at_every_instant(
    jobs: ScanJobs, policy: ScanPolicy, metric: str
) -> None:
    """What serves a job is within its limits; sharing jobs together have the largest minimum (003 A.1)."""
    schedule = schedule_scans(jobs, SLOTS, policy, metric, window=9.0)
    by_time: dict[float, list[SubjobBar]] = {}
    for bar in subjob_bars(schedule):
        by_time.setdefault(bar.start, []).append(bar)
    for time, bars in by_time.items():
        assert sum(bar.slots for bar in bars) <= SLOTS * (1 + 1e-9)
        on_board = np.flatnonzero((schedule.boarded <= time) & (schedule.finish > time))
        for bar in bars:
            sharing_jobs = list(bar.sharing_jobs)
            least = jobs.minimum[sharing_jobs].max()
            assert bar.slots <= max(least, jobs.maximum[sharing_jobs].min()) + 1e-9
        if jobs.minimum[on_board].sum() <= SLOTS:  # enough for everybody's, whoever shares
            for job in on_board.tolist():
                held = sum(bar.slots for bar in bars if job in bar.sharing_jobs)
                assert held >= jobs.minimum[job] - 1e-9


@quick
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.sampled_from(OPTIMISED))
def test_work_is_conserved(jobs: ScanJobs, policy: ScanPolicy, metric: str) -> None:
    schedule = schedule_scans(jobs, SLOTS, policy, metric)
    pieces = schedule.pieces
    noted = float(np.sum(pieces.slots * (pieces.end - pieces.start)))
    assert noted == pytest.approx(schedule.work)
    # each job gets exactly its own scan: the length of all pieces that it rides
    fraction = jobs.scan_fraction[pieces.job]
    cost = fraction + (1 - fraction) * pieces.concurrency
    length = pieces.slots * (pieces.end - pieces.start) / cost
    served = float(np.sum(length * pieces.concurrency))
    assert served == pytest.approx(float(jobs.work.sum()))
    if policy == "flex":
        assert schedule.work == pytest.approx(float(jobs.work.sum()))


@quick
@given(scan_jobs(), st.sampled_from(["circumflex", "batch", "ako"]))
def test_sharing_never_adds_work(jobs: ScanJobs, policy: ScanPolicy) -> None:
    assert schedule_scans(jobs, SLOTS, policy).work <= jobs.work.sum() * (1 + 1e-9)


@quick
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_nobody_completes_sooner_than_alone(jobs: ScanJobs, policy: ScanPolicy) -> None:
    assume(jobs.minimum.max() <= jobs.maximum.min())  # else sharing jobs may get more than their maximum
    schedule = schedule_scans(jobs, SLOTS, policy)
    assert np.all(schedule.finish - schedule.boarded >= jobs.shortest_response(SLOTS) * (1 - 1e-9) - 1e-9)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"slots": 0.0}, "slots is 0.0; give a number above 0"),
        ({"window": -1.0}, "window is -1.0; give seconds above 0, or 0"),
        ({"metric": "tardy-job"}, "did you mean 'tardy-jobs'"),
    ],
)
def test_wrong_values_get_a_sentence(change: dict[str, object], sentence: str) -> None:
    arguments: dict[str, object] = {"slots": 10.0, "policy": "batch"} | change
    with pytest.raises(InputError, match=sentence.replace(".", r"\.")):
        schedule_scans(HAND, **arguments)  # type: ignore[arg-type]
