"""A log of which something is missing says so wherever its workload goes; a whole one never does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.charts.chart import charts_of
from core.charts.charts_page import page_of
from core.fidelity.fidelity import judge
from core.fidelity.history_schedule import recorded_schedule
from core.files.workload_document import read_workload
from core.files.workload_writing import write_workload
from core.logs.cut_log import PHRASES, cut_sentence, is_cut
from core.logs.open_log import open_trace
from core.logs.report_line import line_of, short_line_of
from core.model.cut_logs import CUT_LOG
from core.model.errors import Problem
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.gzipped import gzip_of
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.workload import Workload

LOGS = sorted(path for path in DATA.iterdir() if path.is_file() and path.suffix != ".md")


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    lines = (DATA / "spark.log").read_bytes().splitlines(keepends=True)
    path = tmp_path / "night.log"
    path.write_bytes(b"".join(lines[:30]))
    return path


def workload_of(path: Path) -> Workload:
    return open_trace([path]).workload


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_only_what_the_report_calls_damage_is_a_cut(path):
    imported = open_trace([path])
    assert bool(imported.workload.cut) == any(map(is_cut, imported.report.damage))
    assert imported.report.cut == imported.workload.cut


@pytest.mark.parametrize(
    "path", [path for path in LOGS if "jobs.jsonl" not in path.name], ids=lambda path: path.name
)
def test_packed_data_that_ends_early_is_a_cut(path, tmp_path):
    packed = gzip_of(path.read_bytes())
    (tmp_path / path.name).write_bytes(packed[:-9])
    imported = open_trace([tmp_path / path.name])
    assert imported.workload.cut.startswith("The log is not whole")
    assert any("what follows is lost" in problem.rule for problem in imported.report.damage)


def test_the_sentence_names_the_first_place_and_counts_the_others():
    problem = Problem("a.log", "", "the rest is left out")
    begins = "The log is not whole, so neither is what follows from it: a.log: the rest is left out"
    assert cut_sentence(problem, 1) == f"{begins}."
    assert cut_sentence(problem, 2) == f"{begins} (and 1 more place)."
    assert cut_sentence(problem, 3) == f"{begins} (and 2 more places)."
    assert all(is_cut(Problem("", "", f"so and so {phrase}.")) for phrase in PHRASES)
    assert not is_cut(Problem("", "", "not a job of a Rumen trace; it is left out"))


def test_it_stays_in_the_document_and_in_all_that_is_made_of_it(cut, tmp_path):
    imported = open_trace([cut])
    workload, report = imported.workload, imported.report
    assert "night.log, job 1: stage 4" in workload.cut
    assert report.cut in report.to_text(2000)
    assert "of a log that is not whole" in line_of(report, 1.0)
    assert short_line_of(report).endswith(CUT_LOG)
    write_workload(workload, tmp_path / "w.workload.json")
    read = read_workload(tmp_path / "w.workload.json")
    assert read == workload
    assert read.cut == workload.cut
    record = recorded_schedule(read)
    assert record.workload.cut == workload.cut
    for schedule in (record, simulate(read, read.cluster, PolicyChoice("fifo"))):
        assert workload.cut in page_of(charts_of([("night", schedule)]))
    assert judge([read], "fifo").logs[0].lacking[0] == workload.cut


def test_a_spark_log_that_ends_within_an_event_of_no_use_is_cut(tmp_path):
    path, begin = tmp_path / "night.log", b"".join((DATA / "spark.log").read_bytes().splitlines(True)[:20])
    event = b'{"Event":"SparkListenerTaskStart","Stage ID":0}'
    for last, is_cut_there in ((event, False), (event[:-1], True), (event[:-5], True)):
        path.write_bytes(begin + last)
        damage = open_trace([path]).report.damage
        assert any("the record is cut short" in problem.rule for problem in damage) is is_cut_there
