"""Where a forecast begins: what is known then, and the run that goes on from there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.known import KnownRun
from core.forecast.record import known_of_record, record_of
from core.forecast.record_delays import as_wrong_as_simulators, seen_delays, with_delays
from core.model.copied_tasks import killed_copy, killed_tasks
from core.model.errors import InputError
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice, forks_of
from core.policies.composing.hooks import hooks_of
from core.policies.registry import policy_class
from core.simulation.fork import begins
from core.simulation.other_times import check_times_may_change, workload_with
from core.simulation.standing_record import standing_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.forecast.record_delays import SeenDelays
    from core.model.cluster import Cluster
    from core.model.schedule import Forkable, Schedule
    from core.model.workload import Workload
    from core.simulation.other_times import TaskTimes
    from core.simulation.simulate import Engine, Simulation

    Floats = NDArray[np.float64]

DEFAULT_POLICY = PolicyChoice("fifo")
"""Goes on with a record, where nothing is said."""


@dataclass(frozen=True)
class Begin:
    """Where a forecast begins.

    Attributes
    ----------
    known : the schedule, as far as it is known, and the time
    choice : the policy that goes on
    seen : of a record: the delays that it shows up to then; None for a schedule that was simulated
    """

    known: KnownRun
    choice: PolicyChoice
    seen: SeenDelays | None = None

    @property
    def is_record(self) -> bool:
        """Whether it begins in what really ran by a log."""
        return self.seen is not None

    def standing(
        self, expected: TaskTimes | None, engine: Engine, should_stop: Callable[[], bool]
    ) -> Simulation:
        """Return the run at the time: what happens then has happened.

        Parameters
        ----------
        expected : what the policy plans on from then on, unless the schedule says what it planned on; None
            for the durations of the workload
        """
        schedule, time = self.known.schedule, self.known.time
        choice = profiled(self.choice, schedule.workload, expected)
        if self.is_record:
            schedule = replace(schedule, cluster=_as_lies(self.known))
            run = standing_in(
                schedule, time, choice, engine, should_stop, self.known.copies or (), self.known.held
            )
            check_times_may_change(run.policy, schedule.workload, schedule.cluster)
            return run
        run = begins(schedule.given, schedule.cluster, schedule, engine, should_stop)[-1]
        check_times_may_change(run.policy, schedule.given, schedule.cluster)
        run.advance_until(time, should_stop)
        if choice == schedule.choice:
            return run
        return run.with_policy(choice, schedule.order, schedule.partition, schedule.plan)

    def late(self, draw: Callable[[], TaskTimes], seed: int) -> Callable[[], TaskTimes]:
        """Return what draws times as `draw` does, of a record with delays as it shows them."""
        if self.seen is None:
            return draw
        return with_delays(draw, self.known, self.seen, np.random.default_rng([seed, 1]))

    def ends(self, finish: Floats, seed: int) -> Floats:
        """Return when jobs end whose last tasks end then, of a record as far as that is known.

        Parameters
        ----------
        finish : seconds, (draws, jobs)
        """
        if self.seen is None:
            return finish
        known, random = self.known, np.random.default_rng([seed, 2])
        later = as_wrong_as_simulators(finish, known.time, self.seen, random)
        return np.where(known.job_has_ended, known.schedule.finish, later)


def _as_lies(known: KnownRun) -> Cluster:
    """Return the cluster of a record that kills copies of tasks by their places in it as it is known."""
    cluster, workload = known.schedule.cluster, known.schedule.workload
    if known.order is None or not cluster.killed_copies:
        return cluster
    place, kills = np.argsort(known.order), killed_tasks(cluster.killed_copies, workload)
    return replace(
        cluster, killed_copies=tuple(killed_copy(workload, int(place[task]), time) for time, task in kills)
    )


def profiled(choice: PolicyChoice, workload: Workload, expected: TaskTimes | None) -> PolicyChoice:
    """Return a policy that plans on expected times, unless it says what it plans on."""
    if expected is None or choice.estimates is not None:
        return choice
    return replace(choice, estimates=DurationEstimates(0.0, profile=workload_with(workload, expected)))


def known_at(schedule: Schedule, time: float) -> KnownRun:
    """Return what is known of a schedule at a time: what is lost or outrun later has not been so then.

    Tasks that run then have the ends that they would have come to.
    """
    parts: list[Forkable] = [*forks_of(schedule), schedule]
    decides = [hooks_of(policy_class(each.choice.id)) for each in parts]
    has_copies = any(hooks.copies for hooks in decides)
    if not (has_copies or schedule.cluster.events or any(hooks.gives_up for hooks in decides)):
        return KnownRun(schedule, time)
    run = begins(schedule.given, schedule.cluster, schedule, "auto")[-1]
    run.advance_until(time)
    here = replace(run.schedule(), fork=schedule.fork, in_order=schedule.in_order, choice=schedule.choice)
    return KnownRun(here, time, run.moment().second_copies if has_copies else None)


def begin_of(schedule: Schedule, time: float, policy: PolicyChoice | None = None) -> Begin:
    """Return where the forecast of a schedule from a time on begins.

    Parameters
    ----------
    schedule : simulated and whole, or what really ran by a log
    time : seconds
    policy : goes on with a record, `DEFAULT_POLICY` by default; what was simulated goes on under its own

    Raises
    ------
    InputError
        a policy is given for what was simulated, no task of a record has started, or its log ends before
    """
    if not schedule.choice.is_record:
        if policy is not None:
            raise InputError("what was simulated goes on under its own policy; give none")
        return Begin(known_at(schedule, time), schedule.choice)
    record = record_of(schedule, time)
    choice, known = policy or DEFAULT_POLICY, known_of_record(record, time)
    if hooks_of(policy_class(choice.id)).gives_up:
        # killing tasks is not modelled with second copies of them
        plain = replace(known.schedule, cluster=replace(known.schedule.cluster, killed_copies=()))
        known = replace(known, schedule=plain, copies=None)
    return Begin(known, choice, seen_delays(record, time))
