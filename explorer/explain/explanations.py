"""Explanations as texts with links: why a task started then and there, what a job waits for, an instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.decisions import decision_reason, declined_sentences, standing_sentences
from core.explain.explanation_words import (
    count,
    decision_words,
    number_of,
    slot_noun,
    stage_name,
    task_name,
    task_word,
)
from core.explain.lent_slots import lent_sentences
from core.explain.lints.finding import NO_JOB
from core.explain.lints.idle_slots import idle_gap, idle_reason, idle_reasons
from core.explain.start_cause import NO_TASK, StartCause, ready_times
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import WaitCause, waiting_reasons
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.model.time_text import exact_clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.explain.task_reason import TaskReason
    from core.explain.waiting_reason import WaitReason
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from explorer.document.view_state import SelectedIdle
    from explorer.explain.decision_view import DecisionView, Replays


MAX_LINKS = 6
"""Jobs that hold slots which are linked; the sentence counts more."""
MAX_RANGES = 3
MAX_CAUSES = 5
"""Spans of an idle slot with a cause each that are described; the first ones."""
STEP_THROUGH = "this decision, line by line"
NO_JOBS = "No job runs in the slot's pool."


@dataclass(frozen=True, slots=True)
class GoTo:
    """Where a link of an explanation leads; a task, a job or an instant is set.

    Attributes
    ----------
    text : what the link says
    task : index of a task, or -1
    job : name of a job, or empty
    seconds : an instant, or None
    decision : how many of that time's decisions are over
    is_stepped : whether the decision there is to be shown line by line
    """

    text: str
    task: int = -1
    job: str = ""
    seconds: float | None = None
    decision: int = 0
    is_stepped: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences under a heading, and where they lead."""

    heading: str
    sentences: tuple[str, ...]
    links: tuple[GoTo, ...] = ()

    def to_text(self) -> str:
        """Return heading and sentences, one per line."""
        return "\n".join([self.heading, *self.sentences])


@dataclass(frozen=True, slots=True)
class Explanation:
    """A whole explanation.

    Attributes
    ----------
    title : what it is about
    job : index of the job that it is about, for its colour; -1 for none
    paragraphs : what there is to say
    """

    title: str
    job: int
    paragraphs: tuple[Paragraph, ...]

    def to_text(self) -> str:
        """Return everything without links."""
        return "\n\n".join([self.title, *(paragraph.to_text() for paragraph in self.paragraphs)])


def task_explanation(schedule: Schedule, task: int, replays: Replays) -> Explanation:
    """Explain why a task started when and where it did; if the policy held it back, by its answers."""
    columns = schedule.workload.columns
    job, stage = int(columns.job[task]), int(columns.stage[task])
    is_map_reduce = schedule.workload.jobs[job].graph == MAP_REDUCE
    word = KIND_WORDS[int(columns.kind[task])].capitalize() if is_map_reduce else "Task"
    whose = schedule.workload.jobs[job].name if is_map_reduce else stage_name(schedule.workload, stage)
    title = f"{word} {number_of(schedule.workload, task)} of {columns.stages.count[stage]} of {whose}"
    if schedule.slot[task] < 0:
        return Explanation(title, job, (Paragraph("Not started", (f"{title} has not started yet.",)),))
    reason = task_reason(schedule, task)
    holder, held = reason.start.holder, "which held the slot"
    here = (
        (GoTo(f"{task_name(schedule.workload, holder)}, {held}", task=holder),) if holder != NO_TASK else ()
    )
    return Explanation(
        title,
        job,
        (
            Paragraph(
                f"Why at {exact_clock(reason.start.time)}", reason.why_then, _then_links(schedule, reason)
            ),
            *_answers(schedule, reason, replays),
            Paragraph(f"Why on {schedule.cluster.slot_name(reason.slot)}", reason.why_here, here),
        ),
    )


