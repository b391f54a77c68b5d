"""The import report as text and as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from core.logs.open_log import open_trace
from core.logs.report import WIDTH, ReportRow, ReportSeverity, rows_text

if TYPE_CHECKING:
    from pathlib import Path

    from core.logs.report import ImportReport


@pytest.fixture
def report(rumen: Path) -> ImportReport:
    return open_trace([rumen]).report


def test_the_text_fits_a_screen_or_two(report):
    lines = report.to_text().splitlines()
    assert len(lines) < 80
    assert max(map(len, lines)) <= WIDTH + 1


def test_labels_and_texts_are_aligned(report):
    lines = report.to_text().splitlines()
    starts = {len(line) - len(line.lstrip()) for line in lines}
    assert starts <= {0, 19, 21}
    assert all(line[18] == " " for line in lines)


def test_the_text_tells_sums_and_then_jobs(report):
    text = report.to_text()
    assert "5 kept, 1 left out" in text
    assert "11 kept, 4 left out: 1 never ran, 1 failed, 1 killed" in text
    assert "3 SETUP, 2 CLEANUP, left out" in text
    assert text.index("suggested cluster") < text.index("notes on jobs") < text.index("ended as FAILED")


def test_many_notes_are_cut_and_counted(tmp_path):
    jobs = [{"jobID": f"job_{i}", "outcome": f"WORSE{i}", "mapTasks": []} for i in range(40)]
    attempt = {"result": "SUCCESS", "startTime": 1, "finishTime": 2}
    jobs.append({"jobID": "job_40", "submitTime": 1, "mapTasks": [{"attempts": [attempt]}]})  # type: ignore[dict-item, list-item]
    (tmp_path / "log").write_text("\n".join(map(json.dumps, jobs)))
    report = open_trace([tmp_path / "log"]).report
    text = report.to_text()
    assert len(report.notes) > 40
    assert len(report.jobs_left_out) == 40
    assert text.count("more (all are in the JSON report)") == 1
    assert "job_0, job_1, job_2 and 37 more jobs: no usable task" in text
    assert len(text.splitlines()) < 70


def test_the_json_is_complete_and_plain(report):
    read = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert read["jobs_kept"] == 5
    assert read["maps"]["left_out"]["killed"] == 1
    assert read["cluster"]["map_slots"] == report.cluster.map_slots
    assert {"job", "what", "count"} == set(read["notes"][0])
    assert len(read["notes"]) == len(report.notes)
    assert read["is_clean"] is False


def test_rows_name_problems_first_and_leave_nothing_out(report):
    rows = report.rows()
    severities = [row.severity for row in rows]
    assert severities == sorted(severities, key=list(ReportSeverity).index)
    assert set(severities) == set(ReportSeverity)
    said = {(row.severity, row.where, row.what) for row in rows}
    assert (ReportSeverity.PROBLEM, "maps", "1 left out: never ran") in said
    assert (ReportSeverity.NOTE, "other tasks", "3 SETUP, left out: neither maps nor reduces") in said
    assert {row.what for row in rows if row.where == "assumed"} == set(report.assumptions)
    assert len([row for row in rows if row.where == report.jobs_left_out[0][0]]) >= 1


def test_rows_are_csv_that_no_spreadsheet_takes_for_formulas():
    row = ReportRow(ReportSeverity.PROBLEM, "=1+1", 'a "quoted", text')
    assert rows_text([row]) == 'severity,where,what\nproblem,\'=1+1,"a ""quoted"", text"\n'


@pytest.mark.parametrize("kind", ["map", "reduce"])
def test_slow_start_is_named_only_where_there_are_reduces(tmp_path, kind):
    path = tmp_path / "tasks.csv"
    path.write_text(f"job,kind,start,end\na,map,0,5\na,{kind},6,9\n")
    assert ("slow start" in open_trace([path]).report.to_text()) is (kind == "reduce")
