"""Why a task started when and where it did, in sentences: read from the schedule, true under every policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import (
    count,
    listed,
    place_noun,
    sentence_start,
    slot_noun,
    stage_name,
    task_name,
    task_word,
)
from core.explain.instant import JobTasks
from core.explain.lost_words import copies_sentences, lost_sentences
from core.explain.overlap_marks import overlap_marks
from core.explain.start_cause import (
    NO_TASK,
    StartCause,
    TaskStart,
    copies_until,
    given_up_for,
    start_of,
    tasks_needed,
)
from core.measures.stage_spans import NO_JOB, followed_jobs
from core.model.event_nodes import node_of_slots
from core.model.lost_attempts import eras_of
from core.model.partition import pools_in_use
from core.model.stages import MAP_REDUCE
from core.model.time_text import exact_clock, exact_duration
from core.shared_scans.shared_schedule import sharing_jobs

if TYPE_CHECKING:
    from core.model.input_nodes import InputColumns
    from core.model.schedule import Schedule


@dataclass(frozen=True, slots=True)
class TaskReason:
    """The account of one task's start.

    Attributes
    ----------
    start : when, what it waited for and what let it start
    slot : where it runs
    borrowed : whether that is a slot of the other type
    served_first : the jobs that started tasks of this kind while it was ready and waited, most tasks first;
        its own job's earlier tasks are among them
    why_then, why_here : sentences, to be shown one per line
    """

    start: TaskStart
    slot: int
    borrowed: bool
    served_first: tuple[JobTasks, ...]
    why_then: tuple[str, ...]
    why_here: tuple[str, ...]


def task_reason(schedule: Schedule, task: int) -> TaskReason:
    """Explain a task's start.

    Parameters
    ----------
    schedule : complete, or partial as long as the task has started
    task : index into the workload's columns

    Raises
    ------
    ValueError
        the task has not started
    """
    start = start_of(schedule, task)
    schedule = eras_of(schedule).at(start.time)
    if start.cause is not StartCause.COPY:
        reason = _reason(schedule, start)
    else:
        seen, slot = schedule.by_first_copies, int(schedule.slot[task])
        first = start_of(seen, task)
        reason = replace(
            _reason(seen, first),
            start=replace(start, trigger=first.trigger),
            slot=slot,
            borrowed=False,
            why_here=_place(schedule, start, slot, False),
        )
    return replace(reason, why_then=(*reason.why_then, *copies_sentences(schedule, task)))


def _reason(schedule: Schedule, start: TaskStart) -> TaskReason:
    """Explain a start, without the second copies of its task."""
    task = start.task
    slot, kind = int(schedule.slot[task]), int(schedule.workload.columns.kind[task])
    borrowed = bool(schedule.is_borrowed[task])
    first = served_between(schedule, kind, start.ready, task)
    return TaskReason(
        start=start,
        slot=slot,
        borrowed=borrowed,
        served_first=first,
        why_then=(
            _readiness(schedule, start),
            *_waiting(schedule, start, first),
            *lost_sentences(schedule, task),
            *_overlap(schedule, start),
            _trigger(schedule, start),
            *_contention(schedule, task),
            *sharing_sentence(schedule, task),
        ),
        why_here=_place(schedule, start, slot, borrowed),
    )


def served_between(schedule: Schedule, kind: int, time: float, task: int) -> tuple[JobTasks, ...]:
    """Count, per job, the tasks of a kind that started at or after a time and before a task did, most first.

    Only those of the task's pool if pools have slots of their own.
    """
    place = np.flatnonzero(schedule.sequence == task)
    before = schedule.sequence[: int(place[0]) if len(place) else None]
    started = before[schedule.start[before] >= time]  # not ascending where hosts fetch files first
    columns = schedule.workload.columns
    jobs = columns.job[started[columns.kind[started] == kind]]
    if schedule.partition is not None:
        pool_of = pools_in_use(schedule.workload, schedule.partition)[1]
        jobs = jobs[pool_of[jobs] == pool_of[columns.job[task]]]
    tasks = np.bincount(jobs)
    found = np.flatnonzero(tasks)
    most_first = found[np.argsort(-tasks[found], kind="stable")]
    return tuple(JobTasks(int(other), int(tasks[other])) for other in most_first)


def _readiness(schedule: Schedule, start: TaskStart) -> str:
    """Return when the task could have started at the earliest, and why not before."""
    workload = schedule.workload
    columns, stages = workload.columns, workload.columns.stages
    job, stage = int(columns.job[start.task]), int(columns.stage[start.task])
    name, needed = sentence_start(task_name(workload, start.task)), tasks_needed(schedule, stage)
    if start.ready == start.lost:
        return f"{name} was ready again at {exact_clock(start.ready)}, when what it had done was lost."
    if needed == 0:
        came = f"when {workload.jobs[job].name} arrived{came_after(schedule, job)}"
        return f"{name} was ready at {exact_clock(start.ready)}, {came}."
    if workload.jobs[job].graph != MAP_REDUCE:
        return f"{name} was ready at {exact_clock(start.ready)}, when {_parents_done(schedule, start)}."
    maps = int(stages.count[stages.parents_of(stage)].sum())
    which = f"{needed} of its {maps} maps (slowstart) {'was' if needed == 1 else 'were'}"
    if needed == maps:
        which = "its map stage was"
    return f"{name} was ready at {exact_clock(start.ready)}, when {which} complete."


def came_after(schedule: Schedule, job: int) -> str:
    """Return after which job another one came: ", 2 s after J1 had ended, while the driver thought"."""
    before = int(followed_jobs(schedule)[job])
    if before == NO_JOB:
        return ""
    think, name = float(schedule.arrival[job] - schedule.finish[before]), schedule.workload.jobs[before].name
    if think <= 0:
        return f", as soon as {name} had ended"
    return f", {exact_duration(think)} after {name} had ended: so long the driver thought"


def _parents_done(schedule: Schedule, start: TaskStart) -> str:
    """Return which stages were complete when a task of a graph was ready, or enough of them."""
    workload, stages = schedule.workload, schedule.workload.columns.stages
    stage = int(workload.columns.stage[start.task])
    parents = [each for each in stages.parents_of(stage).tolist() if stages.count[each]]
    names = listed([stage_name(workload, each, with_job=False) for each in parents], noun="stage")
    ended = f"{task_name(workload, start.trigger if start.ready_by == NO_TASK else start.ready_by)} ended"
    whole = int(stages.count[parents].sum())
    if tasks_needed(schedule, stage) < whole:
        return f"enough tasks of {names} were complete: {ended}"
    return f"{names} {'were' if len(parents) > 1 else 'was'} complete: {ended} last"


def _waiting(schedule: Schedule, start: TaskStart, first: tuple[JobTasks, ...]) -> tuple[str, ...]:
    """Return how long it waited and which jobs were served meanwhile."""
    if start.waited <= 0:
        return ()
    workload = schedule.workload
    job = int(workload.columns.job[start.task])
    word = task_word(workload, int(workload.columns.kind[start.task]))
    waited = f"It waited {exact_duration(start.waited)}"
    if not first:
        return (f"{waited}; no other {word} started meanwhile.",)
    names = [
        f"{count(one.tasks, word)} of {'its own job' if one.job == job else workload.jobs[one.job].name}"
        for one in first
    ]
    return (f"{waited}; meanwhile the policy served {listed(names)} first.",)


def _given_up(schedule: Schedule, part: int) -> str:
    """Return which task was given up on its slot, since when it ran."""
    history = schedule.given_up
    assert history is not None
    assert history.given_up is not None
    which = sentence_start(task_name(schedule.workload, int(history.given_up.task[part])))
    slot, since = int(history.extra_slot[part]), exact_clock(float(history.run.start[part]))
    return (
        f"{which}, which ran on {schedule.cluster.slot_name(slot)} since {since}, was {history.looks[part]}."
    )


def _overlap(schedule: Schedule, start: TaskStart) -> tuple[str, ...]:
    """Return what OMO's lazy start or batch finish did to it."""
    marks, columns = overlap_marks(schedule), schedule.workload.columns
    job = int(columns.job[start.task])
    name = schedule.workload.jobs[job].name
    if marks.is_held[start.task]:
        since = exact_clock(float(marks.held_since[job]))
        noun = place_noun(int(columns.kind[start.task]), schedule.cluster)
        return (
            f"Lazy start held it back from {since} on, so that its shuffle ends with the maps of {name}: "
            f"a {noun} that it could have had went to a map or stayed free.",
        )
    if marks.is_pulled[start.task]:
        return (
            f"Batch finish pulled it forward: the reduces of {name} have started, so its last maps go first, "
            "before a job whose fair share was due.",
        )
    return ()