def _answers(schedule: Schedule, reason: TaskReason, replays: Replays) -> Iterator[Paragraph]:
    """Yield what the policy answered when it first held the task back, and when it let it start."""
    start = reason.start
    if schedule.record is not None:
        return
    with replays.lock:
        replay, task, stop = replays.of(schedule), start.task, replays.should_stop
        if start.cause is StartCause.POLICY:
            there = replay.at(max(start.ready, start.freed), None, stop)
            columns = schedule.workload.columns
            if held := declined_sentences(there, int(columns.job[task]), (int(columns.kind[task]),)):
                yield Paragraph("What the policy answers", held)
        place = int((schedule.sequence == task).argmax())
        run = replay.before_start(place, stop)
    decision = decision_reason(run)
    if decision is not None:
        before = int(schedule.start[schedule.sequence].searchsorted(start.time))
        steps = GoTo(STEP_THROUGH, seconds=start.time, decision=place - before, is_stepped=True)
        yield Paragraph("Why this job", decision.sentences, (steps,))


def _then_links(schedule: Schedule, reason: TaskReason) -> tuple[GoTo, ...]:
    """Return what let it start, its job's map that made it ready, and the two instants."""
    start = reason.start
    links = [
        GoTo(task_name(schedule.workload, task), task=task)
        for task in dict.fromkeys((start.ready_by, start.trigger))
        if task not in (NO_TASK, start.holder)
    ]
    if start.waited > 0:
        links.append(GoTo(f"when it was ready, {exact_clock(start.ready)}", seconds=start.ready))
    return (*links, GoTo(f"its start, {exact_clock(start.time)}", seconds=start.time))


def idle_explanation(schedule: Schedule, idle: SelectedIdle) -> Explanation:
    """Explain why a slot idles: cause by cause, and what it runs before and after."""
    name = schedule.cluster.slot_name(idle.slot)
    title = f"{name} idles from {exact_clock(idle.begin)} to {exact_clock(idle.end)}"
    ready = ready_times(schedule)
    reasons = [
        idle_reason(schedule, ready, each)
        for each in idle_reasons(schedule, idle.slot, idle.begin, idle.end)[:MAX_CAUSES]
    ]
    jobs = dict.fromkeys(schedule.workload.jobs[why.job].name for why in reasons if why.job != NO_JOB)
    sentences = tuple(why.sentence for why in reasons) or (NO_JOBS,)
    links = tuple(GoTo(job, job=job) for job in jobs)
    return Explanation(title, -1, (Paragraph("Why", sentences, links), _beside_gap(schedule, idle)))


def _beside_gap(schedule: Schedule, idle: SelectedIdle) -> Paragraph:
    """Return what a slot runs before and after it idles."""
    gap = idle_gap(schedule, idle.slot, idle.begin)
    ends = (("Before that it ran", gap.before), ("Next it runs", gap.after)) if gap is not None else ()
    sides = [(words, task) for words, task in ends if task != NO_TASK]
    sentences = [f"{words} {task_name(schedule.workload, task)}." for words, task in sides]
    links = [GoTo(task_name(schedule.workload, task), task=task) for _, task in sides]
    return Paragraph("Beside it", tuple(sentences) or ("It runs nothing at all.",), tuple(links))


def waiting_explanation(schedule: Schedule, job: int, seconds: float, replays: Replays) -> Explanation:
    """Explain what a job waits for at a time; if the policy declines a slot, by the policy's answers."""
    reasons = waiting_reasons(schedule, job, seconds)
    shown = [reason for reason in reasons if reason.pending or reason.running] or [reasons[0]]
    if shown[0].cause is WaitCause.NOT_ARRIVED:
        shown = shown[:1]
    name = schedule.workload.jobs[job].name
    paragraphs: list[Paragraph] = []
    for reason in shown:
        links = _waiting_links(schedule, reason, seconds)
        paragraphs.append(Paragraph(_heading(schedule, reason), reason.sentences, links))
    if schedule.record is None:
        run = replays.at(schedule, seconds)
        if sentences := (*declined_sentences(run, job), *standing_sentences(run, job)):
            paragraphs.append(Paragraph("What the policy answers", sentences))
    return Explanation(f"{name} at {exact_clock(seconds)}", job, tuple(paragraphs))


