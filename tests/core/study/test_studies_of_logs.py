"""Studies of real logs: every cell has its makespan, whether or not the log was looked at before."""

from __future__ import annotations

import pickle
from os.path import basename
from typing import TYPE_CHECKING, Any

import pytest

from core.logs.open_log import open_trace
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from core.study import cell_run
from core.study.executors import InThisProcess
from core.study.results import StudyResults
from core.study.run_study import run_study
from core.study.study_document import study_from_json
from core.study.study_fields import cluster_of
from tests import random_tests
from tests.core.logs.collected_logs import REAL, SPARK, SWIM
from tests.core.study.study_examples import DOCUMENT
from tests.paths import TRACES

if TYPE_CHECKING:
    from core.simulation.simulate import Engine
    from core.study.batches import StudyShare

if not TRACES.is_dir():
    pytest.skip("real logs are no part of the project: ../shared/traces is absent", allow_module_level=True)

TRUTH = sorted(str(path.relative_to(TRACES)) for path in TRACES.glob("spark-truth/*.gz"))
LOGS = [*REAL, *SPARK, *TRUTH, *SWIM]
POLICIES = ["fifo", "fair", "johnson"]
MANY_TASKS = 50_000


class ByPickle(InThisProcess):
    """Runs batches here, on what has been pickled as it is for a process."""

    def share(self, share: StudyShare) -> Any:
        return pickle.loads(pickle.dumps(share))


def some_logs() -> list[str]:
    """Return every fifth log; all where tests are thorough."""
    return LOGS[:: 1 if random_tests.is_thorough else 5]


@pytest.mark.parametrize("log", some_logs(), ids=basename)
def test_every_cell_of_a_log_has_a_result(log, tmp_path, monkeypatch):
    # so it is in a worker that has run some cells already
    monkeypatch.setattr(cell_run, "use_compiled", lambda *_given, **_named: True)
    workload = open_trace([TRACES / log]).workload
    assert len(workload.columns.job), "the window has looked at it"
    cluster = workload.cluster
    own = {"map_slots": max(cluster.map_slots, 1), "reduce_slots": max(cluster.reduce_slots, 1)}
    is_small = workload.map_count + workload.reduce_count < MANY_TASKS
    count = 3 if is_small else 1
    slots = [own["map_slots"] + more for more in range(count)]
    axes = [
        {"name": "map slots", "fields": ["cluster.map_slots"], "values": slots},
        {"name": "policy", "fields": ["policy.id"], "values": POLICIES[:count]},
    ]
    base = {"workload": {"file": "log"}, "cluster": {"reduce_slots": own["reduce_slots"]}}
    study = study_from_json(DOCUMENT | {"base": base, "axes": axes, "repetitions": 1, "seeds": []}, "x")
    done = run_study(study, tmp_path, ByPickle(), files={"log": workload})
    results = StudyResults.open(tmp_path)
    assert results.failed()["error"].tolist() == []
    assert done.done == count * count
    first = results.frame(["makespan"])["makespan"][0]
    there = cluster_of({f"cluster.{name}": value for name, value in own.items()}, cluster)
    engine: Engine = "interpreted" if is_small else "compiled"
    assert first == simulate(workload, there, PolicyChoice("fifo"), engine=engine).makespan
