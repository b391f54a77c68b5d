"""An agent that learns which job to serve, and is tried on workloads that it has not learned from."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

import slotscope

LEARNED_FROM, NEW = range(6), range(100, 120)
draw = cache(lambda seed: slotscope.generate("facebook", seed=seed, jobs=12))
ENVIRONMENT = slotscope.Environment(draw, reward="response", map_slots=16, reduce_slots=16)


def learn(rounds: int = 8, agents: int = 20, best: int = 5) -> NDArray[np.float64]:
    """Draw weights, keep the best, and draw around them: the cross-entropy method."""
    (seen, info), random = ENVIRONMENT.reset(seed=0), np.random.default_rng(1)
    size = seen[info["action_mask"]].std(axis=0) + 1.0
    centre, width = np.zeros(len(size)), np.ones(len(size))
    for _ in range(rounds):
        tried = random.normal(centre, width, (agents, len(size)))
        rewards = [sum(ENVIRONMENT.rollout(w / size, seed=s).reward for s in LEARNED_FROM) for w in tried]
        kept = tried[np.argsort(rewards)[-best:]]
        centre, width = kept.mean(axis=0), kept.std(axis=0) + 0.05
    return np.asarray(centre / size)


def play(weights: NDArray[np.float64], seed: int) -> float:
    """Schedule a workload step by step, and return the mean response of its jobs, in seconds."""
    (seen, info), total, over = ENVIRONMENT.reset(seed=seed), 0.0, False
    while not over:
        action = np.where(info["action_mask"], seen @ weights, np.inf).argmin()
        seen, reward, over, _, info = ENVIRONMENT.step(int(action))
        total -= reward
    return total
