"""Captions: what happens in a schedule at its moments that matter, a sentence or two for each."""

from __future__ import annotations

import math
from bisect import bisect_right, insort
from collections import defaultdict
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.explanation_words import count, listed, nth, task_word
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS, TASK_TYPES
from core.model.time_text import exact_clock, exact_duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.schedule import Schedule

NONE = -1
"""Stands for no job, and for no task."""
MAX = 100
"""Captions of one schedule at most, but for its first and its last moment."""
MAX_JOBS_WITH_WAVES, MAX_WAVES = 12, 8
"""Waves of more jobs, or more waves of one stage, say nothing to anybody."""
MIN_PAUSE = 0.02
"""Of the makespan: shorter stretches without a map or a task are left out."""
MAX_PAUSES = 30
SENTENCES = 2
"""Of one caption at most."""


@dataclass(frozen=True, slots=True)
class Caption:
    """What has just happened.

    Attributes
    ----------
    time : when, seconds
    text : one or two sentences
    job, task : what it is about, as indices into the schedule's workload; -1 for none in particular
    """

    time: float
    text: str
    job: int = NONE
    task: int = NONE


class What(IntEnum):
    """Kinds of things that happen, those that matter most first."""

    ALL_DONE = 0
    TOO_LATE = 1
    MAPS_END = 2
    NO_MAPS = 3
    JOB_ENDS = 4
    OVERLAP = 5
    JOB_STARTS = 6
    LENT = 7
    ARRIVAL = 8
    REDUCES_START = 9
    WAVE = 10


SENTENCE_OF = {
    What.ALL_DONE: ("{tail}.", ""),
    What.TOO_LATE: ("{jobs} misses its deadline: it will be done{tail}.", "{jobs} miss their deadlines."),
    What.MAPS_END: ("{own} last map ends: its {tail}.", "The last maps of {jobs} end: their {tail}."),
    What.NO_MAPS: ("{tail}.", ""),
    What.JOB_ENDS: ("{jobs} is done{tail}.", "{jobs} are done{tail}."),
    What.OVERLAP: (
        "{own} shuffle overlaps its maps{tail}.",
        "Shuffles of {jobs} overlap their maps{tail}.",
    ),
    What.LENT: ("{jobs} gets {tail}.", "{jobs} each get {tail}."),
    What.JOB_STARTS: ("{jobs} starts{tail}.", "{jobs} start{tail}."),
    What.ARRIVAL: ("{jobs} arrives{tail}.", "{jobs} arrive{tail}."),
    What.REDUCES_START: ("{own} reduces start{tail}.", "The reduces of {jobs} start{tail}."),
    What.WAVE: ("{own} {tail}.", "For each of {jobs} the {tail}."),
}
"""Of one job, and of several together."""


class _Event(NamedTuple):
    """One event; `weight` ranks those of one kind, `tail` is what its sentence adds."""

    time: float
    what: What
    job: int
    task: int
    weight: int
    tail: str


def captions(schedule: Schedule) -> tuple[Caption, ...]:
    """Return what happens in a schedule, by time: at most one caption a moment, and about `MAX` in all.

    What lies too close to something that matters more is left out, so that those who watch can read.
    The columns are gone through once for each kind of event: well below a second for a million tasks.

    Parameters
    ----------
    schedule : complete, partial, or a record; times are seconds within 0 and its makespan
    """
    moments: dict[float, list[_Event]] = defaultdict(list)
    for event in _events(schedule):
        if math.isfinite(event.time):
            moments[event.time].append(event)
    for events in moments.values():
        events.sort(key=lambda event: (event.what, event.job))
    kept = _kept(moments, schedule.makespan)
    names = [job.name for job in schedule.workload.jobs]
    return tuple(_caption(time, moments[time], names) for time in kept)


def caption_at(shown: Sequence[Caption], seconds: float | None, hold: float = math.inf) -> Caption | None:
    """Return the last caption up to a time, if it is at most `hold` seconds old; the very last one stays.

    None before the first one, for no time, and where nothing has happened for longer.
    """
    if seconds is None:
        return None
    place = bisect_right(shown, seconds, key=lambda caption: caption.time)
    is_news = place == len(shown) or (place > 0 and seconds - shown[place - 1].time <= hold)
    return shown[place - 1] if place and is_news else None


def _kept(moments: dict[float, list[_Event]], makespan: float) -> list[float]:
    """Return the moments that get a caption: the first, the last, the most important with a gap around."""
    if not moments:
        return []
    gap, kept = makespan / MAX, sorted({min(moments), max(moments)})
    by_importance = sorted(
        moments, key=lambda time: (moments[time][0].what, -sum(each.weight for each in moments[time]), time)
    )
    for time in by_importance:
        place = bisect_right(kept, time)
        beside = [kept[i] for i in (place - 1, place) if 0 <= i < len(kept)]
        if all(abs(time - other) >= gap for other in beside) and time not in beside:
            insort(kept, time)
    return kept


# ---- sentences


def _caption(time: float, events: list[_Event], names: Sequence[str]) -> Caption:
    """Merge what happens at one time: what matters most first, the jobs of one kind together."""
    by_sentence: dict[tuple[What, str], list[_Event]] = {}
    for event in events:
        by_sentence.setdefault((event.what, event.tail), []).append(event)
    sentences: list[str] = []
    for group in list(by_sentence.values())[:SENTENCES]:
        sentences.append(_sentence(group, names))
    first = events[0]
    return Caption(time, " ".join(sentences), first.job, first.task)


def _sentence(group: list[_Event], names: Sequence[str]) -> str:
    jobs = [names[event.job] for event in group if event.job != NONE]
    pattern = SENTENCE_OF[group[0].what][len(jobs) > 1]
    subject = listed(jobs) if jobs else ""
    own = subject + ("'" if subject.endswith("s") else "'s")
    return pattern.format(jobs=subject, own=own, tail=group[0].tail)


# ---- what happens


def _events(schedule: Schedule) -> Iterator[_Event]:
    yield from _arrivals_and_starts(schedule)
    yield from _reduces_begin(schedule)
    yield from _map_stages_end(schedule)
    yield from _ends(schedule)
    yield from _late(schedule)
    yield from _lent(schedule)
    yield from _pauses(schedule)
    yield from _waves(schedule)


def _arrivals_and_starts(schedule: Schedule) -> Iterator[_Event]:
    columns, starts = schedule.workload.columns, schedule.job_start
    tasks = np.add.reduceat(columns.stages.count, columns.stages.begin[:-1])
    for job in range(len(tasks)):
        arrival, start, weight = float(schedule.arrival[job]), float(starts[job]), int(tasks[job])
        if arrival == start > 0:
            yield _Event(arrival, What.ARRIVAL, job, NONE, weight, " and starts at once")
            continue
        if arrival > 0:
            yield _Event(arrival, What.ARRIVAL, job, NONE, weight, "")
        tail = f" after {exact_duration(start - arrival)} of waiting" if arrival > 0 else ""
        yield _Event(start, What.JOB_STARTS, job, NONE, weight, tail)


