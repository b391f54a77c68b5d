"""Spark's two schedulers: FIFO by job and stage number, and FAIR among pools.

Source: `SchedulingAlgorithm.scala`, `Pool.scala` and `SchedulableBuilder.scala` of Apache Spark. Jobs are
numbered as they stand in the workload, stages as they stand in their job. Ours: Spark sorts once for all
slots that it offers at a time, one whenever a task ends; here the order is worked out for every slot. And a
pool that is fair inside compares jobs, by their running tasks, where Spark compares their stages one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import UnknownName
from core.model.parameters import Parameter, names_in
from core.policies.explains import Explains, Number
from core.policies.orders import Fifo
from core.policies.policy import Policy
from core.policies.sharing import HELD, OF_SHARE, OF_WEIGHT, POOL_WEIGHT, SHARE, guaranteed, held, runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.workload import Workload
    from core.policies.policy import ClusterRow, JobRow, PoolRow

TURN, IS_FAIR = 0, 1
"""What `plan` writes into a pool's memo: its place by name, and whether its jobs share fairly."""

JOB_NUMBER = Number("number", "nth", "Job", "The job's place in the workload", lambda job: job.rank + 1)
STAGE_TURN = Number(
    "turn",
    "nth",
    "Stage",
    "The place of its next stage among its stages",
    lambda job, kind: job.stage_place[kind] + 1,
)
NUMBERED = "the {number} job of the workload, with its {turn} stage"


def policy_of_log(scheduler: str) -> str:
    """Return the id of the policy that the configuration in a log names.

    Parameters
    ----------
    scheduler : what `spark.scheduler.mode` says, FIFO by Spark's default; empty for a log that is not of
        Spark, or of several applications that differ, whose jobs are served as they come

    Examples
    --------
    >>> policy_of_log("FAIR"), policy_of_log("FIFO"), policy_of_log("")
    ('spark-fair', 'spark-fifo', 'fifo')
    """
    if not scheduler.strip():
        return Fifo.id
    return SparkFair.id if scheduler.strip().upper() == "FAIR" else SparkFifo.id


class SparkFifo(Policy):
    """Serve the job that stands first in the workload, and of its stages that may run the first.

    Spark's default: when a job was submitted does not count, its number does.
    """

    id = "spark-fifo"
    title = "Spark FIFO"
    reads_durations = False
    explains = Explains(
        "The job that stands first in the workload goes first, whenever it was submitted; of its stages that "
        "may run, the one that stands first.",
        (JOB_NUMBER, STAGE_TURN),
        NUMBERED,
    )

    @staticmethod
    def order(workload: Workload) -> NDArray[np.int64]:
        """By number."""
        return np.arange(len(workload.jobs))

    @staticmethod
    def stage_key(number: NDArray[np.int32]) -> NDArray[np.int32]:
        """By number."""
        return number


class SparkFair(Policy):
    """Share slots among pools by running tasks: minimum shares first, then by weight; FIFO inside a pool.

    Spark's FAIR. A pool's settings are those of `fairscheduler.xml`: weight, minShare (on untyped slots the
    sum of both minimum shares) and, as a parameter, which pools are fair inside.
    """

    id = "spark-fair"
    title = "Spark FAIR"
    reads_durations = False
    parameters = (
        Parameter(
            "fair_pools",
            "text",
            "",
            "Pools whose jobs share fairly, by their running tasks, separated by commas (schedulingMode "
            "FAIR); in all others the job that stands first goes first.",
        ),
    )
    explains = Explains(
        "Pools that run fewer tasks than their minimum share go first, then the pool that runs fewest for "
        "its weight, of equal ones the first by name; inside a pool the job that stands first in the "
        "workload, or the one that runs the fewest tasks; of its stages that may run, the one that stands "
        "first.",
        (
            HELD,
            SHARE,
            POOL_WEIGHT,
            JOB_NUMBER,
            STAGE_TURN,
            Number(
                "running",
                "task",
                "Running",
                "Tasks that the job runs",
                lambda job: job.running[0] + job.running[1],
            ),
            Number("is_fair", value=lambda pool: pool.memo[IS_FAIR]),
        ),
        lambda is_fair: "runs {running}" if is_fair else NUMBERED,
        lambda held, guaranteed, cluster: (
            f"{runs(cluster)} {OF_WEIGHT}" if held >= guaranteed else f"{runs(cluster)}, {OF_SHARE}"
        ),
    )

    order = SparkFifo.order
    stage_key = SparkFifo.stage_key

    @staticmethod
    def plan(pools: NDArray[np.void], workload: Workload, fair_pools: str) -> None:
        """Write the places of the pools by name, and which of them are fair inside.

        Raises
        ------
        UnknownName
            a pool that is to be fair inside is none of the workload's
        """
        names = workload.pools
        pools["memo"][:, TURN] = list(map(sorted(names).index, names))
        for name in names_in(fair_pools):
            if name not in names:
                raise UnknownName("pool", name, names)
            pools["memo"][names.index(name), IS_FAIR] = 1

    @staticmethod
    def pool_key(pool: PoolRow, kind: int, cluster: ClusterRow) -> tuple[int, float, float]:
        """Pools below their minimum share first, by running/minShare; then by running/weight; by name."""
        running, share = held(pool, kind, cluster), guaranteed(pool, kind, cluster)
        if running < share:
            return 0, running / share, pool.memo[TURN]
        return 1, running / pool.weight, pool.memo[TURN]

    @staticmethod
    def key(job: JobRow, pool: PoolRow) -> float:
        """In a fair pool fewest running tasks first; in all others by number, as ties are."""
        return job.running[0] + job.running[1] if pool.memo[IS_FAIR] > 0 else 0.0
