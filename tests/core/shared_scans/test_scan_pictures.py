"""What the pictures of shared scans show: bars, timelines and circles, by hand and always."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shared_scans.block_sets import schedule_block_sets
from core.shared_scans.dataset_clock import Arc, BlockSetClocks, ScanClocks
from core.shared_scans.dataset_timeline import scan_timelines
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.subjob_bars import SavedScans, cell_bars, subjob_bars
from core.shared_scans.windows import SCAN_POLICIES, ScanPolicy
from tests.random_tests import examples

HAND = ScanJobs.of([0, 5], [0, 0], 100)


@st.composite
def scan_jobs(draw: st.DrawFn) -> ScanJobs:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(1, 12))
    arrival = np.round(np.cumsum(random.exponential(5, count)), 1)
    dataset = random.integers(0, 3, count)
    return ScanJobs.of(
        arrival, dataset, random.uniform(5, 90, 3)[dataset], scan_fraction=draw(st.sampled_from([1.0, 0.5]))
    )


def test_the_bars_of_the_hand_example() -> None:
    bars = subjob_bars(schedule_scans(HAND, 10, "circumflex"))
    assert [(b.place, b.sharing_jobs, b.start, b.end, b.bottom, b.slots, b.continues) for b in bars] == [
        (1, (0,), 0, 5, 0, 10, False),
        (1, (0, 1), 5, 10, 0, 10, False),
        (2, (1,), 10, 15, 0, 10, False),
    ]


@examples(30)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_bars_pile_up_without_overlap_and_keep_the_work(jobs: ScanJobs, policy: ScanPolicy) -> None:
    schedule = schedule_scans(jobs, 10, policy, window=7)
    bars = subjob_bars(schedule)
    assert sum(b.slots * (b.end - b.start) for b in bars) == pytest.approx(schedule.work)
    for start in {b.start for b in bars}:
        top = 0.0
        for bar in (b for b in bars if b.start == start):
            assert bar.bottom == pytest.approx(top)
            top += bar.slots
        assert top <= 10 * (1 + 1e-9)


@examples(30)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_bars_name_as_many_riders_as_were_served(jobs: ScanJobs, policy: ScanPolicy) -> None:
    schedule = schedule_scans(jobs, 10, policy, window=7)
    pieces = schedule.pieces
    for bar in subjob_bars(schedule):
        here = (pieces.start <= bar.start) & (pieces.end >= bar.end) & (pieces.job == bar.sharing_jobs[0])
        assert bar.concurrency == pieces.concurrency[here][0]
        assert all(
            schedule.boarded[j] <= bar.start and schedule.finish[j] >= bar.end for j in bar.sharing_jobs
        )


def test_timelines_count_who_is_on_board() -> None:
    batch = schedule_scans(HAND, 10, "batch", window=8)
    (line,) = scan_timelines(HAND.dataset, HAND.arrival, batch.boarded, batch.finish)
    assert line.jobs.tolist() == [0, 1]
    assert (line.times.tolist(), line.sharing.tolist()) == ([8, 18], [2, 0])
    assert line.waited == 11


def test_the_clock_of_the_hand_example() -> None:
    clocks = ScanClocks(schedule_scans(HAND, 10, "circumflex"))
    (clock,) = clocks.at(7.5)
    (scan,) = clock.scans
    assert (scan.jobs, scan.slots) == ((0, 1), 10)
    assert scan.position == pytest.approx(0.75)
    assert [(h.job, h.boarded, h.scanned, h.left) for h in clock.hands] == [
        (0, 0, 0.75, 0.25),
        (1, 0.5, 0.25, 0.75),
    ]
    assert clock.sharing == 2
    (clock,) = clocks.at(12.5)
    assert [(h.job, h.boarded, h.scanned) for h in clock.hands] == [(1, 0.5, 0.75)]
    assert clock.sharing == 0
    assert clock.scans[0].position == pytest.approx(0.25), (
        "past the top: blocks that the first job had scanned alone"
    )
    assert clocks.at(20)[0].hands == ()


def test_jobs_of_one_dataset_share_only_where_they_are_served_together() -> None:
    (clock,) = ScanClocks(schedule_scans(HAND, 10, "flex")).at(7.5)
    assert (len(clock.hands), clock.sharing) == (2, 0)
    batches = ScanJobs.of([0, 0, 9], 0, [100, 100, 100])
    (clock,) = ScanClocks(schedule_scans(batches, 10, "batch", window=8)).at(17)
    assert (len(clock.hands), clock.sharing) == (3, 2), "the first batch of two runs beside the second of one"


def test_a_clock_knows_who_waits_for_the_window() -> None:
    (clock,) = ScanClocks(schedule_scans(HAND, 10, "batch", window=8)).at(6)
    assert (clock.hands, clock.waiting) == ((), (0, 1))


@examples(30)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_every_hand_makes_exactly_one_turn(jobs: ScanJobs, policy: ScanPolicy) -> None:
    schedule = schedule_scans(jobs, 10, policy, window=7)
    clocks = ScanClocks(schedule)
    for job, finish in enumerate(schedule.finish):
        hands = {h.job: h for clock in clocks.at(float(np.nextafter(finish, 0))) for h in clock.hands}
        assert hands[job].scanned == pytest.approx(1)


# ---- sets of blocks


WEEKS = ScanJobs.of([0, 2], 0, [7, 7])
RANGES = [[(0.0, 7.0)], [(4.0, 11.0)]]


def test_the_bars_of_two_weeks_that_overlap() -> None:
    """On one slot: 2 s of the first week, its 3 s in common with the second, what is left of both."""
    bars = cell_bars(schedule_block_sets(WEEKS, RANGES, 1.0, "makespan"))
    assert [(b.sharing_jobs, b.start, b.end, b.slots) for b in bars] == [
        ((0,), 0, 2, 1),
        ((0, 1), 2, 5, 1),
        ((0,), 5, 7, 1),
        ((1,), 7, 11, 1),
    ]


def test_the_clock_of_two_weeks_that_overlap() -> None:
    schedule = schedule_block_sets(WEEKS, RANGES, 1.0, "makespan")
    clocks = BlockSetClocks(schedule, RANGES, np.array([14.0, 14.0]))
    (clock,) = clocks.at(3.5)
    assert clock.scans == ()
    assert [(h.job, h.boarded, h.scanned) for h in clock.hands] == [  # type: ignore[comparison-overlap]
        (0, 0, pytest.approx(3.5 / 7)),
        (1, pytest.approx(4 / 14), pytest.approx(1.5 / 7)),
    ]
    assert clock.sharing == 2
    assert clocks.at(6)[0].sharing == 0, "what both need is done"
    assert clock.hands[1].arcs == (Arc(4 / 14, 3 / 14, 0.5), Arc(7 / 14, 4 / 14, 0.0))
    assert clocks.at(12)[0].hands == ()


@examples(20)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_what_is_saved_up_to_the_end_is_what_is_saved(jobs: ScanJobs, policy: ScanPolicy) -> None:
    schedule = schedule_scans(jobs, 10, policy, window=7)
    saved = SavedScans(subjob_bars(schedule), jobs.scan_fraction)
    assert saved.until(0) == 0
    assert saved.until(float(schedule.finish.max())) == pytest.approx(schedule.saved_work, abs=1e-6)


def test_saving_by_hand() -> None:
    saved = SavedScans(subjob_bars(schedule_scans(HAND, 10, "circumflex")), HAND.scan_fraction)
    assert [saved.until(time) for time in (5, 7.5, 10, 15)] == [0, 25, 50, 50]
