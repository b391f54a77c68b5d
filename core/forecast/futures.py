"""What may come after the time of a forecast, drawn many times; and runs that go on so."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.engine.node_failures import with_other_events
from core.forecast.task_draws import mean_times
from core.model.errors import Cancelled
from core.model.event_nodes import count_of_nodes
from core.model.node_events import drawn_anew
from core.simulation.engine_selection import WORTH_COMPILING, all_is_loaded, is_worth_loading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.forecast.begin import Begin
    from core.model.node_events import NodeEvents
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.other_times import TaskTimes
    from core.simulation.simulate import Engine, Simulation


def with_events(run: Simulation, events: NodeEvents, nodes: int) -> Simulation:
    """Return a copy of a run on whose nodes something happens that goes on from here with other events.

    Parameters
    ----------
    events : of the first nodes; up to the time of the run they are what has happened
    nodes : how many these are; what happens to those behind them stays
    """
    own = run.cluster.events
    assert own is not None
    others = tuple(event for event in own.happen if event.node >= nodes)
    events = replace(events, nodes=own.nodes, happen=events.happen + others)
    twin, cluster = run.fork(), replace(run.cluster, events=events)
    other = twin.standing_at(with_other_events(twin.state, cluster))
    other.cluster = cluster
    return other


EXPECTED_DRAWS = 25
"""Of which the mean is what a policy plans on."""


class Future(NamedTuple):
    """What comes in one draw.

    Attributes
    ----------
    times : how long each task takes
    events : what happens to nodes, before the time as it did; None where that is known, or nothing does
    nodes : how many they are
    """

    times: TaskTimes
    events: NodeEvents | None = None
    nodes: int = 0

    def of_first(self, tasks: int) -> Future:
        """Return the same for the first tasks alone."""
        return self._replace(times=self.times.first(tasks))


def drawn_futures(
    begin: Begin,
    draw: Callable[[], TaskTimes],
    runs: int,
    seed: int,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Iterator[Future]:
    """Yield what comes in each draw: times, and when spot nodes vanish.

    Raises Cancelled where `should_stop` says so.
    """
    schedule, cluster = begin.known.schedule, begin.known.schedule.cluster
    given = cluster.events if cluster.events is not None and cluster.events.spot is not None else None
    nodes = count_of_nodes(cluster)
    for number in range(runs):
        if should_stop():
            raise Cancelled(f"the forecast of {schedule.workload.name} was cancelled")
        events = None
        if given is not None:
            events = drawn_anew(given, nodes, begin.known.time, (seed, number))
        yield Future(draw(), events, nodes)
        progress((number + 1) / (runs + 1))


def gone_on(run: Simulation, future: Future, should_stop: Callable[[], bool]) -> Schedule:
    """Return the schedule of a run that goes on to its end in one of the futures."""
    after = run.with_times(future.times)
    if future.events is not None:
        after = with_events(after, future.events, future.nodes)
    after.advance_until(np.inf, should_stop)
    return after.schedule()


def expected_times(
    begin: Begin, draw: Callable[[], TaskTimes], error: float | None, history: Workload | None
) -> TaskTimes | None:
    """Return the mean of some draws of the times of all tasks; None where every draw has the true ones."""
    if error == 0 and history is None and not begin.is_record:
        return None
    return mean_times([draw() for _ in range(EXPECTED_DRAWS)])


def engine_for_draws(engine: Engine, schedule: Schedule, runs: int) -> Engine:
    """Return the compiled engine where so many runs are worth compiling or loading, though one may not be."""
    tasks, cluster = runs * schedule.tasks, schedule.cluster
    is_worth = tasks > WORTH_COMPILING
    if not (is_worth or schedule.choice.is_record):
        is_worth = all_is_loaded(schedule, cluster) or is_worth_loading(schedule, cluster, tasks)
    return "compiled" if engine == "auto" and is_worth else engine
