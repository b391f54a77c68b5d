"""The links of a critical path in sentences, and the jobs that held what it waited for."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING

from core.explain.causes import Cause
from core.explain.explanation_words import count, listed, task_name
from core.explain.start_cause import NO_TASK, first_copy
from core.model.event_nodes import node_of_slots
from core.model.lost_attempts import eras_of
from core.model.time_text import duration_text, exact_clock

if TYPE_CHECKING:
    from core.explain.critical_path import CriticalPath, PathLink
    from core.model.schedule import Schedule

WORK_WORDS = {
    Cause.MAP_WORK: "runs",
    Cause.WORK: "runs",
    Cause.SHUFFLE: "shuffles",
    Cause.REDUCE_WORK: "reduces",
    Cause.AGAIN: "runs again",
}


def holders_sentence(schedule: Schedule, path: CriticalPath, most: int) -> str:
    """Return the jobs that held the slots that the path waited for, the rest together; empty for none.

    Example: "J3 (30 s), J1 (4 s) and 2 more jobs (3 s)".
    """
    held = list(path.holders(schedule).items())
    most += len(held) == most + 1  # one more takes no more room than "1 more job"
    names = [f"{schedule.workload.jobs[job].name} ({duration_text(seconds)})" for job, seconds in held[:most]]
    if len(held) > most:
        rest = fsum(seconds for _, seconds in held[most:])
        names.append(f"{count(len(held) - most, 'more job')} ({duration_text(rest)})")
    return listed(names, most + 1)


def link_sentence(schedule: Schedule, link: PathLink) -> str:
    """Return what works or waits during a link, and for what: "map 3 of J1 runs on M4"."""
    if link.cause in WORK_WORDS:
        again = ": its output was lost" * (link.cause is Cause.AGAIN)
        return f"{_named(schedule, link.task)} {WORK_WORDS[link.cause]} on {_slot(schedule, link)}{again}"
    return _waiting(schedule, link)


def _waiting(schedule: Schedule, link: PathLink) -> str:
    waiter = _named(schedule, link.waiter)
    job = schedule.workload.jobs[int(schedule.workload.columns.job[link.waiter])].name
    is_before_failure = link.cause is Cause.SLOT_WAIT and link.task == NO_TASK
    if link.cause in (Cause.AWAY, Cause.LOST, Cause.OUTPUT) or is_before_failure:
        return _of_node(schedule, link, waiter)
    if link.cause is Cause.THINK:
        return f"The driver thinks for {duration_text(link.seconds)} before it submits {job}"
    if link.cause is Cause.ARRIVAL:
        return f"{job} has not arrived yet"
    if link.cause is Cause.OVERHEAD and schedule.end[link.waiter] <= link.begin:
        return f"The cluster cleans up behind {job}"
    if link.cause is Cause.OVERHEAD:
        return f"{waiter} waits for the cluster: launching, setup, files or a heartbeat"
    if link.cause is Cause.HELD and _waits_for_window(schedule, link):
        return f"{job} waits for its batching window to end"
    if link.cause is Cause.CLOSED:
        return f"{waiter} waits for a slot to open"
    if link.cause is Cause.HELD:
        return _of_copy(schedule, link) or f"The policy keeps {waiter} waiting beside a free slot"
    runs = f"{_named(schedule, link.task)} on {_slot(schedule, link)}"
    if link.cause is Cause.SLOWSTART:
        return f"{waiter} waits until enough maps of {job} are complete, here for {runs}"
    place = int(eras_of(schedule).before(link.end).slot[link.holder])
    held = f"{waiter} waits for {schedule.cluster.slot_name(place)}, held by {_named(schedule, link.holder)}"
    return f"{held}, which waits for {runs}" if link.cause is Cause.MAP_BARRIER else held


def _of_node(schedule: Schedule, link: PathLink, waiter: str) -> str:
    """Return what a node that fails, or returns, has to do with a link."""
    node = f"node N{node_of_slots(schedule.cluster)[link.slot] + 1}"
    if link.cause is Cause.SLOT_WAIT:
        return f"{waiter} waits for a free slot"
    if link.cause is Cause.AWAY:
        return f"{waiter} waits for {node}"
    if link.cause is Cause.OUTPUT:
        return f"What {waiter} put out is lost with its node at {exact_clock(link.end)}"
    return f"{waiter} runs on {_slot(schedule, link)}, and that is lost with {node}"


def _of_copy(schedule: Schedule, link: PathLink) -> str:
    """Return that a task runs and waits for its second copy during a link; empty where it does not."""
    part = first_copy(schedule, link.waiter) if link.end == schedule.start[link.waiter] else -1
    if part < 0 or schedule.given_up is None:
        return ""
    where = schedule.cluster.slot_name(int(schedule.given_up.extra_slot[part]))
    return (
        f"{_named(schedule, link.waiter)} runs on {where} alone, until a second copy starts that ends first"
    )


def _waits_for_window(schedule: Schedule, link: PathLink) -> bool:
    """Whether a link ends before its waiter's job can be served; without windows that is its arrival."""
    if schedule.sharing is None:
        return False
    return link.end <= float(schedule.sharing.boards[schedule.workload.columns.job[link.waiter]])


def _named(schedule: Schedule, task: int) -> str:
    return task_name(schedule.workload, task)


def _slot(schedule: Schedule, link: PathLink) -> str:
    return schedule.cluster.slot_name(link.slot)
