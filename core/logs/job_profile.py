"""One job of a log, ready for a workload: durations, shuffle samples, what was kept, left out and clamped.

Only successful attempts count, in each task the first. The sort of a reduce is counted with its
shuffle. What had to be left out, clamped or assumed is counted, nothing is dropped silently.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from core.logs.attempt_columns import MISSING, AttemptColumns, attempt_columns, counting_runs
from core.logs.logged_job import JobConfiguration, LoggedStage, in_seconds
from core.logs.stage_graphs import LoggedGraph, logged_graph, tasks_of_stages
from core.model.job import Job
from core.model.stages import MAP_REDUCE, Stage
from core.model.task_types import KIND_WORDS, MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from core.logs.attempt_columns import Run
    from core.logs.logged_job import Attempt, LoggedJob, LoggedTask
    from core.model.stages import StageGraph

    Notes = tuple[tuple[str, int], ...]


SUCCESSES = ("SUCCESS", "SUCCEEDED", "")
"""Words that logs use for a job or attempt that went well; no word counts as well."""

FIRST_SHUFFLE = "first shuffles that end before their map stage"
TYPICAL_SHUFFLE = "shuffles that end before their reduce starts"
DURATION = "tasks that end before they start"
REDUCE_PHASE = "reduce phases that end before they start"

NO_SUBMIT_TIME = "submit times (launch or first start taken)"
NO_START_TIME = "starts of attempts"
NO_END_TIME = "ends of attempts"
NO_SHUFFLE_TIME = "shuffle ends (taken as 0 s of shuffle)"
NO_SORT_TIME = "sort ends (taken as 0 s of sort)"

PROFILE_ASSUMPTIONS = (
    "Only successful attempts count: in each task the first one that succeeded.",
    "The sort is counted with the shuffle (the shuffle ends when the sort does).",
    "A reduce that started before the last map of its job ended gives a first shuffle sample (from the end "
    "of the map stage), a later one a typical shuffle sample (from its own start).",
)


NOTHING: Counter[str] = Counter()
"""An empty count; values are read-only, so one serves all."""
NOT_CLAMPED: dict[str, list[float]] = {}
"""Likewise."""
NO_STAGE = Stage()
_NO_SETTINGS = JobConfiguration()


@dataclass(frozen=True, slots=True)
class TaskCount:
    """Tasks of one type.

    Attributes
    ----------
    kept : tasks in the workload
    left_out : tasks without a usable attempt, by reason
    attempts : attempts at all tasks, by result
    """

    kept: int = 0
    left_out: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    attempts: Mapping[str, int] = field(default_factory=lambda: NOTHING)


NO_TASKS = TaskCount()


class JobAccount(NamedTuple):
    """What became of the tasks of a job, and what else its log has of it; jobs may share one.

    Attributes
    ----------
    tasks : what was kept and left out of the maps and of the reduces
    clamped : seconds below 0 of each time that was raised to 0, by kind
    missing : times that the log does not have, by kind
    others : tasks that are neither map nor reduce, by type
    notes : what is worth saying about this job, and how many tasks or samples it concerns
    settings : what its configuration says about the cluster
    stages : its stages in the order of its tasks, maps first, in a log of jobs with more than two kinds
    why : why it has no job, where that is not for want of usable tasks
    driver : the program that submitted it, in a log of such programs
    waiting : of a job that is under way, how many tasks of each of its stages have not begun; else None
    pool, user : whose such a job is
    """

    tasks: tuple[TaskCount, TaskCount] = (NO_TASKS, NO_TASKS)
    clamped: dict[str, list[float]] = NOT_CLAMPED
    missing: Counter[str] = NOTHING
    others: Counter[str] = NOTHING
    notes: tuple[tuple[str, int], ...] = ()
    settings: JobConfiguration = _NO_SETTINGS
    stages: tuple[LoggedStage, ...] = ()
    why: str = ""
    driver: str = ""
    waiting: tuple[int, ...] | None = None
    pool: str = ""
    user: str = ""

    @property
    def lines(self) -> tuple[tuple[str, int], ...]:
        """The notes of the report on the job, and what was left out, clamped or missing."""
        left_out = (
            (f"{kind} tasks left out: {reason}", count)
            for kind, tasks in zip(KIND_WORDS, self.tasks, strict=True)
            for reason, count in tasks.left_out.items()
        )
        clamped = (
            (f"{kind}, taken as 0 s{' (clocks differ)' if kind == FIRST_SHUFFLE else ''}", len(seconds))
            for kind, seconds in self.clamped.items()
        )
        missing = ((f"missing: {kind}", count) for kind, count in self.missing.items())
        return (*self.notes, *left_out, *clamped, *missing)


NO_ACCOUNT = JobAccount()


class JobProfile(NamedTuple):
    """One job of a log, ready to be put into a workload.

    Attributes
    ----------
    name : as the log has it
    job : the job; when it arrives is `submit`'s to say. None when it has no usable task
    account : what became of its tasks
    submit, launch, finish : milliseconds on the log's clock; the last two may be `MISSING`
    title : what its user calls it
    attempts : everything that ran for it
    """

    name: str
    job: Job | None
    account: JobAccount
    submit: int
    launch: int
    finish: int
    title: str
    attempts: AttemptColumns


class _Oddities:
    """Collects what is clamped and what is missing while a job's times are computed."""

    def __init__(self) -> None:
        self.clamped: dict[str, list[float]] = {}
        self.missing: Counter[str] = Counter()

    def not_negative(self, milliseconds: int, kind: str) -> float:
        """Return seconds; a negative time becomes 0 and is counted under `kind`."""
        if milliseconds < 0:
            self.clamped.setdefault(kind, []).append(in_seconds(milliseconds))
            return 0.0
        return in_seconds(milliseconds)


