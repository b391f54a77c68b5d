"""How the causes of a makespan look: one colour each, safe for colour-blind eyes; waiting is hatched."""

from __future__ import annotations

from typing import NamedTuple

from core.explain.critical_path import Cause


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


# The colours of Okabe and Ito; work is blue and green, waiting is warm or grey.
LOOKS = {
    Cause.MAP_WORK: CauseStyle(0x56B4E9, DARK, False, "Maps of the job that the chain goes through run."),
    Cause.SHUFFLE: CauseStyle(0x009E73, DARK, False, "A reduce fetches what the maps wrote."),
    Cause.REDUCE_WORK: CauseStyle(0x0072B2, LIGHT, False, "A reduce does its own work."),
    Cause.SLOT_WAIT: CauseStyle(0xD55E00, DARK, True, "A task is ready, but another job holds the slot."),
    Cause.MAP_BARRIER: CauseStyle(
        0xE69F00, DARK, True, "A task is ready, but a reduce that waits for its own maps holds the slot."
    ),
    Cause.SLOWSTART: CauseStyle(
        0xF0E442, DARK, True, "A slot is free, but too few maps of the job are complete."
    ),
    Cause.HELD: CauseStyle(
        0xCC79A7, DARK, True, "A slot is free and a task ready, but the policy holds it back."
    ),
    Cause.OVERHEAD: CauseStyle(
        0xA7B0BB, DARK, True, "The cluster sets a job up, cleans up, fetches files or waits for a heartbeat."
    ),
    Cause.ARRIVAL: CauseStyle(0x565E6A, LIGHT, True, "The job has not arrived yet."),
}
