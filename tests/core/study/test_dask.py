"""On Dask a study gives the rows that it gives anywhere, also where a worker is killed in its middle."""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from core.model.errors import InputError
from core.study import executors
from core.study.executors import InThisProcess, dask
from core.study.results import StudyResults
from core.study.run_study import run_study
from tests.core.study.study_examples import small_study

if TYPE_CHECKING:
    from pathlib import Path


def test_two_workers_of_which_one_is_killed_give_the_same_rows(tmp_path: Path) -> None:
    study = small_study(axes=[{"name": "maps", "fields": ["cluster.map_slots"], "values": [0, 1, 2, 4, 8]}])
    workers = dask("local", 2)
    killed: list[int] = []

    def kill(_rows: object) -> None:
        if not killed:
            killed.extend(workers._client.run(os.getpid).values())
            os.kill(killed[0], signal.SIGKILL)

    try:
        progress = run_study(study, tmp_path / "dask", workers, on_rows=kill)
    finally:
        workers.shutdown()
    assert len(killed) == 2
    assert (progress.done, progress.failed) == (10, 2)
    run_study(study, tmp_path / "serial", InThisProcess())
    rows = [StudyResults.open(tmp_path / name).table() for name in ("dask", "serial")]
    assert rows[0].equals(rows[1])


def test_what_is_missing_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 0.1)
    with pytest.raises(InputError, match="no Dask scheduler answers at tcp"):
        dask("tcp://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'slotscope\[dask\]'"):
        dask("local")
