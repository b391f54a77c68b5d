"""The step environment has the interface of Gymnasium, replays exactly, and can be learned from."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import slotscope
from docs.examples import learning_agent
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

ANYHOW: Any = slotscope.Environment
MAX_LINES = 40


def draw(seed: int) -> slotscope.Workload:
    return slotscope.generate("yahoo", seed=seed, jobs=4)


def environment(**settings: Any) -> slotscope.Environment:
    return slotscope.Environment(draw, map_slots=20, reduce_slots=20, **settings)


def played(env: slotscope.Environment, seed: int | None, luck: int = 3) -> tuple[list[int], list[float]]:
    """Play an episode at random; return the actions and the rewards."""
    random = np.random.default_rng(luck)
    (_, info), over, actions, rewards = env.reset(seed=seed), False, [], []
    while not over:
        actions.append(int(random.integers(info["action_mask"].sum())))
        _, reward, over, stuck, info = env.step(actions[-1])
        assert not stuck
        rewards.append(reward)
    return actions, rewards


@pytest.mark.parametrize("reward", ["makespan", "response"])
def test_rewards_add_up_to_what_the_schedule_lost(reward) -> None:
    env = environment(reward=reward)
    _, rewards = played(env, 7)
    name = {"makespan": "makespan", "response": "mean_response"}[reward]
    assert sum(rewards) == pytest.approx(-env.schedule.metrics[name])
    assert max(rewards) <= 0


def test_the_same_actions_and_the_picks_give_the_same_bits() -> None:
    env, again = environment(), environment()
    actions, rewards = played(env, 7)
    again.reset(seed=7)
    assert [again.step(action)[1] for action in actions] == rewards
    picked = slotscope.simulate(
        env.workload, "by-hand", parameters={"picks": env.picks}, map_slots=20, reduce_slots=20
    )
    for schedule in (again.schedule, picked):
        for column in ("slot", "start", "end"):
            assert getattr(schedule, column).tobytes() == getattr(env.schedule, column).tobytes()


@pytest.mark.parametrize("reward", ["makespan", "response"])
def test_compiled_steps_are_the_same_to_the_last_bit(reward) -> None:
    plain, fast = (environment(reward=reward, engine=engine) for engine in ("interpreted", "compiled"))
    actions, rewards = played(plain, 7)
    observed = fast.reset(seed=7)
    assert observed[0].tobytes() == plain.reset(seed=7)[0].tobytes()
    for action, reward_of_it in zip(actions, rewards, strict=True):
        one, other = plain.step(action), fast.step(action)
        assert one[1:4] == other[1:4]
        assert other[1] == reward_of_it
        assert one[0].tobytes() == other[0].tobytes()
        assert {**one[4], "action_mask": 0} == {**other[4], "action_mask": 0}
        assert one[4]["action_mask"].tolist() == other[4]["action_mask"].tolist()
    assert fast.picks == plain.picks
    assert fast.schedule.end.tobytes() == plain.schedule.end.tobytes()


def test_what_is_kept_of_a_step_is_not_changed_by_the_next() -> None:
    env = slotscope.Environment("five-jobs", engine="compiled")
    first, info = env.reset()
    kept, mask = first.copy(), info["action_mask"].copy()
    env.step(3)
    assert first.tobytes() == kept.tobytes()
    assert info["action_mask"].tolist() == mask.tolist()


def test_what_is_returned_has_the_shape_of_gymnasium() -> None:
    env = environment(choices=3)
    observation, info = env.reset(seed=1, options={})
    assert observation.shape == env.shape == (3, len(env.features))
    assert observation.dtype == np.float64
    while (count := len(info["jobs"])) and count > 1:
        assert info["action_mask"].tolist() == [place < count for place in range(3)]
        assert env.action_masks().tolist() == info["action_mask"].tolist()
        assert not observation[count:].any()
        assert info["slot"] in ("map", "reduce")
        observation, reward, over, stuck, info = env.step(np.int64(count - 1))
        assert [type(each) for each in (reward, over, stuck)] == [float, bool, bool]
    assert over
    assert not info["action_mask"].any()
    assert info["time"] == env.schedule.makespan


def test_seeds_name_the_workload_and_begin_a_series() -> None:
    names = []
    env = slotscope.Environment(lambda seed: names.append(seed) or draw(seed))
    for seed in (5, None, None, 5, None):
        env.reset(seed=seed)
    assert names[0] == names[3] == 5
    assert names[1] == names[4]
    assert len(set(names)) == 3


def test_a_policy_is_rolled_out_as_it_is_simulated() -> None:
    env = environment(reward="response")
    fair = slotscope.simulate(draw(4), "fair", map_slots=20, reduce_slots=20)
    rolled = env.rollout("fair", seed=4)
    assert rolled.reward == -fair.metrics["mean_response"]
    assert rolled.schedule.start.tobytes() == fair.start.tobytes()


def test_nothing_that_can_go_on_is_a_truncated_episode() -> None:
    from tests.builders import make_job, make_workload

    workload = make_workload(make_job("J1", (2, (2.0, 3.0)), (1, 4.0)))
    env = slotscope.Environment(workload, containers=1, slowstart=0.5)
    _, info = env.reset()  # at 2 s; a map of 2.5 s on average is left
    assert info["jobs"] == ("J1", "J1")
    _, reward, over, stuck, info = env.step(1)
    assert (reward, over, stuck) == (-4.5, False, True)
    assert "no task can end" in info["stuck"]


def begun() -> slotscope.Environment:
    env = slotscope.Environment("five-jobs")
    env.reset()
    return env


def ended() -> slotscope.Environment:
    env = slotscope.Environment("five-jobs")
    played(env, 1)
    return env


WRONG: dict[str, Callable[[], object]] = {
    "action 5 is no choice: 5 jobs could have the map slot, 0 to 4": lambda: begun().step(5),
    "action -1 is no choice": lambda: begun().step(-1),
    "action True is no choice": lambda: begun().step(True),
    "action 0.5 is no choice": lambda: begun().step(0.5),  # type: ignore[arg-type]
    "the episode is over; begin the next one with reset()": lambda: ended().step(0),
    "no episode has begun; begin one with reset()": lambda: slotscope.Environment("five-jobs").step(0),
    "reward is 'makspan'; choose one of makespan, response; did you mean": lambda: ANYHOW(
        "five-jobs", reward="makspan"
    ),
    "choices is 1; give a whole number from 2": lambda: ANYHOW("five-jobs", choices=1),
    "seed is -3; give a whole number from 0": lambda: ANYHOW("five-jobs").reset(seed=-3),
    "seed is 'x'": lambda: ANYHOW("five-jobs").reset(seed="x"),
    "unknown file or sample 'five-job'": lambda: ANYHOW("five-job"),
    "a workload cannot be 3": lambda: ANYHOW(3),
    "unknown setting of a cluster 'map_slot'": lambda: ANYHOW("five-jobs", map_slot=3),
    "the function for workloads returned 7 for seed 0": lambda: ANYHOW(lambda seed: 7).reset(seed=0),
    "weights are [1, 2]; give 8 numbers": lambda: ANYHOW("five-jobs").rollout([1, 2]),
    "unknown policy 'fiffo'": lambda: ANYHOW("five-jobs").rollout("fiffo"),
    "the package gymnasium is not installed": lambda: slotscope.gymnasium_environment("five-jobs"),
}


@pytest.mark.parametrize("sentence", WRONG)
def test_what_is_wrong_is_a_sentence(sentence: str, monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(slotscope.InputError) as caught:
        WRONG[sentence]()
    assert sentence in str(caught.value)


def test_gymnasium_is_given_its_spaces(monkeypatch) -> None:
    """Of a stand-in: the real one need not be installed."""
    stand_in: Any = ModuleType("gymnasium")

    class Env:
        def reset(self, *, seed=None, options=None):
            self.seeded = seed

    stand_in.Env = Env
    stand_in.spaces = SimpleNamespace(Box=lambda *given: ("box", *given), Discrete=lambda n: ("discrete", n))
    monkeypatch.setitem(sys.modules, "gymnasium", stand_in)
    env = slotscope.gymnasium_environment("five-jobs", choices=6)
    assert env.action_space == ("discrete", 6)
    assert env.observation_space == ("box", -np.inf, np.inf, (6, 8), np.float64)
    observation, info = env.reset(seed=3)
    assert (env.seeded, observation.shape, info["jobs"][0]) == (3, (6, 8), "J1")
    assert env.action_masks().tolist() == [True] * 5 + [False]
    assert env.step(4)[4]["time"] == 0
    assert env.environment.schedule.core.sequence.tolist() == [240]


def test_the_example_learns_to_beat_fifo_where_it_has_not_learned() -> None:
    weights = learning_agent.learn()
    new = list(learning_agent.NEW)
    assert not set(new) & set(learning_agent.LEARNED_FROM)
    learned = [learning_agent.play(weights, seed) for seed in new]
    fifo = [-learning_agent.ENVIRONMENT.rollout("fifo", seed=seed).reward for seed in new]
    assert np.mean(learned) < 0.8 * np.mean(fifo)
    assert sum(ours < theirs for ours, theirs in zip(learned, fifo, strict=True)) >= 18


def test_the_example_is_short() -> None:
    path = ROOT / "docs" / "examples" / "learning_agent.py"
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES
