"""Overheads again, slowly and plainly: what the engine of hosts must agree with, to the last bit.

Every host is a small object with heaps of its own, and looked at whenever the next heartbeat is asked for. It
uses the engine's steps for tasks (`core.engine.loop`) on rows, and shows them one host's slots at a time.
"""

from __future__ import annotations

import copy
import heapq
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import loop, stage_steps
from core.engine.loop import (
    BAD_PICK,
    DECIDED,
    DONE,
    INF,
    NONE,
    PAUSED,
    REACHED,
    STALLED,
    give_place_back,
    take_place,
)
from core.engine.slot_trees import put_slot, set_finish, take_slot
from core.engine.stage_steps import shuffle_ends
from core.model.circumstances import NO_CIRCUMSTANCES
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.circumstances import Circumstances
    from core.model.overheads import Overheads

SETUP, CLEANUP = "setup", "cleanup"


class Host:
    """A machine: the heap of its free slots of each type."""

    def __init__(self, slots: tuple[list[int], list[int]]) -> None:
        self.heap = slots
        self.free = [len(slots[MAP]), len(slots[REDUCE])]


class SlowHeartbeats:
    """The engine's `advance` for a cluster with overheads; keeps what the state has no place for."""

    def __init__(
        self, overheads: Overheads, state: State, circumstances: Circumstances = NO_CIRCUMSTANCES
    ) -> None:
        self._o, self._stalls = overheads, circumstances.stalls
        self._lasts = {
            SETUP: _own_or(overheads.setup, circumstances.setup, len(state.job)),
            CLEANUP: _own_or(overheads.cleanup, circumstances.cleanup, len(state.job)),
        }
        self._hosts = _hosts(overheads, state)
        self._host_of = {slot: h for h, host in enumerate(self._hosts) for heap in host.heap for slot in heap}
        self._launches: list[tuple[float, int, int]] = []
        """When each is, the place of the job in the order of arrivals, and the job."""
        self._left = 0
        self._last_launch = -INF
        self._line: list[int] = []
        """Jobs that have arrived and may not be launched yet."""
        self._taskless: set[int] = set()
        """Jobs that left the line and have no task yet."""
        self._ended: dict[int, float] = {}
        """Slots on which something has ended, and the heartbeat that tells it."""
        self._waiting: dict[str, list[int]] = {SETUP: [], CLEANUP: []}
        self._on_slot: dict[int, tuple[str, int]] = {}
        """Setup and cleanup tasks that run: what and whose."""
        self._fetched: dict[tuple[int, int], float] = {}
        """When a host (job, host) has what the job needs."""
        phase = circumstances.phase
        if phase is None:
            phase = np.arange(len(self._hosts)) / len(self._hosts)
        self._asked = (phase - 1) * overheads.heartbeat
        """When each host asked last because something ended."""
        self._beat, self._beating = INF, [0]
        self._with_defaults: list[list[int]] = [[h, MAP, 0] for h in range(len(self._hosts))]
        """Hosts that ask now: host, type of slot, tasks it got."""

    def copy(self) -> SlowHeartbeats:
        """Return a copy for a run that goes on by itself."""
        return copy.deepcopy(self)

    def __call__(self, choose: Any, until: float, instants: int, s: State) -> int:
        """Advance as `core.engine.loop.advance` does; whoever looks at the state then sees what is free."""
        stopped = self._advance(choose, until, instants, s)
        hosts = list(self._hosts)
        if stopped == DECIDED:
            asked, s.cluster.turn, _ = self._with_defaults[0]
            hosts.insert(0, hosts.pop(asked))  # its lowest slot is the one that is given
        for kind in (MAP, REDUCE):
            free = [slot for host in hosts for slot in sorted(host.heap[kind][: host.free[kind]])]
            s.free[kind][: len(free)] = free
        return stopped

    def _advance(self, choose: Any, until: float, instants: int, s: State) -> int:
        c = s.cluster
        while True:
            stopped = self._serve(choose, s)
            if stopped:
                return stopped
            now = self._next_instant(s)
            if now == INF:
                return DONE if c.active == 0 and not self._on_slot else STALLED
            if now > until:
                c.now = max(c.now, until)
                return REACHED
            if instants <= 0:
                return PAUSED
            instants -= 1
            loop.watch_instant(choose, s, now)
            self._happen(s, now)

    # ---- time

    def _next_instant(self, s: State) -> float:
        launch = self._launches[0][0] if self._launches else INF
        return float(min(s.finish[s.tree[1]], loop.next_arrival(s), launch, self._next_beat(s)))

    def _next_beat(self, s: State) -> float:
        """Return when the next host with a free slot asks, if anything waits for one; remember which host.

        A host's interval begins anew whenever something ends there.
        """
        c, period, self._beat = s.cluster, self._o.heartbeat, INF
        wait = [c.waiting[kind] + c.lends * c.waiting[1 - kind] for kind in (MAP, REDUCE)]
        kinds = [kind for kind in (MAP, REDUCE) if wait[kind] and c.free[kind]]
        if (self._waiting[SETUP] or self._waiting[CLEANUP]) and c.free[MAP]:
            kinds.append(MAP)
        if not kinds or period == 0:
            return INF  # without heartbeats whoever is free has been asked already
        times = [
            self._beat_after(asked, c.now) if any(host.free[kind] for kind in kinds) else INF
            for asked, host in zip(self._asked.tolist(), self._hosts, strict=True)
        ]
        self._beat = min(times)
        self._beating = [h for h, time in enumerate(times) if time == self._beat]
        return self._beat

    def _beat_after(self, asked: float, now: float) -> float:
        """Return the first heartbeat since a host asked that is later than now, however it is rounded."""
        count = max(int((now - asked) / self._o.heartbeat) - 2, 0)
        while asked + count * self._o.heartbeat <= now:
            count += 1
        return asked + count * self._o.heartbeat

    def _beat_from(self, asked: float, now: float) -> float:
        """Return the first heartbeat since a host asked that is no earlier than now."""
        count = max(int((now - asked) / self._o.heartbeat) - 2, 0)
        while asked + count * self._o.heartbeat < now:
            count += 1
        return asked + count * self._o.heartbeat

    def _happen(self, s: State, now: float) -> None:
        """Apply everything of one instant; note which hosts ask then."""
        c = s.cluster
        asking = set(self._beating) if self._beat == now else set()
        c.now = now
        while s.finish[s.tree[1]] == now:
            slot = s.tree[1]
            if self._is_late() and slot not in self._ended:
                self._ended[slot] = self._beat_from(float(self._asked[self._host_of[slot]]), now)
                set_finish(s.tree, s.finish, slot, self._ended[slot])
                continue
            self._ended.pop(slot, None)
            asking.add(self._host_of[slot])
            self._asked[self._host_of[slot]] = now
            self._departs(s, slot, now)
        while loop.next_arrival(s) == now:
            job = s.arrivals[c.arrived]
            c.arrived += 1
            c.active += 1  # from now on it is there, though its tasks wait for the setup
            self._line.append(job)
        self._leave_line(now)
        while self._launches and self._launches[0][0] == now:
            self._launched(s, heapq.heappop(self._launches)[2], now)
        if self._o.heartbeat == 0:
            asking.update(range(len(self._hosts)))
        self._with_defaults = [[h, MAP, 0] for h in sorted(asking)]

    def _is_late(self) -> bool:
        return self._o.ends_known_after > 0 and self._o.heartbeat > 0

    # ---- jobs

    def _leave_line(self, now: float) -> None:
        """Let jobs go for their launch as long as not too many are without a task."""
        most = self._o.launched_ahead or INF
        while self._line and len(self._taskless) < most:
            job = self._line.pop(0)
            self._taskless.add(job)
            self._last_launch = max(now + self._o.launch_delay, self._last_launch + self._o.launch_interval)
            heapq.heappush(self._launches, (self._last_launch, self._left, job))
            self._left += 1

    def _launched(self, s: State, job: int, now: float) -> None:
        if self._lasts[SETUP][job] > 0:
            self._waiting[SETUP].append(job)
        else:
            self._begin(s, job, now)

    def _begin(self, s: State, job: int, now: float) -> None:
        """Let the job's tasks wait for slots."""
        s.cluster.active -= 1
        loop.job_arrives(s, job, now)

    def _departs(self, s: State, slot: int, now: float) -> None:
        """End what runs on a slot."""
        host = self._hosts[self._host_of[slot]]
        kind = MAP if slot < s.cluster.slots[MAP] else REDUCE
        if slot in self._on_slot:
            what, job = self._on_slot.pop(slot)
            set_finish(s.tree, s.finish, slot, INF)
            put_slot(host.heap[kind], 0, host.free[kind], slot)
            host.free[kind] += 1
            loop.count_free(s, 0, kind, 1)
            if what == SETUP:
                self._begin(s, job, now)
            else:
                stage_steps.job_departs(s, job, now)
            return
        stage = s.stage[s.slot_stage[slot]]
        job = stage.job
        others = self._lend(s, host, kind)
        give_place_back(s, slot, stage.task_type, kind)
        self._take_back(s, host, kind, others)
        loop.task_departs(s, slot, now)
        if s.job[job].finish == now and self._lasts[CLEANUP][job] > 0:
            s.job[job].finish = INF
            s.cluster.active += 1
            s.pool[s.job[job].pool].active += 1
            self._waiting[CLEANUP].append(job)

    # ---- offers

    def _serve(self, choose: Any, s: State) -> int:
        """Offer the slots of the hosts that ask; 0, or why the run stops."""
        while self._with_defaults:
            ask = self._with_defaults[0]
            host, kind = self._hosts[ask[0]], ask[1]
            is_first = ask[2] == 0 or self._o.heartbeat == 0
            if kind == MAP and is_first and host.free[MAP] and self._run_special(s, ask[0]):
                ask[2] += 1
                continue
            most = (self._o.maps_per_heartbeat, self._o.reduces_per_heartbeat)[kind]
            if s.cluster.containers:
                most = self._o.maps_per_heartbeat + self._o.reduces_per_heartbeat
            limited = self._o.heartbeat > 0 and ask[2] >= most
            stopped = -1 if limited or not host.free[kind] else self._offer(choose, s, ask)
            if stopped > 0:
                return stopped
            if stopped < 0:
                self._with_defaults[0] = [ask[0], REDUCE, 0]
                if kind == REDUCE:
                    self._with_defaults.pop(0)
        return 0

    def _offer(self, choose: Any, s: State, ask: list[int]) -> int:
        """Offer one slot: 0 if it was taken, -1 if not, else why the run stops."""
        c, kind = s.cluster, ask[1]
        host = self._hosts[ask[0]]
        if c.waiting[kind] + c.lends * c.waiting[1 - kind] == 0:
            return -1
        pick = c.held if c.held >= 0 else choose(kind, s.queue, s.trees, s.keys, s.job, s.pool, c)
        if pick < 0:
            return -1
        if not loop.may_start(s, pick >> 1, pick & 1, kind):
            c.bad_pick = pick
            return BAD_PICK
        if c.started == c.pause_at:
            c.held = pick
            return DECIDED
        c.held = NONE
        others = self._lend(s, host, kind)
        slot = take_place(s, pick >> 1, pick & 1, kind)
        self._take_back(s, host, kind, others)
        loop.task_starts(s, slot, pick >> 1, pick & 1, kind)
        self._begin_late(s, pick >> 1, ask[0], s.sequence[c.started - 1], pick & 1)
        self._taskless.discard(pick >> 1)
        self._leave_line(c.now)
        ask[2] += 1
        return 0

    def _begin_late(self, s: State, job: int, host: int, task: int, kind: int) -> None:
        """Let a task that was given to a host begin when the host can; its slot is taken all the same."""
        begins = self._begins(s, job, host, kind)
        s.start[task] = begins
        if s.finish[s.slot[task]] < INF:
            shuffle_ends(s, task, begins + s.typical_shuffle[task])

    def _begins(self, s: State, job: int, host: int, kind: int) -> float:
        """Return when something begins that a host is given now.

        It waits for what its job needs there, and as long as the host stalls.
        """
        now = s.cluster.now
        begins = max(self._fetched.setdefault((job, host), now + self._o.fetch), now)
        for stall in self._stalls:
            if stall.host == host and kind in stall.kinds and stall.begin <= now < stall.end:
                begins = max(begins, stall.end)
        return float(begins)

    def _run_special(self, s: State, host: int) -> bool:
        """Start a cleanup or a setup task on a host's lowest free map slot; whether there was one."""
        what = CLEANUP if self._waiting[CLEANUP] else SETUP
        if not self._waiting[what]:
            return False
        job = self._waiting[what].pop(0)
        place = self._hosts[host]
        slot = take_slot(place.heap[MAP], 0, place.free[MAP])
        place.free[MAP] -= 1
        loop.count_free(s, 0, MAP, -1)
        self._on_slot[slot] = (what, job)
        set_finish(s.tree, s.finish, slot, self._begins(s, job, host, MAP) + self._lasts[what][job])
        return True

    def _lend(self, s: State, host: Host, kind: int) -> tuple[int, list[int]]:
        """Show the engine's steps this host's free slots alone; return what to put back."""
        others = s.cluster.free[kind] - host.free[kind], s.free[kind]
        s.cluster.free[kind], s.free[kind] = host.free[kind], host.heap[kind]
        return others

    def _take_back(self, s: State, host: Host, kind: int, others: tuple[int, list[int]]) -> None:
        host.free[kind] = s.cluster.free[kind]
        s.cluster.free[kind], s.free[kind] = others[0] + host.free[kind], others[1]


def _own_or(usual: float, own: NDArray[np.float64] | None, jobs: int) -> list[float]:
    """Return how long the setup or cleanup of each job lasts: its own where it has one."""
    lasts = np.full(jobs, usual) if own is None else np.where(np.isnan(own), usual, own)
    return [float(seconds) for seconds in lasts]


def _hosts(overheads: Overheads, s: State) -> list[Host]:
    """Spread map and reduce slots evenly over the hosts."""
    count, slots = overheads.hosts, s.cluster.slots
    heaps: list[tuple[list[int], list[int]]] = [([], []) for _ in range(count)]
    for kind in (MAP, REDUCE):
        for i in range(slots[kind]):
            heaps[i * count // slots[kind]][kind].append(kind * slots[MAP] + i)
    return [Host(heap) for heap in heaps]
