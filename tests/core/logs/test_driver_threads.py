"""Which job the driver waited for, by hand and for threads that are known."""

from __future__ import annotations

import numpy as np
import pytest

from core.logs.driver_threads import NONE, jobs_before


def before(*jobs: tuple[float, float], driver: str = "app") -> list[int]:
    """Return which job each of these follows, given when it was submitted and ended, s."""
    submit, ends = (np.array([round(1000 * each) for each in times]) for times in zip(*jobs, strict=True))
    return jobs_before([driver] * len(jobs), ["default"] * len(jobs), submit, ends)


def test_one_thread_is_a_chain() -> None:
    assert before((0, 5), (6, 10), (10, 11)) == [NONE, 0, 1]


def test_of_two_threads_each_job_is_followed_once() -> None:
    assert before((0, 10), (0, 11), (12, 20), (13, 20)) == [NONE, NONE, 1, 0]


def test_jobs_submitted_at_once_follow_the_same_one() -> None:
    """Both sides of a join are submitted when the first job has ended; the next one waits for the last."""
    assert before((0, 10), (10.01, 15), (10.03, 20), (20, 22)) == [NONE, 0, 0, 2]


def test_what_idles_for_longer_than_jobs_take_is_no_thread() -> None:
    """The first job ended 149 s ago, and jobs take 63 s on average: the fourth follows the second."""
    assert before((0, 1), (0, 100), (100.1, 200), (150, 200)) == [NONE, NONE, 1, 1]


def test_nothing_is_followed_while_the_first_jobs_run() -> None:
    assert before((0, 10), (1, 10), (2, 10)) == [NONE] * 3


def test_jobs_without_a_driver_follow_none() -> None:
    assert before((0, 5), (6, 10), driver="") == [NONE, NONE]


def test_no_jobs() -> None:
    none = np.zeros(0, np.int64)
    assert jobs_before([], [], none, none) == []


@pytest.mark.parametrize("seed", range(20))
def test_threads_that_hardly_think_are_found(seed: int) -> None:
    """One to five threads, whose next job comes 1 ms after the last one and takes 10 to 1000 s."""
    draw = np.random.default_rng(seed)
    jobs: list[tuple[int, int, int]] = []
    for thread in range(int(draw.integers(1, 6))):
        clock = thread
        for _ in range(int(draw.integers(2, 10))):
            took = int(draw.integers(10_000, 1_000_000))
            jobs.append((clock, clock + took, thread))
            clock += took + 1
    jobs.sort()
    latest: dict[int, int] = {}
    true = []
    for place, (_, _, thread) in enumerate(jobs):
        true.append(latest.get(thread, NONE))
        latest[thread] = place
    submit, ends, _ = (np.array(each) for each in zip(*jobs, strict=True))
    assert jobs_before(["app"] * len(jobs), [""] * len(jobs), submit, ends) == true
