"""Going on from an instant under another policy: what was before it stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Cancelled, InputError
from core.model.progress import never_stop, no_progress
from core.model.schedule import Fork, Forkable, PolicyChoice, Schedule, forks_of
from core.policies.user_files.apart import where_policies_live

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.simulation.simulate import Engine, Simulation


MAX_FORKS = 20
"""Of one schedule."""
MIN_STARTS_PER_STOP = 20
"""From so many on a run that stops at single starts is compiled: stopping it takes long."""
LOOK_EVERY = 256
"""Starts after which is looked whether to stop."""


def fork_of(first: Forkable, time: float, decisions: int = 0) -> Fork:
    """Return the fork that leaves a scenario, or its schedule, at a time.

    Parameters
    ----------
    first : who decides up to there
    time : seconds
    decisions : how many of the starts at exactly that time stay as they are; 0 asks the other policy about
        all of them

    Raises
    ------
    InputError
        the time is negative or no number, there are `MAX_FORKS` before it, or a log recorded the schedule
    """
    if first.choice.is_record:
        raise InputError(
            "a record of what really ran cannot be continued, since no policy of ours led there; "
            "fork a simulated schedule"
        )
    if not 0 <= time < np.inf:
        raise InputError(f"a schedule forks at 0 s or later; {time} is not such a time")
    here = (float(time), max(decisions, 0))
    while first.fork is not None and (first.fork.time, first.fork.decisions) >= here:
        first = first.fork  # that fork lies ahead, and so is never reached
    if len(forks_of(first)) >= MAX_FORKS:
        raise InputError(f"a schedule changes its policy {MAX_FORKS} times at most; fork an earlier one")
    return Fork(*here, first.choice, first.order, first.partition, first.fork, first.plan)


@where_policies_live
def simulate_fork(
    workload: Workload,
    cluster: Cluster,
    choice: PolicyChoice,
    fork: Fork,
    *,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    plan: Plan | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
    engine: Engine = "auto",
) -> Schedule:
    """Run a workload under the fork's policy up to the fork, and to the end under another one.

    Parameters and errors are those of `core.simulation.simulate.simulate`; `choice`, `order`, `partition` and
    `plan` hold from the fork on. The starts before the fork are exactly those of the first policy.
    """
    # checks the policy, and lets one that searches before the run do so with progress and cancel
    from core.simulation.simulate import Simulation  # who says where to fork simulates nothing

    Simulation(
        workload,
        cluster,
        choice,
        order=order,
        partition=partition,
        plan=plan,
        engine=engine,
        progress=progress or no_progress,
        should_stop=should_stop or never_stop,
    )
    begin = run_before(workload, cluster, fork, engine, should_stop)
    run = run_after_fork(begin, fork, choice, order, partition, should_stop, plan)
    while not run.advance():
        if progress is not None:
            progress(run.progress)
        if should_stop is not None and should_stop():
            raise Cancelled(f"the simulation of {workload.name} was cancelled")
    return replace(run.schedule(), fork=fork, in_order=False)


def run_before(
    workload: Workload,
    cluster: Cluster,
    fork: Fork,
    engine: Engine,
    should_stop: Callable[[], bool] | None = None,
) -> Simulation:
    """Return a run under the fork's first policy that has not reached the fork."""
    return begins(workload, cluster, fork, engine, should_stop)[-1]


def begins(
    workload: Workload,
    cluster: Cluster,
    followed: Forkable,
    engine: Engine,
    should_stop: Callable[[], bool] | None = None,
) -> list[Simulation]:
    """Return the runs in which each policy begins to decide: at time 0, and at the forks."""
    from core.simulation.simulate import Simulation  # who says where to fork simulates nothing

    first, *others = (*forks_of(followed), followed)
    runs = [
        Simulation(
            workload,
            cluster,
            first.choice,
            order=first.order,
            partition=first.partition,
            plan=first.plan,
            engine=engine,
            should_stop=should_stop or never_stop,
        )
    ]
    for part in others:
        assert part.fork is not None
        decided = part.choice, part.order, part.partition
        runs.append(run_after_fork(runs[-1], part.fork, *decided, should_stop, part.plan))
    return runs


def events_before_starts(
    schedule: Schedule, should_stop: Callable[[], bool] = never_stop
) -> NDArray[np.int64]:
    """Return how many arrivals and ends came before each start, where its time leaves it open, (starts,).

    Tasks that take no time end at the time at which they start, and slots are offered once more: only the run
    itself, made again, says in which turn a policy gave a slot away. At all other times it is 1.
    """
    sequence = schedule.sequence
    before, times = np.ones(len(sequence), np.int64), schedule.start[sequence]
    several = np.isin(times, times[schedule.end[sequence] == times])
    if several.any():
        is_rare = MIN_STARTS_PER_STOP * np.count_nonzero(several) < len(several)
        engine: Engine = "auto" if is_rare else "interpreted"
        runs = begins(schedule.given, schedule.cluster, schedule, engine, should_stop)
        ends = [*(run.started for run in runs[1:]), len(sequence)]
        for run, end in zip(runs, ends, strict=True):
            for start in (run.started + np.flatnonzero(several[run.started : end])).tolist():
                if start % LOOK_EVERY == 0 and should_stop():
                    raise Cancelled(f"the simulation of {schedule.workload.name} was cancelled")
                run.advance_to_start(schedule.starts_before(start), should_stop)
                before[start] = run.events
    return before


def run_after_fork(
    run: Simulation,
    fork: Fork,
    choice: PolicyChoice,
    order: Sequence[str] | None,
    partition: Partition | None,
    should_stop: Callable[[], bool] | None = None,
    plan: Plan | None = None,
) -> Simulation:
    """Return the run under the other policy, about to decide for the first time."""
    return standing_at(run, fork.time, fork.decisions, should_stop).with_policy(
        choice, order, partition, plan
    )


def standing_at(
    run: Simulation, time: float, decisions: int, should_stop: Callable[[], bool] | None = None
) -> Simulation:
    """Return a copy of a run at a time, with so many of that time's starts done.

    The copy is good for looking and for handing over. It should not go on under its own policy, which may
    have been asked once more than in the run that does not stop.
    """
    after = run.fork()
    after.advance_until(time, should_stop)
    before = run.fork()
    before.advance_until(float(np.nextafter(time, -np.inf)), should_stop)
    start = before.started + decisions
    if start >= after.started:
        return after
    there = run.fork()
    there.advance_to_start(start, should_stop)
    return there
