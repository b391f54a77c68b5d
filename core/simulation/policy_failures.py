"""What a policy did wrong in a run, as an error with a sentence: it raised, picked nonsense, or got stuck."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.failures import offer_in_turn
from core.engine.locality import offer_nodes
from core.engine.loop import BAD_PICK, DONE, STALLED, offer_free_slots
from core.engine.node_failures import Failing
from core.engine.preemption import FULL, hand_out
from core.engine.speculation import offer_all
from core.engine.state import State, as_rows, jobs_on_slots, records_of, stage_column, waiting_jobs
from core.engine.variants import EngineVariant, RunKind
from core.model.errors import FailedRun, PolicyError, PolicyFault, StalledError
from core.model.task_types import KIND_WORDS, TASK_TYPES
from core.model.time_text import exact_clock
from core.policies.composing.answers import WrongAnswer
from core.policies.composing.kernel import interpreted_kernel, variant_for
from core.policies.policy import name_of
from core.policies.user_files.failed_call import FailedCall, Named, failed_call, place_of_call
from core.policies.user_files.loop_budget import failure_phrase
from core.policies.user_files.slips import words_of
from core.policies.user_files.source import place_of_error, place_of_file, place_of_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.policies.policy import Policy

FAILED = -1
"""Beside the engine's reasons to stop: something was raised."""


def check_status(
    status: int,
    error: BaseException | None,
    policy: type[Policy],
    workload: Workload,
    cluster: Cluster,
    state: State,
    schedule: Callable[[], Schedule],
) -> None:
    """Raise what a policy did wrong, with how far the run had come, if the engine stopped for that.

    Parameters
    ----------
    status : why the engine stopped, or FAILED
    error : what was raised then
    policy, workload, cluster, state : of the run
    schedule : returns what has been scheduled so far
    """
    call = FailedCall()
    fault: PolicyFault
    if status == FULL:
        fault = _given_up_error(policy, state)
    elif error is not None:
        fault, call = _exception_fault(policy, workload, state, error)
    elif status == BAD_PICK:
        fault, call = _bad_pick_fault(policy, workload, cluster, state)
    elif status == STALLED:
        fault = _stall_error(policy, workload, cluster, state)
    elif status != DONE or (found := _left_out_error(policy, workload, state)) is None:
        return
    else:
        fault = found
    time = float(records_of(state).cluster.now)
    fault.run = FailedRun(time, call.hook, call.values, _up_to(schedule(), time))
    raise fault from error


def _up_to(schedule: Schedule, time: float) -> Schedule:
    """Return a schedule of a run that stopped as if its jobs, and tasks with unknown ends, ended then."""
    started = np.isfinite(schedule.start)
    shuffled, end = (
        np.where(started & ~np.isfinite(column), time, column) for column in (schedule.shuffled, schedule.end)
    )
    finish = np.fmin(schedule.finish, time)
    for column in (shuffled, end, finish):
        column.flags.writeable = False
    return replace(schedule, shuffled=shuffled, end=end, finish=finish)


def _exception_fault(
    policy: type[Policy], workload: Workload, state: State, error: BaseException
) -> tuple[PolicyFault, FailedCall]:
    """Return what a decision raised, with the line of the user's file and the job that it looked at.

    Compiled code knows neither: the decision is made again, interpreted, on a copy of the state.
    """
    compiled = isinstance(state.job, np.ndarray)
    rows: Any = as_rows(state) if compiled else state
    again = _decide_again(policy, rows) if compiled else error
    if again is None:
        place, sentence = (
            place_of_file(policy.source),
            _sentence(policy, state, failure_phrase(error), str(error)),
        )
        return PolicyError(sentence, place), FailedCall()
    named = Named([job.name for job in workload.jobs], [pool.name for pool in workload.every_pool])
    call = failed_call(policy, again, {"job": rows.job, "pool": rows.pool}, named)
    place = place_of_call(policy, again, call) or place_of_error(again, policy.source)
    looking = f"looking at {workload.jobs[call.job].name}" if call.job >= 0 else ""
    if isinstance(again, WrongAnswer):
        at = f"{looking} at {exact_clock(records_of(state).cluster.now)}".strip()
        return PolicyError(f"policy {name_of(policy)}: {again} ({at})", place), call
    words = words_of(policy, again)
    why = f"{words} ({looking})" if words and looking else words or looking
    return PolicyError(_sentence(policy, state, failure_phrase(again), why), place), call