def _heading(schedule: Schedule, reason: WaitReason) -> str:
    if reason.cause is WaitCause.NOT_ARRIVED:
        return "Not there yet"
    kind = f"{task_word(schedule.workload, reason.kind)}s".capitalize()
    parts = [(reason.done, "done"), (reason.running, "running"), (reason.pending, "waiting")]
    return f"{kind}: {', '.join(f'{count} {word}' for count, word in parts if count)}"


def _waiting_links(schedule: Schedule, reason: WaitReason, seconds: float) -> tuple[GoTo, ...]:
    jobs = schedule.workload.jobs
    links = [
        GoTo(jobs[holder.job].name, job=jobs[holder.job].name)
        for holder in reason.holders[:MAX_LINKS]
        if holder.job != reason.job
    ]
    if seconds < reason.next_start < float("inf"):
        links.append(
            GoTo(
                f"its next {task_word(schedule.workload, reason.kind)}, {exact_clock(reason.next_start)}",
                seconds=reason.next_start,
            )
        )
    return tuple(links)


def instant_explanation(decision_view: DecisionView) -> Explanation:
    """Return the explanation of a look at an instant."""
    words = decision_words(decision_view.number, decision_view.decisions)
    title = f"At {exact_clock(decision_view.instant.time)}{words}"
    parts = [
        Paragraph("Free slots", (free_text(decision_view.schedule.cluster, decision_view.instant.free),))
    ]
    if (reason := decision_view.reason) is not None:
        parts.append(Paragraph("The decision" if reason.winner else "The slot offered", reason.sentences))
    else:
        parts.append(Paragraph("The decision", (_why_none(decision_view),)))
    if lent := lent_sentences(decision_view.schedule, decision_view.instant.time):
        parts.append(Paragraph("Slots lent", lent))
    parts.append(Paragraph("How it decides", (decision_view.rule,)))
    return Explanation(title, -1, tuple(parts))


def _why_none(decision_view: DecisionView) -> str:
    if not any(decision_view.instant.free):
        return "No slot is free, so nothing is decided."
    if not any(decision_view.instant.queues):
        if _are_on_their_way(decision_view):
            return "Jobs that have arrived are launched and set up first, so nothing is decided."
        return "No task waits, so nothing is decided."
    return "No free slot fits a waiting task, so nothing is decided."


def _are_on_their_way(decision_view: DecisionView) -> bool:
    """Whether jobs have arrived that, with overheads, have not begun."""
    schedule, instant = decision_view.schedule, decision_view.instant
    columns = schedule.workload.columns
    begun = columns.stages.job[instant.running + instant.done > 0]
    arrived = (schedule.arrival <= instant.time).nonzero()[0]
    return schedule.cluster.overheads is not None and not set(arrived.tolist()) <= set(begun.tolist())


def free_text(cluster: Cluster, free: Sequence[Sequence[int]]) -> str:
    """Return which slots are free: "2 of 30 map slots (M4, M7), no reduce slot"."""
    types = 1 if cluster.has_containers else len(free)
    parts = []
    for kind, slots in enumerate(free[:types]):
        noun, whole = slot_noun(kind, cluster.has_containers), cluster.stage_slots[kind]
        if whole:
            parts.append(
                f"{len(slots)} of {count(whole, noun)} ({slot_ranges(cluster, slots)})"
                if slots
                else f"no {noun}"
            )
    text = ", ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def slot_ranges(cluster: Cluster, slots: Sequence[int]) -> str:
    """Write slots as ranges: "M1–M3, M7"."""
    ranges: list[list[int]] = []
    for slot in slots:
        if ranges and slot == ranges[-1][1] + 1:
            ranges[-1][1] = slot
        else:
            ranges.append([slot, slot])
    names = [
        cluster.slot_name(first) + (f"–{cluster.slot_name(last)}" if last > first else "")
        for first, last in ranges[:MAX_RANGES]
    ]
    more = "" if len(ranges) <= MAX_RANGES else ", …"
    return ", ".join(names) + more
