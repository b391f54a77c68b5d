"""Scheduling by hand: every start that the user picked, as a text that a policy follows.

The text names tasks in the order in which they start, separated by commas: ``J2.map.1-4, J1.map.1, at 12 s,
J1.map.2`` starts four maps of J2 and one of J1 as soon as slots are free, and whatever stands behind
``at 12 s`` not before 12 s: up to then a slot was left free. Tasks are counted from 1; a name with a comma in
it stands in double quotes. A free slot takes the first pick of the text that can start on it; what nobody
picked comes behind all picks, as FIFO has it.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.errors import InputError, shorten
from core.model.parameters import Parameter, names_in, names_text
from core.model.task_types import KIND_WORDS
from core.policies.explains import Explains
from core.policies.policy import Number, Policy

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import TaskColumns, Workload
    from core.policies.policy import ClusterRow, JobRow

PICKS = "picks"
"""The text parameter that holds them."""
MAX_NAMED_UNKNOWN = 5
CLOSE = 1.0 + 1e-9
"""A date is reached a billionth early: picks of one date are told apart by less than that."""
DATE = re.compile(r"at (\S+) s")
TASKS = re.compile(r"(.+)\.(map|reduce)\.([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?", re.DOTALL)


class Picks(NamedTuple):
    """Tasks of one stage that start one after the other.

    Attributes
    ----------
    job : its name
    kind : MAP or REDUCE
    first, last : their numbers, from 1
    since : seconds before which they do not start
    """

    job: str
    kind: int
    first: int
    last: int
    since: float

    @property
    def text(self) -> str:
        """As it is written, but for quotes."""
        span = f"{self.first}" if self.first == self.last else f"{self.first}-{self.last}"
        return f"{self.job}.{KIND_WORDS[self.kind]}.{span}"


def read_picks(text: str) -> tuple[list[Picks], float]:
    """Return the picks of a text, and the seconds before which nothing starts that it does not name.

    Raises
    ------
    InputError
        something is neither tasks nor a date
    """
    picks, since = [], 0.0
    for item in names_in(text):
        named, date = TASKS.fullmatch(item), DATE.fullmatch(item)
        if date is not None:
            since = max(since, _number(date[1]))
        elif named is not None and int(named[3]) <= int(named[4] or named[3]):
            first, last = int(named[3]), int(named[4] or named[3])
            picks.append(Picks(named[1], KIND_WORDS.index(named[2]), first, last, since))
        else:
            raise InputError(
                f"{shorten(item)} is no pick; name tasks in the order in which they start, as J1.map.3 or "
                "J1.reduce.2-5, counted from 1, and with 'at 12 s' when those behind it start at the earliest"
            )
    return picks, since


def _number(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise InputError(f"'at {shorten(text)} s' is no time of a pick; give seconds from 0, as 'at 12.5 s'")
    return seconds


def write_picks(picks: Collection[Picks], since: float = 0.0) -> str:
    """Return the text of picks; behind them a date before which nothing else starts."""
    items, written = [], 0.0
    for each in picks:
        if each.since > written:
            written = each.since
            items.append(_date(written))
        items.append(each.text)
    if since > written:
        items.append(_date(since))
    line = names_text(items)
    return line if '"' in line else line.replace(",", ", ")


def _date(seconds: float) -> str:
    return f"at {int(seconds) if seconds.is_integer() else seconds!r} s"


def with_renamed_job(text: str, old: str, new: str) -> str:
    """Return the text of picks with a job's new name."""
    picks, since = read_picks(text)
    return write_picks([each._replace(job=new) if each.job == old else each for each in picks], since)


# ---- what fits a workload


@dataclass(frozen=True)
class Fitting:
    """What a workload has of the tasks that were picked.

    Attributes
    ----------
    tasks : in the order of the text, each once, int64 (picked,)
    since : seconds before which each does not start, ascending, (picked,)
    rest : seconds before which no other task starts
    strange : what the text names and the workload does not have, or names twice
    """

    tasks: NDArray[np.int64]
    since: NDArray[np.float64]
    rest: float
    strange: tuple[str, ...]