def _bad_pick_fault(
    policy: type[Policy], workload: Workload, cluster: Cluster, state: State
) -> tuple[PolicyFault, FailedCall]:
    """Return which task the policy picked although it cannot start."""
    s = records_of(state)
    job, kind = divmod(int(s.cluster.bad_pick), 2)
    values = [("kind", KIND_WORDS[kind]), ("slot", KIND_WORDS[int(s.cluster.turn) & 1])]
    what, why = (
        f"picked a {KIND_WORDS[kind]} task of job number {job}",
        f"there are {len(workload.jobs)} jobs",
    )
    if job < len(workload.jobs):
        name = workload.jobs[job].name
        what, why = f"picked a {KIND_WORDS[kind]} task of job '{name}'", "it has none that can start"
        started, tasks = (int(getattr(s.job[job], each)[kind]) for each in ("started", "tasks"))
        values = [("job", name), *values, ("started", f"{started} of {tasks}")]
    place = place_of_function(getattr(policy, "choose", None), policy.source)
    return PolicyError(_sentence(policy, state, what, why), place), FailedCall("choose", 0, tuple(values))


def _stall_error(policy: type[Policy], workload: Workload, cluster: Cluster, state: State) -> StalledError:
    """Return the waiting jobs and the reduces that hold slots while their maps wait."""
    waiting = [
        f"{workload.jobs[j].name} ({KIND_WORDS[kind]})"
        for kind in TASK_TYPES
        for j in waiting_jobs(state, kind)
    ]
    holds = [f"{cluster.slot_name(slot)} by {workload.jobs[j].name}" for slot, j in jobs_on_slots(state)]
    why = f"no task can end. Waiting: {_some(waiting)}. Slots held: {_some(holds) or 'none'}"
    if cluster.slot_times and not holds and sum(records_of(state).cluster.slots) == 0:
        why += ". The last slots have closed; keep some open for as long as there are tasks"
    if cluster.events is not None and any(node.down for node in records_of(state).node):
        why += ". Nodes have failed and do not return; let some return, or fail later"
    return StalledError(_sentence(policy, state, "stalled", why), place_of_file(policy.source))


def _given_up_error(policy: type[Policy], state: State) -> PolicyError:
    """Return how often tasks were given up."""
    times, tasks = len(state.given_up.line), len(state.slot)
    if isinstance(state.given_up, Failing):
        why = f"{times} times, with {tasks} tasks in all; let nodes fail less often"
        return PolicyError(_sentence(policy, state, "lost tasks with their nodes too often", why))
    why = f"{times} times, with {tasks} tasks in all; let preempt answer 0 more often"
    place = place_of_function(getattr(policy, "preempt", None), policy.source)
    return PolicyError(_sentence(policy, state, "gave running tasks up too often", why), place)


def _left_out_error(policy: type[Policy], workload: Workload, state: State) -> PolicyFault | None:
    """Return which tasks a run that has ended left out; None for none.

    A run under a policy that shares scans has fewer maps than its workload, but runs all that it has.
    """
    started, tasks, done = (stage_column(state, name) for name in ("started", "tasks", "done"))
    columns, stages = workload.columns, workload.columns.stages
    ran = np.asarray(state.slot) >= 0
    missing = np.bincount(columns.stage[~ran], minlength=len(tasks))
    given = stages.count if records_of(state).cluster.replans == 0 else tasks
    wrong = (started != given) | (done != given) | (missing != stages.count - given)
    left = np.unique(stages.job[wrong])
    if len(left) == 0:
        return None
    name = workload.jobs[int(left[0])].name
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    why = (
        f"tasks of {name}{more} did not run once each; what hooks are shown is the simulator's own record "
        "of the run, which a policy may look at, but not write to"
    )
    return PolicyError(_sentence(policy, state, "ended", why), place_of_file(policy.source))


_OFFERS: dict[EngineVariant, Any] = {
    EngineVariant.GENERAL: offer_free_slots,
    EngineVariant.GIVING_UP: hand_out,
    EngineVariant.COPIES: offer_all,
    EngineVariant.FAILURES: offer_in_turn,
    EngineVariant.LOCATED: offer_nodes,
}
"""How slots are offered in an instant."""


def _decide_again(policy: type[Policy], rows: State) -> BaseException | None:
    try:
        kind = RunKind(located=bool(rows.inputs), fails=isinstance(rows.given_up, Failing))
        offer = _OFFERS[variant_for(policy, kind)]
        offer(interpreted_kernel(policy), rows)  # type: ignore[arg-type]  # a class is hashable
    except (Exception, SystemExit) as error:
        return error
    return None


def _sentence(policy: type[Policy], state: State, what: str, why: str) -> str:
    return f"policy {name_of(policy)} {what} at {exact_clock(records_of(state).cluster.now)}: {why}".rstrip(
        ": "
    )


def _some(names: list[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
