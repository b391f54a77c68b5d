"""What is special about an attempt that is no task of a schedule, in a sentence; and what its look means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.execution_history import BY_HAND, ENDED, FIRST, RUNNING, SECOND, SERVICE, UNDER_WAY
from core.model.visible_text import visible

if TYPE_CHECKING:
    from core.model.schedule import Schedule

NOTES = {
    "failed": "failed: it is no task of the simulations",
    "killed": "killed: another attempt was taken, or the job ended",
    "suspended": "suspended: it went on later from there",
    UNDER_WAY: "runs: it had not ended where the log ends",
    SERVICE: "the cluster's own work for a job",
    "other": "it is no task of the simulations",
}
OUTRUN = {
    FIRST: "the first copy of its task: the second one ended first, what this one had done is lost",
    SECOND: "a second copy of its task: the first one ended first, what this one had done is lost",
    BY_HAND: "a second copy of its task that was killed: what it had done is lost",
}
LOST = {
    RUNNING: "lost: its node failed, and it ran again",
    ENDED: "a map that had ended: its output was lost with its node and still needed, so it ran again",
}
LOOK_TIPS = {
    "failed": "an attempt that failed; the task was tried again",
    "killed": "an attempt that was killed, as one was that another outran, or was lost with its node",
    "suspended": "a part of a task that was suspended for another one and went on later",
    UNDER_WAY: "a task that had not ended where the log ends",
    SERVICE: "a task that sets a job up or cleans up after it",
}
"""What legends say of the looks that they list."""


def attempt_note(schedule: Schedule, extra: int) -> str:
    """Return what is special about one of `ExecutionHistory.extra` of a schedule that has attempts."""
    history = schedule.attempts
    assert history is not None
    look, lost = history.looks[extra], history.given_up
    if lost is None:
        return NOTES[look]
    if lost.outrun[extra]:
        return OUTRUN[int(lost.outrun[extra])]
    if lost.lost[extra]:
        return LOST[int(lost.lost[extra])]
    rival = visible(schedule.workload.jobs[int(lost.rival[extra])].name)
    if look == "killed":
        return f"killed for {rival}: what it had done is lost, and it ran again"
    return f"suspended for {rival}: it went on later"