def _contention(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return what the tasks beside it on its node cost it."""
    slowed = schedule.slowed(task)
    if slowed == 0:
        return ()
    alone = exact_duration(float(schedule.workload.columns.duration[task]))
    who = "Tasks" if schedule.cluster.reduce_load else "Maps"
    return (f"{who} beside it on its node slowed it: it took {exact_duration(slowed)} longer than {alone}.",)


def _trigger(schedule: Schedule, start: TaskStart) -> str:
    """Return what happened when it started."""
    workload, cause = schedule.workload, start.cause
    kind = int(workload.columns.kind[start.task])
    free = f"a {place_noun(kind, schedule.cluster)} was free"
    at = f"It started at {exact_clock(start.time)}"
    if cause in (StartCause.ARRIVAL, StartCause.LOST):
        return f"{at}: {'its job arrived' if cause is StartCause.ARRIVAL else 'it runs again,'} and {free}."
    if cause in (StartCause.MAP_STAGE, StartCause.SLOWSTART):
        ended = task_name(workload, start.trigger)
        what = "its map stage was complete" if cause is StartCause.MAP_STAGE else "slowstart was reached"
        if workload.jobs[int(workload.columns.job[start.task])].graph != MAP_REDUCE:
            enough = "what" if cause is StartCause.MAP_STAGE else "enough of what"
            what = f"{enough} its stage waits for was complete"
        return f"{at}: {ended} ended, {what}, and {free}."
    if cause is StartCause.SLOT_FREED:
        what = "made room on its node" if schedule.cluster.has_nodes else "freed its slot"
        is_copy = schedule.cluster.events is None and given_up_for(schedule, start.task) >= 0
        which = "another copy of " * is_copy + task_name(workload, start.trigger)
        return f"{at}: {which} ended and {what}."
    if cause is StartCause.GIVEN_UP:
        return f"{at}: no slot was free, and the policy gave a running task up for it."
    if cause is StartCause.OPENED:
        return f"{at}: {_what_opened(schedule, start.task)}."
    if cause is StartCause.OWN_TASK:
        ended = task_name(workload, start.trigger)
        return f"{at}: {ended} ended, and the policy gave its job another slot."
    since = f"its slot was free since {exact_clock(max(start.freed, 0.0))}"
    if schedule.cluster.has_nodes:
        since = "a node had room before"
    if schedule.cluster.overheads is not None:
        return (
            f"{at}: {since}; it waited for the cluster (launching, setup, files or a heartbeat) or was held "
            "by the policy."
        )
    return f"{at}: {since}; the policy held it back until then."


def _what_opened(schedule: Schedule, task: int) -> str:
    if schedule.cluster.events is None:
        return "its slot opened"
    return f"node N{node_of_slots(schedule.cluster)[schedule.slot[task]] + 1} returned"


def _place(schedule: Schedule, start: TaskStart, slot: int, borrowed: bool) -> tuple[str, ...]:
    """Return why it runs on this slot and which task had it before."""
    cluster, workload = schedule.cluster, schedule.workload
    kind = int(workload.columns.kind[start.task])
    of_part = " of its pool" if schedule.partition is not None else ""
    if cluster.overheads is not None and cluster.overheads.hosts > 1:
        of_part = " of the host that asked"
    here = f"{cluster.slot_name(slot)} was the free slot with the lowest number{of_part}"
    if workload.inputs is not None and cluster.has_nodes:
        return (_by_input(schedule, start.task, workload.inputs),)
    if cluster.has_nodes:
        return (f"Node N{cluster.node_of(slot) + 1} was the first with room for it.",)
    if borrowed:
        own, other = slot_noun(kind, False), slot_noun(1 - kind, False)
        here = f"The policy lent it {cluster.slot_name(slot)}, a {other}, instead of a {own}"
    part = NO_TASK if schedule.cluster.events is not None else given_up_for(schedule, start.task)
    if part >= 0 and not schedule.has_copies:
        return (_given_up(schedule, part),)
    if (copy := _copy_before(schedule, start)) is not None:
        return (f"{here}.", copy)
    if start.holder == NO_TASK:
        return (f"{here}.", "Nothing ran on that slot before.")
    before = task_name(workload, start.holder)
    span = f"from {exact_clock(float(schedule.start[start.holder]))} to {_left_at(schedule, start)}"
    return (f"{here}.", f"Before that it ran {before}, {span}.")


def _left_at(schedule: Schedule, start: TaskStart) -> str:
    """Return when the task before a start left the slot."""
    is_away = schedule.cluster.events is not None
    return exact_clock(float(schedule.end[start.holder]) if is_away else start.freed)


def _by_input(schedule: Schedule, task: int, inputs: InputColumns) -> str:
    """Return why a task runs on its node where nodes are offered one after the other, and what that costs."""
    node = f"Node N{schedule.cluster.node_of(int(schedule.slot[task])) + 1} was offered and had room for it"
    lies = listed([f"N{each + 1}" for each in inputs.nodes_of(task)], noun="node")
    if not lies:
        return f"{node}."
    if not schedule.reads_remotely[task]:
        return f"{node}, and it has its input."
    longer = exact_duration(schedule.reads_for(task))
    return f"{node}; its input lies on {lies}, and reading it from another node took {longer} longer."


def _copy_before(schedule: Schedule, start: TaskStart) -> str | None:
    """Return which copy that came to nothing ran last on its slot; None if a task did, or nothing."""
    history, slot = schedule.given_up, int(schedule.slot[start.task])
    if history is None or history.given_up is None or start.freed != copies_until(schedule, slot, start.time):
        return None
    part = history.given_up_at(slot, start.freed)
    if part < 0:
        return None
    of = task_name(schedule.workload, int(history.given_up.task[part]))
    since = exact_clock(float(history.run.start[part]))
    return f"Before that it ran a copy of {of}, from {since} to {exact_clock(start.freed)}."


def boarding_sentences(schedule: Schedule, job: int, time: float) -> tuple[str, ...]:
    """Return until when a job's window lasts, or which jobs scan how many of its blocks for it.

    Parameters
    ----------
    schedule : of any policy
    job : index of the job
    time : seconds
    """
    sharing, name = schedule.sharing, schedule.workload.jobs[job].name
    if sharing is None or not sharing.shares or time < schedule.arrival[job]:
        return ()
    if time < sharing.boards[job]:
        return (
            f"{name} waits for its batching window to end, at {exact_clock(float(sharing.boards[job]))}.",
        )
    needed = schedule.given.jobs[job].stages[0].count  # it scans its dataset before all else
    drivers = _drivers(schedule, job)
    if not drivers:
        return ()
    blocks = sum(drivers.values())
    jobs = schedule.workload.jobs
    if len(drivers) == 1:
        who = f"{jobs[next(iter(drivers))].name} scans"
    else:
        who = f"{listed([f'{jobs[other].name} ({many})' for other, many in drivers.items()])} scan"
    rest = "the rest" if blocks < needed else "none"
    return (f"{who} {blocks} of its {count(needed, 'block')} for it; it scans {rest} itself.",)


def sharing_sentence(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return which jobs a map serves beside its own."""
    others = sharing_jobs(schedule, task)[1:]
    if not others:
        return ()
    names = [schedule.workload.jobs[job].name for job in others]
    return (f"It scans its block for {listed(names)}, too.",)


def _drivers(schedule: Schedule, job: int) -> dict[int, int]:
    """Return which jobs scan how many blocks for a job, the first to board first."""
    sharing, columns = schedule.sharing, schedule.workload.columns
    assert sharing is not None
    before = np.flatnonzero((sharing.place < sharing.place[job]) & (sharing.group == sharing.group[job]))
    found: dict[int, int] = {}
    for other in sorted(before.tolist(), key=lambda j: int(sharing.place[j])):
        scan = columns.stages.begin[other]  # a job scans before all else
        tasks = slice(columns.stages.first[scan], columns.stages.first[scan] + columns.stages.count[scan])
        serves = (schedule.start[tasks] >= sharing.boards[job]) & (columns.duration[tasks] > 0)
        served = int(np.sum(serves & sharing.wants(job, tasks)))
        if served:
            found[other] = served
    return found
