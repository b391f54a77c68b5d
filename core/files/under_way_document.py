"""What is under way where the log of a run ends, as a part of a workload document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import Problem
from core.model.limits import MAX_TASKS
from core.model.under_way import COLUMNS, Unfinished

if TYPE_CHECKING:
    from core.model.execution_history import RecordedRun

NOW = "now"
SAME_LENGTH = "job, stage and tasks are lists of the same length: an entry of each for every stage"


def under_way_to_json(under_way: Unfinished) -> dict[str, Any]:
    """Return it as a JSON value; reading that gives the same."""
    return {NOW: under_way.now} | {name: getattr(under_way, name).tolist() for name in COLUMNS}


def under_way_from_json(document: Any, run: RecordedRun, problems: list[Problem]) -> Unfinished | None:
    """Build it of a value that the schema has let pass; what is wrong with it goes to `problems`.

    Parameters
    ----------
    document : None where nothing is under way
    run : what it is a part of
    """
    if document is None:
        return None
    jobs = len(run.jobs)
    columns: dict[str, Any] = {name: np.array(document[name], np.int32) for name in COLUMNS}
    columns["running"] = columns["running"].astype(np.int64)
    found = Unfinished(now=float(document[NOW]), **columns)
    rules = []
    if not len(found.job) == len(found.stage) == len(found.tasks):
        rules.append(("job", SAME_LENGTH))
    elif any(number >= jobs for number in (*found.open_jobs.tolist(), *found.job.tolist())):
        rules.append(("job", f"give whole numbers from 0 to {jobs - 1}, indices into jobs"))
    elif not set(found.job.tolist()) <= set(found.open_jobs.tolist()):
        rules.append(("job", "only jobs that have not ended, which open_jobs lists, have tasks to begin"))
    else:
        last = [len(run.graph(job)) - 1 for job in found.job.tolist()]
        if (found.stage > np.array(last, np.int32)).any():
            rules.append(("stage", "give numbers of stages that the job has, from 0"))
    if (found.running >= run.attempts).any():
        rules.append(("running", f"give whole numbers from 0 to {run.attempts - 1}, indices into attempts"))
    elif len(found.running):
        mine = found.running
        runs = np.isfinite(run.start[mine]) & (run.start[mine] <= found.now) & ~np.isfinite(run.end[mine])
        if not (runs & ~run.counts[mine] & (run.stage[mine] >= 0)).all() or len(set(mine.tolist())) < len(
            mine
        ):
            rule = "attempts that run have started by now and have no end; they are of a stage, and differ"
            rules.append(("running", rule))
    if found.waiting > MAX_TASKS:
        rules.append(("tasks", f"at most {MAX_TASKS} tasks"))
    problems += [Problem(f"recorded.under_way.{name}", "", rule) for name, rule in rules]
    return None if rules else found
