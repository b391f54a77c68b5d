"""Why a task started then and there, and what a job waits for, as accounts; to be called in a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.held_reason import held_reason
from core.explain.start_cause import NOBODY, StartCause
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import WaitCause, waiting_reasons
from core.explain.words import clock, number_of, task_name
from core.model.workload import MAP
from explorer.explain.explanation import Explanation, GoTo, Paragraph

if TYPE_CHECKING:
    from core.explain.task_reason import TaskReason
    from core.explain.waiting_reason import WaitReason
    from core.model.schedule import Schedule
    from explorer.explain.decision_view import Replays

MOST_LINKS = 6
"""Jobs that hold slots which are linked; the sentence tells of more."""


def task_account(schedule: Schedule, task: int, replays: Replays) -> Explanation:
    """Explain why a task started when and where it did; where the policy held it back, ask the policy."""
    columns = schedule.workload.columns
    job, kind = int(columns.job[task]), int(columns.kind[task])
    name = schedule.workload.jobs[job].name
    word = "Map" if kind == MAP else "Reduce"
    count = int(columns.count[job, kind])
    title = f"{word} {number_of(schedule.workload, task)} of {count} of {name}"
    if schedule.slot[task] < 0:
        return Explanation(title, job, (Paragraph("Not started", (f"{title} has not started yet.",)),))
    reason = task_reason(schedule, task)
    return Explanation(
        title,
        job,
        (
            Paragraph(f"Why at {clock(reason.start.time)}", reason.why_then, _then_links(schedule, reason)),
            *_answers(schedule, reason, replays),
            Paragraph(
                f"Why on {schedule.cluster.slot_name(reason.slot)}",
                reason.why_here,
                _here_links(schedule, reason),
            ),
        ),
    )


def _answers(schedule: Schedule, reason: TaskReason, replays: Replays) -> tuple[Paragraph, ...]:
    """Return what the policy answered when it first held the task back beside a free slot."""
    start = reason.start
    if start.cause is not StartCause.POLICY:
        return ()
    since = max(start.ready, start.freed)
    return _asked(schedule, start.task, since, replays)


def _asked(schedule: Schedule, task: int, seconds: float, replays: Replays) -> tuple[Paragraph, ...]:
    with replays.lock:
        sentences = held_reason(replays.of(schedule), task, seconds, replays.should_stop)
    return (Paragraph("What the policy answers", sentences),) if sentences else ()


def _then_links(schedule: Schedule, reason: TaskReason) -> tuple[GoTo, ...]:
    """Return what let it start, its job's map that made it ready, and the two instants."""
    start = reason.start
    links = [
        GoTo(task_name(schedule.workload, task), task=task)
        for task in dict.fromkeys((start.ready_by, start.trigger))
        if task not in (NOBODY, start.holder)
    ]
    if start.waited > 0:
        links.append(GoTo(f"when it was ready, {clock(start.ready)}", seconds=start.ready))
    return (*links, GoTo(f"its start, {clock(start.time)}", seconds=start.time))


def _here_links(schedule: Schedule, reason: TaskReason) -> tuple[GoTo, ...]:
    holder = reason.start.holder
    if holder == NOBODY:
        return ()
    return (GoTo(f"{task_name(schedule.workload, holder)}, which held the slot", task=holder),)


def waiting_account(schedule: Schedule, job: int, seconds: float, replays: Replays) -> Explanation:
    """Explain what a job waits for at a time; where the policy declines a slot, ask the policy."""
    reasons = waiting_reasons(schedule, job, seconds)
    told = [reason for reason in reasons if reason.pending or reason.running] or [reasons[0]]
    if told[0].cause is WaitCause.NOT_ARRIVED:
        told = told[:1]
    name = schedule.workload.jobs[job].name
    paragraphs: list[Paragraph] = []
    for reason in told:
        links = _waiting_links(schedule, reason, seconds)
        paragraphs.append(Paragraph(_heading(reason), reason.sentences, links))
        if reason.cause is WaitCause.DECLINED:
            task = int(schedule.workload.columns.first[job, reason.kind]) + reason.running + reason.done
            paragraphs += _asked(schedule, task, seconds, replays)
    return Explanation(f"{name} at {clock(seconds)}", job, tuple(paragraphs))


def _heading(reason: WaitReason) -> str:
    if reason.cause is WaitCause.NOT_ARRIVED:
        return "Not there yet"
    kind = "Maps" if reason.kind == MAP else "Reduces"
    parts = [(reason.done, "done"), (reason.running, "running"), (reason.pending, "waiting")]
    return f"{kind}: {', '.join(f'{count} {word}' for count, word in parts if count)}"


def _waiting_links(schedule: Schedule, reason: WaitReason, seconds: float) -> tuple[GoTo, ...]:
    jobs = schedule.workload.jobs
    links = [
        GoTo(jobs[holder.job].name, job=jobs[holder.job].name)
        for holder in reason.holders[:MOST_LINKS]
        if holder.job != reason.job
    ]
    if seconds < reason.next_start < float("inf"):
        word = "map" if reason.kind == MAP else "reduce"
        links.append(GoTo(f"its next {word}, {clock(reason.next_start)}", seconds=reason.next_start))
    return tuple(links)
