"""A workload that a program schedules step by step, to learn how: the interface of Gymnasium, without it."""

from __future__ import annotations

import importlib
import os
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, Unpack

from core.model.errors import InputError, did_you_mean, shorten_repr
from slotscope.schedules import ScheduleResult
from slotscope.sentences import in_sentences
from slotscope.workloads import ClusterChanges, changed, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.compiled_steps import CompiledSteps
    from core.simulation.simulate import Engine
    from core.simulation.stepped_run import Reward, SteppedRun
    from slotscope.policies import PolicyGiven
    from slotscope.workloads import Source

    Info = dict[str, Any]  # Any: numbers, texts and a column
    Observation = NDArray[np.float64]

DEFAULT_CHOICES = 32
MAX_CHOICES = 100_000
MAX_SEED = 2**31
MAX_TUPLES = 10_000
"""Of names of candidates that are kept; then it begins anew."""


class Rollout(NamedTuple):
    """A whole episode that a policy played.

    Attributes
    ----------
    reward : the sum of its rewards, in seconds: minus the makespan or the mean response
    schedule : what came out
    """

    reward: float
    schedule: ScheduleResult


class Environment:
    """A workload of which every free slot that several jobs could have is given to one of them by `step`.

    An *action* is the place of a job among those that could have the slot, from 0: the one that arrived first
    stands in front. An *observation* has a row for each of them and a column for each of `features`; rows
    behind the last one are 0, and `action_masks` says which these are. The *reward* is minus the seconds that
    have passed since the step before, so that all rewards add up to minus the makespan; with
    ``reward="response"`` to minus the mean response of the jobs. Slots for which there is one job alone go to
    it without a step, and none is left free. Durations are those of the workload: what is observed is exact.

    Parameters
    ----------
    source : a workload as of `slotscope.simulate`, the same in every episode; or a function that returns one
        for a seed, ``lambda seed: slotscope.generate("facebook", seed=seed, jobs=10)``
    reward : "makespan" or "response"
    choices : rows of an observation; if more jobs wait, those that arrived first are shown
    engine : "compiled", "interpreted", or "auto": steps are compiled once a process has made so many that it
        pays; what is seen and what comes out is the same to the last bit
    cluster : what differs from the workload's cluster, as of `slotscope.simulate`

    Attributes
    ----------
    choices, reward : as given
    features : the columns of an observation: kind (0 for maps, 1 for reduces), waited (seconds since the job
        arrived), left and other_left (tasks of this and of the other kind that have not started), running
        (tasks of the job), seconds (mean duration of its tasks of this kind, with their shuffle),
        seconds_left and other_seconds_left (of the tasks that have not started, together)

    Raises
    ------
    InputError
        something that is given is wrong

    Examples
    --------
    >>> import slotscope
    >>> environment = slotscope.Environment("five-jobs")
    >>> observation, info = environment.reset(seed=1)
    >>> info["jobs"], info["slot"], info["time"]
    (('J1', 'J2', 'J3', 'J4', 'J5'), 'map', 0.0)
    >>> total, over = 0.0, False
    >>> while not over:
    ...     observation, reward, over, _, info = environment.step(0)
    ...     total += reward
    >>> total, environment.schedule.makespan, slotscope.simulate("five-jobs", "fifo").makespan
    (-74.0, 74.0, 74.0)

    What was picked leads to the same schedule again, bit by bit:

    >>> picks = environment.picks
    >>> slotscope.simulate("five-jobs", "by-hand", parameters={"picks": picks}).makespan
    74.0
    """

    @in_sentences
    def __init__(
        self,
        source: Source | Callable[[int], Workload],
        *,
        reward: Reward = "makespan",
        choices: int = DEFAULT_CHOICES,
        engine: Engine = "auto",
        **cluster: Unpack[ClusterChanges],
    ) -> None:
        import numpy as np

        from core.simulation.stepped_run import FEATURES, REWARDS

        if reward not in REWARDS:
            rule = f"choose one of {', '.join(REWARDS)}{did_you_mean(str(reward), REWARDS)}"
            raise InputError(f"reward is {shorten_repr(reward)}; {rule}")
        self.choices = _whole(choices, "choices", 2, MAX_CHOICES)
        self.reward: Reward = reward
        self.features: tuple[str, ...] = tuple(FEATURES)
        self._source, self._changes = source, cluster
        self._same: Workload | None = None
        if isinstance(source, str | os.PathLike) or not callable(source):
            self._same = opened(source).workload
            changed(self._same.cluster, cluster)
        self._seeds: np.random.Generator | None = None
        self._run: SteppedRun | CompiledSteps | None = None
        self._engine: Engine = engine
        self._lost = 0.0
        self._places = np.arange(self.choices)
        self._names: list[str] = []
        self._tuples: dict[bytes, tuple[str, ...]] = {}

    # ---- the interface of Gymnasium

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of an observation: choices and features."""
        return self.choices, len(self.features)

    @in_sentences
    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observation, Info]:
        """Begin an episode, and return what is seen first.

        Parameters
        ----------
        seed : of the workload, if `source` is a function; without one the next of a series that the last
            seed began
        options : there are none; Gymnasium passes them
        """
        self._begin(seed)
        return self._seen(self._now())

    @in_sentences
    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, Info]:
        """Give the slot to a job: return what is seen next, the reward, and whether all tasks have started.

        The second truth says that nothing can go on: tasks that run wait for others that find no slot. Then
        the durations of all tasks that are left are taken off the reward as well: no schedule takes longer.

        Raises
        ------
        InputError
            there is no such choice, or the episode is over
        """
        run = self._run or self._now()
        if not run.count:
            raise InputError("the episode is over; begin the next one with reset()")
        if not _is_place(action, count := min(run.count, self.choices)):
            slot = self._words[run.slot_kind]
            raise InputError(
                f"action {shorten_repr(action)} is no choice: {count} jobs could have the {slot} slot, 0 to "
                f"{count - 1}"
            )
        run.give(int(action))
        before, self._lost = self._lost, run.lost
        observation, info = self._seen(run)
        if run.stuck:
            return observation, before - run.lost - run.seconds_left(), False, True, info
        return observation, before - run.lost, not run.count, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are choices now, (choices,), as maskable agents ask for it."""
        return self._places < self._now().count

    # ---- what came out

    @property
    def workload(self) -> Workload:
        """The workload of this episode."""
        return self._now().workload

    @property
    def cluster(self) -> Cluster:
        """The cluster of this episode."""
        return self._now().cluster

    @property
    def schedule(self) -> ScheduleResult:
        """What has been scheduled in this episode."""
        return ScheduleResult(self._played())

    @property
    def picks(self) -> str:
        """What was picked in this episode, as the policy ``by-hand`` reads it."""
        from core.policies.by_hand import picks_of

        return picks_of(self._played(), dated=())

    # ---- whole episodes, as fast as the simulator is

    @in_sentences
    def rollout(
        self,
        agent: Sequence[float] | NDArray[np.float64] | PolicyGiven,
        *,
        seed: int | None = None,
        parameters: Mapping[str, Any] | None = None,  # Any: each policy has its own
        engine: Engine = "auto",
        trust: bool = False,
    ) -> Rollout:
        """Play an episode without stopping, as fast as the simulator is, and return its reward and schedule.

        Parameters
        ----------
        agent : a weight for each feature: the job with the smallest weighted sum of its row gets the slot, of
            equal ones the first; or a policy as of `slotscope.simulate`
        seed : as of `reset`
        parameters : of a policy
        engine : "compiled", "interpreted", or "auto": compiled where that is faster
        trust : whether the code of a policy file may run

        Examples
        --------
        The job with the shortest tasks goes first:

        >>> import slotscope
        >>> environment = slotscope.Environment("five-jobs")
        >>> environment.rollout([0, 0, 0, 0, 0, 1, 0, 0]).reward
        -47.0
        """
        from core.model.schedule import PolicyChoice
        from core.policies.policy import Policy
        from core.simulation.simulate import simulate
        from core.simulation.stepped_run import weighed
        from slotscope.policies import policy_id

        if isinstance(agent, str | os.PathLike) or (isinstance(agent, type) and issubclass(agent, Policy)):
            choice = PolicyChoice(policy_id(agent, trust=trust), dict(parameters or {}))
        else:
            choice = weighed(agent)
        workload, cluster = self._next(seed)
        schedule = simulate(workload, cluster, choice, engine=engine)
        return Rollout(-_cost_of(schedule, self.reward), ScheduleResult(schedule))

    # ---- how

    def _next(self, seed: int | None) -> tuple[Workload, Cluster]:
        """Return the workload of the next episode, and its cluster."""
        import numpy as np

        from core.model.workload import Workload

        if seed is not None or self._seeds is None:
            seed = _whole(0 if seed is None else seed, "seed", 0, MAX_SEED)
            self._seeds = np.random.default_rng(seed)
        else:
            seed = int(self._seeds.integers(MAX_SEED))
        workload = self._same if self._same is not None else self._source(seed)  # type: ignore[operator]
        if not isinstance(workload, Workload):
            raise InputError(
                f"the function for workloads returned {shorten_repr(workload)} for seed {seed}; return what "
                "slotscope.generate or slotscope.open returns"
            )
        return workload, changed(workload.cluster, self._changes)

    def _begin(self, seed: int | None) -> None:
        from core.simulation.compiled_steps import stepped

        self._run = stepped(*self._next(seed), self.choices, self.reward, self._engine)
        self._words, self._lost = _words(self._run.cluster), 0.0
        names = [job.name for job in self._run.workload.jobs]
        if names != self._names:
            self._names, self._tuples = names, {}

    def _now(self) -> SteppedRun | CompiledSteps:
        if self._run is None:
            raise InputError("no episode has begun; begin one with reset()")
        return self._run

    def _seen(self, run: SteppedRun | CompiledSteps) -> tuple[Observation, Info]:
        info: Info = {
            "action_mask": self._places < run.count,
            "jobs": self._named(run.jobs[: run.count]),
            "slot": self._words[run.slot_kind],
            "time": run.now,
        }
        if run.stuck:
            info["stuck"] = run.stuck
        return run.seen.copy(), info

    def _named(self, jobs: NDArray[np.int64]) -> tuple[str, ...]:
        """Return the names of jobs; the same ones are asked for again and again."""
        key = jobs.tobytes()
        if (known := self._tuples.get(key)) is None:
            if len(self._tuples) >= MAX_TUPLES:
                self._tuples.clear()
            known = self._tuples[key] = tuple([self._names[job] for job in jobs.tolist()])
        return known

    def _played(self) -> Schedule:
        return self._now().schedule()