def profile(logged: LoggedJob) -> JobProfile:
    """Compute a job's durations and shuffle samples from its attempts.

    Parameters
    ----------
    logged : the job as its log has it
    """
    oddities = _Oddities()
    counts = [_task_count(tasks, oddities) for tasks in logged.tasks]
    runs = [counting_runs(tasks) for tasks in logged.tasks]
    attempts = attempt_columns(logged)
    submit = _submit(logged, attempts, oddities)
    stages, graph, notes = _stages(logged.stages, runs, oddities)
    job = Job(logged.name, pool=logged.pool, user=logged.user, stages=stages, graph=graph)
    account = JobAccount(
        (counts[0], counts[1]),
        oddities.clamped or NOT_CLAMPED,
        +oddities.missing if oddities.missing else NOTHING,
        Counter(task.type for task in logged.others) if logged.others else NOTHING,
        (*_notes(logged, chain(*runs)), *notes),
        logged.settings,
        logged.stages,
        driver=logged.driver,
        waiting=_waiting(logged) if logged.is_under_way else None,
        pool=logged.pool if logged.is_under_way else "",
        user=logged.user if logged.is_under_way else "",
    )
    launch, finish = (MISSING if time is None else time for time in (logged.launch, logged.finish))
    usable = job if job.task_count else None
    return JobProfile(logged.name, usable, account, submit, launch, finish, logged.title, attempts)


@cache
def all_kept(tasks: int) -> TaskCount:
    """Return the count of tasks that all succeeded at once; jobs share it, as there may be many."""
    return TaskCount(tasks, attempts={"succeeded": tasks} if tasks else NOTHING)


def _task_count(tasks: Sequence[LoggedTask], oddities: _Oddities) -> TaskCount:
    if all(len(task.attempts) == 1 and task.counting for task in tasks):
        return all_kept(len(tasks))
    left_out: Counter[str] = Counter()
    attempts: Counter[str] = Counter()
    for task in tasks:
        attempts.update(attempt.result for attempt in task.attempts)
        oddities.missing[NO_START_TIME] += sum(attempt.start is None for attempt in task.attempts)
        oddities.missing[NO_END_TIME] += sum(attempt.finish is None for attempt in task.attempts)
        if task.counting is None:
            left_out[_why_left_out(task.attempts)] += 1
    return TaskCount(len(tasks) - left_out.total(), left_out, attempts)


def _why_left_out(attempts: Sequence[Attempt]) -> str:
    results = {attempt.result for attempt in attempts}
    if "succeeded" in results:
        return "succeeded without start or end time"
    if "failed" in results:
        return "failed"
    if "killed" in results:
        return "killed"
    return "never ended" if attempts else "never ran"


def _waiting(logged: LoggedJob) -> tuple[int, ...]:
    """Return how many tasks of each stage have not begun, in the order in which the job has its stages.

    Of maps none, where a reduce has ended: the log has lost them.
    """
    found = logged_graph(logged.stages)
    if found is not None:
        return tuple(logged.stages[place].waiting for place in found.places)
    waiting = []
    for tasks, declared in zip(logged.tasks, logged.declared, strict=True):
        begun = sum(task.counting is not None or task.running is not None for task in tasks)
        waiting.append(max(declared or 0, len(tasks)) - begun)
    if any(task.counting for task in logged.tasks[REDUCE]):
        waiting[MAP] = 0
    return tuple(waiting)


def _submit(logged: LoggedJob, attempts: AttemptColumns, oddities: _Oddities) -> int:
    if logged.submit is not None:
        return logged.submit
    oddities.missing[NO_SUBMIT_TIME] += 1
    if logged.launch is not None:
        return logged.launch
    return min(attempts.starts(), default=logged.finish or 0)


