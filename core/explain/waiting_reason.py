"""What a job waits for at a time, in sentences: read from the schedule, true under every policy."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import count, listed, place_noun, sentence_start, stage_name, task_word
from core.explain.instant import Instant, JobTasks, instant_at
from core.explain.slots import own_slots, room_at
from core.explain.start_cause import NO_TASK, may_start, opened_by, tasks_needed
from core.explain.task_reason import boarding_sentences, came_after, served_between
from core.model.event_nodes import node_down_spans
from core.model.lost_attempts import eras_of
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock

if TYPE_CHECKING:
    from core.model.schedule import Schedule


class WaitCause(Enum):
    """Why no further task of a stage starts now."""

    NOT_ARRIVED = "not arrived"
    ALL_STARTED = "all started"
    """None waits: every task of the stage has started, or there is none."""
    SLOWSTART = "slowstart"
    """Too few of its maps are complete for its reduces to start."""
    NO_FREE_SLOT = "no free slot"
    DECLINED = "declined"
    """A slot is free and a task could run on it: the policy keeps the slot empty (quota, lazy start)."""


@dataclass(frozen=True, slots=True)
class Holder:
    """A job that holds slots of the type waited for: how many, and how many of them fillers that wait."""

    job: int
    slots: int
    idle_fillers: int


@dataclass(frozen=True, slots=True)
class WaitReason:
    """What the tasks of one stage of a job wait for.

    Attributes
    ----------
    job, kind : whose tasks, and their type
    stage : their stage in the whole workload
    cause : the first thing that is missing
    pending, running, done : the tasks of the stage
    idle_fillers : those that run and wait for the stages before it to end
    maps_done, maps_needed : tasks of the stages before it, for SLOWSTART; a first stage needs none, and of
        its own are done what is given
    free : free slots that are there for its tasks of this kind; on nodes, how many of them would fit
    holders : who holds the slots of its type, most slots first
    ahead : for NO_FREE_SLOT the jobs whose tasks of this kind start before its next one, most tasks first
    next_start : when its next task starts; infinity if that is not in the schedule
    sentences : the same in words
    """

    job: int
    kind: int
    stage: int
    cause: WaitCause
    pending: int
    running: int
    done: int
    idle_fillers: int
    maps_done: int
    maps_needed: int
    free: int
    holders: tuple[Holder, ...]
    ahead: tuple[JobTasks, ...]
    next_start: float
    sentences: tuple[str, ...]


def waiting_reasons(schedule: Schedule, job: int, time: float) -> tuple[WaitReason, ...]:
    """Explain what a job waits for at a time, once for each of its stages: its maps, then its reduces.

    Parameters
    ----------
    schedule : complete or partial
    job : index of the job
    time : seconds; everything of that time has happened
    """
    schedule = eras_of(schedule).at(time)
    instant = instant_at(schedule, time)
    begin = schedule.workload.columns.stages.begin
    return tuple(_reason(schedule, instant, stage) for stage in range(begin[job], begin[job + 1]))


def _reason(schedule: Schedule, instant: Instant, stage: int) -> WaitReason:
    columns, stages = schedule.workload.columns, schedule.workload.columns.stages
    job, kind = int(stages.job[stage]), int(stages.task_type[stage])
    running, done = int(instant.running[stage]), int(instant.done[stage])
    pending = int(stages.count[stage]) - running - done
    parents = stages.parents_of(stage)
    next_task = int(schedule.by_stage[stages.first[stage] + running + done]) if pending else NO_TASK
    next_start = float(schedule.start[next_task]) if pending else float("inf")
    facts = {
        "pending": pending,
        "running": running,
        "done": done,
        "idle_fillers": int(np.count_nonzero(columns.stage[instant.fillers] == stage)),
        "maps_done": int(instant.done[parents].sum()) if len(parents) else done,
        "maps_needed": tasks_needed(schedule, stage),
        "free": _free(schedule, instant, job, kind),
    }
    cause = _cause(schedule, instant, stage, facts)
    waits = cause in (WaitCause.NO_FREE_SLOT, WaitCause.DECLINED)
    reason = WaitReason(
        job=job,
        kind=kind,
        stage=stage,
        cause=cause,
        holders=_holders(schedule, instant, job, kind) if waits else (),
        ahead=served_between(schedule, kind, np.nextafter(instant.time, np.inf), next_task)
        if cause is WaitCause.NO_FREE_SLOT
        else (),
        next_start=float("inf") if np.isnan(next_start) else next_start,
        sentences=(),
        **facts,
    )
    return replace(reason, sentences=tuple(_sentences(schedule, instant, reason)))


def _free(schedule: Schedule, instant: Instant, job: int, kind: int) -> int:
    """Count the free slots that are there for a job's tasks of a kind; on nodes, how many would fit."""
    if schedule.cluster.has_nodes:
        return int(room_at(schedule, np.array([instant.time]), kind)[0])
    own = own_slots(schedule, job, kind)
    if schedule.cluster.events is not None:
        return sum(slot in own for slots in instant.free for slot in slots)
    return int(np.count_nonzero(instant.slot_task[own] < 0))


