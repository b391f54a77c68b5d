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
OWNERS = ("pools", "users")
ONE_EACH = "pools and users have a text for each of open_jobs; give both, or leave both out"
SAME_LENGTH = "job, stage and tasks are lists of the same length: an entry of each for every stage"


def under_way_to_json(under_way: Unfinished) -> dict[str, Any]:
    """Return it as a JSON value; reading that gives the same."""
    owners = {name: list(getattr(under_way, name)) for name in OWNERS if getattr(under_way, name)}
    return {NOW: under_way.now} | {name: getattr(under_way, name).tolist() for name in COLUMNS} | owners


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
    owners: Any = {name: tuple(document.get(name, ())) for name in OWNERS}
    found = Unfinished(now=float(document[NOW]), **columns, **owners)
    rules = []
    if not len(found.pools) == len(found.users) in (0, len(found.open_jobs)):
        rules.append(("pools", ONE_EACH))
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
    rules += _running_rules(found, run)
    if found.waiting > MAX_TASKS:
        rules.append(("tasks", f"at most {MAX_TASKS} tasks"))
    problems += [Problem(f"recorded.under_way.{name}", "", rule) for name, rule in rules]
    return None if rules else found


def _running_rules(found: Unfinished, run: RecordedRun) -> list[tuple[str, str]]:
    """Return what is wrong with the attempts that run."""
    mine = found.running
    if (mine >= run.attempts).any():
        return [("running", f"give whole numbers from 0 to {run.attempts - 1}, indices into attempts")]
    runs = np.isfinite(run.start[mine]) & (run.start[mine] <= found.now) & ~np.isfinite(run.end[mine])
    is_task = ~run.counts[mine] & (run.stage[mine] >= 0)
    if (runs & is_task).all() and len(set(mine.tolist())) == len(mine):
        return []
    rule = "attempts that run have started by now and have no end; they are of a stage, and differ"
    return [("running", rule)]
