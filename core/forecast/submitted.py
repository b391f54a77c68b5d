"""Jobs that come into a schedule that is under way: when they end, and whom they delay by how much."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.begin import begin_of, known_at
from core.forecast.forecast import DEFAULT_RUNS, check_forecast, finished_forecast
from core.forecast.futures import Future, drawn_futures, engine_for_draws, expected_times, gone_on
from core.forecast.queue_places import queue_of
from core.forecast.task_draws import HISTORY_ERROR, task_draws
from core.model.draw_bands import band_of
from core.model.errors import InputError
from core.model.links import links_among, named_apart
from core.model.progress import never_stop, no_progress
from core.model.time_text import clock_text, duration_text
from core.policies.user_files.apart import where_policies_live
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.forecast.begin import Begin
    from core.forecast.forecast import Forecast
    from core.forecast.queue_places import Queue
    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from core.simulation.other_times import TaskTimes
    from core.simulation.simulate import Engine, Simulation

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class JoinedEnds:
    """When jobs end with some that come, beside the same night without those, drawn alike.

    Attributes
    ----------
    jobs : all of them; those that come are the last ones
    finish : when each ends in each draw, seconds, (draws, jobs)
    without : when each other job ends without those that come, seconds, (draws, other jobs)
    """

    jobs: tuple[Job, ...]
    finish: Floats
    without: Floats

    @property
    def others(self) -> int:
        """How many jobs there were before; the new ones have the numbers from there on."""
        return len(self.without[0])

    @cached_property
    def delay(self) -> Floats:
        """By how much later each other job ends in each draw, seconds, (draws, other jobs)."""
        later: Floats = self.finish[:, : self.others] - self.without
        return later

    @cached_property
    def middle_delay(self) -> Floats:
        """By how much later each other job ends in the middle of the draws, seconds, (other jobs,)."""
        middle: Floats = np.median(self.delay, axis=0)
        return middle

    @cached_property
    def moved(self) -> list[int]:
        """The other jobs of which some draws in 90 % are moved, by their number: the most delayed first."""
        low, high = self.delay_band(0.9)
        moved = np.flatnonzero((low != 0) | (high != 0))
        by_delay: list[int] = moved[np.argsort(-self.middle_delay[moved], kind="stable")].tolist()
        return by_delay

    def delay_band(self, part: float) -> tuple[Floats, Floats]:
        """Return the least and the most that each other job is delayed with such a chance, seconds."""
        return band_of(self.delay, part)

    @cached_property
    def delay_words(self) -> str:
        """Whom they delay: "J4 by about 3 min and 2 others by less"; empty for nobody."""
        later = self.middle_delay
        delayed = int((later > 0).sum())
        if not delayed:
            return ""
        most = int(np.argmax(later))
        more = {1: "", 2: " and 1 other by less"}.get(delayed, f" and {delayed - 1} others by less")
        return f"{self.jobs[most].name} by about {duration_text(float(later[most]))}{more}"


@dataclass(frozen=True, eq=False)
class Submission(JoinedEnds):
    """Jobs that come at a time.

    Attributes
    ----------
    forecast : with them
    """

    forecast: Forecast

    @cached_property
    def sentences(self) -> list[str]:
        """When the new jobs end, and what they do to the others."""
        found, said = self.forecast, []
        (low, high), jobs = found.band(0.9), self.jobs
        for number in range(self.others, len(jobs)):
            said.append(
                f"{jobs[number].name}, submitted at {clock_text(jobs[number].arrival)}, ends at about "
                f"{clock_text(found.middle[number])}, in 90 % of {len(found.finish)} draws between "
                f"{clock_text(low[number])} and {clock_text(high[number])}."
            )
        delays = "It delays" if len(jobs) == self.others + 1 else "They delay"
        return [*said, f"{delays} {self.delay_words or 'no other job in most of the draws'}."]

    @property
    def known_sentence(self) -> str:
        """What is known of tasks that have not ended; of those of the new jobs how long they may take."""
        if self.forecast.error is not None:
            return self.forecast.known_sentence
        new = (
            f"The durations of what is submitted are taken as estimates, wrong by {100 * HISTORY_ERROR:g} %."
        )
        return f"{self.forecast.known_sentence} {new}"


@where_policies_live
def submit(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    *,
    policy: PolicyChoice | None = None,
    place: int | None = None,
    comes: float | None = None,
    error: float | None = None,
    history: Workload | None = None,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    engine: Engine = "auto",
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Submission:
    """Return when jobs end that are submitted at a time or later, and how they delay the others.

    Both futures are drawn with the same times, so that a delay is one of the new jobs, not of chance.

    Parameters
    ----------
    schedule : simulated and whole, or what really ran by a log
    jobs : the first to come arrives at `time`, or at `comes`, the others as much later as they say; their
        durations are what is known of them unless `history` has them, wrong by `error`, of 0.3 where that is
        None
    place : theirs in the order of what waits when they come, from 1; None for where the policy puts them
    comes : when the first comes, seconds, not before `time`; None for then
    time, policy, error, history, runs, seed : as of `core.forecast.forecast.forecast`

    Raises
    ------
    InputError
        as of `forecast`; the jobs come before `time`; or the policy would have decided otherwise before, had
        it known of the jobs
    Cancelled
        `should_stop` returned True
    """
    drawing = error, history, runs, seed
    engine = engine_for_draws(engine, schedule, 2 * runs)
    joining = joined_at(schedule, jobs, time, policy, comes, drawing, engine, should_stop)
    with_them = joining.run_at(place)
    futures: list[Future] = []
    finish: list[Floats] = []
    alone: list[Floats] = []
    for each in drawn_futures(joining.begin, joining.draw, runs, seed, progress, should_stop):
        futures.append(each)
        finish.append(gone_on(with_them, each, should_stop).finish)
        alone.append(joining.alone(each, should_stop))
    begin = joining.begin
    found = finished_forecast(begin, with_them, np.array(finish), futures, seed, should_stop)
    found, every = replace(found, history=history, error=error), tuple(begin.known.schedule.workload.jobs)
    return Submission(every, found.finish, joining.before.ends(np.array(alone), seed), found)


@dataclass(frozen=True, eq=False)
class Joining:
    """The two nights from a time on, with some jobs that come and without them.

    Attributes
    ----------
    before, begin : where the forecast begins without them and with them
    without, joined : the runs that go on from there; with them as the policy puts them
    draw : draws the times of all tasks
    """

    before: Begin
    begin: Begin
    without: Simulation
    joined: Simulation
    draw: Callable[[], TaskTimes]

    @cached_property
    def queue(self) -> Queue:
        """The places that they may have; InputError where the policy serves by no order."""
        others = len(self.before.known.schedule.workload.jobs)
        return queue_of(self.joined, self.begin, range(others, len(self.begin.known.schedule.workload.jobs)))

    def run_at(self, place: int | None) -> Simulation:
        """Return the run with them at a place; None for where the policy puts them."""
        if place is None or place == self.queue.own:
            return self.joined
        return self.joined.with_policy(self.joined.choice, self.queue.order(place))

    def alone(self, future: Future, should_stop: Callable[[], bool]) -> Floats:
        """Return when each other job ends without them in a future, seconds, (other jobs,)."""
        tasks = self.before.known.schedule.tasks  # of an unfinished log some that it does not have
        return gone_on(self.without, future.of_first(tasks), should_stop).finish


def joined_at(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    policy: PolicyChoice | None,
    comes: float | None,
    drawing: tuple[float | None, Workload | None, int, int],
    engine: Engine,
    should_stop: Callable[[], bool],
) -> Joining:
    """Return both nights; parameters and errors are those of `submit`.

    Parameters
    ----------
    drawing : error, history, runs and seed
    """
    error, history, runs, seed = drawing
    check_forecast(schedule, time, runs, error, seed)
    before = begin_of(schedule, float(time), policy)
    begin = begin_with(before, jobs, float(time) if comes is None else comes, engine, should_stop)
    joined = begin.known.schedule
    new = range(len(before.known.schedule.workload.jobs), len(joined.workload.jobs))
    draw = begin.late(task_draws(begin.known, error, history, seed, estimated=new), seed)
    expected = expected_times(begin, draw, error, history)
    first_expected = expected and expected.first(before.known.schedule.tasks)
    return Joining(
        before,
        begin,
        before.standing(first_expected, engine, should_stop),
        begin.standing(expected, engine, should_stop),
        draw,
    )


def begin_with(
    before: Begin, jobs: Sequence[Job], comes: float, engine: Engine, should_stop: Callable[[], bool]
) -> Begin:
    """Return where the forecast begins with jobs that come then or later; errors are those of `submit`."""
    schedule, time = before.known.schedule, before.known.time
    if not time <= comes < np.inf:
        raise InputError(
            f"a job that is submitted comes at {clock_text(time)}, when the forecast begins, or later; "
            f"{comes:g} s is no such time"
        )
    if before.is_record:
        return replace(before, known=replace(before.known, schedule=record_with(schedule, jobs, comes)))
    joined = with_jobs_at(schedule, jobs, time, engine, should_stop, comes=comes)
    return replace(before, known=known_at(joined, time))


def record_with(record: Schedule, jobs: Sequence[Job], time: float) -> Schedule:
    """Return a record up to a time with jobs that come then, of which nothing has started."""
    if not jobs:
        raise InputError("there is no job to submit")
    workload = joined_workload(record.workload, jobs, time)
    tasks = len(workload.columns.job) - record.tasks
    new = len(workload.jobs) - len(record.workload.jobs)
    never, later = np.full(tasks, np.nan), np.full(new, np.inf)
    return replace(
        record,
        workload=workload,
        slot=np.append(record.slot, np.full(tasks, -1, np.int32)),
        start=np.append(record.start, never),
        shuffled=np.append(record.shuffled, never),
        end=np.append(record.end, never),
        stage_end=np.append(record.stage_end, later),
        finish=np.append(record.finish, later),
        rank=np.append(record.rank, np.arange(new, dtype=np.int32) + len(record.rank)),
    )


def with_jobs_at(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    engine: Engine = "auto",
    should_stop: Callable[[], bool] = never_stop,
    *,
    comes: float | None = None,
) -> Schedule:
    """Return the schedule of the same workload with more jobs, which come from a time on, or from `comes` on.

    Raises
    ------
    InputError
        there are no jobs, the schedule was forked, has an order or pools made by hand, or the policy would
        have decided otherwise before the jobs came, as one that plans the whole night may
    """
    if not jobs:
        raise InputError("there is no job to submit")
    if schedule.fork is not None or schedule.partition is not None or schedule.plan is not None:
        raise InputError(
            "a job is submitted to a schedule of one policy or order; this one has a fork, pools or a plan"
        )
    workload = joined_workload(schedule.workload, jobs, time if comes is None else comes)
    joined = simulate(
        workload,
        schedule.cluster,
        schedule.choice,
        order=schedule.order,
        engine=engine,
        should_stop=should_stop,
    )
    until = float(np.nextafter(time, -np.inf))  # at that very time the new ones are there as well
    was, here = (known_at(each, until).schedule for each in (schedule, joined))
    before = was.start < time
    own = here.start[: schedule.tasks]
    same = (own == was.start) & (here.slot[: schedule.tasks] == was.slot)
    if not np.array_equal(before, own < time) or not same[before].all():
        raise InputError(
            "had the policy known of the new jobs it would have decided otherwise before they came, so that "
            "its past does not fit; choose a policy that decides as jobs come, such as fair or sjf"
        )
    return joined


def joined_workload(workload: Workload, jobs: Sequence[Job], time: float) -> Workload:
    """Return a workload with more jobs at its end, the first of which comes at a time.

    The others come, and all are due, as much later. A name that is there already gets a number: "nightly"
    becomes "nightly (2)".
    """
    later = time - min(job.arrival for job in jobs)
    added = [
        replace(
            job,
            arrival=job.arrival + later,
            deadline=None if job.deadline is None else job.deadline + later,
            service_levels=tuple((end + later, cost) for end, cost in job.service_levels),
        )
        for job in named_apart(links_among(jobs), workload.job_index)
    ]
    return replace(workload, jobs=(*workload.jobs, *added), recorded=None, checked_jobs=workload.jobs)