def _cause(schedule: Schedule, instant: Instant, stage: int, facts: dict[str, int]) -> WaitCause:
    columns = schedule.workload.columns
    if facts["pending"] == 0:
        return WaitCause.ALL_STARTED
    if schedule.arrival[columns.stages.job[stage]] > instant.time:
        return WaitCause.NOT_ARRIVED
    if not may_start(schedule, stage, instant.done) and not opened_by(schedule, stage, instant.time):
        return WaitCause.SLOWSTART
    return WaitCause.DECLINED if facts["free"] else WaitCause.NO_FREE_SLOT


def _holders(schedule: Schedule, instant: Instant, job: int, kind: int) -> tuple[Holder, ...]:
    """Return what holds the slots that are there for a job's tasks of a kind, whatever runs there."""
    columns, own = schedule.workload.columns, own_slots(schedule, job, kind)
    held = instant.slot_task[own.start : own.stop]
    held = held[held >= 0]
    slots = np.bincount(columns.job[held], minlength=len(columns.arrival))
    idle = np.bincount(columns.job[np.intersect1d(held, instant.fillers)], minlength=len(columns.arrival))
    jobs = np.flatnonzero(slots)
    order = jobs[np.argsort(-slots[jobs], kind="stable")]
    return tuple(Holder(int(j), int(slots[j]), int(idle[j])) for j in order)


def _sentences(schedule: Schedule, instant: Instant, reason: WaitReason) -> list[str]:
    word, stages = _word(schedule, reason), schedule.workload.columns.stages
    is_map_reduce = schedule.workload.jobs[reason.job].graph == MAP_REDUCE
    sentences = [_first_sentence(schedule, instant, reason)]
    is_first = len(stages.parents_of(reason.stage)) == 0
    if is_first and reason.cause is not WaitCause.NOT_ARRIVED:
        sentences += boarding_sentences(schedule, reason.job, instant.time)
    if reason.holders:
        names = [
            f"{schedule.workload.jobs[held.job].name} ({held.slots}"
            + (
                f", {held.idle_fillers} of them waiting for {_maps(schedule, held)})"
                if held.idle_fillers
                else ")"
            )
            for held in reason.holders
        ]
        nouns = "nodes" if schedule.cluster.has_nodes else f"{place_noun(reason.kind, schedule.cluster)}s"
        sentences.append(f"The {nouns} are held by {listed(names)}.")
    if reason.ahead:
        noun = task_word(schedule.workload, reason.kind)
        names = [f"{schedule.workload.jobs[a.job].name} ({count(a.tasks, noun)})" for a in reason.ahead]
        sentences.append(f"Ahead of its next {word}: {listed(names)}.")
    if reason.pending and np.isfinite(reason.next_start):
        sentences.append(f"Its next {word} starts at {exact_clock(reason.next_start)}.")
    if reason.idle_fillers:
        many = reason.idle_fillers > 1
        verbs = "hold slots and wait" if many else "holds a slot and waits"
        its = ("reduces", "its map stage") if is_map_reduce else ("tasks", "the stages before it")
        sentences.append(f"{reason.idle_fillers} of its {its[0]} {verbs} for {its[1]} to end.")
    return sentences


