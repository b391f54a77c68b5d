"""Applications of a Spark driver, drawn from a seed: what tasks take, what reads what, what waits for what.

A description is JSON that Application.scala runs: datasets (`reads` by a shuffle, or `narrow` without one;
`tasks` are seconds that each task sleeps), and threads of a driver, whose steps think, count a dataset or run
a query.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

WORK, MAX_WORK = 110.0, 180.0
"""Seconds that the tasks of an application take together: 28 to 45 s on four slots."""
MEAN, MEAN_OF_EXECUTORS = 0.5, 1.0
"""Seconds that they take at least on average: what Spark spends on a task shall be little beside it.

Executors that are processes of their own each read every stage, and share what cores this machine has.
"""
CORES = 4
"""Of one executor, where there are several."""
SHORTEST, LONGEST = 0.15, 4.0
"""Seconds of a task that is no straggler."""

Description = dict[str, Any]
"""What is written as JSON, so its values are of any of its types."""


@dataclass(slots=True)
class Drawn:
    """An application as it is drawn; `description` is its JSON.

    Attributes
    ----------
    name : its kind and its seed
    draw : the generator of all its numbers
    has_cluster : whether executors are processes of their own, with four cores each
    comes_and_goes : whether executors do
    retries : the most attempts of a task
    pools : of FAIR: name, weight and minimum share
    """

    name: str
    draw: np.random.Generator
    has_cluster: bool = False
    comes_and_goes: bool = False
    task_cores: int = 1
    retries: int = 1
    settings: dict[str, str] = field(default_factory=dict)
    datasets: list[Description] = field(default_factory=list)
    threads: list[Description] = field(default_factory=list)
    pools: list[tuple[str, int, int]] = field(default_factory=list)

    @property
    def description(self) -> Description:
        """What Application.scala reads."""
        steps = [step for thread in self.threads for step in thread["steps"]]
        return {
            "name": self.name,
            "settings": self.settings,
            "datasets": self.datasets,
            "threads": self.threads,
            "has_queries": any("query" in step for step in steps),
        }

    def slots(self, cores: int) -> int:
        """Return how many tasks run at once on so many cores."""
        return cores // self.task_cores

    def master(self, cores: int) -> str:
        """Return the name of the cluster on which Spark runs with so many cores."""
        if self.has_cluster:
            return f"local-cluster[{cores // CORES},{CORES},1024]"
        return f"local[{cores},4]" if self.retries > 1 else f"local[{cores}]"

    def settings_on(self, cores: int) -> dict[str, str]:
        """Return the settings for so many cores."""
        more: dict[str, str] = {}
        if self.has_cluster:
            more |= {"spark.executor.cores": str(CORES), "spark.executor.memory": "512m"}
            more["spark.executor.extraJavaOptions"] = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
        if self.comes_and_goes:
            more["spark.dynamicAllocation.maxExecutors"] = str(cores // CORES)
        return self.settings | more

    @property
    def fair_scheduler(self) -> str:
        """The allocation file of its pools."""
        rows = "".join(
            f'<pool name="{name}"><schedulingMode>FIFO</schedulingMode><weight>{weight}</weight>'
            f"<minShare>{least}</minShare></pool>"
            for name, weight, least in self.pools
        )
        return f"<allocations>{rows}</allocations>"

    # ---- what is drawn

    def seconds(self, tasks: int, median: float = 0.7, spread: float = 0.5) -> list[float]:
        """Return what so many tasks take: lognormal, without stragglers."""
        drawn = median * np.exp(self.draw.normal(0.0, spread, tasks))
        return [round(float(each), 3) for each in np.clip(drawn, SHORTEST, LONGEST)]

    def whole(self, least: int, most: int) -> int:
        """Return a whole number, both ends among them."""
        return int(self.draw.integers(least, most + 1))

    def dataset(self, tasks: list[float], reads: tuple[str, ...] = (), **more: object) -> str:
        """Add a dataset and return its name."""
        name = f"d{len(self.datasets)}"
        self.datasets.append({"name": name, "reads": list(reads), "tasks": tasks, **more})
        return name

    def graph(self, stages: int, tasks: tuple[int, int] = (2, 18)) -> str:
        """Add a random graph of datasets; return the last one, which all others lead to.

        Half of what a stage reads has not been read before, so that graphs are neither chains nor bushes.
        """
        names: list[str] = []
        unread: list[str] = []
        for place in range(stages):
            is_last = place == stages - 1
            reads: list[str] = list(unread) if is_last else []
            if names and not is_last and self.draw.random() < 0.7:
                from_all = self.draw.random() < 0.5 or not unread
                several = names if from_all else unread
                count = min(self.whole(1, 3), len(several))
                reads = [several[i] for i in self.draw.choice(len(several), count, replace=False)]
            median = float(self.draw.uniform(0.4, 1.2))
            name = self.dataset(self.seconds(self.whole(*tasks), median), tuple(reads))
            unread = [each for each in unread if each not in reads] + [name]
            names.append(name)
        return names[-1]

    def two_stages(self, tasks: tuple[int, int] = (4, 20)) -> str:
        """Add a stage and one that reads it; return the latter."""
        first = self.dataset(self.seconds(self.whole(*tasks)))
        return self.dataset(self.seconds(self.whole(2, 8)), (first,))

    def think(self, median: float = 0.8) -> Description:
        """Return a step in which the driver does something else."""
        return {"think": round(min(float(median * np.exp(self.draw.normal(0.0, 0.6))), 5.0), 3)}

    def thread(self, steps: list[Description], pool: str | None = None) -> None:
        """Add a thread of the driver."""
        self.threads.append({"steps": steps} | ({} if pool is None else {"pool": pool}))

    def scaled(self) -> None:
        """Make the tasks longer or shorter, so that all together take `WORK`, and not too little each."""
        steps = [step for thread in self.threads for step in thread["steps"]]
        counted = [step["count"] for step in steps if "count" in step]
        by_name = {each["name"]: each for each in self.datasets}
        seen: set[str] = set()
        work = sum(self._work(by_name, name, seen) for name in counted)
        tasks = sum(len(by_name[name]["tasks"]) for name in seen)
        wanted = (MEAN_OF_EXECUTORS if self.has_cluster else MEAN) * tasks
        factor = min(max(WORK, wanted), MAX_WORK) / self.task_cores / work
        for each in self.datasets:
            each["tasks"] = [round(min(max(s * factor, SHORTEST), 3 * LONGEST), 3) for s in each["tasks"]]

    def _work(self, by_name: dict[str, Description], name: str, seen: set[str]) -> float:
        if name in seen:
            return 0.0
        seen.add(name)
        dataset = by_name[name]
        return float(sum(dataset["tasks"])) + sum(
            self._work(by_name, each, seen) for each in dataset["reads"]
        )


# ---- kinds


def graphs(one: Drawn) -> None:
    """Some jobs one after the other, each a random graph of stages."""
    steps = []
    for _ in range(one.whole(1, 3)):
        steps += [{"count": one.graph(one.whole(4, 9))}, one.think()]
    one.thread(steps)


def chain(one: Drawn) -> None:
    """Jobs of two stages, one after the other, with think times between."""
    one.thread([step for _ in range(one.whole(6, 9)) for step in ({"count": one.two_stages()}, one.think())])


def thinking(one: Drawn) -> None:
    """A driver that thinks about as long as its jobs run."""
    jobs = one.whole(4, 6)
    one.thread([step for _ in range(jobs) for step in ({"count": one.two_stages()}, one.think(2.0))])


def threads(one: Drawn) -> None:
    """Several threads of one driver, each with jobs one after the other."""
    for _ in range(one.whole(2, 5)):
        steps = [one.think(0.5)]
        for _ in range(one.whole(2, 4)):
            stages = one.whole(1, 3)
            steps += [{"count": one.graph(stages, (3, 14))}, one.think(0.5)]
        one.thread(steps)


def pools(one: Drawn) -> None:
    """Threads in pools of their own that share the slots by weight and minimum share."""
    threads(one)
    one.pools = [
        (f"pool{place}", one.whole(1, 4), one.whole(0, 2) * one.whole(0, 1))
        for place in range(one.whole(2, 3))
    ]
    for place, thread in enumerate(one.threads):
        thread["pool"] = one.pools[place % len(one.pools)][0]
    one.settings["spark.scheduler.mode"] = "FAIR"


def one_stage(one: Drawn) -> None:
    """Jobs of one stage each."""
    steps = []
    for _ in range(one.whole(5, 10)):
        steps += [{"count": one.dataset(one.seconds(one.whole(3, 30)))}, one.think(0.5)]
    one.thread(steps)


def cached(one: Drawn) -> None:
    """Rounds over a dataset that is kept, each of two stages."""
    tasks = one.whole(8, 24)
    kept = one.dataset(one.seconds(tasks), cached=True)
    steps: list[Description] = [{"count": kept}]
    for _ in range(one.whole(4, 8)):
        first = one.dataset(one.seconds(tasks, 0.5), (kept,), narrow=True)
        steps += [{"count": one.dataset(one.seconds(one.whole(2, 8), 0.5), (first,))}, one.think(0.2)]
    one.thread(steps)


def skewed(one: Drawn) -> None:
    """Stages in which one task takes many times as long as the others."""
    steps = []
    for _ in range(one.whole(2, 4)):
        name = one.graph(one.whole(2, 4), (6, 24))
        tasks = one.datasets[-1 - one.whole(0, 1)]["tasks"]
        tasks[one.whole(0, len(tasks) - 1)] = round(float(one.draw.uniform(5.0, 9.0)), 3)
        steps += [{"count": name}, one.think(0.5)]
    one.thread(steps)


def retries(one: Drawn) -> None:
    """Tasks of which the first attempt fails half-way."""
    one.retries = 4
    steps = []
    for _ in range(one.whole(2, 4)):
        steps += [{"count": one.graph(one.whole(2, 5))}, one.think(0.5)]
    for dataset in one.datasets:
        tasks = np.arange(len(dataset["tasks"]))
        dataset["failing"] = [int(each) for each in tasks[one.draw.random(len(tasks)) < 0.12]]
    one.thread(steps)


def task_cores(one: Drawn) -> None:
    """Tasks that occupy two cores each."""
    one.task_cores = 2
    one.settings["spark.task.cpus"] = "2"
    graphs(one)


def executors(one: Drawn) -> None:
    """Executors that are processes of their own, all there before the first job."""
    one.has_cluster = True
    graphs(one)


def growing(one: Drawn) -> None:
    """Executors that are added while tasks wait, and stay."""
    one.has_cluster = one.comes_and_goes = True
    one.settings |= {
        "spark.dynamicAllocation.enabled": "true",
        "spark.dynamicAllocation.shuffleTracking.enabled": "true",
        "spark.dynamicAllocation.minExecutors": "1",
        "spark.dynamicAllocation.schedulerBacklogTimeout": "1s",
    }
    steps: list[Description] = []
    for place in range(one.whole(3, 5)):
        stages = 1 if place % 2 == 0 else one.whole(2, 3)
        steps += [{"count": one.graph(stages, (10, 30))}, one.think(3.0)]
    one.thread(steps)


def dynamic(one: Drawn) -> None:
    """Executors that are added while tasks wait, and removed where they idle for 2 to 4 s."""
    one.settings["spark.dynamicAllocation.executorIdleTimeout"] = f"{one.whole(2, 4)}s"
    growing(one)


def _queries(one: Drawn) -> None:
    steps: list[Description] = []
    for _ in range(2):
        partitions, keys, groups = one.whole(10, 24), one.whole(40, 70), one.whole(5, 11)
        rows = partitions * one.whole(12, 24)
        query = {
            "rows": rows,
            "partitions": partitions,
            "keys": keys,
            "groups": groups,
            "name_partitions": one.whole(3, 8),
            "broadcast": bool(one.draw.random() < 0.4),
            "sleeps": [
                [round(each / 20, 4) for each in one.seconds(rows, 0.7, 0.8)],
                [round(each / 10, 4) for each in one.seconds(keys, 0.7, 0.6)],
                [round(each / 4, 4) for each in one.seconds(keys, 0.7, 0.6)],
                [round(each / 3, 4) for each in one.seconds(groups, 0.7, 0.6)],
            ],
        }
        steps += [{"query": query}, one.think()]
    one.thread(steps)


def adaptive(one: Drawn) -> None:
    """Queries whose plans are changed as they run."""
    _queries(one)


def fixed(one: Drawn) -> None:
    """Queries whose shuffles have as many partitions as their settings say."""
    one.settings |= {
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
        "spark.sql.shuffle.partitions": str(one.whole(8, 20)),
    }
    _queries(one)


def mixed(one: Drawn) -> None:
    """Any of the above at once: threads with graphs, pools, skew, retries, kept data, cores per task."""
    kinds: list[Callable[[Drawn], None]] = [threads, pools, chain, graphs, skewed, cached, retries]
    first, second = (kinds[i] for i in one.draw.choice(len(kinds), 2, replace=False))
    first(one)
    second(one)
    if one.pools:
        for place, thread in enumerate(one.threads):
            thread.setdefault("pool", one.pools[place % len(one.pools)][0])
    if one.draw.random() < 0.4:
        one.task_cores, one.settings["spark.task.cpus"] = 2, "2"
    one.has_cluster = bool(one.draw.random() < 0.3)


KINDS: dict[str, Callable[[Drawn], None]] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (
        *(graphs, chain, thinking, threads, pools, one_stage, cached, skewed),
        *(retries, task_cores, executors, dynamic, adaptive, fixed, mixed, growing),
    )
}


def drawn(kind: str, seed: int) -> Drawn:
    """Return an application of a kind; the same seed gives the same one.

    Examples
    --------
    >>> drawn("one-stage", 3).master(8)
    'local[8]'
    """
    one = Drawn(f"{kind}-{seed}", np.random.default_rng([list(KINDS).index(kind), seed]))
    KINDS[kind](one)
    if one.datasets:
        one.scaled()
    return one
