"""Hosts of recorded runs: short names, and bands of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.charts.schedule_rows import ScheduleRows, schedule_rows
from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from explorer.gantt.chart_export import render
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers.execution_history import host_bands, short_hosts
from explorer.gantt.stage import Style
from explorer.widgets.theme import theme
from tests.paths import DATA

if TYPE_CHECKING:
    from pathlib import Path

LOG = DATA / "jobtracker-0.20.log"


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("h1.example.com", "h2.example.com"), ("h1", "h2")),
        (("/rack1/node-0017", "/rack2/node-0018"), ("0017", "0018")),
        (("10.0.0.1", "10.0.0.12"), ("1", "12")),
        (("a.x.org", "a.y.org"), ("x", "y")),
        (("/r1/n1", "/r2/n1"), ("/r1/n1", "/r2/n1")),
        (("alone.example.com",), ("alone",)),
        ((), ()),
    ],
)
def test_names_lose_what_says_nothing_but_stay_different(names, short):
    assert tuple(short_hosts(names).values()) == short


def recorded_rows(log: Path) -> ScheduleRows:
    workload = open_trace([log]).workload
    return schedule_rows(history_schedule(workload, workload.recorded))  # type: ignore[arg-type]


def test_each_pool_of_rows_has_the_bands_of_its_slots():
    rows = recorded_rows(LOG)
    maps, reduces = host_bands(rows.schedule.record, rows.pools)
    assert [(band.host, band.first_slot, band.slots) for band in maps] == [("h1", 0, 2), ("h2", 2, 2)]
    assert [(band.host, band.first_slot, band.slots) for band in reduces] == [("h1", 4, 1)]


@pytest.mark.usefixtures("qapp")
def test_slots_are_named_where_the_log_knows_no_host(tmp_path):
    rows = recorded_rows(DATA / "machine.swf")
    assert host_bands(rows.schedule.record, rows.pools) == ((),)
    render([ChartContent(rows, title="As recorded")], tmp_path / "chart.svg", Style(theme(False), (640, 480)))
    drawn = (tmp_path / "chart.svg").read_text()
    assert ">M1<" in drawn
    assert "host" not in drawn