def _first_sentence(schedule: Schedule, instant: Instant, reason: WaitReason) -> str:
    job = schedule.workload.jobs[reason.job]
    word, whose = _word(schedule, reason), job.name
    if job.graph != MAP_REDUCE:
        whose = stage_name(schedule.workload, reason.stage)
    start = sentence_start(whose) if job.graph != MAP_REDUCE else whose
    waiting = f"{count(reason.pending, word)} of {whose} {'waits' if reason.pending == 1 else 'wait'}"
    if reason.cause is WaitCause.NOT_ARRIVED:
        after = f" after {listed([link.job for link in job.after])}" if job.after else ""
        arrival = float(schedule.arrival[reason.job])
        if np.isfinite(arrival) and (thinks := came_after(schedule, reason.job)):
            after = thinks
        return f"{job.name} has not arrived yet; it does at {exact_clock(arrival)}{after}."
    if reason.cause is WaitCause.ALL_STARTED:
        total = reason.running + reason.done
        if total == 0:
            return f"{start} has no {word}s."
        state = f"{reason.done} of {count(total, word)} complete, {reason.running} running"
        return f"{start} has no waiting {word}: {state}."
    if reason.cause is WaitCause.SLOWSTART:
        stages = schedule.workload.columns.stages
        before = int(stages.count[stages.parents_of(reason.stage)].sum())
        if job.graph != MAP_REDUCE:
            return f"{waiting} for {_stages_before(schedule, instant, reason)}."
        if reason.maps_needed == before:
            return f"{waiting} for its map stage: {reason.maps_done} of {count(before, 'map')} complete."
        needed = count(reason.maps_needed, "map")
        return f"{waiting} for slowstart: {reason.maps_done} of the {needed} needed complete."
    noun = place_noun(reason.kind, schedule.cluster)
    if reason.cause is WaitCause.DECLINED:
        why = _why_declined(schedule, instant, reason.job)
        return f"{waiting} beside {count(reason.free, 'free ' + noun)}: {why}."
    away = _away(schedule, instant.time)
    return f"{waiting}: no {noun} is free{away}."


def _away(schedule: Schedule, time: float) -> str:
    """Return which nodes are not there at a time, since when: ", and node N3 is away since 0:45"."""
    spans = node_down_spans(schedule.cluster)
    since = [
        f"N{node + 1} is away since {exact_clock(begin)}" for node, begin, end in spans if begin <= time < end
    ]
    return f"; node {listed(since, noun='node')}" if since else ""


def _word(schedule: Schedule, reason: WaitReason) -> str:
    """Return what the tasks of a job are called: maps, reduces, or of other stages just tasks."""
    is_map_reduce = schedule.workload.jobs[reason.job].graph == MAP_REDUCE
    return KIND_WORDS[reason.kind] if is_map_reduce else "task"


def _maps(schedule: Schedule, held: Holder) -> str:
    """Return what the fillers of a job wait for."""
    return "its maps" if schedule.workload.jobs[held.job].graph == MAP_REDUCE else "earlier stages"


def _stages_before(schedule: Schedule, instant: Instant, reason: WaitReason) -> str:
    """Return which stages are not complete that a stage of a graph waits for, and how far they are."""
    workload, stages = schedule.workload, schedule.workload.columns.stages
    parents = stages.parents_of(reason.stage).tolist()
    left = [each for each in parents if instant.done[each] < stages.count[each]]
    parts = [
        f"{stage_name(workload, each, with_job=False)} "
        f"({instant.done[each]} of {count(int(stages.count[each]), 'task')} complete)"
        for each in left
    ]
    return listed(parts, noun="stage")


def _why_declined(schedule: Schedule, instant: Instant, job: int) -> str:
    """Return why a free slot stays empty: a schedule does not show launches, setups and heartbeats."""
    overheads = schedule.cluster.overheads
    if overheads is None:
        return "the policy declines"
    begin = schedule.workload.columns.stages.begin
    own = slice(begin[job], begin[job + 1])
    has_begun = bool(instant.running[own].any() or instant.done[own].any())
    if not has_begun and instant.time < schedule.arrival[job] + overheads.launch_delay:
        return "the job is not launched yet"
    may_be = {
        "the job is not launched": not has_begun and overheads.launched_ahead + overheads.launch_interval > 0,
        "the job is not set up": not has_begun and overheads.setup > 0,
        "its files have not come": overheads.fetch > 0,
        "their hosts have not asked for work": overheads.heartbeat > 0,
    }
    whys = [f"{why} yet" for why, may in may_be.items() if may]
    return ", or ".join([*whys, "the policy declines"])