def _stages(
    listed: tuple[LoggedStage, ...], runs: Sequence[Sequence[Run]], oddities: _Oddities
) -> tuple[tuple[Stage, ...], StageGraph, Notes]:
    """Return the stages of a job by their numbers, what they wait for, and notes on their shuffles.

    Parameters
    ----------
    listed : the stages as the log lists them; maps, and reduces that wait for them, where it lists none
    runs : the times of the attempts that count, of the maps and of the reduces
    """
    found = logged_graph(listed)
    if found is None:
        maps, reduces = map(len, runs)
        listed = LoggedStage(True, maps, 0), LoggedStage(False, reduces, 0, (0,), 1, (0,))
        found = LoggedGraph(MAP_REDUCE, (0, 1))
    own = [runs[kind][tasks] for _, kind, tasks in tasks_of_stages(listed)]
    made = [
        _waiting_stage(mine, [run for parent in stage.parents for run in own[parent]], stage, oddities)
        if stage.parents
        else (_first_stage(mine, oddities), ())
        for stage, mine in zip(listed, own, strict=True)
    ]
    notes = tuple(chain.from_iterable(notes for _, notes in made))
    return tuple(made[place][0] for place in found.places), found.graph, notes


def _first_stage(runs: Sequence[Run], oddities: _Oddities) -> Stage:
    """Return a stage that waits for no other one, such as maps."""
    durations = [oddities.not_negative(finish - start, DURATION) for start, _, _, finish in runs]
    return Stage.of(len(durations), durations) if durations else NO_STAGE


def _waiting_stage(
    runs: Sequence[Run], parent_runs: Sequence[Run], listed: LoggedStage, oddities: _Oddities
) -> tuple[Stage, Notes]:
    """Return a stage that waits for others, such as reduces, and the notes on its shuffles."""
    if not runs:
        return NO_STAGE, ()
    parents_end = max((finish for *_, finish in parent_runs), default=None)
    phases: list[float] = []
    first: list[float] = []
    typical: list[float] = []
    fetches = False
    for start, shuffle, sort, finish in runs:
        # with no such time, the shuffle and sort had ended when they could begin
        shuffled = start if parents_end is None else max(start, parents_end)
        if sort != MISSING:
            shuffled = sort
        elif shuffle != MISSING:
            oddities.missing[NO_SORT_TIME] += 1
            shuffled = shuffle
        elif not listed.is_map:  # such as read a broadcast need not fetch it themselves
            oddities.missing[NO_SHUFFLE_TIME] += 1
        fetches = fetches or shuffled != start
        phases.append(oddities.not_negative(finish - shuffled, REDUCE_PHASE))
        if listed.early and parents_end is not None and start < parents_end:
            # what was there at the start need not be fetched, whether the others had ended or not
            took = 0 if shuffled == start else shuffled - parents_end
            first.append(oddities.not_negative(took, FIRST_SHUFFLE))
        else:
            typical.append(oddities.not_negative(shuffled - start, TYPICAL_SHUFFLE))
    stage = Stage.of(len(phases), phases, first or typical, typical or first)
    return stage, one_wave(len(first), len(typical)) if fetches and listed.early else ()


def one_wave(first: int, typical: int) -> Notes:
    """Return the note on shuffle samples of one kind that serve as the other, if there are no others."""
    if first and not typical:
        return (("first shuffle samples serve as typical ones (no later wave of reduces)", first),)
    if typical and not first:
        return (("typical shuffle samples serve as first ones (no first wave of reduces)", typical),)
    return ()


def early_starts(early: int) -> Notes:
    """Return the note on so many tasks that start too early, if any do."""
    return (("tasks start before their job was submitted (clocks differ)", early),) if early else ()


def _notes(logged: LoggedJob, runs: Iterable[Run]) -> list[tuple[str, int]]:
    notes = list(logged.notes)
    if logged.outcome not in SUCCESSES:
        notes.append((f"ended as {logged.outcome}", 1))
    listed = map(len, logged.tasks)
    for kind, declared, number in zip(KIND_WORDS, logged.declared, listed, strict=True):
        if declared is not None and declared > number:
            notes.append((f"{kind} tasks declared but not listed", declared - number))
        elif declared is not None and declared < number:
            notes.append((f"{kind} tasks listed but not declared", number - declared))
    if logged.unreadable:
        notes.append(("unreadable tasks or attempts left out", logged.unreadable))
    if logged.submit is not None:
        notes += early_starts(sum(start < logged.submit for start, *_ in runs))
    return notes