def _first_reduces(schedule: Schedule) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return when the first reduce of each job starts, infinity for none, and which one it is, (jobs,)."""
    stages, jobs = schedule.workload.columns.stages, len(schedule.workload.jobs)
    time, task = np.full(jobs, np.inf), np.full(jobs, NONE, np.int64)
    own = stages.has_parents & (stages.count > 0) & _of_map_reduce_jobs(schedule)
    for stage in np.flatnonzero(own).tolist():
        first, job = int(stages.first[stage]), int(stages.job[stage])
        starts = schedule.start[first : first + int(stages.count[stage])]
        if np.isfinite(starts).any() and np.nanmin(starts) < time[job]:
            task[job] = first + int(np.nanargmin(starts))
            time[job] = schedule.start[task[job]]
    return time, task


def _of_map_reduce_jobs(schedule: Schedule) -> NDArray[np.bool_]:
    """Return whether the job of each stage has just maps, and reduces that wait for them, (stages,)."""
    is_plain = np.array([job.graph == MAP_REDUCE for job in schedule.workload.jobs], np.bool_)
    return is_plain[schedule.workload.columns.stages.job]


def _reduces_begin(schedule: Schedule) -> Iterator[_Event]:
    """Yield reduces that start while maps run, and those that had to wait after them."""
    columns, stage_end = schedule.workload.columns, schedule.stage_end
    time, task = _first_reduces(schedule)
    for job in np.flatnonzero(np.isfinite(time)):
        about = int(job), int(task[job]), int(columns.stages.count[columns.stage[task[job]]])
        if time[job] < stage_end[job]:
            yield _Event(
                float(time[job]), What.OVERLAP, *about, f" until {exact_clock(float(stage_end[job]))}"
            )
        elif time[job] > stage_end[job]:
            waited = float(time[job] - stage_end[job])
            tail = f", {exact_duration(waited)} after the last map" if waited >= 0.001 else ""
            yield _Event(float(time[job]), What.REDUCES_START, *about, tail)


def _map_stages_end(schedule: Schedule) -> Iterator[_Event]:
    stages = schedule.workload.columns.stages
    time, _task = _first_reduces(schedule)
    both = (stages.count[stages.parent] > 0) & (stages.count[stages.child] > 0)
    both &= _of_map_reduce_jobs(schedule)[stages.child]
    for stage in np.unique(stages.parent[both]).tolist():
        job, first, maps = int(stages.job[stage]), int(stages.first[stage]), int(stages.count[stage])
        end = float(schedule.stage_end[job])
        if time[job] < end:
            tail = "reduces can end their shuffles"
        else:
            tail = "reduces start" if time[job] == end else "reduces may start"
        ends = schedule.end[first : first + maps]
        task = first + int(np.nanargmax(ends)) if np.isfinite(ends).any() else NONE
        yield _Event(end, What.MAPS_END, job, task, maps, tail)


def _ends(schedule: Schedule) -> Iterator[_Event]:
    columns, finish, jobs = schedule.workload.columns, schedule.finish, len(schedule.finish)
    tasks = np.add.reduceat(columns.stages.count, columns.stages.begin[:-1])
    last = np.flatnonzero(finish == schedule.makespan)
    for job in np.flatnonzero(finish < schedule.makespan):
        took = exact_duration(float(finish[job] - schedule.arrival[job]))
        tail = f", {took} after it arrived" if schedule.arrival[job] > 0 else ""
        yield _Event(float(finish[job]), What.JOB_ENDS, int(job), NONE, int(tasks[job]), tail)
    if len(last) and np.isfinite(finish).all():
        names = listed([schedule.workload.jobs[job].name for job in last.tolist()])
        are = "are" if len(last) > 1 else "is"
        whole = f"{names} {are} done" + (f", the last of {count(jobs, 'job')}" if jobs > len(last) else "")
        text = f"{whole}: the makespan is {exact_duration(schedule.makespan)}"
        yield _Event(schedule.makespan, What.ALL_DONE, NONE, NONE, jobs, text)


def _late(schedule: Schedule) -> Iterator[_Event]:
    """Yield deadlines that pass before their job is done."""
    deadline = schedule.workload.columns.deadline
    for job in np.flatnonzero(np.isfinite(deadline) & (schedule.finish > deadline)):
        late = exact_duration(float(schedule.finish[job] - deadline[job]))
        yield _Event(float(deadline[job]), What.TOO_LATE, int(job), NONE, 1, f" {late} late")


def _lent(schedule: Schedule) -> Iterator[_Event]:
    """Yield when a job first runs on a slot of the other type."""
    columns = schedule.workload.columns
    borrowed = schedule.sequence[schedule.is_borrowed[schedule.sequence]]
    found, first = np.unique(columns.stage[borrowed], return_index=True)
    for stage, place in zip(found.tolist(), first.tolist(), strict=True):
        task = int(borrowed[place])
        kind, job = int(columns.stages.task_type[stage]), int(columns.stages.job[stage])
        runs, lends = KIND_WORDS[kind], KIND_WORDS[1 - kind]
        tail = f"a {lends} slot lent for a {runs}"
        yield _Event(float(schedule.start[task]), What.LENT, job, task, 1, tail)


def _pauses(schedule: Schedule) -> Iterator[_Event]:
    """Yield the longest stretches in which no map runs, or nothing at all, of maps and reduces alone."""
    if not schedule.workload.is_map_reduce:
        return
    columns, has_run = schedule.workload.columns, np.isfinite(schedule.end)
    maps, reduces = (np.flatnonzero((columns.kind == kind) & has_run) for kind in TASK_TYPES)
    starts, ends = np.sort(schedule.start[maps]), np.unique(schedule.end[maps])
    begun = np.searchsorted(starts, ends, "right")
    over = np.searchsorted(np.sort(schedule.end[maps]), ends, "right")
    begins = ends[begun == over]
    ups = np.r_[starts, schedule.makespan][np.searchsorted(starts, begins, "right")]
    lengths = np.minimum(ups, schedule.makespan) - begins
    long = np.flatnonzero(lengths > MIN_PAUSE * schedule.makespan)
    for place in sorted(long[np.argsort(-lengths[long], kind="stable")][:MAX_PAUSES].tolist()):
        time, until = float(begins[place]), float(ups[place])
        running = reduces[(schedule.start[reduces] <= time) & (schedule.end[reduces] > time)]
        whose = np.unique(columns.job[running])
        if len(whose):
            names = listed([schedule.workload.jobs[job].name for job in whose])
            free = "All map slots are free" if _has_map_slots(schedule) else "No map runs"
            text = f"{free} while reduces of {names} run"
            yield _Event(time, What.NO_MAPS, NONE, int(running[0]), len(running), text)
        elif until in schedule.arrival:
            text = f"Nothing is left to run until {exact_clock(until)}"
            yield _Event(time, What.NO_MAPS, NONE, NONE, 1, text)


def _has_map_slots(schedule: Schedule) -> bool:
    """Whether maps alone run on some slots."""
    cluster = schedule.cluster
    return not (cluster.has_containers or cluster.has_nodes or schedule.lends)


def _waves(schedule: Schedule) -> Iterator[_Event]:
    """Yield when the second and later waves of a stage begin; waves of many jobs are noise."""
    stages = schedule.workload.columns.stages
    if len(schedule.workload.jobs) > MAX_JOBS_WITH_WAVES or not schedule.is_whole:
        return
    for stage in np.flatnonzero(stages.count > 1).tolist():
        job, kind = int(stages.job[stage]), int(stages.task_type[stage])
        wave = schedule.stage_wave(stage)
        last = int(wave.max())
        if 1 < last <= MAX_WAVES:
            first = int(stages.first[stage])
            yield from _waves_of(schedule, job, first, wave, task_word(schedule.workload, kind))


def _waves_of(
    schedule: Schedule, job: int, first: int, wave: NDArray[np.int32], noun: str
) -> Iterable[_Event]:
    last = int(wave.max())
    for number in range(2, last + 1):
        tasks = first + np.flatnonzero(wave == number)
        task = int(tasks[np.argmin(schedule.start[tasks])])
        name = "last" if number == last else nth(number)
        tail = f"{name} wave of {noun}s begins: {count(len(tasks), noun)}"
        yield _Event(float(schedule.start[task]), What.WAVE, job, task, len(tasks), tail)
