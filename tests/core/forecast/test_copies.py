"""Forecasts of policies that let second copies of tasks run, or kill tasks; and a copy to kill as a lever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.forecast.advice import advise, levers_at
from core.forecast.begin import begin_of, known_at
from core.forecast.forecast import forecast
from core.forecast.submitted import submit
from core.forecast.task_draws import task_draws
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.job import Job
from core.model.killed_copies import KilledCopy
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.simulation.second_copies import SecondCopy
from core.simulation.simulate import simulate
from tests.core.engine import test_preemption, test_speculation
from tests.core.engine.test_speculation import SEVERAL, Always

if TYPE_CHECKING:
    from core.model.schedule import Schedule

NIGHT = Workload(
    "night",
    (Job("A", Stage.of(4, [40.0, 10.0, 10.0, 10.0])), Job("B", Stage.of(3, 10.0), arrival=12.0)),
)
"""On four slots a copy of A's first map runs from 10 to 20 s, so that the third map of B waits for 8 s."""


@pytest.fixture(autouse=True)
def _known(_known_copying: None, _known_killing: None) -> None:
    register_policy("always", Always)


_known_copying = test_speculation._known
_known_killing = test_preemption._known


def night() -> Schedule:
    return simulate(NIGHT, Cluster(4, 0), PolicyChoice("always"))


def test_an_order_made_by_hand_has_no_copies_and_says_so() -> None:
    """A job moved to the front, or one that comes at a place: neither is what the policy would do then."""
    jobs = (*NIGHT.jobs, Job("C", Stage.of(3, 10.0), arrival=12.0))
    schedule = simulate(Workload("night", jobs), Cluster(3, 0), PolicyChoice("always"))
    begin = begin_of(schedule, 15.0)
    words = [each.words for each in levers_at(begin, task_draws(begin.known, 0.0, None, 1)())]
    assert "move C to the front, without second copies" in words
    with pytest.raises(InputError, match="lets second copies of tasks run, and an order of jobs none"):
        submit(schedule, [Job("late", Stage.of(1, 5.0))], 15.0, place=1, error=0.0, runs=19)


def test_what_is_known_of_two_copies_that_run() -> None:
    """That the first one will have been outrun at 20 s is not known at 15 s."""
    known = known_at(night(), 15.0)
    assert known.copies == (SecondCopy(0, 1, 10.0, 10.0),)
    assert known.has_started.tolist() == [True] * 6 + [False]
    assert known.has_ended.tolist() == [False, True, True, True, False, False, False]
    assert known.duration.longer_than.tolist() == [15, 0, 0, 0, 3, 3, 0]
    assert [column.longer_than[0] for column in known.of_copies] == [0.0, 5.0]


def test_of_a_task_that_was_outrun_only_that_it_takes_longer_is_known() -> None:
    """The first copy had run for 20 s when the second one ended."""
    known = known_at(night(), 25.0)
    assert known.has_ended[0]
    assert not known.duration.is_known[0]
    assert known.duration.longer_than[0] == 20.0
    drawn = [task_draws(known, 0.3, None, 1)().duration[0] for _ in range(5)]
    assert min(drawn) > 20.0


def test_a_copy_that_runs_takes_longer_than_so_far_and_not_as_long_as_the_first_one() -> None:
    draw = task_draws(known_at(night(), 15.0), 0.3, None, 1)
    times = [draw() for _ in range(300)]
    first, second = (np.array([getattr(each, name)[0] for each in times]) for name in ("duration", "copy"))
    assert first.min() > 15.0
    assert second.min() > 5.0
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.4


@pytest.mark.parametrize("policy", ["saves-most", "slowest", "eager", "fewest-left", "latest-first"])
def test_with_known_times_every_draw_is_what_is_simulated(policy: str) -> None:
    schedule = simulate(SEVERAL, Cluster(4, 2), PolicyChoice(policy))
    for time in np.arange(0.0, schedule.makespan, 5.25).tolist():
        found = forecast(schedule, time, error=0.0, runs=19, engine="interpreted")
        assert found.finish.tolist() == [schedule.finish.tolist()] * 19, time
    drawn = forecast(schedule, 12.0, error=0.3, runs=30, engine="interpreted")
    assert len(np.unique(drawn.makespan)) > 20
    late = Job("late", Stage.of(2, 10.0), arrival=13.0)
    joined = submit(schedule, [late], 13.0, error=0.0, runs=19, engine="interpreted")
    whole = simulate(joined.forecast.known.schedule.workload, schedule.cluster, PolicyChoice(policy))
    assert joined.forecast.finish[0].tolist() == whole.finish.tolist()


def test_a_policy_that_suspends_is_not_forecast() -> None:
    schedule = simulate(SEVERAL, Cluster(4, 2), PolicyChoice("fewest-left-suspends"))
    with pytest.raises(InputError, match="not forecast for a policy that suspends running tasks"):
        forecast(schedule, 12.0, runs=19, engine="interpreted")


def tried(schedule: Schedule, time: float) -> dict[str, Any]:
    steps = advise(schedule, time, error=0, runs=19, engine="interpreted")
    return {step.relief.words: step for step in steps}


def test_a_second_copy_is_killed_by_hand() -> None:
    """At 15 s: the third map of B starts then and ends at 25 s instead of 30, A at 40 s instead of 20."""
    step = tried(night(), 15.0)["kill the second copy of map 1 of A"]
    assert step.relief.cluster.killed_copies == (KilledCopy(15.0, "A", 0, 0),)
    assert step.earlier.tolist() == [-20.0, 5.0]
    assert (step.saved, step.disturbance) == (5.0, 20.0 + 5.0)
    whole = simulate(NIGHT, step.relief.cluster, PolicyChoice("always"))
    assert step.after.tolist() == [whole.finish.tolist()] * 19
    assert "jobs end earlier by 5 s together, others end 20 s later" in step.sentence


def test_where_no_copy_runs_none_is_killed() -> None:
    assert not [words for words in tried(night(), 5.0) if words.startswith("kill")]
