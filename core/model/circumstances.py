"""What happened on a recorded cluster that no scheduler decided: a replay takes it over, no other run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.model.kept_read_only import KeptReadOnly
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOTH = -1
"""The kind of a stall that concerns maps and reduces."""


class Stall(NamedTuple):
    """A time in which a host is given tasks and starts none of them.

    Attributes
    ----------
    host : its number, from 0, among those that the cluster's slots are spread over
    kind : one of `TASK_TYPES`, or `BOTH`; setups and cleanups wait where maps do
    begin, end : seconds; what is given to the host from `begin` on and before `end` begins at `end`
    """

    host: int
    kind: int
    begin: float
    end: float

    @property
    def kinds(self) -> tuple[int, ...]:
        """The kinds of tasks that it concerns."""
        return TASK_TYPES if self.kind == BOTH else (self.kind,)


@dataclass(frozen=True, eq=False)
class Circumstances(KeptReadOnly):
    """What a run on a cluster with overheads takes over from a log, beside its workload.

    Attributes
    ----------
    phase : when each host asks first, as a fraction of the heartbeat's interval, 0 to 1, (hosts,); None for
        hosts that are spread evenly over it
    setup, cleanup : duration of each job's own, seconds, (jobs,); 0 for a job without, nan where it is that
        of the overheads; None where all are
    stalls : of hosts; which tasks they hit, the simulation decides
    """

    phase: NDArray[np.float64] | None = None
    setup: NDArray[np.float64] | None = None
    cleanup: NDArray[np.float64] | None = None
    stalls: tuple[Stall, ...] = ()


NO_CIRCUMSTANCES = Circumstances()
