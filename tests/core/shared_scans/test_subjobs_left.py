"""The circle at an instant against a bit for each job and block, as the paper keeps them (003 2.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.job import Dataset
from core.shared_scans.block_sets import schedule_block_sets
from core.shared_scans.dataset_clock import BlockSetClocks, ScanClocks
from core.shared_scans.fluid import schedule_scans
from core.shared_scans.scan_jobs import ScanJobs
from core.shared_scans.scan_track import ScannedArc
from core.shared_scans.subjob_bars import SavedScans, cell_bars, reads_saved, subjob_bars
from core.shared_scans.windows import SCAN_POLICIES, Windows
from tests.random_tests import examples

BINS = 4000
HAND = ScanJobs.of([0, 5], [0, 0], 100)


@st.composite
def scan_jobs(draw: st.DrawFn) -> ScanJobs:
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(1, 7))
    arrival = np.round(np.cumsum(random.exponential(4, count)), 1)
    dataset = random.integers(0, 2, count)
    fraction = draw(st.sampled_from([1.0, 0.5]))
    return ScanJobs.of(arrival, dataset, random.uniform(20, 90, 2)[dataset], scan_fraction=fraction)


def bits_of(schedule, time):
    """Return what each job has read, (jobs, bins), and for how many jobs at once, (jobs, bins)."""
    jobs, pieces = schedule.jobs, schedule.pieces
    read = np.zeros((len(jobs.arrival), BINS), bool)
    shared = np.zeros((len(jobs.arrival), BINS), int)
    pointer: dict[int, float] = {}
    for i in np.argsort(pieces.start, kind="stable"):
        leader, start = int(pieces.job[i]), float(pieces.start[i])
        group, count = int(schedule.group[leader]), int(pieces.concurrency[i])
        passed = max(min(time, float(pieces.end[i])) - start, 0.0) * float(pieces.slots[i])
        fraction, work = float(jobs.scan_fraction[leader]), float(jobs.work[leader])
        bins = passed / (fraction * work + (1 - fraction) * work * count) * BINS
        first = pointer.get(group, 0.0)
        here = np.arange(round(first), round(first + bins)) % BINS
        for job in range(len(jobs.arrival)):
            is_there = schedule.boarded[job] <= start and schedule.finish[job] > start
            if schedule.group[job] == group and is_there:
                read[job, here] = True
                shared[job, here] = count
        pointer[group] = first + bins
    return read, shared


def marked(stretches):
    """Return the counts of some stretches at every bin, (bins,)."""
    marks = np.zeros(BINS, int)
    for each in stretches:
        marks[np.arange(round(each.begin * BINS), round((each.begin + each.length) * BINS)) % BINS] = (
            each.times
        )
    return marks


def venn(members, lacks):
    """Return how much of a turn just the same jobs lack, by those jobs; `lacks` is (jobs, bins)."""
    cells: dict[tuple[int, ...], float] = {}
    for column in range(BINS):
        who = tuple(job for job in members if lacks[job, column])
        if who:
            cells[who] = cells.get(who, 0.0) + 1 / BINS
    return cells


@examples(25)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.floats(0.05, 0.95))
def test_rings_bands_and_subjobs_are_those_of_the_bits(jobs, policy, share):
    schedule = schedule_scans(jobs, 10, policy, window=7)
    time = share * float(schedule.finish.max())
    read, shared = bits_of(schedule, time)
    for clock in ScanClocks(schedule).at(time):
        scans: dict[int, np.ndarray] = {}
        for hand in clock.hands:
            assert np.mean(marked(hand.stretches) != shared[hand.job]) < 0.005
            scans[hand.group] = scans.get(hand.group, False) | read[hand.job]
        assert np.mean(marked(clock.reads()) != sum(scans.values())) < 0.005
        here = [job for job in range(len(jobs.arrival)) if jobs.dataset[job] == clock.dataset]
        there = [job for job in here if jobs.arrival[job] <= time < schedule.finish[job]]
        assert sorted([*(hand.job for hand in clock.hands), *clock.waiting]) == there
        cells: dict[tuple[int, ...], float] = {}
        for group in sorted({int(schedule.group[job]) for job in there}):
            cells |= venn([job for job in there if schedule.group[job] == group], ~read)
        assert_cells(clock, cells)
        for subjob in clock.left:
            count, work = len(subjob.jobs), float(jobs.work[subjob.jobs[0]])
            fraction = float(jobs.scan_fraction[0])
            cost = fraction + (1 - fraction) * count
            assert subjob.seconds == pytest.approx(subjob.turns * work * cost)


def assert_cells(clock, cells):
    """Compare the subjobs of a clock with the cells of the bits, but for those of hardly a bin."""
    found = {subjob.jobs: subjob.turns for subjob in clock.left}
    for jobs in found.keys() | cells.keys():
        assert found.get(jobs, 0.0) == pytest.approx(cells.get(jobs, 0.0), abs=0.005)
    for subjob in clock.left:
        assert sum(length for _, length in subjob.where) == pytest.approx(subjob.turns)


@examples(25)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES))
def test_what_is_scanned_is_a_subjob_that_is_left_under_its_number(jobs, policy):
    schedule = schedule_scans(jobs, 10, policy, window=7)
    clocks = ScanClocks(schedule)
    for bar in subjob_bars(schedule):
        if bar.end - bar.start < 1e-6:
            continue
        clock = next(c for c in clocks.at((bar.start + bar.end) / 2) if c.dataset == bar.dataset)
        (subjob,) = [each for each in clock.left if each.jobs == bar.sharing_jobs]
        assert (subjob.place, subjob.after) == (bar.place, ())
        assert any(scan.jobs == bar.sharing_jobs and scan.slots > 0 for scan in clock.scans)


def test_the_chain_of_the_hand_example():
    (clock,) = ScanClocks(schedule_scans(HAND, 10, "circumflex")).at(7.5)
    first, second = clock.left
    assert (first.jobs, first.place, first.after, first.depth) == ((0, 1), 1, (), 0)
    assert (second.jobs, second.place, second.after, second.depth) == ((1,), 2, (0,), 1)
    assert [(s.turns, s.seconds) for s in clock.left] == [(0.25, 25), (0.5, 50)]
    assert [s.where for s in clock.left] == [((0.75, 0.25),), ((0.0, 0.5),)]
    assert clock.hands[0].stretches == (ScannedArc(0.0, 0.5, 1), ScannedArc(0.5, 0.25, 2))
    assert clock.hands[1].stretches == (ScannedArc(0.5, 0.25, 2),)
    assert (clock.turns_left, clock.seconds_left) == (0.75, 75)
    (clock,) = ScanClocks(schedule_scans(HAND, 10, "circumflex")).at(12.5)
    (hand,) = clock.hands
    assert hand.stretches == (ScannedArc(0.5, 0.5, 2), ScannedArc(0.0, 0.25, 1))
    assert clock.reads() == (ScannedArc(0.0, 0.25, 1), ScannedArc(0.5, 0.5, 1))


def test_a_job_that_boards_where_the_last_one_left_passes_the_top():
    jobs = ScanJobs.of([0, 5, 20], 0, 100)
    (clock,) = ScanClocks(schedule_scans(jobs, 10, "circumflex")).at(28)
    (stretch,) = clock.hands[0].stretches
    assert [stretch.begin, stretch.length, stretch.times] == pytest.approx([0.5, 0.8, 1])
    assert [s.begin for s in clock.reads()] == pytest.approx([0.0, 0.5])
    assert [s.length for s in clock.reads()] == pytest.approx([0.3, 0.5])


def test_flex_has_a_hand_for_each_job_that_scans_and_reads_blocks_twice():
    """The first of three jobs takes 6 slots, the second 4, the third gets none until 20 s."""
    jobs = ScanJobs.of([0, 0, 0], 0, 120, maximum=6)
    (clock,) = ScanClocks(schedule_scans(jobs, 10, "flex")).at(15)
    assert [(scan.jobs, scan.slots) for scan in clock.scans] == [((0,), 6), ((1,), 4)]
    assert [scan.position for scan in clock.scans] == pytest.approx([0.75, 0.5])
    assert (clock.sharing, clock.alone, clock.paused, clock.queued) == (0, 2, 0, 1)
    assert clock.reads() == (ScannedArc(0.0, 0.5, 2), ScannedArc(0.5, 0.25, 1))
    assert [(s.jobs, s.after) for s in clock.left] == [((0,), ()), ((1,), ()), ((2,), ())]


def test_a_batch_that_waits_for_its_window_is_one_subjob_to_come():
    (clock,) = ScanClocks(schedule_scans(HAND, 10, "batch", window=8)).at(6)
    (subjob,) = clock.left
    assert (subjob.jobs, subjob.has_boarded, subjob.seconds) == ((0, 1), False, 100)


def assert_tiled(clock, needed):
    """See that what a job has scanned and what subjobs still scan for it make up what it needs, once each."""
    for hand in clock.hands:
        seen = np.zeros(BINS, int)
        left = [part for each in clock.left if hand.job in each.jobs for part in each.where]
        for begin, length in [*((each.begin, each.length) for each in hand.stretches), *left]:
            seen[np.arange(round(begin * BINS), round((begin + length) * BINS)) % BINS] += 1
        assert np.mean(seen != needed[hand.job]) < 0.01


def assert_served(schedule, clocks, bars):
    """See that just those jobs hold slots which a bar serves, in the middle of each bar."""
    for middle in {(bar.start + bar.end) / 2 for bar in bars if bar.end - bar.start > 1e-6}:
        served = {job for bar in bars if bar.start <= middle < bar.end for job in bar.sharing_jobs}
        assert {hand.job for c in clocks.at(middle) for hand in c.hands if hand.slots > 0} == served


@examples(25)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.floats(0.05, 0.95))
def test_scanned_and_left_make_up_the_whole_circle(jobs, policy, share):
    schedule = schedule_scans(jobs, 10, policy, window=7)
    clocks = ScanClocks(schedule)
    for clock in clocks.at(share * float(schedule.finish.max())):
        assert_tiled(clock, np.ones((len(jobs.arrival), BINS), int))
    assert_served(schedule, clocks, subjob_bars(schedule))


# ---- sets of blocks

FIGURE_4 = ScanJobs.of([0, 0, 0], 0, [60, 60, 60])
RANGES = [[(0.0, 60.0)], [(20.0, 80.0)], [(40.0, 100.0)]]


def test_figure_4_goes_from_most_to_least_shared():
    schedule = schedule_block_sets(FIGURE_4, RANGES, 10.0)
    (clock,) = BlockSetClocks(schedule, RANGES, np.full(3, 100.0)).at(0.0)
    assert [s.turns for s in clock.left] == pytest.approx([0.2] * 5)
    graph = {s.jobs: ({clock.left[i].jobs for i in s.after}, s.depth) for s in clock.left}
    assert graph == {
        (0, 1, 2): (set(), 0),
        (0, 1): ({(0, 1, 2)}, 1),
        (1, 2): ({(0, 1, 2)}, 1),
        (0,): ({(0, 1)}, 2),
        (2,): ({(1, 2)}, 2),
    }


def test_a_job_goes_on_where_the_scan_of_its_blocks_stands_and_then_from_their_begin():
    """Half of a dataset on one slot: the second job ends at block 4 of 10, where the third one boards."""
    jobs, ranges = ScanJobs.of([0, 4, 20], 0, 10), [[(0.0, 10.0)]] * 3
    schedule = schedule_block_sets(jobs, ranges, 1.0)
    (clock,) = BlockSetClocks(schedule, ranges, np.full(3, 20.0)).at(20.0)
    (subjob,) = clock.left
    assert [length for part in subjob.where for length in part] == pytest.approx([0.2, 0.3, 0.0, 0.2])


@st.composite
def block_sets(draw: st.DrawFn):
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    count = draw(st.integers(1, 5))
    ranges = []
    for _ in range(count):
        cuts = sorted(random.choice(13, 4, replace=False).tolist())
        ranges.append([(float(cuts[0]), float(cuts[1])), (float(cuts[2]), float(cuts[3]))])
    work = [sum(b - a for a, b in each) for each in ranges]
    arrival = np.round(np.cumsum(random.exponential(1.5, count)), 1)
    return ScanJobs.of(arrival, 0, work), ranges


@examples(25)
@given(block_sets(), st.sampled_from(SCAN_POLICIES), st.floats(0.0, 0.95))
def test_cells_are_those_of_the_bits(sets, policy, share):
    jobs, ranges = sets
    schedule = schedule_block_sets(jobs, ranges, 2.0, policy=policy, window=3)
    time = share * float(schedule.finish.max())
    lacks = np.zeros((len(ranges), BINS), bool)
    width = BINS / 12
    for job, own in enumerate(ranges):
        for begin, end in own:
            lacks[job, round(begin * width) : round(end * width)] = True
    needed = lacks.astype(int)
    for piece in schedule.pieces:
        part = min(max(time - piece.start, 0.0) / (piece.end - piece.start), 1.0)
        group = schedule.group[piece.sharing_jobs[0]]
        riders = [job for job in range(len(ranges)) if schedule.group[job] == group]
        riders = [job for job in riders if schedule.boarded[job] <= piece.start]
        for begin, length in piece.scanned:
            whole = np.arange(round(begin * width), BINS)
            free = [b for b in whole if tuple(j for j in riders if lacks[j, b]) == piece.sharing_jobs]
            for column in free[: round(part * length * width)]:
                lacks[list(piece.sharing_jobs), column] = False
    clocks = BlockSetClocks(schedule, ranges, np.full(len(ranges), 12.0))
    (clock,) = clocks.at(time)
    there = [job for job in range(len(ranges)) if jobs.arrival[job] <= time < schedule.finish[job]]
    cells: dict[tuple[int, ...], float] = {}
    for group in sorted({int(schedule.group[job]) for job in there}):
        cells |= venn([job for job in there if schedule.group[job] == group], lacks)
    assert_cells(clock, cells)
    assert_tiled(clock, needed)
    assert_served(schedule, clocks, cell_bars(schedule))
    for i, subjob in enumerate(clock.left):
        before = {j for j, other in enumerate(clock.left) if set(other.jobs) > set(subjob.jobs)}
        direct = {
            j for j in before if not any(set(clock.left[j].jobs) > set(clock.left[k].jobs) for k in before)
        }
        assert set(subjob.after) == direct, i


@examples(15)
@given(block_sets(), st.sampled_from(SCAN_POLICIES))
def test_cells_in_progress_are_left_under_the_number_of_their_bars(sets, policy):
    jobs, ranges = sets
    schedule = schedule_block_sets(jobs, ranges, 2.0, policy=policy, window=3)
    clocks = BlockSetClocks(schedule, ranges, np.full(len(ranges), 12.0))
    for bar in cell_bars(schedule):
        if bar.end - bar.start < 1e-6:
            continue
        (clock,) = clocks.at((bar.start + bar.end) / 2)
        (subjob,) = [each for each in clock.left if each.jobs == bar.sharing_jobs]
        assert (subjob.place, subjob.after) == (bar.place, ())


# ---- what is saved, what is waited for


@examples(15)
@given(scan_jobs(), st.sampled_from(SCAN_POLICIES), st.floats(0.0, 1.0))
def test_what_is_saved_of_each_dataset_adds_up_over_time(jobs, policy, share):
    schedule = schedule_scans(jobs, 10, policy, window=7)
    saved = SavedScans(subjob_bars(schedule), jobs.scan_fraction)
    time = share * float(schedule.finish.max())
    datasets = np.unique(jobs.dataset).tolist()
    assert sum(saved.until(time, d) for d in datasets) == pytest.approx(saved.until(time))
    for dataset in datasets:
        assert np.interp(time, *saved.curve(dataset)) == pytest.approx(saved.until(time, dataset))


def test_reads_saved_are_counted_in_blocks_and_bytes():
    """Two jobs share 50 of 100 slot-seconds: 25 blocks of 2 s, whatever part of that is a scan."""
    saved = SavedScans(subjob_bars(schedule_scans(HAND, 10, "circumflex")), HAND.scan_fraction)
    dataset = Dataset("d", 50, 2.0)
    assert reads_saved(saved, (dataset,), 15) == (25, None)
    assert reads_saved(saved, (replace(dataset, block_bytes=1e6),), 7.5) == (12.5, 12.5e6)
    assert reads_saved(saved, (replace(dataset, block_bytes=1e6),), 0) == (0, None)
    half = ScanJobs.of([0, 5], 0, 100, scan_fraction=0.5)
    saved = SavedScans(subjob_bars(schedule_scans(half, 10, "circumflex")), half.scan_fraction)
    reads, _ = reads_saved(saved, (replace(dataset, scan_fraction=0.5),), 99)
    assert reads == pytest.approx(25), "half of each block's time is shared, and each is still read once"


def test_a_perceived_wait_grows_once_the_job_is_late():
    """Alone each job takes 10 s; sharing slots as FLEX does, the second ends 15 s after it arrived."""
    schedule = schedule_scans(HAND, 10, "flex")
    assert schedule.finish.tolist() == [10, 20]
    assert schedule.perceived_wait().tolist() == [0, 5]
    assert [schedule.perceived_wait(at)[1] for at in (4, 15, 17, 30)] == [0, 0, 2, 5]
    metric = [float(schedule.perceived_wait().mean()), float(schedule.perceived_wait().max())]
    assert metric == [2.5, 5]


def test_the_window_around_an_instant():
    windows = Windows(np.array([0.0, 4.0]), np.array([8.0, 8.0]))
    assert [windows.around(0, at) for at in (0.0, 7.9, 8.0)] == [(0, 8), (0, 8), (8, 16)]
    assert [windows.around(1, at) for at in (0.0, 4.0)] == [(-4, 4), (4, 12)]
