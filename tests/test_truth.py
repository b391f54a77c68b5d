"""What a real Spark is given is whole and the same each time; predictions are judged by hand-made runs."""

from __future__ import annotations

import json
import shutil
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest

from benchmarks.truth import __main__ as truth
from benchmarks.truth import spark
from benchmarks.truth.applications import KINDS, LONGEST, SHORTEST, drawn
from benchmarks.truth.judged import Judged, RealRun, judged, print_judged, print_repeats
from tests.written_application import AFTER, DIAMOND, SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

ON_FOUR = SparkJob(
    0.0, 10.0, (SparkStage(0, (), ((0.0, 5.0), (0.0, 5.0))), SparkStage(1, (0,), ((5.0, 10.0),)))
)
"""What takes 15 s on one slot."""


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_an_application_that_can_run(kind: str) -> None:
    for seed in range(20):
        one = drawn(kind, seed).description
        assert one == drawn(kind, seed).description
        assert json.loads(json.dumps(one)) == one
        known: dict[str, int] = {}
        for dataset in one["datasets"]:
            tasks = dataset["tasks"]
            assert all(SHORTEST <= each <= 3 * LONGEST for each in tasks)
            assert all(name in known for name in dataset["reads"])
            if dataset.get("narrow"):
                assert [known[name] for name in dataset["reads"]] == [len(tasks)]
            assert all(0 <= place < len(tasks) for place in dataset.get("failing", ()))
            known[dataset["name"]] = len(tasks)
        steps = [step for thread in one["threads"] for step in thread["steps"]]
        assert {step["count"] for step in steps if "count" in step} <= set(known)
        assert one["has_queries"] == any("query" in step for step in steps)
        assert known or one["has_queries"]


def test_seeds_differ() -> None:
    assert drawn("graphs", 1).description["datasets"] != drawn("graphs", 2).description["datasets"]


def test_cores_and_slots() -> None:
    """Two cores per task halve the slots; executors have four cores each."""
    assert (drawn("task-cores", 1).master(8), drawn("task-cores", 1).slots(8)) == ("local[8]", 4)
    assert drawn("retries", 1).master(4) == "local[4,4]"
    dynamic = drawn("dynamic", 1)
    assert dynamic.master(16) == "local-cluster[4,4,1024]"
    assert dynamic.settings_on(16)["spark.dynamicAllocation.maxExecutors"] == "4"


def test_pools_are_those_of_the_threads() -> None:
    one = drawn("pools", 3)
    pools = ET.fromstring(one.fair_scheduler)
    assert {thread["pool"] for thread in one.threads} <= {pool.get("name") for pool in pools}
    assert [int(pool.findtext("weight") or 0) for pool in pools] == [weight for _, weight, _ in one.pools]


@pytest.fixture
def two_runs(tmp_path: Path) -> list[RealRun]:
    """15 s on one slot; on two slots 10 s, or so the log says."""
    slow = SparkJob(
        0.0, 15.0, (SparkStage(0, (), ((0.0, 5.0), (5.0, 10.0))), SparkStage(1, (0,), ((10.0, 15.0),)))
    )
    return [
        RealRun("made", 1, _written(tmp_path / "one", slow, (1,))),
        RealRun("made", 2, _written(tmp_path / "two", ON_FOUR, (2,))),
    ]


def _written(path: Path, job: SparkJob, cores: tuple[int, ...]) -> Path:
    """Write a log as Spark does, without spaces."""
    write_application(path, [job], cores)
    lines = [json.dumps(json.loads(line), separators=(",", ":")) for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines))
    return path


def test_each_run_is_predicted_from_the_other(two_runs: list[RealRun]) -> None:
    up, down = judged(two_runs)
    assert (up.of, up.on, up.real, up.error) == (1, 2, 10.0, 0.0)
    assert (down.of, down.on, down.real, down.error) == (2, 1, 15.0, 0.0)
    assert all(each.in_range and each.bound_holds and each.slots_right for each in (up, down))


def test_what_is_wrong_counts_as_wrong(two_runs: list[RealRun], tmp_path: Path) -> None:
    """A run of 8 s, of which the log of the other says 10: +25 %, below every bound, and of other slots."""
    fast = SparkJob(
        0.0, 8.0, (SparkStage(0, (), ((0.0, 4.0), (0.0, 4.0))), SparkStage(1, (0,), ((4.0, 8.0),)))
    )
    up, down = judged([two_runs[0], RealRun("made", 3, _written(tmp_path / "fast", fast, (2,)))])
    assert (up.error, up.in_range, up.bound_holds, up.slots_right) == (0.25, False, False, True)
    assert down.error == pytest.approx(12 / 15 - 1)
    assert not down.slots_right


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    fine = Judged("graphs-1", 4, 8, 20.0, 0.02, True, True, True)
    far = Judged("graphs-1", 8, 4, 40.0, -0.13, False, False, True)
    print_judged([fine, far])
    printed = capsys.readouterr().out
    assert (
        "| graphs-1 | 4: 40.0, 8: 20.0 | 4 to 8: +2.0 % | 8 to 4: -13.0 % | 1 of 2 | 1 of 2 | 2 of 2 |"
        in printed
    )
    assert "| mean error without signs | 2.0 % | 7.5 % |" in printed
    assert "| above 12 % | 0 | 1 |" in printed
    assert "| bounds above a real run | 0 | 1 |" in printed


def test_runs_alike(two_runs: list[RealRun], capsys: pytest.CaptureFixture[str]) -> None:
    print_repeats(two_runs)
    assert "made on 1 slots, run 2 times: 15.00, 10.00 s; 40.0 % apart" in capsys.readouterr().out


def test_the_logs_of_before_are_predicted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(spark, "RUNS", tmp_path)
    for cores, jobs in ((4, (DIAMOND, AFTER)), (8, (DIAMOND,))):
        folder = tmp_path / f"graphs-1-{cores}"
        folder.mkdir()
        write_application(folder / "local-1", jobs, (cores,))
        _written(folder / "local-1", DIAMOND, (cores,))
    monkeypatch.setattr("sys.argv", ["truth", "--only-predict", "--kinds", "graphs", "--repeat", "0"])
    assert truth.main() == 1
    printed = capsys.readouterr()
    assert "| graphs-1 | 4: 12.0, 8: 12.0 |" in printed.out
    assert "graphs-1-16 left no event log" in printed.err


def test_a_run_that_was_cut_short_has_no_log(tmp_path: Path) -> None:
    (tmp_path / "local-1.inprogress").touch()
    with pytest.raises(spark.RunFailed, match="left no event log"):
        spark.log_of(tmp_path)


def test_without_java_it_says_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(spark.RunFailed, match="'make truth' installs both"):
        spark.prepared()
