"""One job, its stages and the dataset that it may scan, as immutable values.

Jobs over the same dataset can share the scan of its blocks (003 section 2); a job that scans a dataset has
one map per block.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.model.stages import EMPTY, MAP_REDUCE, Stage, StageGraph
from core.model.task_types import MAP, REDUCE

NO_STAGES = (EMPTY, EMPTY)
"""A MapReduce job without tasks."""
DEFAULT_BLOCKS = 100
"""Blocks of a dataset in a document that gives its work alone."""
Blocks = tuple[tuple[int, int], ...]
"""Half-open ranges of a dataset's blocks, ascending; empty for the whole dataset."""
InputNodes = tuple[tuple[int, ...], ...]
"""Of each map the nodes that have its input, ascending, from 0; empty where that is not said."""
ServiceLevels = tuple[tuple[float, float], ...]
"""(seconds, cost) of each step of an agreement: done after that a job costs so much in all; both ascend."""


@dataclass(frozen=True, slots=True)
class Link:
    """A job follows another one.

    Attributes
    ----------
    job : the name of the job that has to end first
    think : seconds that pass from its end until the follower arrives
    inferred : whether it is a guess of who read a log, not what somebody said
    """

    job: str
    think: float = 0.0
    inferred: bool = False


@dataclass(frozen=True, slots=True, init=False)
class Job:
    """One job: its stages, when it arrives and whom it belongs to.

    Attributes
    ----------
    name : unique in its workload
    stages : what runs; stages may be empty, though not all of them
    graph : the type of each stage and what it waits for
    arrival : seconds from the workload's start; of a job that follows others, before when it does not come
    deadline : seconds from the workload's start, or None
    service_levels : what it costs to be done later than some times, seconds from the workload's start (003
        A.2: D_jk and p_jk); read by the metrics of shared scans
    pool, user : whom it belongs to
    weight : its share relative to others, above 0
    dataset : the dataset it scans, or None
    blocks : the ranges of the dataset's blocks that it scans; empty for all of them
    min_slots, max_slots : map slots that it should hold at least while it scans, and may hold at most (None
        for no limit); policies for shared scans keep to them
    shuffle_bytes : what all its maps together hand to its reduces, or None where that is not known
    after : the jobs that it follows: it arrives when all of them have ended and their think times have passed
    input_nodes : of each map the nodes of the cluster that have its input, ascending; empty where not said
    remote_read : seconds that a map takes longer on another node
    """

    name: str
    stages: tuple[Stage, ...]
    graph: StageGraph
    arrival: float
    deadline: float | None
    pool: str
    user: str
    weight: float
    dataset: str | None
    blocks: Blocks
    min_slots: int
    max_slots: int | None
    shuffle_bytes: float | None
    service_levels: ServiceLevels
    after: tuple[Link, ...]
    input_nodes: InputNodes
    remote_read: float

    def __init__(
        self,
        name: str,
        maps: Stage | None = None,
        reduces: Stage | None = None,
        arrival: float = 0.0,
        deadline: float | None = None,
        pool: str = "default",
        user: str = "",
        weight: float = 1.0,
        dataset: str | None = None,
        blocks: Blocks = (),
        min_slots: int = 0,
        max_slots: int | None = None,
        shuffle_bytes: float | None = None,
        service_levels: ServiceLevels = (),
        *,
        after: tuple[Link, ...] = (),
        input_nodes: InputNodes = (),
        remote_read: float = 0.0,
        stages: tuple[Stage, ...] = NO_STAGES,
        graph: StageGraph = MAP_REDUCE,
    ) -> None:
        """Keep the values; `maps` and `reduces`, if given, are the two stages of a MapReduce job."""
        if maps is not None or reduces is not None:
            stages = (maps or stages[MAP], reduces or stages[REDUCE])
        if len(stages) != len(graph):
            raise ValueError(f"{name}: {len(stages)} stages do not fit a graph of {len(graph)}")
        keep = object.__setattr__
        keep(self, "name", name)
        keep(self, "stages", stages)
        keep(self, "graph", graph)
        keep(self, "arrival", arrival)
        keep(self, "deadline", deadline)
        keep(self, "pool", pool)
        keep(self, "user", user)
        keep(self, "weight", weight)
        keep(self, "dataset", dataset)
        keep(self, "blocks", blocks)
        keep(self, "min_slots", min_slots)
        keep(self, "max_slots", max_slots)
        keep(self, "shuffle_bytes", shuffle_bytes)
        keep(self, "service_levels", service_levels)
        keep(self, "after", after)
        keep(self, "input_nodes", input_nodes)
        keep(self, "remote_read", remote_read)

    @property
    def maps(self) -> Stage:
        """The maps of a MapReduce job."""
        return self.stages[MAP]

    @property
    def reduces(self) -> Stage:
        """The reduces of a MapReduce job."""
        return self.stages[REDUCE]

    def with_stage(self, number: int, stage: Stage) -> Job:
        """Return the job with another stage of this number."""
        return self.with_stages((*self.stages[:number], stage, *self.stages[number + 1 :]))

    def with_stages(self, stages: tuple[Stage, ...]) -> Job:
        """Return the job with other stages; each map has its input where the one in its place had it.

        Of two lists of nodes for five maps the first stands for three of them, the second for two.
        """
        nodes, count = self.input_nodes, stages[MAP].count
        if nodes and len(nodes) != count:
            nodes = tuple(nodes[i * len(nodes) // count] for i in range(count))
        remote_read = self.remote_read if nodes else 0.0
        return replace(self, stages=stages, input_nodes=nodes, remote_read=remote_read)

    def placed(self, name: str, arrival: float) -> Job:
        """Return the job under this name, arriving at this time; five times as fast as `replace`."""
        if (name, arrival) == (self.name, self.arrival):
            return self
        return Job(
            name,
            None,
            None,
            arrival,
            self.deadline,
            self.pool,
            self.user,
            self.weight,
            self.dataset,
            self.blocks,
            self.min_slots,
            self.max_slots,
            self.shuffle_bytes,
            self.service_levels,
            after=self.after,
            input_nodes=self.input_nodes,
            remote_read=self.remote_read,
            stages=self.stages,
            graph=self.graph,
        )

    @property
    def task_count(self) -> int:
        """Tasks of all stages."""
        return sum(stage.count for stage in self.stages)

    def count_of(self, task_type: int) -> int:
        """Return how many tasks run on slots of a type, MAP or REDUCE."""
        if self.graph is MAP_REDUCE:
            return self.stages[task_type].count  # a million jobs are counted
        stages = zip(self.stages, self.graph.task_types, strict=True)
        return sum(stage.count for stage, type_ in stages if type_ == task_type)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Blocks of equal size.

    Attributes
    ----------
    name : unique in its workload; jobs name the dataset that they scan
    blocks : how many, at least 1
    block_seconds : how long one slot takes to scan one block for one job, above 0
    scan_fraction : part of that time which jobs share that scan the block together; the rest is each
        job's own, 0 to 1
    block_bytes : how large one block is, None where that is not known; nothing is scheduled by it
    """

    name: str
    blocks: int = 1
    block_seconds: float = 1.0
    scan_fraction: float = 1.0
    block_bytes: float | None = None

    @property
    def work(self) -> float:
        """Slot-seconds of a scan of the whole dataset for one job."""
        return self.blocks * self.block_seconds

    def count(self, blocks: Blocks) -> int:
        """Return how many blocks a job scans."""
        return sum(end - begin for begin, end in blocks) if blocks else self.blocks


def scan_stage(dataset: Dataset, blocks: Blocks = ()) -> Stage:
    """Return the maps of a job that scans a dataset, or some of its blocks, by itself: one per block."""
    return Stage.of(dataset.count(blocks), dataset.block_seconds)
