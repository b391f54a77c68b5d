"""Fair sharing among jobs (002 section II, one level)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.policies.policy import Policy

if TYPE_CHECKING:
    from core.policies.policy import JobRow


class Fair(Policy):
    """Give every job an equal (weighted) share of the slots; map and reduce slots are shared separately."""

    id = "fair"
    title = "Fair"

    @staticmethod
    def key(job: JobRow, kind: int) -> float:
        """Lowest running/weight first; ties by arrival."""
        return job.running[kind] / job.weight
