"""Longest task first: an example of an order of tasks, inside a job and across jobs, with a parameter.

A long task that starts last holds its job up while all other slots are idle: 1, 1, 1, 1 and 4 s take 6 s on
two slots in the order given, and 4 s longest first. `task_key` sorts the tasks of every stage before the run;
`key` reads of each job what its next task has, and so compares tasks of all jobs.

    slotscope compare five-jobs --policies fifo --policy-file longest_task_first.py -p across=true
"""

from core.policies.policy import MAP, Explains, Number, Parameter, Policy


class LongestTaskFirst(Policy):
    """The longest task of a job starts first; if you want, the longest one of all jobs."""

    parameters = (
        Parameter("across", "boolean", False, "Compare the tasks of all jobs, not only those of one."),
    )
    explains = Explains(
        "Of a job, the longest task starts first; jobs go by arrival, or by the length of that task.",
        (Number("length", "s", "Next task", "How long it takes", lambda job, kind: -job.next[kind]),),
        job="its next task takes {length}",
    )

    def task_key(duration, first_shuffle):
        """A column of numbers, one for each task: the smallest starts first, so the longest has the least."""
        return -(duration + first_shuffle)

    def key(job, kind, across):
        """Maps before reduces that wait for them, then the job whose next task is longest."""
        return kind != MAP, job.next[kind] if across else 0.0
