"""The trace of a Nextflow run: tasks and attempts of processes, and what of their order can be inferred."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.files.job_stages import graph_to_json
from core.logs.nextflow import date_ms, duration_ms
from core.logs.open_log import Imported, open_trace
from core.model.errors import TraceError
from core.model.schedule import PolicyChoice
from core.optimize.premise import premise_on
from core.simulation.simulate import simulate
from tests.core.logs.test_archives import zip_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / "nextflow-trace.txt"])


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("4h 41m 7s", 16_867_000),
        ("120ms", 120),
        ("1.5s", 1500),
        ("2d 3h", 183_600_000),
        ("1m 30s 500ms", 90_500),
        ("1m", 60_000),
        ("0ms", 0),
        ("61000", 61_000),
        ("-", None),
        ("", None),
        ("4 hours", None),
        ("-3s", None),
        ("1e9s", None),
    ],
)
def test_durations(text: str, milliseconds: int | None) -> None:
    assert duration_ms(text) == milliseconds


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("1970-01-02 00:00:00.250", 86_400_250),
        ("1714644000000", 1_714_644_000_000),
        ("2024-05-02 10:00:00", 1_714_644_000_000),
        ("-", None),
        ("0", None),
        ("2024-13-02 10:00:00", None),
    ],
)
def test_dates(text: str, milliseconds: int | None) -> None:
    assert date_ms(text) == milliseconds


def test_processes_are_stages(log: Imported) -> None:
    (job,) = log.workload.jobs
    assert job.name == "nextflow-trace"
    assert job.graph.names == ("INDEX", "FASTQC", "ALIGN", "MERGE", "MULTIQC")
    times = [stage.task_durations.tolist() for stage in job.stages]
    assert times == [[60], [29.5], [89, 120], [10], []]


def test_the_order_of_processes_is_inferred(log: Imported) -> None:
    """ALIGN was submitted when INDEX and FASTQC had ended, MERGE when both ALIGN had, MULTIQC after that."""
    (job,) = log.workload.jobs
    assert [job.graph.parents(stage) for stage in range(5)] == [(), (), (0, 1), (2,), (3,)]
    assert all(edge.inferred for edge in job.graph.edges)
    assert graph_to_json(job.graph)[3]["after"] == [{"stage": "ALIGN", "inferred": True}]
    assert premise_on(log.workload, log.workload.cluster).as_inferred
    assert any("a graph is inferred from the times" in text for text in log.report.assumptions)


def test_it_can_be_left_out(data: Path) -> None:
    (job,) = open_trace([data / "nextflow-trace.txt"], parameters={"infer_order": False}).workload.jobs
    assert job.graph.edges == ()
    assert sum(stage.count for stage in job.stages) == 5


def test_attempts_of_one_name_are_tries_at_one_task(log: Imported) -> None:
    run = log.workload.recorded
    assert run is not None
    assert (len(run.start), int(run.counts.sum())) == (7, 5)
    notes = {note.what: note.count for note in log.report.notes}
    assert notes["tasks whose results an earlier run had (CACHED), left out"] == 1


def test_it_runs_again_as_worked_out_by_hand(log: Imported) -> None:
    """On two slots: INDEX and FASTQC until 60 s, both ALIGN until 180, MERGE until 190."""
    assert log.workload.cluster.containers == 2
    assert simulate(log.workload, log.workload.cluster, PolicyChoice("fifo")).finish.tolist() == [190]


def test_starts_and_ends_of_the_record(log: Imported) -> None:
    """A task has ended its duration after it was submitted, and ran for its realtime before."""
    run = log.workload.recorded
    assert run is not None
    spans = zip(run.start[run.counts].tolist(), run.end[run.counts].tolist(), strict=True)
    assert sorted(spans) == [(1.5, 31), (2, 62), (66, 186), (87.5, 176.5), (192, 202)]


HEADER = "task_id\thash\tname\tstatus\tsubmit\tstart\tcomplete\trealtime\n"


def test_raw_traces_have_milliseconds(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(
        HEADER + "1\ta\tP (x)\tCOMPLETED\t1714644000000\t1714644001000\t1714644004000\t3000\n"
    )
    (job,) = open_trace([tmp_path / "t.txt"]).workload.jobs
    assert job.stages[0].durations.tolist() == [3]
    assert job.graph.names == ("P",)


def test_two_runs_are_two_jobs(tmp_path: Path, data: Path) -> None:
    text = (data / "nextflow-trace.txt").read_text()
    (tmp_path / "one.txt").write_text(text)
    (tmp_path / "two.txt").write_text(text.replace("2024-05-02 10:", "2024-05-02 11:"))
    jobs = open_trace([tmp_path]).workload.jobs
    assert [(job.name, job.arrival) for job in jobs] == [("one", 0), ("two", 3600)]


def test_bad_rows_are_left_out_with_sentences(tmp_path: Path) -> None:
    rows = "1\ta\tP\tCOMPLETED\n2\ta\tP (y)\tCOMPLETED\t-\t-\t-\t-\n3\tb\tP (z)\tCOMPLETED\t5\t5\t9\t4\n"
    (tmp_path / "t.txt").write_text(HEADER + rows)
    opened = open_trace([tmp_path / "t.txt"])
    assert (
        "line 2 is '1\\ta\\tP\\tCOMPLETED'; it has other cells than the header has names, which are 8"
        in str(opened.report.damage[0])
    )
    assert sum(stage.count for stage in opened.workload.jobs[0].stages) == 1


def test_a_trace_without_times_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("task_id\thash\tname\tstatus\n1\ta\tP\tCOMPLETED\n")
    with pytest.raises(TraceError, match="without a column submit nothing is known of the tasks"):
        open_trace([tmp_path / "t.txt"])


def test_a_run_that_had_all_results_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text(HEADER + "1\ta\tP\tCACHED\t5\t5\t9\t4\n")
    with pytest.raises(TraceError, match="all 1 tasks have results of an earlier run; nothing ran"):
        open_trace([tmp_path / "t.txt"])


def test_a_column_that_is_named_twice(tmp_path: Path) -> None:
    row = "1\ta\tP\tCOMPLETED\t5\t5\t9\t4\t4\n"
    (tmp_path / "t.txt").write_text(HEADER.replace("\n", "\trealtime\n") + row)
    assert open_trace([tmp_path / "t.txt"]).workload.jobs[0].task_count == 1


def test_runs_in_an_archive_are_called_as_their_files_are(tmp_path: Path, data: Path) -> None:
    trace = (data / "nextflow-trace.txt").read_bytes()
    (tmp_path / "night.zip").write_bytes(zip_of({"runs/first.txt": trace, "runs/second.txt": trace}))
    jobs = open_trace([tmp_path / "night.zip"]).workload.jobs
    assert [job.name for job in jobs] == ["first", "second"]
