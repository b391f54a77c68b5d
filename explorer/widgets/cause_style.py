"""How the causes of a makespan look: one colour each, that no job has; waiting is hatched."""

from __future__ import annotations

from typing import NamedTuple

from core.explain.causes import Cause


class CauseStyle(NamedTuple):
    """The look of a cause.

    Attributes
    ----------
    colour, ink : of its area and of text upon it, 0xRRGGBB
    is_waiting : whether it is waiting and not work
    meaning : a sentence
    """

    colour: int
    ink: int
    is_waiting: bool
    meaning: str


DARK, LIGHT = 0x10141A, 0xFFFFFF


# Work is violet, waiting red, green, cyan or grey: none looks like a job.
LOOKS = {
    Cause.MAP_WORK: CauseStyle(0x8670EE, DARK, False, "Maps of the job that the chain goes through run."),
    Cause.WORK: CauseStyle(0xA83CB4, LIGHT, False, "A task of the job that the chain goes through runs."),
    Cause.SHUFFLE: CauseStyle(0xC4A8FA, DARK, False, "A reduce fetches what the maps wrote."),
    Cause.REDUCE_WORK: CauseStyle(0x5B2CB0, LIGHT, False, "A reduce does its own work."),
    Cause.SLOT_WAIT: CauseStyle(0xE0285A, LIGHT, True, "A task is ready, but another job holds the slot."),
    Cause.MAP_BARRIER: CauseStyle(
        0xFFA0B0, DARK, True, "A task is ready, but a reduce that waits for its own maps holds the slot."
    ),
    Cause.SLOWSTART: CauseStyle(
        0xA8EE7A, DARK, True, "A slot is free, but too few maps of the job are complete."
    ),
    Cause.CLOSED: CauseStyle(0xA8A28A, DARK, True, "A task is ready, but no slot is there until one opens."),
    Cause.AWAY: CauseStyle(
        0xB87818, DARK, True, "A task is ready, and no slot is free until a node returns."
    ),
    Cause.LOST: CauseStyle(0xA83818, LIGHT, False, "A task runs, and what it does is lost with its node."),
    Cause.OUTPUT: CauseStyle(
        0xF8D8B8, DARK, True, "A map has ended, and what it has put out is lost later with its node."
    ),
    Cause.AGAIN: CauseStyle(0x882868, LIGHT, False, "A map runs again whose output was lost with its node."),
    Cause.HELD: CauseStyle(
        0x76B83A, DARK, True, "A slot is free and a task ready, but the policy holds it back."
    ),
    Cause.OVERHEAD: CauseStyle(
        0x8AE3E8, DARK, True, "The cluster sets a job up, cleans up, fetches files or waits for a heartbeat."
    ),
    Cause.THINK: CauseStyle(0x0C2460, LIGHT, True, "The driver thinks before it submits the next job."),
    Cause.ARRIVAL: CauseStyle(0x4A4F57, LIGHT, True, "The job has not arrived yet."),
}
