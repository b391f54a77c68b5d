"""What time counts as: on the path of waits that a simulation has, and on the way to the end of any run."""

from __future__ import annotations

from enum import Enum


class Cause(Enum):
    """What the time of a link counts as; the value is its name in the window."""

    MAP_WORK = "map work"
    WORK = "task work"
    """Of a task of a job with other stages than maps and reduces."""
    SHUFFLE = "shuffle"
    REDUCE_WORK = "reduce work"
    SLOT_WAIT = "waiting for a slot"
    """The next task of the path waits for the slot, or the room, that this task of another job holds."""
    MAP_BARRIER = "map barrier"
    """The next task of the path waits for a slot whose filler, of another job, waits for its map stage."""
    SLOWSTART = "slowstart"
    """A slot is free, and the next task of the path, a reduce, waits for this map to be complete."""
    CLOSED = "waiting for a slot to open"
    """A task is ready, and no slot for it is there and free until one opens (`core.model.slot_times`)."""
    AWAY = "waiting for a node"
    """A task is ready, and no slot for it is there and free until a node that has failed returns."""
    LOST = "lost work"
    """A task runs until its node fails, or its output is lost later; it runs again."""
    OUTPUT = "output, lost later"
    """A map has ended, and what it has put out is lost at the end of the link; it runs again."""
    AGAIN = "map runs again"
    """A map whose output was lost with its node."""
    HELD = "policy hold"
    """A task is ready beside free slots and the policy holds it back: lazy start, a quota, a window."""
    OVERHEAD = "cluster overhead"
    """A task is ready, or the last ended, and the cluster has work of its own (`core.model.cluster`)."""
    THINK = "the driver thinks"
    """A job has ended, and the one that follows it has not been submitted yet."""
    ARRIVAL = "arrival"
    """The job has not arrived yet."""


class TimeCause(Enum):
    """What time on the way to the end counts as; the value names it behind a duration."""

    MAPS = "map time"
    REDUCES = "reduce time"
    """With their shuffles."""
    STAGES = "stage time"
    SLOTS = "waiting for slots"
    LAUNCH = "waiting for launch"
    """The next task could run, and beside a free slot nothing of its stage does; in a record for whatever."""
    FAILED = "failed attempts"
    """Nothing of the stage runs but attempts that come to nothing."""
    LOST = "lost work"
    """Nothing of the stage runs but tasks that are lost with their nodes."""
    NODES = "waiting for nodes"
    """The slot that the next task takes is away until its node returns."""
    SETUP = "setup"
    """Of a job, before its first task."""
    CLEAN_UP = "clean-up"
    """All tasks of a job have ended, and it has not."""
    DRIVER = "driver time"
    ARRIVAL = "waiting for an arrival"
    """Of the first job on the way to the end; others may run."""
