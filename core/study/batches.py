"""Some rows of a study run in one process, and the table that they make: what goes to workers and back.

A batch is a few pairs of numbers. What all batches of a study need, the study with the workloads and the
policy files that it names, goes to each worker once.
"""

from __future__ import annotations

import pickle
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from core.model.errors import InputError
from core.study.cells import KEY_BYTES, VERSION_OF_RESULTS, Cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from core.model.workload import Workload
    from core.policies.user_files.source import PolicySource
    from core.study.cell_run import CellRunner
    from core.study.cells import Cell, CellRow
    from core.study.study import Study

Spans = tuple[tuple[int, int], ...]
"""Places in the order of work: from the first to before the second of each pair."""
MAX_STUDIES = 2
"""Studies that a worker keeps ready."""


@dataclass(frozen=True)
class StudyShare:
    """What every worker has of a study.

    Attributes
    ----------
    study : the study
    files : the workloads in files, by the names that it has for them
    token : names this share; equal ones hold the same
    version : `VERSION_OF_RESULTS` of the process that wants them
    policies : the policy files that may run, as they were read, by the names that it has for them
    """

    study: Study
    files: Mapping[str, Workload]
    token: str
    version: int = VERSION_OF_RESULTS
    policies: Mapping[str, PolicySource] = field(default_factory=dict)

    def load(self) -> StudyShare:
        """Return itself: it has come with the batch."""
        return self

    @cached_property
    def digests(self) -> dict[str, str]:
        """Digests of the workloads in files and of the policy files, by name."""
        workloads = {name: workload.digest for name, workload in self.files.items()}
        return workloads | {name: source.digest for name, source in self.policies.items()}


@dataclass(frozen=True, slots=True)
class StudyOnDisk:
    """A share that lies in a file, for workers of the same machine."""

    path: Path
    token: str

    def load(self) -> StudyShare:
        """Read it; our own process has written it."""
        with self.path.open("rb") as file:
            share: StudyShare = pickle.load(file)
        return share


class Shared(Protocol):
    """What goes with a batch: a share, or where it is."""

    @property
    def token(self) -> str:
        """Names it."""

    def load(self) -> StudyShare:
        """Return it."""


@dataclass(frozen=True, slots=True)
class BatchDone:
    """Rows that a worker ran, the seconds that it took, and how many of them failed."""

    rows: pa.RecordBatch
    seconds: float
    failed: int


def run_batch(shared: Shared, spans: Spans) -> BatchDone:
    """Run rows one after the other; what fails in a cell is in its row.

    Raises
    ------
    InputError
        this process has another version of Slotscope than the one that asks
    """
    began = time.perf_counter()
    ready = _ready(shared)
    cells, measures = ready.cells, ready.share.study.measures
    done = []
    for first, end in spans:
        for work in range(first, end):
            cell = cells.cell(*cells.row_of_work(work))
            done.append((cell, ready.runner.run(cell, measures)))
    rows = rows_of(cells, done, ready.share.digests)
    return BatchDone(rows, time.perf_counter() - began, sum(bool(row.error) for _, row in done))


@dataclass(frozen=True, slots=True)
class _Ready:
    share: StudyShare
    cells: Cells
    runner: CellRunner


class _Worker(threading.local):
    """What one thread of a worker keeps: the studies that it ran last."""

    def __init__(self) -> None:
        self.studies: OrderedDict[str, _Ready] = OrderedDict()


_worker = _Worker()


def _ready(shared: Shared) -> _Ready:
    from core.study.cell_run import CellRunner  # only workers run cells

    studies = _worker.studies
    if shared.token not in studies:
        share = shared.load()
        if share.version != VERSION_OF_RESULTS:
            raise InputError(
                "the workers have another version of Slotscope, which gives other results; install the same "
                "one on all machines"
            )
        studies[shared.token] = _Ready(share, Cells(share.study), CellRunner(share.files, share.policies))
        if len(studies) > MAX_STUDIES:
            studies.popitem(last=False)
    studies.move_to_end(shared.token)
    return studies[shared.token]


# ---- the table


def schema_of(study: Study) -> pa.Schema:
    """Return the columns of a study's results: where, each axis, each measure, the key and the error."""
    fields = [("cell", pa.int64()), ("repetition", pa.int32()), ("seed", pa.int64())]
    fields += [(axis.name, _type_of(axis.column)) for axis in study.axes]
    fields += [(name, pa.float64()) for name in study.measures]
    return pa.schema([*fields, ("key", pa.binary(KEY_BYTES)), ("error", pa.string())])


def _type_of(values: Sequence[object]) -> pa.DataType:
    if any(isinstance(value, str) for value in values):
        return pa.string()
    return pa.int64() if all(isinstance(value, int) for value in values) else pa.float64()


def rows_of(cells: Cells, done: Sequence[tuple[Cell, CellRow]], digests: Mapping[str, str]) -> pa.RecordBatch:
    """Return the rows of cells that have been run, in their order."""
    study = cells.study
    where = [cell for cell, _ in done]
    columns: list[list[object]] = [
        [cell.number for cell in where],
        [cell.repetition for cell in where],
        [cell.seed for cell in where],
    ]
    for place, axis in enumerate(study.axes):
        values = axis.column
        columns.append([values[cell.position[place]] for cell in where])
    for place in range(len(study.measures)):
        columns.append([None if row.error else row.values[place] for _, row in done])
    columns += [[cells.key(cell, digests) for cell in where], [row.error or None for _, row in done]]
    schema = schema_of(study)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)
