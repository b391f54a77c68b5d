"""Go to any instant of a schedule, forwards and backwards, and look at the state that its policy saw.

A replay simulates again and keeps copies of the run on its way, so that every place is near one of them.
Where something happens next (the next event, the next decision) is in `core.explain.instant`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from core.explain.start_cause import check_simulated
from core.model.errors import Cancelled
from core.model.progress import never_stop
from core.policies.user_files.apart import Elsewhere, lives_apart
from core.simulation.fork import begins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine, Simulation

    Place = tuple[int | None, float | None]

MAX_COPIES = 32
MAX_BYTES = 160_000_000
"""Of all copies of a replay together."""
BYTES_PER_TASK = 40
MIN_STARTS = 500
"""Between two copies: fewer are simulated again in no time."""


class Replay:
    """The run behind a schedule, to be stopped anywhere; for one thread at a time.

    What it returns are copies, to be looked at (`core.explain.instant.instant_of`,
    `core.explain.decisions.decision_reason`) and forked; two places do not influence each other. Where a
    user's policy file is followed they are places alone: what is asked about them is computed there.

    Attributes
    ----------
    schedule : complete; workload, cluster, policy, order, pools and fork are taken from it

    Raises InputError for a schedule that a log recorded.
    """

    def __init__(self, schedule: Schedule, *, engine: Engine = "auto") -> None:
        check_simulated(schedule)
        self.schedule = schedule
        self._engine = engine
        self._copies: list[Simulation] = []
        self._places: list[tuple[int, float]] = []
        """Of each copy: how many tasks have started, and its time."""

    def before_start(self, start: int, should_stop: Callable[[], bool] | None = None) -> Simulation:
        """Return the run at the decision that starts a task: decided, but not carried out.

        Parameters
        ----------
        start : how many tasks start before it: its place in `Schedule.sequence`, from 0
        should_stop : asked now and then; True cancels

        Raises
        ------
        ValueError
            there is no such start
        Cancelled
            `should_stop` said so
        """
        if not 0 <= start < len(self.schedule.sequence):
            raise ValueError(f"start {start} is not one of the {len(self.schedule.sequence)} starts")
        if lives_apart(self.schedule):
            return PlaceApart.run(self.schedule, (start, None), should_stop)
        copies = self._all_copies(should_stop)
        before = self.schedule.starts_before(start)
        place = bisect_right([started for started, _ in self._places], before) - 1
        run = copies[place].fork()
        run.advance_to_start(before, should_stop)
        return run

    def at(
        self, time: float, decisions: int | None = None, should_stop: Callable[[], bool] | None = None
    ) -> Simulation:
        """Return the run at a time, after everything of that time has happened.

        Parameters
        ----------
        time : seconds, 0 or later
        decisions : how many of the starts at exactly that time are done; None for all of them
        should_stop : asked now and then; True cancels
        """
        times = self.schedule.start[self.schedule.sequence]
        start, after = int(times.searchsorted(time)), int(times.searchsorted(time, "right"))
        if decisions is not None and start + decisions < after:
            return self.before_start(start + decisions, should_stop)
        if lives_apart(self.schedule):
            return PlaceApart.run(self.schedule, (None, time), should_stop)
        copies = self._all_copies(should_stop)
        place = bisect_right([at for _, at in self._places], time) - 1
        run = copies[max(place, 0)].fork()
        run.advance_until(time, should_stop)
        return run

    def _all_copies(self, should_stop: Callable[[], bool] | None) -> list[Simulation]:
        """Run once to the end and keep copies on the way, each just before a start."""
        if not self._copies:
            schedule = self.schedule
            runs = begins(schedule.given, schedule.cluster, schedule, self._engine, should_stop)
            ends = [*(run.started for run in runs[1:]), len(schedule.sequence)]
            copies = [
                copy
                for run, end in zip(runs, ends, strict=True)
                for copy in self._copies_of(run, end, should_stop)
            ]
            self._places = [(run.started, run.now) for run in copies]
            self._copies = copies
        return self._copies

    def _copies_of(
        self, run: Simulation, end: int, should_stop: Callable[[], bool] | None
    ) -> Iterator[Simulation]:
        """Yield a run where it stands and, at even distances, up to a start."""
        tasks = max(self.schedule.tasks, 1)
        copies = min(MAX_COPIES, MAX_BYTES // (BYTES_PER_TASK * tasks))
        step = max(MIN_STARTS, tasks // (copies + 1))
        yield run
        for start in range(run.started + step, end, step):
            if should_stop is not None and should_stop():
                raise Cancelled(f"the replay of {self.schedule.workload.name} was cancelled")
            run = run.fork()
            run.advance_to_start(start, should_stop)
            yield run


MAX_REPLAYS = 2
_replays: list[Replay] = []
"""Those that were asked last in the process of policy files."""


class PlaceApart(Elsewhere):
    """A place in the run behind a schedule, which is gone to in the process of policy files.

    Attributes
    ----------
    place : before the start with this number, or after everything of this time
    """

    def __init__(
        self, schedule: Schedule, place: Place, should_stop: Callable[[], bool] = never_stop
    ) -> None:
        self.schedule, self.place, self.should_stop = schedule, place, should_stop

    @classmethod
    def run(cls, schedule: Schedule, place: Place, should_stop: Callable[[], bool] | None) -> Simulation:
        """Return a place whose run can be examined; it cannot be advanced."""
        run: Any = cls(schedule, place, should_stop or never_stop)
        there: Simulation = run
        return there

    @override
    def __reduce__(self) -> tuple[type, tuple[Schedule, Place]]:
        return PlaceApart, (self.schedule, self.place)

    @override
    def here(self, should_stop: Callable[[], bool]) -> Simulation:
        replay = next((known for known in _replays if known.schedule is self.schedule), None)
        replay = replay or Replay(self.schedule)
        _replays[:] = [replay, *(known for known in _replays if known is not replay)][:MAX_REPLAYS]
        start, time = self.place
        if start is not None:
            return replay.before_start(start, should_stop)
        assert time is not None
        return replay.at(time, None, should_stop)
