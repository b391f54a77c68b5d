"""A policy's run once more, interpreted and recorded: what it printed, what was watched, where to stop.

The run is made in the process of policy files where a user's file is followed or an expression of the user's
is evaluated, with that process's limits. What comes back are columns, bounded; what is left out is counted.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from core.explain.printed_output import recorded_output
from core.explain.recorder import Recorder
from core.model.errors import Cancelled, PolicyError, PolicyFault
from core.model.progress import never_stop, no_progress
from core.model.schedule import Fork, PolicyChoice, choices_of, forks_of
from core.policies.own_policies import own_policy
from core.policies.user_files.apart import where_policies_live
from core.policies.user_files.policy_process import call_apart
from core.simulation.fork import begins, standing_at

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.explain.trace import Trace, Wanted
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.workload import Workload


def traced_run(
    workload: Workload,
    cluster: Cluster,
    choice: PolicyChoice,
    wanted: Wanted,
    *,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    plan: Plan | None = None,
    fork: Fork | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Trace:
    """Run a policy again and return what was recorded.

    Parameters
    ----------
    workload, cluster, choice, order, partition, plan, fork : as of `simulate` and `simulate_fork`
    wanted : what to watch, and where to stop
    progress : called with the fraction of tasks that have ended
    should_stop : asked now and then; True cancels

    Raises
    ------
    PolicyFault
        the process ended without an answer; what the policy does wrong itself is in `Trace.fault`
    Cancelled
        `should_stop` said so
    """
    last = Fork(math.inf, 0, choice, None if order is None else tuple(order), partition, fork, plan)
    callbacks: dict[str, Any] = {"progress": progress, "should_stop": should_stop}
    if not (wanted.watches or wanted.stops):
        return trace_here(workload, cluster, last, wanted, **callbacks)
    try:
        trace: Trace = call_apart(trace_here, (workload, cluster, last, wanted), callbacks)
    except PolicyError as error:
        raise PolicyError(f"{error.sentence}, and what is watched, too", error.place) from error
    return trace


@where_policies_live
def trace_here(
    workload: Workload,
    cluster: Cluster,
    last: Fork,
    wanted: Wanted,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Trace:
    """Do what `traced_run` promises where the policy lives; `last` is what is followed to the end."""
    recorder = Recorder(workload, wanted)
    is_file = any(own_policy(each.id) is not None for each in choices_of(last))
    fault: PolicyFault | None = None
    with recorded_output(recorder, is_file=is_file) as output:
        try:
            _run_recorded(workload, cluster, last, recorder, progress, should_stop)
        except PolicyFault as raised:
            fault = raised
    return recorder.trace(output.lines, output.left_out, fault)


def _run_recorded(
    workload: Workload,
    cluster: Cluster,
    last: Fork,
    recorder: Recorder,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> None:
    """Run to the end, one after the other under each policy that decides."""
    parts = (*forks_of(last), last)
    (run,) = begins(workload, cluster, parts[0], "interpreted", should_stop)
    for part, following in pairwise(parts):
        with recorder.paused():
            there = standing_at(run, part.time, part.decisions, should_stop)
        recorded = recorder.follow(run)
        recorder.ends = part.time, there.started
        recorded.advance_to_start(there.started, should_stop)
        recorder.ends = None
        run = there.with_policy(following.choice, following.order, following.partition, following.plan)
    run = recorder.follow(run)
    while not run.advance():
        progress(run.progress)
        if should_stop():
            raise Cancelled(f"the traced run of {workload.name} was cancelled")
