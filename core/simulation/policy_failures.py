"""What a policy did wrong in a run, as an error with a sentence: it raised, picked nonsense, or got stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.engine.loop import offer_free_slots
from core.engine.state import State, as_rows, free_slots, job_column, records_of, waiting_jobs
from core.model.errors import PolicyError, StalledError
from core.model.job import MAP, REDUCE
from core.model.time_text import exact_clock
from core.policies.composing.kernel import interpreted_kernel
from core.policies.policy import name_of
from core.policies.user_files.loop_budget import deed_of
from core.policies.user_files.source import (
    frames_of,
    place_of_error,
    place_of_file,
    place_of_function,
)

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.policies.policy import Policy

KIND_WORDS = ("map", "reduce")


def exception_error(
    policy: type[Policy], workload: Workload, state: State, error: BaseException
) -> PolicyError:
    """Return what a decision raised, with the line of the user's file and the job that it looked at.

    Compiled code knows neither: the decision is made again, interpreted, on a copy of the state.
    """
    compiled = isinstance(state.job, np.ndarray)
    rows = as_rows(state) if compiled else state
    again = _decide_again(policy, rows) if compiled else error
    shown = again or error
    job = -1 if again is None else _job_looked_at(again, rows)
    looking = f"looking at {workload.jobs[job].name}" if job >= 0 else ""
    why = f"{shown} ({looking})" if str(shown) and looking else str(shown) or looking
    place = place_of_file(policy.source) if again is None else place_of_error(again, policy.source)
    return PolicyError(_sentence(policy, state, deed_of(shown), why), place)


def bad_pick_error(policy: type[Policy], workload: Workload, state: State) -> PolicyError:
    """Return which task the policy picked although it cannot start."""
    job, kind = divmod(int(records_of(state).cluster.bad_pick), 2)
    what, why = (
        f"picked a {KIND_WORDS[kind]} task of job number {job}",
        f"there are {len(workload.jobs)} jobs",
    )
    if job < len(workload.jobs):
        what = f"picked a {KIND_WORDS[kind]} task of job '{workload.jobs[job].name}'"
        why = "it has none that can start"
    place = place_of_function(getattr(policy, "choose", None), policy.source)
    return PolicyError(_sentence(policy, state, what, why), place)


def stall_error(policy: type[Policy], workload: Workload, cluster: Cluster, state: State) -> StalledError:
    """Return the waiting jobs and the reduces that hold slots while their maps wait."""
    free = {slot for slots in free_slots(state) for slot in slots}
    running = job_column(state, "running")
    waiting = [
        f"{workload.jobs[j].name} ({KIND_WORDS[kind]})"
        for kind in (MAP, REDUCE)
        for j in waiting_jobs(state, kind)
    ]
    holds = [
        f"{cluster.slot_name(slot)} by {workload.jobs[j].name}"
        for slot, j in enumerate(state.slot_job)
        if j >= 0 and running[j, state.slot_kind[slot]] and slot not in free
    ]
    why = f"no task can end. Waiting: {_some(waiting)}. Slots held: {_some(holds) or 'none'}"
    return StalledError(_sentence(policy, state, "stalled", why), place_of_file(policy.source))


def check_all_ran(policy: type[Policy], workload: Workload, state: State) -> None:
    """Raise PolicyError if a run has ended and left tasks out.

    A run under a policy that shares scans has fewer maps than its workload, but runs all that it has.
    """
    started, tasks, done = (job_column(state, name) for name in ("started", "tasks", "done"))
    columns = workload.columns
    ran = np.asarray(state.slot) >= 0
    missing = np.bincount(columns.job[~ran], minlength=len(tasks))
    given = columns.count if records_of(state).cluster.replans == 0 else tasks
    wrong = (started != given) | (done != given)
    left = np.flatnonzero(wrong.any(axis=1) | (missing != (columns.count - given).sum(axis=1)))
    if len(left) == 0:
        return
    name = workload.jobs[int(left[0])].name
    more = f" and {len(left) - 1} more" if len(left) > 1 else ""
    why = (
        f"tasks of {name}{more} did not run once each; what hooks are shown is the simulator's own record "
        "of the run, which a policy may look at, but not write to"
    )
    raise PolicyError(_sentence(policy, state, "ended", why), place_of_file(policy.source))


def _decide_again(policy: type[Policy], rows: State) -> BaseException | None:
    try:
        offer_free_slots(interpreted_kernel(policy), rows)  # type: ignore[arg-type]  # a class is hashable
    except (Exception, SystemExit) as error:
        return error
    return None


def _job_looked_at(error: BaseException, rows: State) -> int:
    """Return the index of the job record that the innermost frame with one holds, -1 for none."""
    places = {id(row): j for j, row in enumerate(rows.job)}
    for frame, _line in reversed(frames_of(error)):
        job = frame.f_locals.get("job")
        if id(job) in places:
            return places[id(job)]
    return -1


def _sentence(policy: type[Policy], state: State, what: str, why: str) -> str:
    return f"policy {name_of(policy)} {what} at {exact_clock(records_of(state).cluster.now)}: {why}".rstrip(
        ": "
    )


def _some(names: list[str], most: int = 6) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