def _cost_of(schedule: Schedule, reward: Reward) -> float:
    from core.measures.metrics import response_times

    return schedule.makespan if reward == "makespan" else float(response_times(schedule).mean())


def _words(cluster: Cluster) -> tuple[str, ...]:
    """Return what slots of either type are called."""
    from core.model.task_types import KIND_WORDS

    return ("free", "free") if cluster.has_containers else KIND_WORDS


def _is_place(action: object, count: int) -> bool:
    """Whether an action is the place of one of so many jobs; numbers of numpy are, too."""
    try:
        place = action.__index__()  # type: ignore[attr-defined]
    except AttributeError:
        return False
    return not isinstance(action, bool) and 0 <= place < count


def _whole(value: object, name: str, low: int, high: int) -> int:
    try:
        number = int(value.__index__())  # type: ignore[attr-defined]
    except AttributeError:
        number = low - 1
    if isinstance(value, bool) or not low <= number <= high:
        raise InputError(f"{name} is {shorten_repr(value)}; give a whole number from {low} to {high}")
    return number


@in_sentences
def gymnasium_environment(
    source: Source | Callable[[int], Workload],
    *,
    reward: Reward = "makespan",
    choices: int = DEFAULT_CHOICES,
    **cluster: Unpack[ClusterChanges],
) -> Any:  # of a class that is made from a package that need not be installed
    """Return an `Environment` as a ``gymnasium.Env``, with its spaces; Gymnasium has to be installed.

    Parameters
    ----------
    source, reward, choices, cluster : as of `Environment`

    Raises
    ------
    InputError
        it is not, or something that is given is wrong
    """
    try:
        gymnasium = importlib.import_module("gymnasium")
    except ImportError:
        rule = "pip install gymnasium, or use slotscope.Environment, which has the same methods"
        raise InputError(f"the package gymnasium is not installed; {rule}") from None
    import numpy as np

    inner = Environment(source, reward=reward, choices=choices, **cluster)

    class Adapted(gymnasium.Env):  # type: ignore[misc, name-defined]
        observation_space = gymnasium.spaces.Box(-np.inf, np.inf, inner.shape, np.float64)
        action_space = gymnasium.spaces.Discrete(inner.choices)
        environment = inner

        def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Observation, Info]:
            super().reset(seed=seed)
            return inner.reset(seed=seed)

        def step(self, action: int) -> tuple[Observation, float, bool, bool, Info]:
            return inner.step(action)

        def action_masks(self) -> NDArray[np.bool_]:
            return inner.action_masks()

    return Adapted()
