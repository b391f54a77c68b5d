"""Smallest first: an example of a policy of one's own, with a parameter.

Few tasks left means a slot soon: small jobs slip past large ones, so the mean response time falls. So that
large jobs are not starved by their own size, no job holds more than a part of the slots.

    slotscope simulate five-jobs --policy-file smallest_first.py -p largest_share=0.3
"""

from core.policies.policy import Explains, Number, Parameter, Policy


class SmallestFirst(Policy):
    """The job with the fewest tasks left goes first; no job holds more than a part of the slots."""

    parameters = (
        Parameter("largest_share", "number", 0.5, "No job holds a larger part.", min=0.01, max=1.0),
    )

    explains = Explains(
        "The job with the fewest tasks left to start goes first; no job holds more than a part of the slots.",
        (
            Number(
                "left",
                "kind",
                "Left",
                "Its tasks of that kind that have not started",
                lambda job, kind: job.tasks[kind] - job.started[kind],
            ),
            Number(
                "running",
                "kind",
                "Running",
                "Its tasks of that kind that run",
                lambda job, kind: job.running[kind],
            ),
        ),
        job="{left} left to start",
        admits="with {running} the job holds {largest_share:%} of the slots",
    )

    def admits(job, kind, slot, cluster, largest_share):
        """Whether this job may get one more slot now.

        Slots that serve both kinds count as map slots: there are none for reduces then, but there is `slot`.
        """
        return job.running[kind] < largest_share * max(cluster.slots[kind], cluster.slots[slot])

    def key(job, kind):
        """The smallest goes first: tasks of this kind that have not started.

        Maps before reduces, which matters where slots serve both: reduces that wait for maps would hold them.
        """
        return kind, job.tasks[kind] - job.started[kind]
