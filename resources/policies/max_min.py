"""Max-min fairness: the next slot goes to who holds the fewest for its weight.

D. Bertsekas, R. Gallager: Data Networks, 2nd edition, section 6.5.2. Prentice Hall 1992.
M. Zaharia et al.: Delay scheduling. EuroSys 2010 (the same for slots, in Hadoop's Fair Scheduler).

Left out here: minimum shares and pools of the Fair Scheduler, which `fair` has; slots are not taken back.
"""

from core.policies.policy import Policy


class MaxMin(Policy):
    """The job that holds the fewest slots of a kind for its weight goes first."""

    id = "max-min"

    def key(job, kind):
        """Return the slots that a job holds, for each unit of its weight; then when it came."""
        return job.running[kind] / job.weight, job.arrival
