"""LATE: a second copy of the task that would end last, where a slot is free.

M. Zaharia et al., "Improving MapReduce performance in heterogeneous environments", OSDI 2008. Its three
rules: copies of the tasks with the longest time left first, of those alone that are slower than most of
their stage, and not many at once. A copy takes the median of its stage; the first of the two to end counts.
Left out here: slow machines, on which the paper starts no copy, and the minute that it waits (`lag`).

    slotscope compare wordcount --policies fifo --policy-file late.py
"""

from core.policies.policy import Parameter, Policy


class Late(Policy):
    """FIFO, and copies of slow tasks on slots that nobody waits for, the longest time left first."""

    id = "late"
    title = "LATE"
    parameters = (
        Parameter("cap", "number", 0.1, "Which part of the slots copies may hold.", min=0.0, max=1.0),
        Parameter("slow", "number", 0.75, "Which part of its stage is faster than a slow task.", min=0.0),
        Parameter("lag", "number", 0.0, "For how many seconds a task runs before it gets a copy.", min=0.0),
    )

    def speculate(kind, slot, elapsed, remaining, faster, cluster, cap, slow, lag):
        """Give the longest time left first, of slow tasks, while none waits and few have copies."""
        if cluster.pending[kind] > 0 or faster < slow or elapsed < lag:
            return 0
        return remaining if cluster.copies[kind] < max(1, cap * cluster.slots[slot]) else 0
