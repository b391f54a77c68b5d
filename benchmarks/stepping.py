"""How many decisions a second a program makes with `slotscope.Environment`, step by step and in rollouts.

    python -m benchmarks.stepping [--seconds 3]

Facebook's mix of 50 jobs and the sample of five jobs, with `reset` where an episode ends. The agent takes
the first place at each step, or the job with the shortest tasks by the observation (`argmin`). Seconds are
those of this thread, so that busy neighbours do not count.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import slotscope
from core.engine.stepping import compiled_step

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.simulation.simulate import Engine

WORKLOADS: dict[str, slotscope.Workload] = {
    "50 jobs of Facebook": slotscope.generate("facebook", seed=1, jobs=50),
    "five jobs": slotscope.open("five-jobs"),
}
SHORTEST = 5
"""The column of an observation that has the mean duration of a job's tasks."""


def first(_observation: NDArray[np.float64], _info: dict[str, Any]) -> int:  # Any: as of `step`
    """Take the first place."""
    return 0


def shortest(observation: NDArray[np.float64], info: dict[str, Any]) -> int:  # Any: as of `step`
    """Take the job with the shortest tasks."""
    return int(np.where(info["action_mask"], observation[:, SHORTEST], np.inf).argmin())


def steps(environment: slotscope.Environment, agent: Callable[..., int], seconds: float) -> float:
    """Return how many steps are made in a second of this thread."""
    observation, info = environment.reset(seed=1)
    began, count, took = time.thread_time(), 0, 0.0
    while took < seconds:
        for _ in range(1000):
            observation, _, over, _, info = environment.step(agent(observation, info))
            if over:
                observation, info = environment.reset(seed=1)
        count += 1000
        took = time.thread_time() - began
    return count / took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    seconds = parser.parse_args().seconds
    began = time.thread_time()
    compiled_step()
    print(f"the compiled steps are there after {time.thread_time() - began:.1f} s")
    engines: tuple[Engine, ...] = ("interpreted", "compiled")
    for name, workload in WORKLOADS.items():
        for engine in engines:
            environment = slotscope.Environment(workload, engine=engine)
            found = [steps(environment, agent, seconds) for agent in (first, shortest)]
            print(f"{name}, {engine}: {found[0]:.0f} steps a second, {found[1]:.0f} with an argmin")
        environment.rollout("fifo", engine="compiled")
        began = time.thread_time()
        environment.rollout([0, 0, 0, 0, 0, 1, 0, 0], engine="compiled")
        tasks = workload.map_count + workload.reduce_count
        print(f"{name}, a rollout: {tasks / (time.thread_time() - began):.0f} tasks a second")
    with cProfile.Profile() as profile:
        steps(slotscope.Environment("five-jobs", engine="compiled"), first, 1.0)
    pstats.Stats(profile).sort_stats("tottime").print_stats(8)


if __name__ == "__main__":
    main()
