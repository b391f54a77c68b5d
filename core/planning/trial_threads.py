"""Calls that simulate, one after the other in as many threads as there are simulators, until stopped."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, TypeVar

from core.model.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.planning.pool_cut import Jobs, Slots

    Simulator = Callable[[Jobs, Slots, Callable[[], bool]], float]
    """Returns the makespan of jobs, served in this order, on so many map and reduce slots of their own.

    Asks its last argument now and then whether to stop, and then raises Cancelled.
    """
    Simulate = Callable[[Jobs, Slots], float]

LOOK_EVERY = 0.01
"""Seconds between two looks at progress and cancel."""
Item = TypeVar("Item")
Result = TypeVar("Result")


class TrialThreads:
    """The threads of one search."""

    def __init__(self, simulators: Sequence[Simulator], should_stop: Callable[[], bool]) -> None:
        self._idle = list(simulators)
        self._threads = len(simulators)
        self._should_stop = should_stop
        self._stop = threading.Event()

    def each(
        self,
        work: Callable[[Item, Simulate], Result],
        items: Iterable[Item],
        on_done: Callable[[Result, float], None],
    ) -> None:
        """Call `work` with every item and what simulates; report each result, and the fraction done so far.

        Raises Cancelled if the search is to stop.
        """
        with ThreadPoolExecutor(self._threads, "balanced pools") as pool:
            left, ended = list(items)[::-1], 0
            count, pending = len(left), set[Future[Result]]()
            try:
                while left or pending:
                    while left and len(pending) < 2 * self._threads:  # to wait for all takes time for each
                        pending.add(pool.submit(self._one, work, left.pop()))
                    done, pending = wait(pending, LOOK_EVERY, FIRST_COMPLETED)
                    for future in done:
                        ended += 1
                        on_done(future.result(), ended / count)
                    if self._should_stop():
                        raise Cancelled("the search for balanced pools was cancelled")
            finally:
                if pending:  # an exception: what still runs is of no use
                    self._stop.set()
                    pool.shutdown(cancel_futures=True)

    def _one(self, work: Callable[[Item, Simulate], Result], item: Item) -> Result:
        simulator = self._idle.pop()  # never empty: there are as many threads as simulators

        def simulate(jobs: Jobs, slots: Slots) -> float:
            if self._stop.is_set():
                raise Cancelled("the search for balanced pools was cancelled")
            return simulator(jobs, slots, self._stop.is_set)

        try:
            return work(item, simulate)
        finally:
            self._idle.append(simulator)
