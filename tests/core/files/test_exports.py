"""Schedules for other programs: Chrome traces, Paje traces and HTML reports."""

from __future__ import annotations

import gzip
import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from core.cluster import Cluster
from core.files.chrome_trace import chrome_trace, write_chrome_trace
from core.files.html_report import ReportTable, html_report
from core.files.paje import paje_lines, write_paje
from core.samples import load_sample
from core.schedule import PolicyChoice, Schedule
from core.simulate import simulate
from core.workload import Job, Stage, Workload

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def schedule() -> Schedule:
    """One map of 4 s and one reduce with 2 s of shuffle and 3 s of its own."""
    job = Job('J"1"', Stage.of(1, 4.0), Stage.of(1, 3.0, 1.0, 2.0))
    return simulate(Workload("w", (job,)), Cluster(1, 1, slowstart=1.0), PolicyChoice("fifo"))


def test_a_chrome_trace_has_a_slice_per_task_and_one_per_shuffle(schedule: Schedule) -> None:
    events = chrome_trace(schedule)["traceEvents"]
    slices = [(e["name"], e["cat"], e["ts"], e["dur"], e["pid"], e["tid"]) for e in events if e["ph"] == "X"]
    assert slices == [
        ('J"1"', "map", 0, 4e6, 0, 0),
        ('J"1"', "reduce", 4e6, 5e6, 1, 1),
        ("shuffle", "shuffle", 4e6, 2e6, 1, 1),
    ]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {(0, 0): "M1", (1, 1): "R1"}


def test_chrome_traces_are_written_plain_or_packed(schedule: Schedule, tmp_path: Path) -> None:
    write_chrome_trace(schedule, tmp_path / "t.json")
    write_chrome_trace(schedule, tmp_path / "t.json.gz")
    plain = json.loads((tmp_path / "t.json").read_bytes())
    assert plain == chrome_trace(schedule)
    assert json.loads(gzip.decompress((tmp_path / "t.json.gz").read_bytes())) == plain


def test_a_paje_trace_sets_states_in_order_of_time(schedule: Schedule) -> None:
    lines = list(paje_lines(schedule))
    assert [line for line in lines if line.startswith("5 ")] == [
        "5 0.000000 Task slot0 j0",
        "5 4.000000 Task slot0 idle",
        "5 4.000000 Task slot1 s0",
        "5 6.000000 Task slot1 j0",
        "5 9.000000 Task slot1 idle",
    ]
    assert '2 j0 Task "J\'1\'" "0.00 0.45 0.70"' in lines
    assert lines[-1] == "4 9.000000 Cluster all"


def test_paje_states_of_a_sample_never_go_back_in_time(tmp_path: Path) -> None:
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("johnson"))
    write_paje(schedule, tmp_path / "t.paje")
    times = [
        float(line.split()[1])
        for line in (tmp_path / "t.paje").read_text().splitlines()
        if line.startswith("5 ")
    ]
    assert times == sorted(times)
    assert len(times) == 2 * schedule.tasks


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


def test_a_report_is_whole_html_and_names_are_escaped() -> None:
    table = ReportTable("A & B", ("job", "end"), (("<script>", "1"), ("J2", "2")))
    text = html_report("w<1>", "about", '<img alt="x" src="data:,">', [table], ["made so"])
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.cells == ["<script>", "1", "J2", "2"]
    assert "<script>" not in text
    assert "http" not in text, "nothing is fetched from anywhere"