def fitting_picks(text: str, workload: Workload) -> Fitting:
    """Find the tasks that a text names; InputError for a text that is none of picks."""
    picks, rest = read_picks(text)
    index, (by_type, begin) = workload.job_index, _tasks_by_type(workload.columns)
    count = workload.columns.counts
    tasks: dict[int, float] = {}
    strange = []
    for each in picks:
        job = index.get(each.job, -1)
        has = int(count[job, each.kind]) if job >= 0 else 0
        known = len(tasks)
        for number in range(each.first, min(each.last, has) + 1):
            tasks.setdefault(int(by_type[begin[job, each.kind] + number - 1]), each.since)
        if len(tasks) - known < each.last - each.first + 1:
            strange.append(each.text)
    dates = np.array(list(tasks.values()), np.float64)
    return Fitting(np.array(list(tasks), np.int64), dates, rest, tuple(strange))


def _tasks_by_type(columns: TaskColumns) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tasks by job, then type, (tasks,), and where those of each job and type begin, (jobs, 2).

    So picks count them: of a job with two stages of 3 maps the first task of the second one is map 4.
    """
    count = columns.counts.ravel()
    return np.lexsort((columns.kind, columns.job)), (np.cumsum(count) - count).reshape(-1, 2)


def unfitting(choice: PolicyChoice, workload: Workload) -> str:
    """Return which picks a workload has no tasks for any more, as a sentence; empty if all fit.

    What is no text of picks has none: a run that follows it fails with the reason.
    """
    text = choice.parameters.get(PICKS) if choice.id == ByHand.id else None
    strange: tuple[str, ...] = ()
    with suppress(InputError):
        strange = fitting_picks(str(text), workload).strange if text else ()
    if not strange:
        return ""
    named = ", ".join(map(shorten, strange[:MAX_NAMED_UNKNOWN]))
    more = f" and {len(strange) - MAX_NAMED_UNKNOWN} more" if len(strange) > MAX_NAMED_UNKNOWN else ""
    return (
        f"Picks by hand that the jobs have no tasks for (any more) are passed over: {named}{more}; tasks "
        "that were not picked follow as FIFO has them."
    )


# ---- picks of a schedule


def picks_of(schedule: Schedule, begin: int = 0, dated: Collection[int] | None = None) -> str:
    """Return the picks that lead to a schedule, complete or not, of a policy that lends no slots.

    Parameters
    ----------
    schedule : simulated; by picks alone nobody shares scans or keeps pools apart
    begin : how many of its starts somebody else decided
    dated : places in the sequence of starts for which a slot was left free before; None for all that start
        on a slot while one of its type had idled
    """
    sequence = schedule.sequence
    if dated is None:
        dated = set(np.flatnonzero(_idled_before(schedule)).tolist())
    columns, jobs, since = schedule.workload.columns, schedule.workload.jobs, 0.0
    by_type, begins = _tasks_by_type(columns)
    place_of = np.argsort(by_type)
    picks: list[Picks] = []
    for place in range(begin, len(sequence)):
        task = int(sequence[place])
        job, kind = int(columns.job[task]), int(columns.kind[task])
        number = int(place_of[task] - begins[job, kind]) + 1
        if place in dated:
            since = max(since, float(schedule.start[task]))
        last = picks[-1] if picks else None
        if last and (last.job, last.kind, last.last + 1, last.since) == (jobs[job].name, kind, number, since):
            picks[-1] = last._replace(last=number)
        else:
            picks.append(Picks(jobs[job].name, kind, number, number, since))
    return write_picks(picks)


def _idled_before(schedule: Schedule) -> NDArray[np.bool_]:
    """Whether some slot of its type was free just before each start, in the order of starts, (started,)."""
    started, cluster = schedule.sequence, schedule.cluster
    slots = cluster.typed_slots[: 1 if cluster.has_containers else 2]
    of_reduces = (schedule.slot[started] >= slots[0]).astype(np.int64)
    idled = np.zeros(len(started), np.bool_)
    for kind, count in enumerate(slots):
        places = np.flatnonzero(of_reduces == kind)
        begins, ends = schedule.start[started[places]], np.sort(schedule.end[started[places]])
        busy = np.searchsorted(np.sort(begins), begins) - np.searchsorted(ends, begins)
        idled[places] = busy < count
    return idled


# ---- the policy


def _keys(fitting: Fitting, tasks: int) -> NDArray[np.float64]:
    """Return when each task may start, (tasks,): of equal dates the earlier pick has the smaller one.

    Picks before any date have negative ones.
    """
    keys, last = np.arange(-len(fitting.tasks), 1, dtype=np.float64), -math.inf
    for place, since in enumerate((*fitting.since, fitting.rest)):
        if since > 0:
            keys[place] = max(since, math.nextafter(last, math.inf))
        last = keys[place]
    column = np.full(tasks, keys[-1])
    column[fitting.tasks] = keys[:-1]
    return column


def _why(key: tuple[float, ...], others: float) -> str:
    return "its next {kind} was picked by hand" if key[0] < others else "its next {kind} was not picked"


def nothing_follows(cluster: ClusterRow, last_arrival: float) -> bool:
    """Whether no task that runs can end and no job is to arrive: jobs that wait then wait for ever.

    Jobs that follow others do not count: they may wait for those that wait.
    """
    ending = cluster.running[0] + cluster.running[1] - cluster.fillers
    return ending == 0 and cluster.now >= last_arrival


class ByHand(Policy):
    """Start the tasks in the order in which they were picked; the others follow as FIFO has them.

    The window writes the picks while somebody gives every free slot to a job.
    """

    id = "by-hand"
    title = "By hand"
    reads_durations = False
    explains = Explains(
        "A free slot takes the first task that was picked by hand and can start on it, not before the time "
        "at which it was picked if a slot was left free for it; those not picked come behind, tasks of "
        "the job that arrived first.",
        (Number("date", "at", "", "When it may start at the earliest", lambda key: max(key[0], 0.0)),),
        _why,
        admits="the slot is left free by hand until {date}",
    )
    parameters = (
        Parameter(
            PICKS,
            "text",
            "",
            "Tasks in the order in which they start, as J2.map.1-4, J1.map.1, at 12 s, J1.map.2; what stands "
            "behind a time does not start before it.",
        ),
    )

    @staticmethod
    def figures(workload: Workload, picks: str) -> dict[str, NDArray[np.float64]]:
        """Return, for each job the same, the key of a task that was not picked."""
        keys = _keys(fitting_picks(picks, workload), len(workload.columns.job))
        return {"others": np.full(len(workload.jobs), keys.max(initial=0.0))}

    @staticmethod
    def task_key(workload: Workload, picks: str) -> NDArray[np.float64]:
        """Return when each task may start."""
        return _keys(fitting_picks(picks, workload), len(workload.columns.job))

    @staticmethod
    def plan(jobs: NDArray[np.void]) -> None:
        """Let every job know when the last one arrives of those that follow no other job."""
        jobs["memo"][:, 0] = jobs["arrival"][jobs["before"] == 0].max(initial=0.0)

    @staticmethod
    def admits(job: JobRow, kind: int, slot: int, cluster: ClusterRow) -> bool:
        """Leave the slot free up to the date of the pick, or where a pick has just left it free.

        But not if it would stay free for ever.
        """
        left_free = cluster.memo[2 + slot] > 0 and cluster.memo[slot] == cluster.now
        is_due = job.next[kind] <= cluster.now * CLOSE
        return (is_due and not left_free) or nothing_follows(cluster, job.memo[0])

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[float, int]:
        """Serve the first pick, of tasks that were not picked those of the earliest job."""
        return job.next[kind], job.rank


def leave_free(cluster: ClusterRow, slot_kind: int) -> None:
    """Let a run by hand give no slot of this type to anybody before something changes."""
    cluster.memo[slot_kind] = cluster.now
    cluster.memo[2 + slot_kind] = 1.0
