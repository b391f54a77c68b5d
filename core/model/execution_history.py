"""What a schedule that a log recorded knows besides its tasks: hosts of slots, and every other attempt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.recorded_run import CLEANUP, KINDS, OUTCOMES, SETUP, Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.recorded_run import RecordedRun

RECORDED = "recorded"
"""Stands in the place of a policy's id: the cluster that wrote the log decided."""

UNKNOWN_HOST = "unknown host"


class HostSlots(NamedTuple):
    """Neighbouring slots of one kind on one host."""

    host: str
    first_slot: int
    slots: int


@dataclass(frozen=True, eq=False)
class ExecutionHistory:
    """How the attempts of a log lie on slots.

    Attributes
    ----------
    run : what the log recorded
    attempt : the attempt behind each task of the schedule, index into the run, int64 (tasks,)
    slot_host : host of each slot, index into the run's hosts (-1 if not known), int32 (slots,)
    extra : the other attempts that held a slot (failed, killed, setup, cleanup …), indices into the run,
        sorted by slot and then start, int64 (extras,)
    extra_slot : slot of each of them, int32 (extras,)
    not_placed : attempts without a start or an end, which cannot be drawn
    """

    run: RecordedRun
    attempt: NDArray[np.int64]
    slot_host: NDArray[np.int32]
    extra: NDArray[np.int64]
    extra_slot: NDArray[np.int32]
    not_placed: int

    def host_of_slot(self, slot: int) -> str:
        """Return the name of the host that a slot is on."""
        return self._name(int(self.slot_host[slot]))

    def host_slots(self, first_slot: int, slots: int) -> tuple[HostSlots, ...]:
        """Return which of these neighbouring slots are on which host."""
        found, first = [], first_slot
        for host, members in groupby(self.slot_host[first_slot : first_slot + slots].tolist()):
            count = len(list(members))
            found.append(HostSlots(self._name(host), first, count))
            first += count
        return tuple(found)

    def extras_of(self, slot: int) -> slice:
        """Return which of `extra` lie on a slot, in the order of their starts."""
        low, high = np.searchsorted(self.extra_slot, [slot, slot + 1])
        return slice(int(low), int(high))

    def look_of(self, attempt: int) -> str:
        """Return as what an attempt that is no task is drawn: "failed", "killed" or "setup or cleanup"."""
        outcome = OUTCOMES[int(self.run.outcome[attempt])]
        if outcome in ("failed", "killed"):
            return outcome
        return SERVICE if self.run.kind[attempt] in (SETUP, CLEANUP) else "other"

    @cached_property
    def looks(self) -> tuple[str, ...]:
        """As what each of `extra` is drawn, (extras,); see `look_of`."""
        return tuple(self.look_of(attempt) for attempt in self.extra.tolist())

    def outcome(self, attempt: int) -> Result:
        """Return how an attempt ended."""
        return OUTCOMES[int(self.run.outcome[attempt])]

    def kind(self, attempt: int) -> str:
        """Return what an attempt was: "map", "reduce", "setup", "cleanup" or "other"."""
        return KINDS[int(self.run.kind[attempt])]

    def count(self, look: str) -> int:
        """Return how many attempts are drawn so."""
        return self.looks.count(look)

    def _name(self, host: int) -> str:
        return UNKNOWN_HOST if host < 0 else self.run.hosts[host]


SERVICE = "setup or cleanup"
LOOKS = ("failed", "killed", SERVICE, "other")
"""As what attempts are drawn that are not tasks of the schedule."""
