"""Jobs over overlapping sets of blocks: Figure 4's cells, whole datasets as a special case, work by hand."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.errors import InputError
from core.shared_scans.block_sets import schedule_block_sets
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.metric import optimised_metrics
from core.shared_scans.scan_jobs import ScanJobs
from tests.random_tests import examples

DAY, WEEK, MONTH = [(26.0, 27.0)], [(20.0, 27.0)], [(0.0, 30.0)]
quick = examples(30)
MINIMAX = [metric.id for metric in optimised_metrics(semi_shared=True)]


def test_more_shared_cells_come_first() -> None:
    """A day, a week and a month at once on one slot: the day serves all, then the week, then the rest."""
    jobs = ScanJobs.of([0, 0, 0], 0, [1, 7, 30])
    schedule = schedule_block_sets(jobs, [DAY, WEEK, MONTH], 1.0, "max-stretch")
    assert [(p.sharing_jobs, p.start, p.end) for p in schedule.pieces] == [
        ((0, 1, 2), 0, 1),
        ((1, 2), 1, 7),
        ((2,), 7, 30),
    ]
    assert schedule.finish.tolist() == [1, 7, 30]
    assert schedule.work == 30


def test_without_sharing_everybody_scans_for_himself() -> None:
    jobs = ScanJobs.of([0, 0, 0], 0, [1, 7, 30])
    schedule = schedule_block_sets(jobs, [DAY, WEEK, MONTH], 1.0, "makespan", "flex")
    assert schedule.work == 38
    assert schedule.finish.max() == 38


def test_overlapping_weeks_make_three_cells() -> None:
    jobs = ScanJobs.of([0, 0], 0, [7, 7])
    schedule = schedule_block_sets(jobs, [[(0, 7)], [(4, 11)]], 1.0, "makespan")
    assert schedule.pieces[0].sharing_jobs == (0, 1)
    assert sorted(p.sharing_jobs for p in schedule.pieces) == [(0,), (0, 1), (1,)]
    assert schedule.work == 11


def test_three_overlapping_sets_are_six_subjobs_the_most_shared_first() -> None:
    """003 Figure 4: all but one of the seven cells of three sets; each before those that it contains."""
    ranges = [[(0.0, 4.0)], [(2.0, 7.0)], [(3.0, 4.0), (5.0, 9.0)]]
    jobs = ScanJobs.of([0, 0, 0], 0, [4, 5, 5])
    served = [piece.sharing_jobs for piece in schedule_block_sets(jobs, ranges, 1.0).pieces]
    assert sorted(served) == [(0,), (0, 1), (0, 1, 2), (1,), (1, 2), (2,)]
    for first, second in itertools.combinations(served, 2):
        assert not set(first) < set(second)


@quick
@given(st.integers(0, 2**32), st.integers(1, 6), st.sampled_from(MINIMAX))
def test_sets_that_are_whole_datasets_give_the_chains(seed: int, count: int, metric: str) -> None:
    random = np.random.default_rng(seed)
    arrival = np.cumsum(random.exponential(4, count))
    dataset = random.integers(0, 2, count)
    work = np.array([30.0, 55.0])[dataset]
    jobs = ScanJobs.of(
        arrival,
        dataset,
        work,
        weight=random.uniform(0.5, 2, count),
        deadline=arrival + 9,
        steps=[((5 + a, 1), (9 + a, 3)) for a in arrival.tolist()],
    )
    sets = schedule_block_sets(jobs, [[(0.0, float(w))] for w in work], 10.0, metric)
    chains = schedule_scans(jobs, 10.0, "circumflex", metric)
    assert sets.work == pytest.approx(chains.work)
    assert sets.value == pytest.approx(chains.value)


@quick
@given(st.integers(0, 2**32), st.integers(1, 6), st.booleans())
def test_every_job_gets_its_blocks(seed: int, count: int, share: bool) -> None:
    random = np.random.default_rng(seed)
    arrival = np.cumsum(random.exponential(5, count))
    begin = random.integers(0, 20, count)
    end = begin + random.integers(1, 12, count)
    blocks = [[(float(a), float(b))] for a, b in zip(begin, end, strict=True)]
    jobs = ScanJobs.of(arrival, 0, (end - begin).astype(float))
    schedule = schedule_block_sets(jobs, blocks, 2.0, "max-stretch", "circumflex" if share else "flex")
    for job in range(count):
        got = sum(p.slots * (p.end - p.start) for p in schedule.pieces if job in p.sharing_jobs)
        assert got == pytest.approx(jobs.work[job])
    assert schedule.work <= jobs.work.sum() * (1 + 1e-9)
    assert np.all(np.isfinite(schedule.finish))


def test_sums_are_refused_with_the_reason() -> None:
    jobs = ScanJobs.of([0], 0, [1])
    with pytest.raises(InputError, match="over sets of blocks only the largest"):
        schedule_block_sets(jobs, [DAY], 1.0, "average-response")


@pytest.mark.parametrize(
    ("blocks", "sentence"),
    [
        ([(0.0, 0.5)], "its work is 1 slot-seconds and its blocks 0.5"),
        ([(0.0, 2.0), (1.0, 3.0)], "ranges from 0 on that do not overlap"),
        ([], "ranges from 0 on"),
    ],
)
def test_wrong_blocks_get_a_sentence(blocks: list[tuple[float, float]], sentence: str) -> None:
    with pytest.raises(InputError, match=f"scan job 0: .*{sentence}"):
        schedule_block_sets(ScanJobs.of([0], 0, [1]), [blocks], 1.0)
