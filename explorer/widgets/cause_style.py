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


MEANINGS = {
    Cause.MAP_WORK: "Maps of the job that the chain goes through run.",
    Cause.SHUFFLE: "A reduce fetches what the maps wrote.",
    Cause.REDUCE_WORK: "A reduce does its own work.",
    Cause.SLOT_WAIT: "A task is ready, but another job holds the slot.",
    Cause.MAP_BARRIER: "A task is ready, but a reduce that waits for its own maps holds the slot.",
    Cause.SLOWSTART: "A slot is free, but too few maps of the job are complete.",
    Cause.HELD: "A slot is free and a task ready, but the policy holds it back.",
    Cause.OVERHEAD: "The cluster sets a job up, cleans up, fetches files or waits for a heartbeat.",
    Cause.ARRIVAL: "The job has not arrived yet.",
}

# The colours of Okabe and Ito; work is blue and green, waiting is warm or grey.
COLOURS = {
    Cause.MAP_WORK: (0x56B4E9, DARK),
    Cause.SHUFFLE: (0x009E73, DARK),
    Cause.REDUCE_WORK: (0x0072B2, LIGHT),
    Cause.SLOT_WAIT: (0xD55E00, DARK),
    Cause.MAP_BARRIER: (0xE69F00, DARK),
    Cause.SLOWSTART: (0xF0E442, DARK),
    Cause.HELD: (0xCC79A7, DARK),
    Cause.OVERHEAD: (0xA7B0BB, DARK),
    Cause.ARRIVAL: (0x565E6A, LIGHT),
}
WORK = (Cause.MAP_WORK, Cause.SHUFFLE, Cause.REDUCE_WORK)
LOOKS = {cause: CauseStyle(*COLOURS[cause], cause not in WORK, MEANINGS[cause]) for cause in Cause}
