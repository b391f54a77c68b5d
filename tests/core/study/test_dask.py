"""On Dask a study gives the rows that it gives anywhere, also where a worker is killed in its middle."""

from __future__ import annotations

import os
import signal
import sys
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from core.model.errors import InputError
from core.study import executors
from core.study.executors import DaskWorkers, InThisProcess, dask
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


def test_an_address_of_tls_without_certificates_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_certificates(*_given: object, **_named: object) -> None:
        raise TypeError("TLS expects a `ssl_context` argument")

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=without_certificates))
    with pytest.raises(InputError, match="no Dask scheduler answers at tls://there:8786: TLS expects"):
        dask("tls://there:8786")


def test_a_package_that_lacks_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pip install 'slotscope\[dask\]'"):
        dask("local")


class FakeClient:
    """Stands for a Dask client whose scheduler and workers have these versions; workers may come."""

    def __init__(self, scheduler: object, workers: dict[str, object]) -> None:
        self.scheduler, self.answers, self.is_closed = scheduler, workers, False

    def run_on_scheduler(self, _asker: object) -> object:
        return self.scheduler

    def run(self, _asker: object, workers: list[str], on_error: str) -> dict[str, object]:
        assert on_error == "return"
        return {address: self.answers[address] for address in workers}

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.answers, 2)

    def get_executor(self, *, pure: bool) -> InThisProcess:
        assert not pure
        return InThisProcess()

    def close(self) -> None:
        self.is_closed = True


def reached(monkeypatch: pytest.MonkeyPatch, client: FakeClient) -> DaskWorkers:
    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=lambda *_, **_named: client))
    return dask("tcp://there:8786")


HERE = version("slotscope")


@pytest.mark.parametrize(
    ("scheduler", "worker", "sentence"),
    [
        ("0.0.7", HERE, f"the Dask scheduler has Slotscope 0.0.7, and this is Slotscope {HERE};"),
        (HERE, "0.0.7", f"the worker w has Slotscope 0.0.7, and this is Slotscope {HERE};"),
        (HERE, "", "the worker w has no Slotscope that answers"),
        (HERE, TypeError("code of another Python"), "the worker w has no Slotscope that answers"),
    ],
)
def test_another_version_is_refused_and_both_are_named(
    monkeypatch: pytest.MonkeyPatch, scheduler: object, worker: object, sentence: str
) -> None:
    client = FakeClient(scheduler, {"v": HERE, "w": worker})
    with pytest.raises(InputError) as raised:
        reached(monkeypatch, client)
    assert str(raised.value).startswith(sentence)
    assert client.is_closed


def test_a_worker_that_comes_later_is_asked_too(monkeypatch: pytest.MonkeyPatch) -> None:
    client = FakeClient(HERE, {"v": HERE, "gone": OSError("it has just left")})
    workers = reached(monkeypatch, client)
    assert workers.workers == 4
    client.answers["late"] = "0.0.7"
    with pytest.raises(InputError, match=r"the worker late has Slotscope 0\.0\.7"):
        _ = workers.workers


def test_a_version_without_the_question_answers_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cloudpickle = pytest.importorskip("cloudpickle")
    sent = cloudpickle.dumps(executors._version_reader())
    monkeypatch.delattr(executors, "_version_reader")
    assert cloudpickle.loads(sent)() == HERE
