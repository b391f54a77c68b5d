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


@pytest.mark.parametrize(
    ("log", "stalls"),
    [
        ("trace_1m", 0),
        ("trace_3m", 0),
        ("trace_5m", 1),
        ("trace_10m", 1),
        ("2m_stream_trace", 0),
        ("3m_stream_trace", 0),
    ],
)
def test_real_logs_come_out_near(log: str, stalls: int) -> None:
    checked = checked_log(f"{log}.json.gz")
    mumak, simmr, best = checked.replays[0], checked.replays[1], checked.replays[-1]
    assert abs(best.makespan_error) < 0.03
    assert best.mean_error < 0.06
    assert best.mean_error < simmr.mean_error < mumak.mean_error
    assert best.largest_error < 0.25
    assert len(checked.stalls) == stalls
    assert len(checked.replays) == 3 + stalls


def test_a_host_stalled_in_two_real_logs() -> None:
    """Four tasks of several jobs waited for it, as many as it has map slots, beside free ones."""
    for log in ("trace_5m", "trace_10m"):
        checked = checked_log(f"{log}.json.gz")
        (stall,) = checked.stalls
        assert stall.host == "host254"
        assert len(stall.held) == 4
        without, with_it = checked.replays[-2:]
        assert with_it.mean_error < without.mean_error / 3


@pytest.mark.parametrize("log", ["trace_3m", "trace_5m", "trace_10m", "2m_stream_trace", "3m_stream_trace"])
def test_the_overheads_of_one_log_serve_for_another(log: str) -> None:
    learned = checked_log("trace_1m.json.gz").overheads
    path = TRACES / "hadoop-mapreduce" / f"{log}.json.gz"
    best = check_fidelity(open_workload(path).workload, overheads=learned).replays[-1]
    assert abs(best.makespan_error) < 0.03
    assert best.mean_error < 0.10
