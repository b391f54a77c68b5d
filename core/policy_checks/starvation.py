"""Whether a job starves: while jobs keep coming, it waits, and the more of them come, the longer.

Streams of equal jobs that keep a small cluster busy are run, each with one job among them that differs: it is
larger, longer, lighter, without a deadline, in another pool. It waits while none of its tasks runs although
one could start; what counts are the tasks of that kind of jobs that arrived later and start meanwhile. A wait
that does not grow when twice as many jobs come is a turn, not starvation; nor is one that ends when many more
come. A policy by which a job gets nearer to its turn as it waits, and that has not served it until then, is
not judged.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from core.explain.start_cause import stage_ready
from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyFault
from core.model.job import Job
from core.model.progress import never_stop
from core.model.stages import Stage
from core.model.time_text import exact_clock
from core.model.workload import Workload
from core.policies.composing.hooks import hooks_of
from core.policies.registry import policy_class
from core.policy_checks.evidence import Evidence
from core.policy_checks.watched_run import without_prints
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import PolicyChoice, Schedule

FEW, MANY = 20, 40
"""Jobs that come later, and twice as many of them."""
LONGER = (160, 640)
"""Jobs that come later where W was passed over: a policy may look at how long jobs wait."""
GROWS = 1.6
"""So many times as many tasks at least pass over a job that starves, when twice as many jobs come."""
PATIENCE = 8
"""Tasks of later jobs that may pass over a waiting job on so small a cluster, whatever the policy."""
WAITS = "W"
"""The name of the job that may starve: it waits."""
EVERY, AT_FIRST = 0.9, 3
"""Seconds between two jobs, each of which asks for a second of all slots; jobs at the beginning."""
CLUSTER = Cluster(2, 2)
ALLOWED = 20.0
"""Seconds from the arrival of a job to its deadline, where it has one."""


def _like_all(name: str, arrival: float) -> Job:
    return Job(name, Stage.of(2, 1.0), Stage.of(2, 1.0), arrival)


def _stream(
    jobs: int, waits: Callable[[Job], Job], others: Callable[[Job], Job] = lambda job: job
) -> Workload:
    begin = [others(_like_all(f"E{i + 1}", 0.0)) for i in range(AT_FIRST)]
    later = [others(_like_all(f"L{i + 1}", 1.0 + EVERY * i)) for i in range(jobs)]
    text = f"One job among {jobs} that come after it, to see whether it is served while they keep coming."
    whole = (*begin, waits(_like_all(WAITS, 0.5)), *later)
    return Workload("stream", whole, cluster=CLUSTER, description=text)


def _in_time(job: Job) -> Job:
    return replace(job, deadline=job.arrival + ALLOWED)


STREAMS: dict[str, Callable[[int], Workload]] = {
    "W has more tasks than the others": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(10, 1.0), Stage.of(10, 1.0)))
    ),
    "W has fewer tasks than the others": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(1, 1.0), Stage.of(1, 1.0)))
    ),
    "W has longer tasks than the others": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(2, 8.0), Stage.of(2, 8.0)))
    ),
    "W has shorter tasks than the others": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(2, 0.25), Stage.of(2, 0.25)))
    ),
    "the reduces of W are longer than its maps": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(2, 1.0), Stage.of(2, 8.0)))
    ),
    "the maps of W are longer than its reduces": partial(
        _stream, waits=lambda job: replace(job, stages=(Stage.of(2, 8.0), Stage.of(2, 1.0)))
    ),
    "W has a smaller weight than the others": partial(_stream, waits=lambda job: replace(job, weight=0.1)),
    "W has a larger weight than the others": partial(_stream, waits=lambda job: replace(job, weight=10.0)),
    "W has no deadline, and the others have": partial(_stream, waits=lambda job: job, others=_in_time),
    "W has a later deadline than the others": partial(
        _stream, waits=lambda job: replace(job, deadline=10 * ALLOWED), others=_in_time
    ),
    "W is of another pool than the others": partial(_stream, waits=lambda job: replace(job, pool="other")),
    "W is of a pool that comes behind that of the others": partial(
        _stream, waits=lambda job: replace(job, pool="other"), others=lambda job: replace(job, pool="first")
    ),
}
"""By what sets the job apart from all others."""


@without_prints
def starving(
    choice: PolicyChoice, kind: str, should_stop: Callable[[], bool] = never_stop
) -> Evidence | str | None:
    """Return how a job starves in one kind of stream, or why that cannot be judged; None where it is served.

    Raises
    ------
    InputError
        the policy is for another kind of workload or cluster
    """
    short = _passed_over(choice, STREAMS[kind](FEW), should_stop)
    long = _passed_over(choice, STREAMS[kind](MANY), should_stop)
    if short is None or long is None:
        return None  # it fails, which another check tells
    few, (many, evidence, _) = short[0], long
    if many <= PATIENCE or many < GROWS * few:
        return None
    counts = {FEW: few, MANY: many}
    for jobs in LONGER:
        longer = _passed_over(choice, STREAMS[kind](jobs), should_stop)
        if longer is None:
            return None
        if longer[2] < EVERY * (jobs - 1):
            return None  # it was served while jobs kept coming
        counts[jobs] = longer[0]
    if hooks_of(policy_class(choice.id)).may_grow_patient:
        return (
            f"it may look at how long jobs wait, and where {kind} it was still not served when "
            f"{LONGER[-1]} jobs had come; whether it ever is, no run can show"
        )
    told = "; ".join(f"if {jobs} come, {count} do" for jobs, count in counts.items() if jobs != FEW)
    first = f"{kind[:1].upper()}{kind[1:]}."
    also = (first, f"If {FEW} jobs come after it, {few} tasks pass over it; {told}.")
    return replace(evidence, why=also)


@without_prints
def passed_over(
    choice: PolicyChoice, workload: Workload, should_stop: Callable[[], bool] = never_stop
) -> Evidence | None:
    """Return how the job that waits is passed over in a workload, by more tasks than patience allows."""
    if WAITS not in workload.job_index:
        return None
    try:
        found = _passed_over(choice, workload, should_stop)
    except InputError:
        return None
    return found[1] if found is not None and found[0] > PATIENCE else None


def _passed_over(
    choice: PolicyChoice, workload: Workload, should_stop: Callable[[], bool]
) -> tuple[int, Evidence, float] | None:
    """Return how many tasks pass over the job that waits, how, and when the last does; None for a failure."""
    run = partial(simulate, workload, workload.cluster, choice, engine="interpreted")
    try:
        schedule = run(should_stop=should_stop)
    except PolicyFault:
        return None
    count, since, until = overtaken(schedule, workload.job_index[WAITS])
    span = f"From {exact_clock(since)} to {exact_clock(until)}"
    sentence = f"{span} {WAITS} gets no slot, while {count} tasks of jobs that came later start."
    return count, Evidence(sentence, workload, since, WAITS), until


def overtaken(schedule: Schedule, job: int) -> tuple[int, float, float]:
    """Return how many tasks of later jobs pass over a job in its worst wait, and from when to when.

    A job waits while none of its tasks runs although one could start; what counts are starts of that kind of
    task by jobs that arrived later. The times are those of the first and of the last such start.
    """
    columns = schedule.workload.columns
    mine = columns.job == job
    starts, ends = schedule.start[mine], schedule.end[mine]
    stages = range(*columns.stages.begin[job : job + 2].tolist())
    ready = {stage: stage_ready(schedule, stage)[0] for stage in stages}
    left = {stage: int(columns.stages.count[stage]) for stage in stages}
    worst, passed = (0, 0.0, 0.0), (0, 0.0, 0.0)
    for task in schedule.sequence.tolist():
        time = float(schedule.start[task])
        alike = columns.stages.of_type(job, columns.kind[task]).tolist()
        if columns.job[task] == job:
            left[int(columns.stage[task])] -= 1
        if columns.job[task] == job or ((starts <= time) & (ends > time)).any():
            passed = (0, 0.0, 0.0)
        elif columns.arrival[columns.job[task]] > columns.arrival[job] and any(
            left[stage] and ready[stage] <= time for stage in alike
        ):
            passed = (passed[0] + 1, passed[1] if passed[0] else time, time)
            worst = max(worst, passed, key=lambda each: each[0])
    return worst
