"""Run a study: hand its rows out in batches, write what comes back, go on where an earlier run has ended.

The driver keeps a bit for each row that is done and nothing else of them: neither its memory nor the messages
grow with what the cells are.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from concurrent.futures import BrokenExecutor, CancelledError, wait
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import numpy as np

from core.files.named_file import open_named
from core.files.open_workload import open_workload
from core.model.cut_logs import cuts_of
from core.model.errors import InputError
from core.model.progress import never_stop, no_progress
from core.study.batches import Spans, StudyShare, rows_of, run_batch, schema_of
from core.study.cells import VERSION_OF_RESULTS, CellRow, Cells
from core.study.policy_sources import check_agreed, check_policies
from core.study.result_folder import PartsFolder
from core.study.study import values_of
from core.study.study_document import rows_digest
from core.study.work_left import WorkLeft, adopt, halves, mark_done, row_count

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor, Future

    import pyarrow as pa

    from core.model.workload import Workload
    from core.policies.user_files.source import PolicySource
    from core.study.batches import BatchDone, Shared
    from core.study.study import Study

BATCH_SECONDS = 1.0
"""About so long a worker is busy with a batch, longer where there are more than `MAX_BATCHES_A_SECOND`."""
MIN_SECONDS = 0.1
"""Shorter batches, at the end of a run, would cost more to send than they save."""
MAX_BATCHES_A_SECOND = 100
"""Of all workers together: what one scheduler, and one driver that writes, do in a fraction of their time."""
MAX_ROWS_OF_BATCH = 20_000
GROWTH = 4
"""A batch has at most so many times the rows of the largest one that has come back."""
DEPTH = 2
"""Batches for each worker, that which it runs and one that waits."""
POLL_SECONDS, WORKERS_SECONDS = 0.1, 1.0
STOP_SECONDS = 3.0
"""So long a run that is stopped waits for the batches that workers have begun."""
ENDED = (
    "the worker process ended while it ran this cell: it was killed, or its memory did not suffice; run "
    "failed cells again with fewer processes"
)
MAX_DEATHS_AT_START, MAX_LOST_ROWS = 3, 20
"""So many deaths in a row, the last with nothing to run, or rows in a row that end their worker end a run."""
NOTHING: Spans = ()
"""A batch without rows: whether a worker can begin at all, before a cell is blamed for its end."""
DEATHS = ("KilledWorker",)
"""Names of errors, beside BrokenExecutor, that say so."""


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """How far a run is.

    Attributes
    ----------
    done, total : rows that are there, and of the whole study
    failed : of those done, rows that are a sentence
    kept : rows that were there before the run
    seconds : since it began
    seconds_left : about; infinity where nothing is known yet
    """

    done: int
    total: int
    failed: int = 0
    kept: int = 0
    seconds: float = 0.0
    seconds_left: float = float("inf")

    @property
    def is_complete(self) -> bool:
        """Whether every row is there."""
        return self.done == self.total


def open_files(study: Study) -> dict[str, Workload]:
    """Open the workloads in files that a study names; raises InputError for those that cannot be read."""
    found, wrong = {}, []
    for name in sorted(map(str, values_of(study, "workload.file"))):
        try:
            found[name] = open_named(study.folder, name, lambda path: open_workload(path).workload)
        except InputError as error:
            wrong.append(f"{study.name or 'the study'}: {error}")
    if wrong:
        raise InputError("\n".join(wrong))
    return found


def share_of(
    study: Study,
    files: Mapping[str, Workload] | None = None,
    policies: Mapping[str, PolicySource] | None = None,
) -> StudyShare:
    """Return what workers need to run a study; workloads in files that are not given are opened.

    Raises
    ------
    InputError
        a workload cannot be opened, or a policy file that the study names is not among `policies`
    """
    agreed = dict(policies or {})
    check_agreed(study, agreed)
    opened = dict(open_files(study) if files is None else files)
    parts = [rows_digest(study), VERSION_OF_RESULTS, sorted((n, w.digest) for n, w in opened.items())]
    if agreed:
        parts.append(sorted((name, source.digest) for name, source in agreed.items()))
    token = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
    return StudyShare(study, opened, token, policies=agreed)


def run_study(
    study: Study,
    folder: str | os.PathLike[str],
    executor: Executor,
    *,
    workers: int | None = None,
    files: Mapping[str, Workload] | None = None,
    policies: Mapping[str, PolicySource] | None = None,
    retry: bool = False,
    progress: Callable[[StudyProgress], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    on_rows: Callable[[pa.RecordBatch], None] = no_progress,
) -> StudyProgress:
    """Run what is missing of a study's results in a folder.

    Rows that are there already are kept: those of an earlier run of this study, and those of an earlier state
    of it whose cells it still has. The results depend neither on the executor nor on the order.

    Parameters
    ----------
    study : one that breaks no rule
    folder : gets the parts; is made if it is not there
    executor : any; those of `core.study.executors` go on when a worker dies
    workers : how many it has; None for its attribute `workers`, or 1
    files : workloads in files by the names that the study has for them; None opens them
    policies : the policy files that the study names, as `read_policies` reads them: their code is run by the
        workers, each in a process of its own, and the caller has made sure that the user wants that
    retry : run failed cells again
    progress : called a few times a second
    should_stop : asked a few times a second; True ends the run, and what is done is kept
    on_rows : called with rows as they come back, in no order

    Raises
    ------
    InputError
        a file cannot be opened, a policy file is not among `policies` or cannot be run, the folder cannot be
        written, or the workers cannot be reached any more or end again and again
    """
    share = share_of(study, files, policies)
    check_policies(study, share.policies)
    parts = PartsFolder(folder, study, share.token, schema_of(study), cuts_of(share.files.values()))
    try:
        run = _Run(share, parts, executor, workers, progress, should_stop, on_rows)
        run.look_back(retry=retry)
        return run.go()
    finally:
        parts.close()


class _Run:
    """One run, from the first batch to the last."""

    def __init__(
        self,
        share: StudyShare,
        parts: PartsFolder,
        executor: Executor,
        workers: int | None,
        progress: Callable[[StudyProgress], None],
        should_stop: Callable[[], bool],
        on_rows: Callable[[pa.RecordBatch], None],
    ) -> None:
        self._share, self._parts, self._executor = share, parts, executor
        self._given_workers, self._worker_count, self._workers_counted_at = workers, 1, float("-inf")
        self._report, self._should_stop, self._on_rows = progress, should_stop, on_rows
        self._cells = Cells(share.study)
        self._done = np.zeros(share.study.row_count, np.bool_)
        self._left = WorkLeft(self._cells, self._done)
        self._flying: dict[Future[BatchDone], Spans] = {}
        self._returned: SimpleQueue[Future[BatchDone]] = SimpleQueue()
        self._suspects: deque[Spans] = deque()
        self._tests_suspect = False
        self._deaths = self._lost_rows = 0
        self._pace = _Pace()
        self._began = time.monotonic()
        self._kept = self._count = self._failed = 0

    def look_back(self, *, retry: bool) -> None:
        """Find out which rows are there already."""
        self._failed = mark_done(self._parts, self._cells, self._done, retry=retry)
        adopt(self._parts, self._cells, self._share.digests, self._done, self._should_stop)
        self._count = self._kept = int(self._done.sum())
        self._left = WorkLeft(self._cells, self._done)

    def go(self) -> StudyProgress:
        """Run the rest; return how far it came."""
        share_with = getattr(self._executor, "share", None)
        shared: Shared = share_with(self._share) if share_with else self._share
        try:
            self._report(self._progress())
            while not self._should_stop():
                self._hand_out(shared)
                if not self._flying:
                    break
                self._collect(POLL_SECONDS)
                self._report(self._progress())
        finally:
            self._settle()
        self._report(self._progress())
        return self._progress()

    def _progress(self) -> StudyProgress:
        seconds, ran = time.monotonic() - self._began, self._count - self._kept
        left = len(self._done) - self._count
        seconds_left = seconds / ran * left if ran else (float("inf") if left else 0.0)
        return StudyProgress(self._count, len(self._done), self._failed, self._kept, seconds, seconds_left)

    # ---- out

    def _hand_out(self, shared: Shared) -> None:
        """Give every worker enough to do; a batch that may have killed its worker runs alone."""
        if self._suspects:
            if not self._flying:
                self._tests_suspect = True
                self._submit(shared, self._suspects.popleft())
            return
        self._tests_suspect = False
        workers = self._workers()
        seconds = max(BATCH_SECONDS, workers / MAX_BATCHES_A_SECOND)
        while len(self._flying) < DEPTH * workers:
            fair = max(1, self._left.count // (DEPTH * workers))
            fair = max(fair, self._pace.rows(MIN_SECONDS))
            spans = self._left.take(min(self._pace.rows(seconds), fair))
            if not spans:
                return
            self._submit(shared, spans)

    def _workers(self) -> int:
        """Return how many workers there are; those of a scheduler may change, and the query takes a while."""
        if time.monotonic() > self._workers_counted_at + WORKERS_SECONDS:
            self._workers_counted_at = time.monotonic()
            self._worker_count = max(1, self._given_workers or getattr(self._executor, "workers", 1))
        return self._worker_count

    def _submit(self, shared: Shared, spans: Spans) -> None:
        try:
            future = self._executor.submit(run_batch, shared, spans)
        except BrokenExecutor as error:
            raise InputError("the worker processes have ended; what is done is kept: run it again") from error
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise InputError(
                f"no worker process can be started: {why}; what is done is kept: run it again"
            ) from error
        self._flying[future] = spans
        future.add_done_callback(self._returned.put)

    # ---- back

    def _collect(self, seconds: float) -> None:
        """Take what has come back, waiting so long for the first."""
        for future in self._returned_within(seconds):
            spans = self._flying.pop(future)
            try:
                self._take(future.result(), row_count(spans))
            except CancelledError:
                raise InputError(
                    "the connection to the workers is lost; what is done is kept: run it again"
                ) from None
            except Exception as error:
                if not isinstance(error, BrokenExecutor) and type(error).__name__ not in DEATHS:
                    raise
                self._suspect(spans)
        self._parts.flush()

    def _returned_within(self, seconds: float) -> Iterator[Future[BatchDone]]:
        """Yield what has come back; a queue does not look at all that flies, which may be thousands."""
        with suppress(Empty):
            yield self._returned.get(timeout=seconds)
            while True:
                yield self._returned.get_nowait()

    def _take(self, batch: BatchDone, rows: int) -> None:
        self._deaths = 0
        if not rows:
            return
        self._lost_rows = 0
        self._pace.note(rows, batch.seconds)
        self._count += rows
        self._failed += batch.failed
        self._parts.add(batch.rows)
        self._on_rows(batch.rows)

    def _suspect(self, spans: Spans) -> None:
        """Note that a worker died: all that was under way then is run again alone, in ever smaller pieces."""
        if self._tests_suspect or not self._suspects:
            self._deaths += 1
            if spans == NOTHING and self._deaths >= MAX_DEATHS_AT_START:
                words = getattr(self._executor, "last_output", str)()
                why = f": {words}" if words else ", perhaps because memory or disk are full"
                raise InputError(
                    f"the worker processes end as soon as they begin{why}; what is done is kept: run it again"
                )
        if not self._tests_suspect:
            self._suspects.append(spans)
        elif row_count(spans) > 1:
            self._suspects.extendleft(reversed(halves(spans)))
        elif spans:
            self._lose(spans)
        if not self._suspects or self._suspects[0] != NOTHING:
            self._suspects.appendleft(NOTHING)

    def _lose(self, spans: Spans) -> None:
        """Write the sentence of a row that ended its worker."""
        cell = self._cells.cell(*self._cells.row_of_work(spans[0][0]))
        row = CellRow((float("nan"),) * len(self._share.study.measures), ENDED)
        rows = rows_of(self._cells, [(cell, row)], self._share.digests)
        self._count, self._failed = self._count + 1, self._failed + 1
        self._parts.add(rows)
        self._on_rows(rows)
        self._lost_rows += 1
        if self._lost_rows >= MAX_LOST_ROWS:
            raise InputError(
                f"{self._lost_rows} cells one after the other ended the worker process that ran them, maybe "
                "because memory does not suffice; what is done is kept: run it again with fewer workers, or "
                "leave such cells out"
            )

    def _settle(self) -> None:
        """Take back what no worker has begun, and wait a little for the rest."""
        for future in list(self._flying):
            if future.cancel():
                del self._flying[future]
        finished, _ = wait(self._flying, STOP_SECONDS)
        for future in finished:
            if not future.cancelled() and future.exception() is None:
                self._take(future.result(), row_count(self._flying[future]))
        self._flying.clear()


class _Pace:
    """How long rows take, and so how many make a batch."""

    def __init__(self) -> None:
        self._seconds = 0.0
        self._largest = 0

    def note(self, rows: int, seconds: float) -> None:
        """Take what a batch took into account; later ones count more."""
        each = seconds / rows
        self._seconds = each if not self._largest else 0.7 * self._seconds + 0.3 * each
        self._largest = max(self._largest, rows)

    def rows(self, seconds: float) -> int:
        """Return how many rows the next batch should have to take so long."""
        if not self._largest:
            return 1
        wanted = int(seconds / max(self._seconds, 1e-9))
        return max(1, min(wanted, GROWTH * self._largest, MAX_ROWS_OF_BATCH))
