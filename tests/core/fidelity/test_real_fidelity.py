"""How true simulations of real logs are; one skip where they are absent."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import TYPE_CHECKING

import pytest

from core.fidelity.fidelity import OTHERS, Fidelity, check_fidelity, judge
from core.fidelity.host_stalls import host_stalls
from core.fidelity.maps_given_together import maps_given_together
from core.files.open_workload import open_workload
from tests.paths import TRACES

if TYPE_CHECKING:
    from pathlib import Path

if not TRACES.is_dir():
    pytest.skip("real logs are no part of the project: ../shared/traces is absent", allow_module_level=True)


GRIDMIX = ("trace_1m", "trace_3m", "trace_5m", "2m_stream_trace", "3m_stream_trace")


@cache
def judged_logs() -> dict[str, Fidelity]:
    logs = [open_workload(TRACES / "hadoop-mapreduce" / f"{name}.json.gz").workload for name in GRIDMIX]
    return {checked.log: checked for checked in judge(logs).logs}


@pytest.mark.parametrize("name", GRIDMIX)
def test_logs_come_nearer_with_what_others_say_of_their_cluster(name: str) -> None:
    checked = judged_logs()[name]
    assert checked.headline.title == OTHERS
    assert checked.headline.mean_error < checked.plain.mean_error / 2
    assert checked.offered is not None


def test_a_host_stalled_in_a_real_log() -> None:
    """Four tasks of several jobs waited for it, as many as it has map slots, beside free ones."""
    (stall,) = judged_logs()["trace_5m"].stalls
    assert stall.host == "host254"
    assert len(stall.held) == 4
    assert judged_logs()["trace_3m"].stalls == ()


@pytest.mark.parametrize("name", [*GRIDMIX, "trace_10m"])
def test_stalls_hold_the_tasks_that_the_log_says_were_handed_over_long_before(name: str) -> None:
    """A log has when each task was handed over, which no rule reads, beside when its attempt began."""
    path = TRACES / "hadoop-mapreduce" / f"{name}.json.gz"
    text, decoder, place = gzip.decompress(path.read_bytes()).decode(), json.JSONDecoder(), 0
    late = set()
    while place < len(text.rstrip()):
        job, place = decoder.raw_decode(text, text.index("{", place))
        for task in (*job["mapTasks"], *job["reduceTasks"], *job["otherTasks"]):
            begins = task["attempts"][0]["startTime"]
            if begins - task["startTime"] > 20_000:
                late.add((job["jobID"], task["attempts"][0]["hostName"].rpartition("/")[2], begins))
    workload = open_workload(path).workload
    run = workload.recorded
    assert run is not None
    origin = min(begins for *_, begins in late) / 1000 if late else 0.0
    held = [i for stall in host_stalls(run) for i in stall.held]
    assert {(run.jobs[run.job[i]], run.hosts[run.host[i]]) for i in held} == {each[:2] for each in late}
    assert len(held) == len(late)
    first = min((float(run.start[i]) for i in held), default=0.0)
    expected = sorted(begins / 1000 - origin for *_, begins in late)
    assert sorted(float(run.start[i]) - first for i in held) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("path", sorted(TRACES.glob("hadoop-*/*_*.json.gz")), ids=lambda path: path.name)
def test_maps_given_together_are_those_of_the_hadoop_that_the_log_names(path: Path) -> None:
    """One in Hadoop 0.21; as many as are free in 0.20.203.1, which was to be 0.20.204. No rule reads that."""
    text = gzip.decompress(path.read_bytes()).decode()
    is_21 = '"hadoop.common.configuration.version" : "0.21.0"' in text
    is_204 = "hadoop-capacity-scheduler-0.20.203.1-SNAPSHOT.jar" in text
    assert is_21 != is_204
    run = open_workload(path).workload.recorded
    assert run is not None
    assert maps_given_together(run) == (6 if is_204 else 1)


def test_waiting_for_a_slot_is_not_fetching() -> None:
    """Here jobs waited for minutes, which was once read as fetching: 57.8 % off became 463.6 %."""
    checked = check_fidelity(
        open_workload(TRACES / "hadoop-mapreduce" / "sample-job-tracker-logs.gz").workload
    )
    assert checked.headline is checked.plain
    assert all(each.mean_error <= checked.plain.mean_error for each in checked.replays[1:])
    assert checked.few_jobs
