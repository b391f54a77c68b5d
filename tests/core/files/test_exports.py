"""Schedules for other programs: Chrome traces, Paje traces and HTML reports."""

from __future__ import annotations

import gzip
import json
import re
import shlex
from collections import defaultdict
from datetime import date
from html.parser import HTMLParser
from importlib.metadata import version
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from core.files.chrome_trace import chrome_trace, slice_names, write_chrome_trace
from core.files.html_report import ReportTable, html_report, write_report
from core.files.paje import paje_lines, write_paje
from core.files.samples import load_sample
from core.measures.comparison_report import comparison_report
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule, with_distinct_titles
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.registry import policy_class
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def schedule() -> Schedule:
    """One map of 4 s and one reduce with 2 s of shuffle and 3 s of its own."""
    job = Job('J"1"', Stage.of(1, 4.0), Stage.of(1, 3.0, 1.0, 2.0))
    return simulate(Workload("w", (job,)), Cluster(1, 1, slowstart=1.0), PolicyChoice("fifo"))


def test_a_chrome_trace_has_a_slice_per_task_and_one_per_shuffle(schedule: Schedule) -> None:
    events = chrome_trace([("", schedule)])["traceEvents"]
    slices = [(e["name"], e["cat"], e["ts"], e["dur"], e["pid"], e["tid"]) for e in events if e["ph"] == "X"]
    assert slices == [
        ('J"1"', "map", 0, 4e6, 1, 1),
        ('J"1"', "reduce", 4e6, 5e6, 2, 2),
        ("shuffle", "shuffle", 4e6, 2e6, 2, 2),
    ]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert names == {(1, 1): "M1", (2, 2): "R1"}


def test_jobs_keep_apart_in_viewers_that_drop_digits() -> None:
    """Perfetto colours a slice by its name without digits: J1 and J2 alike would be no help."""
    assert slice_names(["J1", "J2", "sort", "J 30"]) == ["J1 (A)", "J2 (B)", "sort", "J 30 (D)"]
    names = slice_names([f"J{i:03d}" for i in range(800)])
    assert names[25:28] == ["J025 (Z)", "J026 (AA)", "J027 (AB)"]
    assert len({re.sub(" ?[0-9]+", "", name) for name in names}) == 800


