"""Captions say what happens, by time, in words that were read; many jobs do not flood those who watch."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.captions import MAX, Caption, caption_at, captions
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import finished
from tests.random_tests import examples


def told(name: str, policy: str) -> list[tuple[float, str]]:
    workload = load_sample(name)
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy))
    return [(caption.time, caption.text) for caption in captions(schedule)]


def test_five_jobs() -> None:
    assert told("five-jobs", "fifo") == [
        (0, "J1 starts."),
        (4, "J1's last map ends: its reduces start. J2 starts."),
        (5, "J2's last map ends: its reduces may start. J3 starts."),
        (9, "J1 is done. J2's reduces start, 4 s after the last map."),
        (13, "J2 is done."),
        (35, "J3's last map ends: its reduces start. J4 starts."),
        (39, "J3 is done."),
        (41, "J4's last map ends: its reduces start. J5 starts."),
        (43, "J5's last map ends: its reduces may start. All map slots are free while reduces of J4 run."),
        (71, "J4 is done. J5's reduces start, 28 s after the last map."),
        (74, "J5 is done, the last of 5 jobs: the makespan is 1 min 14 s."),
    ]


def test_jobs_that_do_the_same_at_once_share_a_sentence() -> None:
    assert told("two-jobs-fair", "fair") == [
        (0, "J1 and J2 start."),
        (10, "For each of J1 and J2 the last wave of maps begins: 15 maps."),
        (
            20,
            "The last maps of J1 and J2 end: their reduces start. "
            "All map slots are free while reduces of J1 and J2 run.",
        ),
        (30, "For each of J1 and J2 the last wave of reduces begins: 15 reduces."),
        (40, "J1 and J2 are done: the makespan is 40 s."),
    ]


def test_shuffles_that_overlap_maps_and_waves() -> None:
    found = [(round(time, 1), text) for time, text in told("wordcount", "fifo")]
    assert found[:5] == [
        (0, "WordCount starts."),
        (23.8, "WordCount's shuffle overlaps its maps until 1:40.2."),
        (47.3, "WordCount's 3rd wave of maps begins: 64 maps."),
        (72, "WordCount's last wave of maps begins: 8 maps."),
        (
            100.2,
            "WordCount's last map ends: its reduces can end their shuffles. "
            "All map slots are free while reduces of WordCount run.",
        ),
    ]


@pytest.mark.parametrize(
    ("name", "policy", "time", "text"),
    [
        ("dynamic-slots", "dhfs-pi", 0, "J1 starts. J1 gets a reduce slot lent for a map."),
        (
            "dynamic-slots",
            "dhfs-pi",
            10,
            "J1's last map ends: its reduces start. No map runs while reduces of J1 run.",
        ),
        ("ten-scans", "fifo", 10, "J1 arrives and starts at once."),
        ("ten-scans", "fifo", 22, "J1 is done, 12 s after it arrived. J2 starts after 6 s of waiting."),
        (
            "three-pools",
            "fifo",
            60,
            "query A misses its deadline: it will be done 1 min 16 s late. "
            "summary arrives and starts at once.",
        ),
    ],
)
def test_arrivals_deadlines_and_lent_slots(name: str, policy: str, time: float, text: str) -> None:
    assert (time, text) in told(name, policy)


def test_whose_it_is_of_a_name_that_ends_in_s() -> None:
    assert "invoices' last map ends: its reduces may start." in dict(told("three-pools", "fifo"))[42]


def test_a_cluster_without_work_says_until_when() -> None:
    early, late = make_job("early", maps=(1, 4)), make_job("late", maps=(1, 4), arrival=20)
    schedule = run(make_workload(early, late), Cluster(1, 1))
    texts = {caption.time: caption.text for caption in captions(schedule)}
    assert texts[4] == "Nothing is left to run until 0:20. early is done."


def test_what_a_caption_is_about() -> None:
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    second = captions(schedule)[1]
    assert workload.jobs[second.job].name == "J1"
    assert schedule.end[second.task] == second.time == 4


def test_the_caption_at_a_time_is_the_last_one_before() -> None:
    told = (Caption(1, "one"), Caption(5, "five"))
    found = [caption_at(told, time) for time in (None, 0.5, 1, 4.9, 5, 99)]
    assert found == [None, None, told[0], told[0], told[1], told[1]]


def test_five_hundred_jobs_do_not_flood() -> None:
    jobs = [make_job(f"J{i}", maps=(2 + i % 3,), reduces=(3,), arrival=i / 7) for i in range(500)]
    schedule = run(make_workload(*jobs), Cluster(4, 4))
    found = captions(schedule)
    gaps = np.diff([caption.time for caption in found])
    assert 20 < len(found) <= MAX + 2
    assert gaps[:-1].min() >= schedule.makespan / MAX - 1e-9
    assert "the last of 500 jobs" in found[-1].text


@examples(30)
@given(cases(), st.integers(0, 5))
def test_captions_of_anything(case: Case, cut: int) -> None:
    """Whole schedules, and ones that stopped somewhere, have captions in order and within their time."""
    schedule = finished(case)
    if cut < 3:  # a run that stopped halfway has no times for the rest
        nowhere = schedule.start > schedule.makespan * cut / 3
        schedule = replace(
            schedule,
            slot=np.where(nowhere, -1, schedule.slot).astype(np.int32),
            sequence=np.flatnonzero(~nowhere).astype(np.int32),
            start=np.where(nowhere, np.nan, schedule.start),
            end=np.where(nowhere, np.nan, schedule.end),
        )
    found = captions(schedule)
    times = [caption.time for caption in found]
    assert times == sorted(set(times))
    assert all(0 <= time <= schedule.makespan for time in times)
    assert all(caption.text.endswith(".") and "  " not in caption.text for caption in found)


def test_a_caption_holds_for_a_while_and_the_last_one_for_ever() -> None:
    told = (Caption(1, "a"), Caption(5, "b"))
    found = [caption_at(told, time, 2) for time in (0.5, 1, 3, 3.1, 5, 99)]
    assert found == [None, told[0], told[0], None, told[1], told[1]]
    assert caption_at((), 3, 2) is None
