"""A page in a real Chromium hatches closed slots and marks what happens to nodes, as the window does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.charts.charts_page import page_of
from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.files.schedule_page import write_page
from core.model.cluster import Cluster
from core.model.node_events import NodeEvent
from core.model.schedule import PolicyChoice
from core.model.slot_times import SlotTime
from core.model.task_types import MAP
from core.simulation.simulate import simulate
from explorer.cli.render import charts_of
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.closed_slots import ClosedSlotsLayer
from explorer.gantt.layers.late_reports import LateReportsLayer
from explorer.gantt.layers.node_events import NodeEventsLayer, facts_of
from tests.browser import MISSING, Browser, chromium
from tests.builders import make_job, make_workload
from tests.core.fidelity.test_attempt_slots import LATE, run_of, workload_of
from tests.explorer.gantt.test_page_layers import LEGEND, SMOOTHED, differing, in_page, in_window, opened

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.model.schedule import Schedule

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
CARD = "card.hidden ? [] : [...card.querySelectorAll('h2, dt, dd, p')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


def with_events() -> Schedule:
    """The third rack fails and returns; the first one runs at half its speed from 20 s on."""
    workload = load_sample("failed-rack")
    events = workload.cluster.events
    assert events is not None
    happen = (*events.happen, NodeEvent(20.0, 0, "speed", 0.5))
    cluster = replace(workload.cluster, events=replace(events, happen=happen))
    return simulate(replace(workload, cluster=cluster), cluster, PolicyChoice("fifo"))


def with_slot_times() -> Schedule:
    times = SlotTime(2, 0.0, 5.0, MAP), SlotTime(3, 12.0, 30.0, MAP)
    return simulate(
        make_workload(make_job("J1", (9, 10.0))), Cluster(2, 0, slot_times=times), PolicyChoice("fifo")
    )


@pytest.mark.parametrize(("rows", "dark"), [(200, False), (200, True), (25, False)])
@pytest.mark.parametrize("make", [with_events, with_slot_times])
def test_closed_slots_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, make, rows: int, dark: bool
) -> None:
    """Low rows are dimmed, high ones hatched as well."""
    schedule, end = make(), 110.0 if make is with_events else 36.0
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawClosed", 3.0, end, rows, rows)
    expected = in_window(qtbot, schedule, ClosedSlotsLayer(), 3.0, end, rows, rows, dark=dark)
    assert differing(found, expected) == 0
    assert browser.messages == []


@pytest.mark.parametrize(("rows", "dark"), [(200, False), (200, True), (25, False)])
def test_late_reports_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, rows: int, dark: bool
) -> None:
    run = run_of(LATE)
    schedule = history_schedule(workload_of(run), run)
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawLateReports", 9.9, 10.1, rows, rows)
    expected = in_window(qtbot, schedule, LateReportsLayer(), 9.9, 10.1, rows, rows, dark=dark)
    assert differing(found, expected) == 0
    assert browser.messages == []


@pytest.mark.parametrize(("rows", "dark"), [(200, False), (200, True), (40, False)])
def test_events_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, rows: int, dark: bool
) -> None:
    """But for the smoothed edges of signs, which low rows have no room for."""
    schedule = with_events()
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawNodeEvents", 3.0, 110.0, rows, rows)
    expected = in_window(qtbot, schedule, NodeEventsLayer(), 3.0, 110.0, rows, rows, dark=dark)
    assert differing(found, expected, SMOOTHED) <= (0.06 if rows > 100 else 0)


def pointed_at(browser: Browser, seconds: float, row: int) -> list[str]:
    """Return what the card says at a time in a row of the first chart."""
    browser.mouse(
        "mouseMoved",
        *browser.evaluate(
            "(box => { const panel = plan.panels[0], { places } = panel.rows, "
            f"place = places.find(({{ band }}) => {row} >= band.at && {row} < band.at + band.rows), "
            f"[top, bottom] = rowSpan(panel, place, {row} - place.band.at); "
            f"return [box.left + X({seconds} / facts.tick), box.top + (top + bottom) / 2]; }})"
            "(canvas.getBoundingClientRect())"
        ),
    )
    return browser.evaluate(CARD)


def test_the_card_and_the_legend_say_what_happens(browser: Browser, tmp_path: Path) -> None:
    """Beside a bar, or in a row of another node, it is the task that is told."""
    schedule = with_events()
    opened(browser, tmp_path, schedule)
    (chart,) = charts_of([schedule], by_pool=False)
    assert chart.rows is not None
    for place, (seconds, row) in enumerate([(20.0, 0), (45.0, 4), (105.0, 8)]):
        known = facts_of(chart.rows, place)
        words = [known.title, *(word for pair in known.lines() for word in pair), known.note()]
        assert pointed_at(browser, seconds, row) == words
    assert pointed_at(browser, 45.0, 0)[0] == "logs"
    assert pointed_at(browser, 75.0, 4) == []
    signs = [sign.text for sign in legend_signs([chart.rows])]
    for text in ("node away", "node fails", "node is back", "node speed"):
        assert text in signs
        assert text in browser.evaluate(LEGEND)
    assert ", nodes fail once. " in browser.evaluate("canvas.getAttribute('aria-label')")
    opened(browser, tmp_path, with_slot_times())
    assert "nodes fail" not in browser.evaluate("canvas.getAttribute('aria-label')")
    assert "closed slot" in browser.evaluate(LEGEND)
    assert "node away" not in browser.evaluate(LEGEND)
    assert browser.messages == []


def test_a_veil_hides_when_the_node_is_back(browser: Browser, tmp_path: Path) -> None:
    """The same for a page written with a veil and for one that a lesson's script veils."""
    (chart,) = charts_of([with_events()], by_pool=False)
    write_page(page_of([replace(chart, veil=60.0)]), tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    fails = ["Node N3 fails", "at", "0:45", "lost", "2 tasks", "What it ran is lost and runs again."]
    known = "[Array.from(runs[0].events.time), Array.from(runs[0].closed.end, Number.isFinite)]"
    for _ in range(2):
        assert pointed_at(browser, 45.0, 4) == fails
        assert pointed_at(browser, 105.0, 4) == []
        assert browser.evaluate(known) == [[20_000, 45_000], [False] * 3]
        assert "node is back" not in browser.evaluate(LEGEND)
        opened(browser, tmp_path, with_events())
        browser.evaluate("runs = [runUntil(runs[0], 60 / facts.tick)]; drawLegend(); layOut()")
        browser.settle()
    early = "nodesUntil(runs[0], 15 / facts.tick)"
    assert browser.evaluate(f"(({{ closed, events }}) => [closed, events])({early})") == [None, None]
    assert browser.messages == []


def test_what_happens_later_is_not_told_while_it_is_played(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, with_events())
    browser.evaluate("now = 50 / facts.tick")
    assert pointed_at(browser, 45.0, 4)[0] == "Node N3 fails"
    assert pointed_at(browser, 105.0, 4) == []
