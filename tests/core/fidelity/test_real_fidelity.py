"""How true simulations of real logs are; one skip where they are absent."""

from __future__ import annotations

from functools import cache

import pytest

from core.fidelity.fidelity import Fidelity, check_fidelity
from core.files.open_workload import open_workload
from tests.paths import TRACES

if not TRACES.is_dir():
    pytest.skip("real logs are no part of the project: ../shared/traces is absent", allow_module_level=True)


@cache
def checked_log(name: str) -> Fidelity:
    return check_fidelity(open_workload(TRACES / "hadoop-mapreduce" / name).workload)


@pytest.mark.parametrize("log", ["trace_1m", "trace_3m", "2m_stream_trace", "3m_stream_trace"])
def test_real_logs_come_out_near(log: str) -> None:
    checked = checked_log(f"{log}.json.gz")
    mumak, simmr, best = checked.replays
    assert abs(best.makespan_error) < 0.03
    assert best.mean_error < 0.06
    assert best.mean_error < simmr.mean_error < mumak.mean_error
    assert best.largest_error < 0.25
    assert checked.stalls == ()


def test_a_host_stalled_in_two_real_logs() -> None:
    """Four tasks of several jobs waited for it, as many as it has map slots, beside free ones."""
    for log in ("trace_5m", "trace_10m"):
        (stall,) = checked_log(f"{log}.json.gz").stalls
        assert stall.host == "host254"
        assert len(stall.held) == 4


@pytest.mark.parametrize("log", ["trace_3m", "trace_5m", "2m_stream_trace", "3m_stream_trace"])
def test_the_overheads_of_one_log_serve_for_another(log: str) -> None:
    learned = checked_log("trace_1m.json.gz").overheads
    path = TRACES / "hadoop-mapreduce" / f"{log}.json.gz"
    best = check_fidelity(open_workload(path).workload, overheads=learned).replays[-1]
    assert abs(best.makespan_error) < 0.03
    assert best.mean_error < 0.10
