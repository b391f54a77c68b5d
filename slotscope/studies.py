"""Thousands of simulations from one document, and simulations of logs beside what really happened."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from slotscope.sentences import in_sentences
from slotscope.workloads import opened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from core.fidelity.fidelity import JudgedLogs
    from core.model.workload import Workload
    from core.study.study import Study
    from slotscope.workloads import Source


@in_sentences
def study(
    document: str | os.PathLike[str] | Mapping[str, Any],  # Any: JSON
    folder: str | os.PathLike[str] | None = None,
    *,
    workers: int = 1,
    retry: bool = False,
    trust_policies: bool = False,
) -> pd.DataFrame:
    """Run what is missing of a study, and return its rows.

    Parameters
    ----------
    document : the path of a study, the name of one of ``slotscope study list``, or the document itself as
        JSON has it
    folder : keeps the results, so that a run which was stopped goes on there; without one they are not kept
    workers : processes; a script that asks for several begins with ``if __name__ == "__main__":``
    retry : run failed cells again
    trust_policies : run the policy files that the study names, such as ``file:mine.py``: their code runs on
        every worker

    Returns
    -------
    DataFrame
        one row per simulation: the axes, the seed, what was measured, and `error` where it failed

    Raises
    ------
    InputError
        the study breaks rules, the folder cannot be written, or the study names policy files and nobody says
        that they may run

    Examples
    --------
    >>> import slotscope
    >>> rows = slotscope.study(
    ...     {
    ...         "format": "slotscope-study",
    ...         "version": 1,
    ...         "name": "How many slots",
    ...         "base": {"workload": {"sample": "five-jobs"}},
    ...         "axes": [{"name": "policy", "fields": ["policy.id"], "values": ["fifo", "johnson"]}],
    ...         "measures": ["makespan"],
    ...     }
    ... )
    >>> rows[["policy", "makespan"]].values.tolist()
    [['fifo', 74.0], ['johnson', 47.0]]
    """
    wanted = _study_of(document)
    if folder is not None:
        return _rows(wanted, Path(folder), workers, retry=retry, trust_policies=trust_policies)
    with tempfile.TemporaryDirectory(prefix="slotscope-") as kept:
        return _rows(wanted, Path(kept), workers, retry=retry, trust_policies=trust_policies)


def _study_of(document: str | os.PathLike[str] | Mapping[str, Any]) -> Study:
    from core.study.study_document import find_study, study_from_json

    if isinstance(document, str | os.PathLike):
        return find_study(os.fspath(document))
    return study_from_json(dict(document), "the study", os.getcwd())


def _rows(wanted: Study, folder: Path, workers: int, *, retry: bool, trust_policies: bool) -> pd.DataFrame:
    from core.model.errors import InputError
    from core.study.executors import of_this_machine
    from core.study.policy_sources import read_policies
    from core.study.results import StudyResults
    from core.study.run_study import run_study

    if workers < 1:
        raise InputError(f"workers is {workers}; give at least 1")
    policies = read_policies(wanted) if trust_policies else None
    executor = of_this_machine(workers, wanted.row_count)
    try:
        run_study(wanted, folder, executor, policies=policies, retry=retry)
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
    results = StudyResults.open(folder)
    frame = results.frame()
    frame.attrs["cut"] = results.cut
    return frame


@dataclass(frozen=True)
class FidelityResult:
    """Logs, each simulated by several models and held against what really happened.

    Attributes
    ----------
    judged : all that came out, as `core.fidelity.fidelity` has it
    """

    judged: JudgedLogs

    @cached_property
    def models(self) -> pd.DataFrame:
        """One row per log and model: errors of jobs and of the makespan, fractions; whether it is a proof.

        A model that reads from the log what it should have foretold is apart: it proves nothing.
        """
        import pandas as pd

        rows = [
            {
                "log": log.log,
                "model": replay.title,
                "apart": replay.is_apart,
                "counts": replay is log.headline,
                "mean_error": replay.mean_error,
                "median_error": replay.median_error,
                "largest_error": replay.largest_error,
                "makespan": replay.makespan,
                "recorded_makespan": replay.recorded_makespan,
            }
            for log in self.judged.logs
            for replay in log.replays
        ]
        return pd.DataFrame(rows)

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row per log and job, by the model that counts: seconds recorded and simulated, the error."""
        import pandas as pd

        frames = [
            pd.DataFrame(
                {
                    "log": log.log,
                    "job": log.headline.jobs,
                    "recorded": log.headline.recorded,
                    "simulated": log.headline.simulated,
                    "error": log.headline.errors,
                }
            )
            for log in self.judged.logs
        ]
        return pd.concat(frames, ignore_index=True)

    @property
    def sentences(self) -> list[str]:
        """What follows, log by log, in words."""
        from core.fidelity.fidelity_report import sentences

        return [sentence for log in self.judged.logs for sentence in sentences(log)]

    def __repr__(self) -> str:
        return f"<FidelityResult {' '.join(self.sentences)}>"


@in_sentences
def fidelity(logs: Source | Sequence[Source], *, policy: str = "fifo", columns: str = "") -> FidelityResult:
    """Simulate logs on the cluster that wrote them, and say how far off each job is.

    Parameters
    ----------
    logs : a log, or several of one cluster, of which each is judged with the overheads of the others
    policy : of that cluster
    columns : of a table of tasks, as of `open`

    Raises
    ------
    InputError
        no log has the times of its jobs
    """
    from core.fidelity.fidelity import judge
    from core.model.workload import Workload

    several = [logs] if isinstance(logs, str | os.PathLike | Workload) else logs
    opened_logs = [found for each in several for found in _logs_of(each, columns)]
    paths = [path for path, _ in opened_logs]
    return FidelityResult(judge([workload for _, workload in opened_logs], policy, paths=paths))


def _logs_of(source: Source, columns: str) -> list[tuple[str, Workload]]:
    """Open one log, or each of a folder or of an archive, each with its path."""
    from core.files.open_workload import open_workloads

    if isinstance(source, str | os.PathLike):
        return open_workloads(os.fspath(source), parameters={"columns": columns} if columns else None)
    workload = opened(source).workload
    return [(workload.name, workload)]
