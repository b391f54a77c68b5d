"""The links of a makespan chain in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.makespan_chain import Cause
from core.explain.start_cause import NOBODY
from core.explain.words import task_name

if TYPE_CHECKING:
    from core.explain.makespan_chain import Link
    from core.schedule import Schedule


def link_text(schedule: Schedule, link: Link) -> str:
    """Say what goes on in a link, as a phrase: "map 1 of J3 holds M1; map 1 of J4 waits for it"."""
    workload = schedule.workload
    waiter = task_name(workload, link.waiter) if link.waiter != NOBODY else ""
    if link.cause is Cause.ARRIVAL:
        return f"{workload.jobs[int(workload.columns.job[link.waiter])].name} has not arrived yet"
    if link.cause is Cause.HELD:
        slot = schedule.cluster.slot_name(int(schedule.slot[link.waiter]))
        return f"{waiter} could run on {slot}; the policy holds it back"
    runs = task_name(workload, link.task)
    slot = schedule.cluster.slot_name(int(schedule.slot[link.task]))
    if link.cause is Cause.SLOT_WAIT:
        return f"{runs} holds {slot}; {waiter} waits for it"
    if link.cause is Cause.MAP_BARRIER:
        holder = task_name(workload, link.holder)
        slot = schedule.cluster.slot_name(int(schedule.slot[link.holder]))
        return f"{holder} holds {slot} and waits for {runs}; {waiter} waits for the slot"
    if link.cause is Cause.SLOWSTART:
        return f"{runs} is needed by slowstart; {waiter} waits for it"
    return f"{runs} on {slot}"
