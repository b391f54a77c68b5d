"""When tasks end that run with other times, on nodes that have failed, returned or changed their speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.loop import INF
from core.engine.slot_trees import set_finish
from core.engine.state import jobs_on_slots, records_of
from core.model.node_events import HAPPENINGS

if TYPE_CHECKING:
    from core.engine.state import State

SPEED = HAPPENINGS.index("speed")


def end_on_nodes(before: State, state: State) -> None:
    """Work out anew when tasks end that run; those whose times are as before end as they would have.

    Parameters
    ----------
    before, state : of either form, with the times so far and with other ones; their columns of what happens
        are shared, and changed
    """
    s, now = records_of(state), records_of(state).cluster.now
    changes: dict[int, list[tuple[float, float]]] = {}
    for at in range(s.given_up.happening.next):
        event = s.given_up.event[at]
        if event.kind == SPEED:
            changes.setdefault(int(event.node), []).append((float(event.at), float(event.speed)))
    for slot, _ in jobs_on_slots(state):
        task = int(s.given_up.on[slot])
        released, has_fetched = s.stage[int(s.slot_stage[slot])].released, s.shuffled[task] <= now
        if (released == INF and not has_fetched) or _times(before, task) == _times(state, task):
            continue  # a filler, or nothing new
        mine = changes.get(int(s.node_of[slot]), [])
        if not has_fetched:
            own = later(s.start[task], s.typical_shuffle[task], mine)
            ends = own
            if s.start[task] < released:
                ends = later(released, s.first_shuffle[task], mine)
                if s.cluster.overlap:
                    ends = max(ends, own)
            s.shuffled[task] = ends
        s.end[task] = later(s.shuffled[task], s.duration[task], mine)
        set_finish(s.tree, s.finish, slot, s.end[task])


def later(time: float, seconds: float, changes: list[tuple[float, float]]) -> float:
    """Return when something ends that begins at a time and takes so long at full speed.

    Parameters
    ----------
    changes : from when on the node runs how fast, by time; of speed 1 before

    Examples
    --------
    >>> later(10.0, 8.0, [(0.0, 0.5), (20.0, 1.0)])
    23.0
    """
    speed = 1.0
    end = time + seconds
    for at, new in changes:
        if at <= time:
            end = time + seconds / new
        elif at < end:
            end = at + (end - at) * speed / new
        speed = new
    return float(end)


def _times(state: State, task: int) -> tuple[float, float, float]:
    return state.duration[task], state.first_shuffle[task], state.typical_shuffle[task]
