"""What schedules may be searched for: the one table of names and words, for all that show or read one."""

from __future__ import annotations

from typing import NamedTuple


class ObjectiveWords(NamedTuple):
    """How a value of schedules that is to be small is called.

    Attributes
    ----------
    title : in lists
    meaning : what it is
    unit : of its values
    needs_deadlines : whether it is 0 where no job has a deadline
    """

    title: str
    meaning: str
    unit: str = "s"
    needs_deadlines: bool = False


LATE_JOB = 1e8
"""Seconds of makespan that a late job counts as, where deadlines come first."""
DEADLINES_FIRST, MIX = "deadlines-makespan", "mix"
"""What no mix is made of, and a mix of the others, each with a weight."""
OBJECTIVES = {
    "makespan": ObjectiveWords("Makespan", "When the last job ends, in seconds from time 0"),
    "mean-response": ObjectiveWords(
        "Mean response", "Seconds from a job's arrival to its end, the mean of all jobs"
    ),
    "weighted-response": ObjectiveWords(
        "Weighted response", "The mean response, in which a job of weight 2 counts twice"
    ),
    "tardiness": ObjectiveWords(
        "Tardiness", "Seconds by which jobs miss their deadlines, all together", needs_deadlines=True
    ),
    "late-jobs": ObjectiveWords("Late jobs", "Jobs that miss their deadlines", "jobs", needs_deadlines=True),
    "stretch": ObjectiveWords(
        "Maximum stretch",
        "Of the job that is treated worst: its response, divided by how long it takes alone on the cluster",
        "times",
    ),
    DEADLINES_FIRST: ObjectiveWords(
        "Deadlines first, then makespan",
        "As few late jobs as can be; of the schedules that have no more than these, the shortest",
    ),
}
"""By name."""
