"""Stride scheduling: pools advance in strides that are short for large weights; who is behind goes first.

C. A. Waldspurger, W. E. Weihl: Stride scheduling: deterministic proportional-share resource management.
MIT technical report LCS/TM-528, 1995.

A pool's pass is what it has held, for each unit of its weight. Left out here: a client that comes back after
a pause begins at the pass of the others in the paper; here it catches up on what it missed.
"""

from core.policies.policy import MAP, REDUCE, Policy


class Stride(Policy):
    """The pool that has held the least for its weight goes first; in it jobs go as they came."""

    id = "stride"

    def pool_key(pool, cluster):
        """Return the pass of a pool, in slot-seconds for each unit of weight."""
        return (pool.slot_time + (pool.running[MAP] + pool.running[REDUCE]) * cluster.now) / pool.weight

    def key(job):
        """Serve the jobs of a pool as they came."""
        return job.arrival
