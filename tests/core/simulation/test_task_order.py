"""A policy may say in which order the tasks of a job start; all else goes by their numbers as before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.explain.instant import instant_at, instant_of
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.errors import PolicyError, StalledError
from core.model.job import Job
from core.model.parameters import Parameter
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.policies import registry
from core.policies.policy import Policy
from core.simulation.fork import fork_of, simulate_fork
from tests import naive
from tests.builders import run
from tests.core.engine.compared import ENGINES, columns, naive_columns
from tests.core.engine.rules import RULES
from tests.core.engine.strategies import Case, cases
from tests.random_tests import examples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


class LongestTask(Policy):
    """FIFO, the longest tasks of a job first."""

    id = "longest-task-here"

    @staticmethod
    def task_key(duration: Floats) -> Floats:
        return -duration


class OddTask(Policy):
    """The earliest deadline first; of a job's tasks those with an odd number, then by every column."""

    id = "odd-task-here"
    order = "deadline"
    parameters = (Parameter("odd", "integer", 1, "Which remainder goes first."),)

    @staticmethod
    def task_key(
        number: NDArray[np.int64],
        kind: NDArray[np.int8],
        first_shuffle: Floats,
        typical_shuffle: Floats,
        odd: int,
    ) -> tuple[NDArray[Any], ...]:
        return (number % 2 != odd, kind, first_shuffle, -typical_shuffle)


class BadTask(Policy):
    """Divides by a duration."""

    id = "bad-task-here"

    @staticmethod
    def task_key(duration: Floats) -> list[float]:
        return [1 / seconds for seconds in duration.tolist()]


class Strange(Policy):
    """Asks for what a task has not."""

    id = "strange-task-here"

    @staticmethod
    def task_key(length: Floats) -> Floats:
        return length


class NoKey(Policy):
    """Forgets to return something."""

    id = "no-task-here"

    @staticmethod
    def task_key(duration: Floats) -> None:
        pass


def longest(task: naive.Task) -> Any:
    return -task.seconds


def odd(task: naive.Task) -> Any:
    number = task.job.tasks(task.kind).index(task)
    return (number % 2 == 0, task.first_shuffle, -task.typical_shuffle)


TWINS = {LongestTask.id: ("fifo", longest), OddTask.id: ("edf-max", odd)}


@pytest.fixture(autouse=True, scope="module")
def known() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        mine = (LongestTask, OddTask, BadTask, Strange, NoKey)
        patch.setattr(registry, "POLICIES", (*registry.POLICIES, *mine))
        yield


def simulations(case: Case, policy: str) -> naive.Run:
    served, key = TWINS[policy]
    return naive.Run(case.workload, case.cluster, served, task_key=key).run()


@examples(30)
@given(case=cases(policies=("fifo",)), policy=st.sampled_from(tuple(TWINS)))
def test_equal_to_the_naive_twin(case: Case, policy: str) -> None:
    if case.cluster.shuffle_model == "mumak":
        policy = LongestTask.id  # its twin has no shuffles there, the hook sees what the workload says
    twin = simulations(case, policy)
    for engine in ENGINES:
        if twin.stalled:
            with pytest.raises(StalledError):
                run(case.workload, case.cluster, policy, engine=engine)
            continue
        schedule = run(case.workload, case.cluster, policy, engine=engine)
        assert columns(schedule) == naive_columns(twin), engine
        assert [broken for rule in RULES for broken in rule(schedule)] == []
        starts = schedule.start[schedule.by_stage]
        of_stage = np.repeat(np.arange(2 * len(case.workload.jobs)), case.workload.columns.count.ravel())
        assert not ((np.diff(starts) < 0) & (np.diff(of_stage) == 0)).any()


def by_hand() -> Workload:
    return Workload("by hand", (Job("J1", Stage.of(5, [1, 2, 3, 4, 5]), Stage.of(2, [1, 3])),))


def test_longest_first_by_hand() -> None:
    """Two map slots: 5 and 4, then 3 behind 4, 2 behind 5, 1 at 7; reduces 3 and 1 on two slots."""
    schedule = run(by_hand(), Cluster(2, 2, slowstart=1.0), LongestTask.id)
    assert schedule.start.tolist() == [7, 5, 4, 0, 0, 8, 8]
    assert schedule.slot.tolist() == [0, 0, 1, 1, 0, 3, 2]
    assert schedule.sequence.tolist() == [4, 3, 2, 1, 0, 6, 5]
    assert schedule.by_stage.tolist() == [4, 3, 2, 1, 0, 6, 5]
    assert schedule.job_wave(0, MAP).tolist() == [3, 2, 2, 1, 1]
    assert schedule.job_wave(0, REDUCE).tolist() == [1, 1]


def test_equal_keys_keep_the_numbers() -> None:
    """A key that tells nothing apart is no order at all."""
    workload = Workload("equal", (Job("J1", Stage.of(5, 2.0), Stage.of(3, 1.0)),))
    assert run(workload, Cluster(2, 2), LongestTask.id).task_order is None


@examples(20)
@given(
    case=cases(policies=("fifo",)),
    policies=st.sampled_from(
        [(LongestTask.id, "fifo"), ("fifo", OddTask.id), (OddTask.id, LongestTask.id), (OddTask.id,) * 2]
    ),
    time=st.sampled_from((0.0, 1.0, 2.0, 3.5, 7.0)),
    engine=st.sampled_from(ENGINES),
)
def test_a_fork_keeps_what_has_started(
    case: Case, policies: tuple[str, str], time: float, engine: Any
) -> None:
    """Behind it, the tasks that are left start in the order of the new policy."""
    try:
        first = run(case.workload, case.cluster, policies[0], engine=engine)
        fork = fork_of(first, time)
        other = simulate_fork(case.workload, case.cluster, PolicyChoice(policies[1]), fork, engine=engine)
    except StalledError:
        return
    kept = first.sequence[: int((first.start < time).sum())]
    assert other.sequence[: len(kept)].tolist() == kept.tolist()
    assert other.start[kept].tolist() == first.start[kept].tolist()
    assert [broken for rule in RULES for broken in rule(other)] == []
    wanted = run(case.workload, case.cluster, policies[1], engine=engine).by_stage.tolist()
    stages = (2 * case.workload.columns.job.astype(int) + case.workload.columns.kind).tolist()
    for stage in set(stages):
        left = [t for t in other.by_stage.tolist() if stages[t] == stage and t not in set(kept.tolist())]
        assert left == [t for t in wanted if stages[t] == stage and t in set(left)]
    replayed = Replay(other).at(time)
    assert instant_of(replayed).slot_task.tolist() == instant_at(other, time).slot_task.tolist()
    if policies[0] == policies[1]:
        assert columns(other) == columns(first)


def test_a_replay_names_tasks_by_number() -> None:
    schedule = run(by_hand(), Cluster(2, 2, slowstart=1.0), LongestTask.id)
    assert instant_of(Replay(schedule).at(4.5)).slot_task.tolist() == [4, 2, -1, -1]


def test_what_a_task_key_does_wrong_is_a_sentence() -> None:
    workload = Workload("zero", (Job("J1", Stage.of(2, [0, 1])),))
    with pytest.raises(PolicyError, match="bad-task-here: task_key raised ZeroDivisionError"):
        run(workload, Cluster(1, 1), BadTask.id)
    with pytest.raises(PolicyError, match="task_key asks for 'length', which it cannot be given"):
        run(workload, Cluster(1, 1), Strange.id)
    with pytest.raises(PolicyError, match="task_key returned None; return a number for every one of the 2"):
        run(workload, Cluster(1, 1), NoKey.id)
