"""Critical paths where nodes fail: contiguous, and what is on them decides the end, as changed runs say."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from core.explain.causes import Cause
from core.explain.critical_path import CriticalPath, critical_path
from core.explain.path_causes import spent_time
from core.explain.path_words import link_sentence
from core.explain.stage_path import NO_STAGE, PartKind
from core.explain.start_cause import NO_TASK
from core.model.cluster import Cluster
from core.model.event_nodes import down_spans, speed_before
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from core.simulation.other_times import TaskTimes, workload_with
from core.simulation.simulate import simulate
from tests.core.engine.test_failures import CHOICES, ONE, TWICE
from tests.core.engine.test_failures import _known as _known
from tests.core.simulation.test_fork_with_events import drawn, whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.explain.critical_path import PathLink
    from core.model.schedule import Schedule

WAITS = (Cause.ARRIVAL, Cause.AWAY, Cause.LOST, Cause.OUTPUT)
"""They end when something happens that no task decides."""
LONGER = 1e-5


class Attempt(NamedTuple):
    """When and where a task ran, for the last time or before."""

    task: int
    slot: int
    start: float
    shuffled: float
    end: float


def attempts_of(schedule: Schedule) -> list[Attempt]:
    times = zip(*(each.tolist() for each in (schedule.start, schedule.shuffled, schedule.end)), strict=True)
    own = [Attempt(task, int(schedule.slot[task]), *each) for task, each in enumerate(times)]
    history = schedule.given_up
    if history is None or history.given_up is None:
        return own
    run, lost = history.run, history.given_up
    parts = zip(run.start.tolist(), run.shuffle_end.tolist(), run.end.tolist(), strict=True)
    slots = history.extra_slot.tolist()
    return own + [Attempt(int(lost.task[i]), slots[i], *each) for i, each in enumerate(parts)]


def check(schedule: Schedule) -> CriticalPath:
    """Check what holds for every path: its links add up, and tasks run where and when they say."""
    path = critical_path(schedule)
    if schedule.makespan == 0:
        assert path.links == ()
        return path
    assert (path.links[0].begin, path.links[-1].end) == (0, schedule.makespan)
    assert all(one.end == other.begin for one, other in pairwise(path.links))
    assert sum(Fraction(each.end) - Fraction(each.begin) for each in path.links) == Fraction(
        schedule.makespan
    )
    attempts, away = attempts_of(schedule), down_spans(schedule.cluster)
    for link in path.links:
        assert link_sentence(schedule, link)
        if link.cause is Cause.AWAY:
            assert ((away.begin <= link.begin) & (away.end == link.end)).any()
        if link.task != NO_TASK:
            assert any(
                (each.task, each.slot) == (link.task, link.slot)
                and each.start <= link.begin
                and link.end <= each.end
                for each in attempts
            ), link
    return path


def times_of(schedule: Schedule) -> TaskTimes:
    columns = schedule.workload.columns
    return TaskTimes(columns.duration, columns.first_shuffle, columns.typical_shuffle)


def odd_times(workload: Workload, cluster: Cluster, draw: np.random.Generator) -> tuple[Workload, Cluster]:
    """Return the same with times that no two share, and speeds that stay."""
    columns = workload.columns
    more = [draw.uniform(0.1, 1.0, len(columns.duration)) for _ in range(3)]
    times = TaskTimes(
        columns.duration + more[0], columns.first_shuffle + more[1], columns.typical_shuffle + more[2]
    )
    other = workload_with(workload, times)
    jobs = tuple(replace(job, arrival=job.arrival + float(draw.uniform(0, 0.1))) for job in other.jobs)
    assert cluster.events is not None
    happen = tuple(
        replace(each, time=0.0 if each.kind == "speed" else each.time + float(draw.uniform(0, 0.2)))
        for each in cluster.events.happen
    )
    return replace(other, jobs=jobs), replace(cluster, events=replace(cluster.events, happen=happen))


class Change(NamedTuple):
    """A task that takes longer, or something that happens later, and by how much the end should move."""

    what: str
    workload: Workload
    cluster: Cluster
    later: float


def last_part(path: CriticalPath) -> list[PathLink]:
    """Return the links behind the last one that ends when something happens."""
    waits = [place for place, link in enumerate(path.links) if link.cause in WAITS]
    return list(path.links[waits[-1] + 1 :])


def changes(schedule: Schedule, path: CriticalPath, draw: np.random.Generator) -> Iterator[Change]:
    """Yield each task with other times, each event and arrival later, in some order."""
    workload, cluster, attempts = schedule.workload, schedule.cluster, attempts_of(schedule)
    decides = last_part(path)
    for task in draw.permutation(schedule.tasks)[:3].tolist():
        own = [each for each in attempts if each.task == task]
        for name in ("duration", "shuffle"):
            later = 0.0
            for link in decides:
                ends = {each.end if name == "duration" else each.shuffled for each in own}
                if link.task == task and link.end in ends:
                    later += LONGER / speed_before(cluster, link.slot, link.end)
            times, more = times_of(schedule), LONGER * (np.arange(schedule.tasks) == task)
            if name == "duration":
                times = replace(times, duration=times.duration + more)
            else:
                times = TaskTimes(times.duration, times.first_shuffle + more, times.typical_shuffle + more)
            yield Change(name, workload_with(workload, times), cluster, later)
    wait = path.links[-len(decides) - 1]
    assert cluster.events is not None
    for place, event in enumerate(cluster.events.happen):
        if event.kind != "speed":
            happen = list(cluster.events.happen)
            happen[place] = replace(event, time=event.time + LONGER)
            decided = wait.cause is not Cause.ARRIVAL and wait.end == event.time
            other = replace(cluster, events=replace(cluster.events, happen=tuple(happen)))
            yield Change(event.kind, workload, other, LONGER * decided)
    for j, job in enumerate(workload.jobs):
        decided = wait.cause is Cause.ARRIVAL and wait.end == job.arrival
        jobs = list(workload.jobs)
        jobs[j] = replace(job, arrival=job.arrival + LONGER)
        yield Change("arrival", replace(workload, jobs=tuple(jobs)), cluster, LONGER * decided)


def test_links_add_up() -> None:
    causes: Counter[Cause] = Counter()
    for place, (workload, cluster, _) in enumerate(drawn(41, 80)):
        schedule = whole(workload, cluster, CHOICES[place % len(CHOICES)])
        if schedule is not None:
            causes.update(link.cause for link in check(schedule).links)
    assert min(causes[each] for each in (Cause.AWAY, Cause.LOST, Cause.OUTPUT, Cause.AGAIN)) > 5


def test_what_is_on_the_path_decides_the_end() -> None:
    """A little longer on the path ends so much later, beside it nothing changes: runs say so."""
    moved: Counter[str] = Counter()
    stayed = 0
    for workload, cluster, draw in drawn(42, 24):
        workload, cluster = odd_times(workload, cluster, draw)
        schedule = whole(workload, cluster, "fifo")
        if schedule is None:
            continue
        path = check(schedule)
        for change in changes(schedule, path, draw):
            other = simulate(change.workload, change.cluster, PolicyChoice("fifo"), engine="interpreted")
            found = other.makespan - schedule.makespan
            assert found == pytest.approx(change.later, abs=1e-9), (change, path)
            moved[change.what] += change.later > 0
            stayed += change.later == 0
    assert min(moved[each] for each in ("duration", "shuffle", "fails", "returns", "arrival")) > 1
    assert stayed > 100


def test_the_night_of_one_job() -> None:
    """N1 runs maps 0 and 2; it fails at 15 s, with the output of map 0, and is back at 30 s."""
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    schedule = simulate(ONE, cluster, PolicyChoice("fifo"))
    path = check(schedule)
    assert [(link.begin, link.end, link.cause) for link in path.links] == [
        (0, 10, Cause.MAP_WORK),
        (10, 15, Cause.LOST),
        (15, 30, Cause.AWAY),
        (30, 40, Cause.MAP_WORK),
        (40, 42, Cause.SHUFFLE),
        (42, 45, Cause.REDUCE_WORK),
    ]
    assert [link_sentence(schedule, link) for link in path.links[:3]] == [
        "map 1 of A runs on M1",
        "map 3 of A runs on M1, and that is lost with node N1",
        "map 3 of A waits for node N1",
    ]


def test_a_task_that_waits_for_a_slot_and_then_for_a_node() -> None:
    """B, which goes first, comes at 1 s, when A holds both slots; N2 fails at 8 s, and is back at 12 s."""
    happen = (NodeEvent(8.0, 1), NodeEvent(12.0, 1, "returns"))
    jobs = Job("A", Stage.of(2, [20.0, 30.0]), EMPTY), Job("B", Stage.of(1, 40.0), EMPTY, arrival=1.0)
    cluster, fifo = Cluster(2, 0, events=NodeEvents(2, happen)), PolicyChoice("fifo")
    schedule = simulate(Workload("two", jobs), cluster, fifo, order=("B", "A"))
    path = check(schedule)
    assert [(link.begin, link.end, link.cause) for link in path.links] == [
        (0, 1, Cause.ARRIVAL),
        (1, 8, Cause.SLOT_WAIT),
        (8, 12, Cause.AWAY),
        (12, 52, Cause.MAP_WORK),
    ]
    assert [link_sentence(schedule, link) for link in path.links[1:3]] == [
        "map 1 of B waits for a free slot",
        "map 1 of B waits for node N2",
    ]


def test_an_output_that_is_lost() -> None:
    """Map 0 ends at 10 s; N1 fails at 11 s, before the last map of the other node ends, and the reduce."""
    events = replace(TWICE, map_outputs="lost", happen=(NodeEvent(11.0, 0),))
    job = Job("A", Stage.of(2, [10.0, 12.0]), Stage.of(1, 3.0, 1.0, 2.0))
    schedule = simulate(Workload("one", (job,)), Cluster(4, 2, 1.0, events=events), PolicyChoice("fifo"))
    assert schedule.slot.tolist() == [2, 3, 5]  # both ran on N1 before
    path = check(schedule)
    assert [(link.begin, link.end, link.cause) for link in path.links] == [
        (0, 11, Cause.LOST),
        (11, 23, Cause.MAP_WORK),
        (23, 25, Cause.SHUFFLE),
        (25, 28, Cause.REDUCE_WORK),
    ]
    other = Job("A", Stage.of(2, [12.0, 10.0]), Stage.of(1, 9.0, 1.0, 2.0))
    later = replace(events, happen=(NodeEvent(13.0, 0),))
    schedule = simulate(Workload("one", (other,)), Cluster(4, 2, 1.0, events=later), PolicyChoice("fifo"))
    path = check(schedule)
    assert [(link.begin, link.end, link.cause) for link in path.links][:3] == [
        (0, 12, Cause.LOST),
        (12, 13, Cause.OUTPUT),
        (13, 25, Cause.AGAIN),
    ]
    assert [link_sentence(schedule, link) for link in path.links[1:3]] == [
        "What map 1 of A put out is lost with its node at 0:13",
        "map 1 of A runs again on M3: its output was lost",
    ]


def test_the_path_over_stages_adds_up_and_is_what_ran() -> None:
    """A stage runs where one of its tasks does that lasts; what is lost and what waits is told apart."""
    kinds: Counter[PartKind] = Counter()
    for place, (workload, cluster, _) in enumerate(drawn(43, 60)):
        schedule = whole(workload, cluster, CHOICES[place % len(CHOICES)])
        if schedule is None or not schedule.makespan:
            continue
        spent, of = spent_time(schedule), schedule.workload.columns.stage
        parts = spent.path.parts
        assert (parts[0].begin, parts[-1].end) == (0, schedule.makespan)
        assert all(one.end == other.begin for one, other in pairwise(parts))
        assert fsum(spent.seconds.values()) == pytest.approx(schedule.makespan)
        back = set(down_spans(schedule.cluster).end.tolist())
        ran = attempts_of(schedule)
        for part in parts:
            kinds[part.kind] += 1
            middle = (part.begin + part.end) / 2
            own = [each for each in ran if of[each.task] == part.stage and each.start <= middle < each.end]
            lasts = any(each.start == schedule.start[each.task] for each in own)
            if part.kind in (PartKind.STAGE, PartKind.LOST):
                assert own
                assert lasts == (part.kind is PartKind.STAGE)
            elif part.stage != NO_STAGE:
                assert not own
            if part.kind is PartKind.AWAY:
                assert part.end in back
    assert min(kinds[each] for each in (PartKind.LOST, PartKind.AWAY, PartKind.SLOT)) > 3
