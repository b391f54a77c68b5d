"""What a link of the makespan's chain means, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.critical_path import Cause
from core.explain.words import task_name

if TYPE_CHECKING:
    from core.explain.critical_path import Link
    from core.model.schedule import Schedule

WORK_WORDS = {Cause.MAP_WORK: "runs", Cause.SHUFFLE: "shuffles", Cause.REDUCE_WORK: "reduces"}


def link_sentence(schedule: Schedule, link: Link) -> str:
    """Say who works, or who waits for what, during a link: "map 3 of J1 runs on M4"."""
    if link.cause in WORK_WORDS:
        return f"{_named(schedule, link.task)} {WORK_WORDS[link.cause]} on {_slot(schedule, link.task)}"
    return _waiting(schedule, link)


def _waiting(schedule: Schedule, link: Link) -> str:
    waiter = _named(schedule, link.waiter)
    job = schedule.workload.jobs[int(schedule.workload.columns.job[link.waiter])].name
    if link.cause is Cause.ARRIVAL:
        return f"{job} has not arrived yet"
    if link.cause is Cause.OVERHEAD and schedule.end[link.waiter] <= link.begin:
        return f"The cluster cleans up behind {job}"
    if link.cause is Cause.OVERHEAD:
        return f"{waiter} waits for the cluster: launching, setup, files or a heartbeat"
    if link.cause is Cause.HELD and _waits_for_window(schedule, link):
        return f"{job} waits for its batching window to end"
    if link.cause is Cause.HELD:
        return f"The policy keeps {waiter} waiting beside a free slot"
    runs = f"{_named(schedule, link.task)} on {_slot(schedule, link.task)}"
    if link.cause is Cause.SLOWSTART:
        return f"{waiter} waits until enough maps of {job} are complete, here for {runs}"
    held = f"{waiter} waits for {_slot(schedule, link.holder)}, held by {_named(schedule, link.holder)}"
    return f"{held}, which waits for {runs}" if link.cause is Cause.MAP_BARRIER else held


def _waits_for_window(schedule: Schedule, link: Link) -> bool:
    """Whether a link ends before its waiter's job boards; without windows jobs board as they arrive."""
    if schedule.sharing is None:
        return False
    return link.end <= float(schedule.sharing.boards[schedule.workload.columns.job[link.waiter]])


def _named(schedule: Schedule, task: int) -> str:
    return task_name(schedule.workload, task)


def _slot(schedule: Schedule, task: int) -> str:
    return schedule.cluster.slot_name(int(schedule.slot[task]))