def test_slices_of_a_chrome_trace_nest_and_never_overlap() -> None:
    """Perfetto refuses slices of one thread that overlap without one holding the other."""
    workload = load_sample("facebook")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fair"))
    trace = json.loads(json.dumps(chrome_trace([("", schedule)])))
    events = trace["traceEvents"]
    tracks: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    for event in events:
        assert {"ph", "name", "pid", "tid"} <= event.keys()
        assert event["pid"] > 0
        assert event["tid"] > 0
        if event["ph"] == "X":
            assert event["dur"] >= 0
            tracks[event["pid"], event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
    starts = [event["ts"] for event in events if event["ph"] == "X"]
    assert starts == sorted(starts)
    for slices in tracks.values():
        open_until = [float("inf")]
        for start, end in slices:
            while start >= open_until[-1] - 1e-3:
                open_until.pop()
            assert end <= open_until[-1] + 1e-3
            open_until.append(end)
    named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
    assert set(tracks) <= named
    assert len(named) == schedule.cluster.slots
    processes = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    assert processes == {1: "Map slots", 2: "Reduce slots"}
    jobs = {e["args"]["job"] for e in events if e["ph"] == "X" and e["cat"] != "shuffle"}
    assert jobs == {job.name for job in workload.jobs}


def test_chrome_traces_are_written_plain_or_packed(schedule: Schedule, tmp_path: Path) -> None:
    write_chrome_trace([("", schedule)], tmp_path / "t.json")
    write_chrome_trace([("", schedule)], tmp_path / "t.json.gz")
    plain = json.loads((tmp_path / "t.json").read_bytes())
    assert plain == chrome_trace([("", schedule)])
    assert json.loads(gzip.decompress((tmp_path / "t.json.gz").read_bytes())) == plain


def pair() -> list[tuple[str, Schedule]]:
    """FIFO and Johnson on five jobs, which have one title."""
    workload = load_sample("five-jobs")
    return with_distinct_titles(
        [("Mine", simulate(workload, workload.cluster, PolicyChoice(p))) for p in ("fifo", "johnson")]
    )


def test_a_trace_of_several_schedules_keeps_them_apart() -> None:
    trace = chrome_trace(pair())
    names = {e["pid"]: e["args"]["name"] for e in trace["traceEvents"] if e["name"] == "process_name"}
    assert list(names.values()) == [
        "Mine: Map slots",
        "Mine: Reduce slots",
        "Mine (2): Map slots",
        "Mine (2): Reduce slots",
    ]
    ends = defaultdict(float)
    for event in trace["traceEvents"]:
        if event["ph"] == "X":
            ends[names[event["pid"]]] = max(ends[names[event["pid"]]], (event["ts"] + event["dur"]) / 1e6)
    assert (ends["Mine: Reduce slots"], ends["Mine (2): Reduce slots"]) == (74, 47)
    told = [(each["title"], each["makespan_s"]) for each in trace["otherData"]["scenarios"]]
    assert told == [("Mine", 74), ("Mine (2)", 47)]


def test_a_paje_trace_of_several_schedules_has_a_cluster_for_each() -> None:
    _, events = read_paje("\n".join(paje_lines(pair())))
    names = {event["Alias"]: event["Name"] for number, event in events if number == "3"}
    assert (names["all0"], names["all1"]) == ("Mine", "Mine (2)")
    states = [event for number, event in events if number == "5"]
    assert [float(event["Time"]) for event in states] == sorted(float(e["Time"]) for e in states)
    ends = {
        place: max(float(e["Time"]) for e in states if e["Container"].startswith(place))
        for place in ("slot0", "slot1")
    }
    assert ends == {"slot0": 74, "slot1": 47}
    assert {event["Container"] for event in states} <= names.keys()


def test_a_paje_trace_sets_states_in_order_of_time(schedule: Schedule) -> None:
    lines = list(paje_lines([("", schedule)]))
    assert [line for line in lines if line.startswith("5 ")] == [
        "5 0.000000 Task slot0.0 j0",
        "5 4.000000 Task slot0.0 idle",
        "5 4.000000 Task slot0.1 s0",
        "5 6.000000 Task slot0.1 j0",
        "5 9.000000 Task slot0.1 idle",
    ]
    assert '2 j0 Task "J\'1\'" "0.00 0.45 0.70"' in lines
    assert lines[-1] == "4 9.000000 Cluster all0"


def test_paje_states_of_a_sample_never_go_back_in_time(tmp_path: Path) -> None:
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("johnson"))
    write_paje([("", schedule)], tmp_path / "t.paje")
    times = [
        float(line.split()[1])
        for line in (tmp_path / "t.paje").read_text().splitlines()
        if line.startswith("5 ")
    ]
    assert times == sorted(times)
    assert len(times) == 2 * schedule.tasks


PAJE_EVENTS = {
    "0": ("Alias", "Type", "Name"),
    "1": ("Alias", "Type", "Name"),
    "2": ("Alias", "Type", "Name", "Color"),
    "3": ("Time", "Alias", "Type", "Container", "Name"),
    "4": ("Time", "Type", "Name"),
    "5": ("Time", "Type", "Container", "Value"),
}


def read_paje(text: str) -> tuple[list[str], list[tuple[str, dict[str, str]]]]:
    """Read a Paje trace by its own header: the names of its event kinds, and its events with their fields."""
    kinds: dict[str, list[str]] = {}
    titles: list[str] = []
    events = []
    current = ""
    for line in text.splitlines():
        words = line.split()
        if line.startswith("%EventDef"):
            current = words[2]
            titles.append(words[1])
            kinds[current] = []
        elif line.startswith("%") and words[0] == "%":
            kinds[current].append(words[1])
        elif not line.startswith("%"):
            number, *values = shlex.split(line)
            events.append((number, dict(zip(kinds[number], values, strict=True))))
    assert {number: tuple(names) for number, names in kinds.items()} == PAJE_EVENTS
    return titles, events


