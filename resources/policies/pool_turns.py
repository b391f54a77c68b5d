"""Pool turns: an example with pools, a memory and a parameter.

Fair sharing slows all jobs down at once. Here pools take turns: for some seconds every free slot goes to one
pool, then to the next one that waits, round and round; slots that it cannot use go to the others, fairly.

    slotscope compare three-pools --policies fair --policy-file pool_turns.py -p turn=40
"""

from core.policies.policy import MAP, REDUCE, Explains, Number, Parameter, Policy


def needs_slots(pool):
    """Whether jobs of this pool wait for a slot."""
    return pool.waiting[MAP] + pool.waiting[REDUCE] > 0


class PoolTurns(Policy):
    """Pools take turns: the free slots go to one of them for some seconds, then to the next."""

    explains = Explains(
        "The pool whose turn it is goes first, then the one that runs least for its weight; in a pool the "
        "job that runs least for its weight.",
        (
            Number(
                "running",
                "kind",
                "Running",
                "Its tasks of that kind that run",
                lambda job, kind: job.running[kind],
            ),
            Number("weight", value=lambda job: job.weight),
        ),
        job="runs {running} for its weight of {weight}",
        pool=lambda pool: "waits for its turn" if pool.memo[0] else "has its turn, for {turn:s}",
    )
    parameters = (Parameter("turn", "number", 10.0, "So long is a pool's turn.", min=0.1, unit="s"),)

    def watch(pool, cluster, turn):
        """Before a decision: pass the turn on if it is over, or if its pool needs nothing.

        The cluster's memory holds whose turn it is and since when; a pool's, whether it must wait.
        """
        current = int(cluster.memo[0])
        if cluster.now - cluster.memo[1] >= turn or not needs_slots(pool[current]):
            for step in range(1, len(pool) + 1):
                following = (current + step) % len(pool)
                if needs_slots(pool[following]):
                    cluster.memo[0] = following
                    cluster.memo[1] = cluster.now
                    break
        for p in range(len(pool)):
            pool[p].memo[0] = p != int(cluster.memo[0])

    def pool_key(pool, kind):
        """The pool whose turn it is goes first; the others share fairly."""
        return pool.memo[0], pool.running[kind] / pool.weight

    def key(job, kind):
        """Within a pool, jobs share fairly."""
        return job.running[kind] / job.weight
