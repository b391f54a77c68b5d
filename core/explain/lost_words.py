"""What became of parts of a task that came to nothing before it started: killed, suspended, lost, outrun."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.event_nodes import node_of_slots
from core.model.execution_history import BY_HAND, ENDED, SECOND
from core.model.lost_attempts import eras_of
from core.model.time_text import exact_clock

if TYPE_CHECKING:
    from core.model.execution_history import ExecutionHistory
    from core.model.schedule import Schedule


MAX_PARTS = 4
"""Of a task that its policy gave up, so many are told one by one."""


def lost_sentences(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return for which jobs it was killed or suspended before."""
    history = schedule.given_up
    if history is None or history.given_up is None:
        return ()
    found = []
    for part in history.parts_of(task).tolist():
        if history.given_up.outrun[part]:
            continue  # that came after its start
        if history.given_up.lost[part]:
            found.append(_lost_with_node(schedule, history, part))
            continue
        rival = schedule.workload.jobs[int(history.given_up.rival[part])].name
        begin, end = exact_clock(float(history.run.start[part])), exact_clock(float(history.run.end[part]))
        where = schedule.cluster.slot_name(int(history.extra_slot[part]))
        is_lost = history.looks[part] == "killed"
        what = f"was killed by {rival}: that is lost" if is_lost else f"was suspended by {rival}"
        found.append(f"It ran on {where} from {begin} to {end}, and {what}.")
    if len(found) > MAX_PARTS:
        found[MAX_PARTS - 1 :] = [f"So it went {len(found) - MAX_PARTS + 1} more times."]
    return tuple(found)


def _lost_with_node(schedule: Schedule, history: ExecutionHistory, part: int) -> str:
    """Return where a task ran before, and when that was lost."""
    slot, lost_at = int(history.extra_slot[part]), float(eras_of(schedule).lost_at[part])
    begin, end = (exact_clock(float(each[part])) for each in (history.run.start, history.run.end))
    where, node = schedule.cluster.slot_name(slot), f"N{node_of_slots(schedule.cluster)[slot] + 1}"
    ran = f"It ran on {where} from {begin} to {end}"
    assert history.given_up is not None
    if history.given_up.lost[part] == ENDED:
        return f"{ran}; node {node} failed, and its output was lost at {exact_clock(lost_at)}."
    return f"{ran}, when node {node} failed: that is lost."


def copies_sentences(schedule: Schedule, task: int) -> tuple[str, ...]:
    """Return what came of the two copies of a task that had two."""
    history = schedule.given_up
    if history is None or history.given_up is None or not schedule.has_copies:
        return ()
    for part in history.parts_of(task).tolist():
        where = schedule.cluster.slot_name(int(history.extra_slot[part]))
        since, end = exact_clock(float(history.run.start[part])), exact_clock(float(history.run.end[part]))
        if history.given_up.outrun[part] == BY_HAND:
            return (f"A second copy ran on {where} from {since} to {end}, when it was killed: that is lost.",)
        if history.given_up.outrun[part] == SECOND:
            return (
                f"A second copy ran on {where} from {since} to {end}; this one ended first: that is lost.",
            )
        own = schedule.cluster.slot_name(int(schedule.slot[task]))
        begun = exact_clock(float(schedule.start[task]))
        return (
            f"The policy started a second copy on {own} at {begun}, which ended first: what had run on "
            f"{where} from {since} to {end} is lost.",
        )
    return ()