def test_a_paje_trace_is_read_back_by_its_own_header() -> None:
    """Aliases are defined before use, containers made before their states, and states are the tasks'."""
    jobs = (Job("J 1", Stage.of(3, [2.0, 1.0, 4.0]), Stage.of(2, 5.0, 0.5, 7.0)), Job("K", Stage.of(2, 1.0)))
    schedule = simulate(Workload("w", jobs), Cluster(2, 1, 0.05), PolicyChoice("fair"))
    _, events = read_paje("\n".join(paje_lines([("", schedule)])))
    known = {"0"}
    states: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for number, event in events:
        references = {"0": ("Type",), "1": ("Type",), "2": ("Type",), "3": ("Type", "Container")}
        for field in references.get(number, ()):
            assert event[field] in known, (number, event)
        if "Alias" in event:
            known.add(event["Alias"])
        if number == "5":
            assert {event["Type"], event["Container"], event["Value"]} <= known
            states[event["Container"]].append((float(event["Time"]), event["Value"]))
        if number == "2":
            assert all(0 <= float(part) <= 1 for part in event["Color"].split())
    columns = schedule.workload.columns
    busy = sum(
        end - start
        for changes in states.values()
        for (start, value), (end, _) in pairwise(changes)
        if value != "idle"
    )
    assert busy == pytest.approx(float((schedule.end - schedule.start).sum()), abs=1e-5)
    assert {value for changes in states.values() for _, value in changes} == {"j0", "s0", "j1", "idle"}
    assert len(columns.job) == 7


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("meta", "img", "source"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


def test_a_report_is_whole_html_and_names_are_escaped() -> None:
    table = ReportTable("A & B", "about < it", ("job", "end"), (("<script>", "1"), ("J2", "2")))
    text = html_report("w<1>", "about", '<img alt="x" src="data:,">', [table], ["made so"])
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.cells == ["<script>", "1", "J2", "2"]
    assert "<script>" not in text
    assert "http" not in text, "nothing is fetched from anywhere"


def test_a_report_names_parameters_with_their_defaults() -> None:
    workload = load_sample("five-jobs")
    chosen = simulate(workload, Cluster(4, 2, 0.5), PolicyChoice("johnson", {}))
    workload = load_sample("facebook")
    flex = simulate(workload, workload.cluster, PolicyChoice("capacity"))
    text = comparison_report([("A", chosen), ("B", flex)], b"", b"")
    assert "4 map + 2 reduce slots, slowstart 50 %" in text
    for parameter in policy_class("capacity").parameters:
        assert f"{parameter.name} = {parameter.default}" in text


def test_a_comparison_report_stands_alone_in_both_themes(tmp_path: Path) -> None:
    """Everything is in the file: pictures for light and dark pages, figures of a hand example."""
    names = ("<b>FIFO</b>", "Johnson & co")
    workload = load_sample("five-jobs")
    named = [
        (name, simulate(workload, workload.cluster, PolicyChoice(policy)))
        for name, policy in zip(names, ("fifo", "johnson"), strict=True)
    ]
    write_report(comparison_report(named, b"light", b"dark", date(2026, 2, 3)), tmp_path / "r.html")
    text = (tmp_path / "r.html").read_text(encoding="utf-8")
    reader = _Reader()
    reader.feed(text)
    assert reader.open == []
    assert reader.cells[:4] == ["<b>FIFO</b>", "1 min 14 s", "baseline", "57.4 %"]
    assert reader.cells[7:11] == ["Johnson & co", "47 s", "-36.5 %", "0.0 %"]
    assert reader.cells[11] == "47 s without lending slots: optimal without lending slots"
    assert "<b>" not in text
    assert '<source media="(prefers-color-scheme: dark)" srcset="data:image/png;base64,ZGFyaw==">' in text
    assert 'src="data:image/png;base64,bGlnaHQ="' in text
    assert (
        "<td>fifo</td><td>none</td><td>30 map + 30 reduce slots, slowstart 100 %, SimMR shuffle</td>" in text
    )
    assert "Above the bound of all: how far the makespan is above the lower bound" in text
    assert f"Simulated by Slotscope {version('slotscope')} on 2026-02-03." in text
    for outside in ("http:", "https:", "url(", "<script", "<link", "@import"):
        assert outside not in text
