"""When the jobs of a schedule that is under way will end: the simulator goes on, many times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.begin import begin_of
from core.forecast.futures import drawn_futures, engine_for_draws, expected_times, gone_on
from core.forecast.task_draws import task_draws
from core.model.draw_bands import band_of, draws_for
from core.model.errors import InputError
from core.model.estimates import LARGEST_SEED
from core.model.limits import is_whole
from core.model.number_text import grouped
from core.model.progress import never_stop, no_progress
from core.model.time_text import clock_text
from core.policies.user_files.apart import where_policies_live
from core.simulation.other_times import workload_with

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.forecast.begin import Begin
    from core.forecast.futures import Future
    from core.forecast.known import KnownRun
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Engine, Simulation

    Floats = NDArray[np.float64]

DEFAULT_RUNS = 200
DEFAULT_ERROR = 0.3
"""Of estimates, where nobody says how wrong they are."""
BANDS = (0.5, 0.9)
MIN_RUNS, MAX_RUNS = draws_for(max(BANDS)), 10_000


@dataclass(frozen=True)
class Forecast:
    """The ends of jobs, drawn many times from a time on.

    Attributes
    ----------
    known : the schedule and the time, and what is known then
    finish : when each job ends in each draw; of those that have ended the time, (draws, jobs), seconds
    likely : the draw whose last job ends in the middle of all, as a whole schedule
    seed : of the draws
    choice : the policy that goes on
    history : how long jobs took before, as far as it was used; None for nothing
    error : how wrong the durations of the workload were taken to be as estimates; None if they are none
    """

    known: KnownRun
    finish: Floats
    likely: Schedule
    seed: int
    choice: PolicyChoice
    history: Workload | None = None
    error: float | None = None

    @cached_property
    def makespan(self) -> Floats:
        """When the last job ends in each draw, seconds, (draws,)."""
        latest: Floats = self.finish.max(axis=1)
        return latest

    def band(self, part: float) -> tuple[Floats, Floats]:
        """Return from when to when each job ends with such a chance, see `band_of`, seconds, (jobs,) each."""
        return band_of(self.finish, part)

    @cached_property
    def middle(self) -> Floats:
        """The time before which each job ends in half of the draws, seconds, (jobs,)."""
        middle: Floats = np.median(self.finish, axis=0)
        return middle

    @cached_property
    def open_jobs(self) -> list[int]:
        """The jobs that have not ended, by their number: that which ends first comes first."""
        rest = np.flatnonzero(~self.known.job_has_ended)
        by_end: list[int] = rest[np.argsort(self.middle[rest], kind="stable")].tolist()
        return by_end

    @cached_property
    def middle_makespan(self) -> float:
        """The time before which the last job ends in half of the draws, seconds."""
        return float(np.median(self.makespan))

    def makespan_band(self, part: float) -> tuple[float, float]:
        """Return from when to when the last job ends with such a chance, seconds."""
        low, high = band_of(self.makespan, part)
        return float(low), float(high)

    @cached_property
    def in_time(self) -> Floats:
        """In which part of the draws each job meets its deadline; nan for jobs that have none, (jobs,)."""
        deadline = self.known.schedule.workload.columns.deadline
        part: Floats = np.where(np.isinf(deadline), np.nan, (self.finish <= deadline).mean(axis=0))
        return part

    def done_by(self, job: int, seconds: float) -> float:
        """Return in which part of the draws a job, by its number, has ended by a time, 0 to 1."""
        return float((self.finish[:, job] <= seconds).mean())

    @property
    def known_sentence(self) -> str:
        """What is known of tasks that have not ended; empty where all have."""
        if not self.open_jobs:
            return ""
        if self.error is None:
            return self._shown_by_others
        if self.error == 0:
            return "Tasks take as long as the workload says."
        return f"The durations of the workload are taken as estimates, wrong by {100 * self.error:g} %."

    @property
    def _shown_by_others(self) -> str:
        """Of how many tasks all is drawn, and of how many jobs that is little to go by."""
        ended = self.known.has_ended
        have_some = self.known.schedule.workload.columns.job[ended]
        without = len(set(self.open_jobs) - set(have_some.tolist()))
        count = int(np.count_nonzero(ended))
        show = (
            "the only one that has ended shows"
            if count == 1
            else f"the {grouped(count)} that have ended show"
        )
        sentence = f"Of tasks that have not ended nothing is known but what {show}"
        if not without:
            return f"{sentence}."
        which = "one job" if without == 1 else f"{grouped(without)} jobs"
        return (
            f"{sentence}; of {which} none has, which are taken to be like the others. "
            "Estimates, or an earlier run, say more."
        )

    @property
    def history_sentence(self) -> str:
        """What is known of earlier runs, in words; empty for nothing."""
        if self.history is None:
            return ""
        jobs = self.known.schedule.workload.job_index
        known = f"{len(jobs.keys() & self.history.job_index.keys())} of {len(jobs)} jobs"
        return f"How long tasks took before is known of {known}, from {self.history.name}."

    def over_by(self, seconds: float) -> float:
        """Return in which part of the draws all jobs have ended by a time, 0 to 1."""
        return float((self.makespan <= seconds).mean())

    def chance_sentence(self, seconds: float) -> str:
        """Return that in words: "All is over by 1:20 in 62 % of the draws."."""
        return f"All is over by {clock_text(seconds)} in {100 * self.over_by(seconds):.0f} % of the draws."

    @cached_property
    def sentence(self) -> str:
        """How things stand, and when the last job ends."""
        known, (low, high) = self.known, self.makespan_band(0.9)
        left, jobs = len(self.open_jobs), len(known.job_has_ended)
        now = clock_text(known.time)
        if not left:
            return f"At {now} all jobs have ended."
        which = "the only job has" if jobs == 1 else f"{left} of {jobs} jobs have"
        tasks = "1 task runs" if known.running == 1 else f"{known.running} tasks run"
        end = clock_text(self.middle_makespan)
        return (
            f"At {now}, {which} not ended, and {tasks}. The last one ends at about {end}, in 90 % of "
            f"{len(self.finish)} draws between {clock_text(low)} and {clock_text(high)}."
        )


@where_policies_live
def forecast(
    schedule: Schedule,
    time: float,
    *,
    policy: PolicyChoice | None = None,
    error: float | None = None,
    history: Workload | None = None,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    engine: Engine = "auto",
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Forecast:
    """Return when the jobs of a schedule will end, from what is known of it at a time.

    Times of tasks that have ended are known; of those that run, that they take longer than so far. All others
    are drawn: by the tasks of their stage that have ended, by an earlier run of the job, by an estimate, else
    by the other stages. Jobs that have not arrived come at their time, and what happens to nodes does, but
    for spot nodes: when these vanish from then on is drawn as well.

    Parameters
    ----------
    schedule : simulated and whole, or what really ran by a log
    time : seconds, not negative
    policy : goes on with a record, FIFO by default; what was simulated goes on under its own
    error : how wrong the durations of the workload are as estimates, 0.3 for 30 %; None if they are none, so
        that a job of which nothing has ended is drawn by the others
    history : jobs that ran before, by name; they go before estimates
    runs : how many times the simulator goes on, `MIN_RUNS` to `MAX_RUNS`
    seed : of the draws

    Raises
    ------
    InputError
        the schedule cannot be continued, a value is wrong, or nothing is known to draw from
    Cancelled
        `should_stop` returned True
    """
    check_forecast(schedule, time, runs, error, seed)
    begin = begin_of(schedule, float(time), policy)
    draw = begin.late(task_draws(begin.known, error, history, seed), seed)
    engine = engine_for_draws(engine, schedule, runs)
    run = begin.standing(expected_times(begin, draw, error, history), engine, should_stop)
    futures: list[Future] = []
    finish: list[Floats] = []
    for each in drawn_futures(begin, draw, runs, seed, progress, should_stop):
        futures.append(each)
        finish.append(gone_on(run, each, should_stop).finish)
    found = finished_forecast(begin, run, np.array(finish), futures, seed, should_stop)
    return replace(found, history=history, error=error)


def finished_forecast(
    begin: Begin,
    run: Simulation,
    finish: Floats,
    futures: Sequence[Future],
    seed: int,
    should_stop: Callable[[], bool],
) -> Forecast:
    """Return a forecast with the draw in the middle.

    Parameters
    ----------
    run : stands where it begins
    finish : when the last task of each job ends in each draw, seconds, (draws, jobs)
    futures : as they were drawn
    """
    middle = futures[int(np.argsort(finish.max(axis=1), kind="stable")[len(futures) // 2])]
    likely = gone_on(run, middle, should_stop)
    likely = replace(likely, workload=workload_with(likely.workload, middle.times))
    return Forecast(begin.known, begin.ends(finish, seed), likely, seed, begin.choice)


def default_error(schedule: Schedule) -> float | None:
    """Return how wrong the durations of a schedule's workload are as estimates, where nobody says it.

    Those that a log recorded are what came of the jobs, and known of none before it has ended: None.
    """
    return None if schedule.given.recorded is not None else DEFAULT_ERROR


def check_forecast(schedule: Schedule, time: float, runs: int, error: float | None, seed: int) -> None:
    """Raise InputError where a schedule has no forecast from a time on."""
    if error is not None and schedule.choice.is_record:
        raise InputError(
            "the durations in a record are no estimates of anything; leave out how wrong they are"
        )
    if not (schedule.is_whole or schedule.choice.is_record):
        raise InputError("a schedule with tasks that have not run cannot be forecast; simulate it to its end")
    if not 0 <= time < np.inf:
        raise InputError(f"a forecast begins at 0 s or later; {time} is not such a time")
    if error is not None and not 0 <= error < np.inf:
        raise InputError(f"estimates are wrong by {error:g}; give a number from 0, as 0.3 for 30 %")
    if not is_whole(seed, 0, LARGEST_SEED):
        raise InputError(f"the seed of the draws is {seed}; give a whole number from 0 to {LARGEST_SEED}")
    if not MIN_RUNS <= runs <= MAX_RUNS:
        raise InputError(
            f"a forecast takes {MIN_RUNS} to {MAX_RUNS} draws, since of fewer no band holds "
            f"{100 * max(BANDS):.0f} %; {runs} is not so many"
        )
