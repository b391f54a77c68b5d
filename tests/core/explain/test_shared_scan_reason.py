"""Shared scans in explanations: windows, who scans for whom, and every kind of question on every policy."""

from __future__ import annotations

import pytest

from core.explain.all_differences import all_differences, difference_sentences
from core.explain.critical_path import critical_path
from core.explain.instant import instant_at
from core.explain.lint import lint
from core.explain.path_words import link_sentence
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import waiting_reasons
from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP
from core.model.workload import Workload
from core.shared_scans.windows import SCAN_POLICIES
from core.simulation.simulate import simulate

LOGS = Dataset("logs", 20, 1.0)


def scan(name: str, arrival: float, *blocks: tuple[int, int]) -> Job:
    return Job(name, scan_stage(LOGS, blocks), arrival=arrival, dataset="logs", blocks=blocks)


WHOLE = Workload("whole", (scan("J1", 0), scan("J2", 2), scan("J3", 4)), datasets=(LOGS,))
SETS = Workload(
    "sets",
    (scan("month", 0, (0, 20)), scan("week", 1, (4, 11)), scan("day", 2, (10, 11), (15, 16))),
    datasets=(LOGS,),
)


def run(workload: Workload, policy: str, **parameters: object) -> Schedule:
    parameters = {"metric": "max-stretch"} | parameters
    return simulate(workload, Cluster(2, 0), PolicyChoice(policy, parameters), engine="interpreted")


def test_a_job_that_waits_for_its_window_says_until_when() -> None:
    schedule = run(WHOLE, "batch", window=8.0)
    assert "J2 waits for its batching window to end, at 0:08." in waiting_reasons(schedule, 1, 3)[0].sentences
    first = critical_path(schedule).links[0]
    assert link_sentence(schedule, first) == "J1 waits for its batching window to end"


def test_a_rider_says_who_scans_for_it() -> None:
    schedule = run(WHOLE, "circumflex")
    said = waiting_reasons(schedule, 1, 3)[MAP].sentences
    assert "J1 scans 16 of its 20 blocks for it; it scans the rest itself." in said
    assert "J1 (12) and J2 (4) scan 16 of its 20 blocks for it; it scans the rest itself." in (
        waiting_reasons(schedule, 2, 5)[MAP].sentences
    )
    shared = next(task for task in range(20) if schedule.start[task] == 4)
    assert "It scans its block for J2 and J3, too." in task_reason(schedule, shared).why_then


def test_over_sets_only_the_blocks_of_both_count() -> None:
    schedule = run(SETS, "circumflex")
    said = waiting_reasons(schedule, 1, 1)[MAP].sentences
    assert any("month scans" in sentence and "of its 7 blocks" in sentence for sentence in said)


def test_without_sharing_nobody_speaks_of_it() -> None:
    schedule = run(WHOLE, "flex")
    told = " ".join(waiting_reasons(schedule, 1, 3)[MAP].sentences)
    assert "for it" not in told
    assert "window" not in told


@pytest.mark.parametrize("workload", [WHOLE, SETS], ids=["whole", "sets"])
@pytest.mark.parametrize("policy", SCAN_POLICIES)
def test_every_question_is_answered_for_every_policy(policy: str, workload: Workload) -> None:
    schedule, fifo = run(workload, policy), simulate(workload, Cluster(2, 0), PolicyChoice("fifo"))
    chain = critical_path(schedule)
    assert sum(link.seconds for link in chain.links) == pytest.approx(schedule.makespan)
    assert all(link_sentence(schedule, link) for link in chain.links)
    assert all(task_reason(schedule, task).why_then for task in range(schedule.tasks))
    for time in (0.0, 1.0, 5.0, schedule.makespan):
        held = int((instant_at(schedule, time).slot_task >= 0).sum())
        assert held == int(((schedule.start <= time) & (schedule.end > time)).sum())
        for job in range(3):
            assert all(reason.sentences for reason in waiting_reasons(schedule, job, time))
    lint(schedule)
    found = all_differences(schedule, fifo)
    assert all(all(difference_sentences(found, i, schedule, fifo)) for i in range(len(found)))
    assert (found.parted is None) == (policy == "flex" and workload is WHOLE)
