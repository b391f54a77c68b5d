"""Hosts of recorded runs: short names, and bands of rows."""

from __future__ import annotations

import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import open_trace
from explorer.gantt.geometry.schedule_rows import schedule_rows
from explorer.gantt.layers.execution_history import host_bands, short_hosts
from tests.paths import DATA

LOG = DATA / "jobtracker-0.20.log"


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("h1.example.com", "h2.example.com"), ("h1", "h2")),
        (("/rack1/node-0017", "/rack2/node-0018"), ("0017", "0018")),
        (("10.0.0.1", "10.0.0.12"), ("1", "12")),
        (("a.x.org", "a.y.org"), ("x.org", "y.org")),
        (("/r1/n1", "/r2/n1"), ("/r1/n1", "/r2/n1")),
        (("alone.example.com",), ("alone",)),
        ((), ()),
    ],
)
def test_names_lose_what_says_nothing_but_stay_different(names, short):
    assert tuple(short_hosts(names).values()) == short


def test_each_pool_of_rows_has_the_bands_of_its_slots():
    workload = open_trace([LOG]).workload
    rows = schedule_rows(history_schedule(workload, workload.recorded))  # type: ignore[arg-type]
    maps, reduces = host_bands(rows.schedule.record, rows.pools)
    assert [(band.host, band.first_slot, band.slots) for band in maps] == [("h1", 0, 2), ("h2", 2, 2)]
    assert [(band.host, band.first_slot, band.slots) for band in reduces] == [("h1", 4, 1)]
