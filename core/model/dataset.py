"""Datasets: blocks that jobs scan in their maps, so that jobs over the same dataset can share the scan.

Source: 003 section 2. A job that scans a dataset has one map per block.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.errors import Problem, shorten
from core.model.job import MOST_SECONDS, Stage
from core.model.plain_text import name_problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.job import Blocks, Job

MOST_DATASETS = 10_000
MOST_BLOCKS = 1_000_000
USUAL_BLOCKS = 100
"""Blocks of a dataset in a document that gives its work alone."""


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
    """

    name: str
    blocks: int = 1
    block_seconds: float = 1.0
    scan_fraction: float = 1.0

    @property
    def work(self) -> float:
        """Slot-seconds of a scan of the whole dataset for one job."""
        return self.blocks * self.block_seconds

    def count(self, blocks: Blocks) -> int:
        """Return how many blocks a job scans."""
        return sum(end - begin for begin, end in blocks) if blocks else self.blocks


def datasets_problems(datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that datasets break (none for valid ones), with the path of each value."""
    if len(datasets) > MOST_DATASETS:
        rule = f"a workload has at most {MOST_DATASETS} datasets"
        return [Problem("datasets", f"{len(datasets)} datasets", rule)]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        where = f"datasets[{i}]"
        if dataset.name in seen:
            rule = f"dataset names are unique; datasets[{seen[dataset.name]}] has it already"
            problems.append(Problem(f"{where}.name", shorten(dataset.name), rule))
        seen.setdefault(dataset.name, i)
        problems += dataset_problems(dataset, where)
    return problems


def dataset_problems(dataset: Dataset, where: str) -> list[Problem]:
    """Return every rule that one dataset breaks, except those that concern other datasets."""
    problems = name_problems(f"{where}.name", dataset.name)
    if not isinstance(dataset.blocks, int) or not 1 <= dataset.blocks <= MOST_BLOCKS:
        rule = f"a dataset has from 1 to {MOST_BLOCKS} blocks"
        problems.append(Problem(f"{where}.blocks", shorten(dataset.blocks), rule))
    if not 0 < dataset.block_seconds <= MOST_SECONDS:
        rule = f"give the seconds that one block takes, above 0 and at most {MOST_SECONDS:g}"
        problems.append(Problem(f"{where}.block_seconds", shorten(dataset.block_seconds), rule))
    if not 0 <= dataset.scan_fraction <= 1:
        rule = "the part of a scan that jobs share is a fraction from 0 to 1"
        problems.append(Problem(f"{where}.scan_fraction", shorten(dataset.scan_fraction), rule))
    return problems


def scan_stage(dataset: Dataset, blocks: Blocks = ()) -> Stage:
    """Return the maps of a job that scans a dataset, or some of its blocks, by itself: one per block."""
    return Stage.of(dataset.count(blocks), dataset.block_seconds)


def scans_problems(jobs: Sequence[Job], datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that jobs and the datasets they scan break together.

    A job may name a dataset that is not listed; then it is no more than a remark.
    """
    known = {dataset.name: dataset for dataset in datasets}
    problems: list[Problem] = []
    for i, job in enumerate(jobs):
        dataset = known.get(job.dataset or "")
        if job.blocks or dataset is not None:
            problems += _scan_problems(job, dataset, f"jobs[{i}]")
    return problems


def _scan_problems(job: Job, dataset: Dataset | None, where: str) -> list[Problem]:
    if dataset is None:
        rule = "blocks belong to a dataset; name one that is listed"
        return [Problem(f"{where}.blocks", shorten(list(job.blocks)), rule)]
    behind = 0
    for begin, end in job.blocks:
        if not behind <= begin < end <= dataset.blocks:
            rule = (
                f"give ascending ranges [first, behind the last] inside the {dataset.blocks} blocks "
                f"of dataset '{dataset.name}'"
            )
            return [Problem(f"{where}.blocks", shorten([begin, end]), rule)]
        behind = end
    scan = scan_stage(dataset, job.blocks)
    if job.maps.count == scan.count and bool((job.maps.durations == dataset.block_seconds).all()):
        return []
    rule = (
        f"a job that scans dataset '{dataset.name}' has one map of {dataset.block_seconds:g} s per block, "
        f"{scan.count} in all; leave its maps out"
    )
    return [Problem(f"{where}.maps.count", str(job.maps.count), rule)]
