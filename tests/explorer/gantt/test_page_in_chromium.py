"""A page in a real Chromium: its pixels and hit tests are the window's, and its hands and keys work."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.charts import raster_numpy
from core.charts.charts_page import page_of
from core.charts.class_colours import squeeze_of, tones_of
from core.charts.inks import inks_of
from core.charts.painted_rows import painted_rows, stripe_rows
from core.charts.raster_kernel import Frame
from core.files.samples import load_sample
from core.files.schedule_page import write_page
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.cli.render import charts_of
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.tasks_in_view import hit
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.raster.row_picture import row_colours
from explorer.widgets.theme import theme
from tests.browser import MISSING, Browser, chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
MANY_POINTS = 10_000


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


def opened(browser: Browser, folder: Path, sample: str, *policies: str):
    """Open a page in light colours; return its charts."""
    workload = load_sample(sample)
    charts = charts_of([simulate(workload, workload.cluster, PolicyChoice(each)) for each in policies], False)
    write_page(page_of(charts), folder / "page.html")
    browser.messages.clear()
    browser.look(1366, 768)
    browser.open(folder / "page.html")
    return charts


PAINT = """(() => {{
  const run = runs[0], band = run.bands[{band}], pixels = new Uint32Array({width} * {height});
  const steps = paintBand(pixels, {width}, {height}, run, band, {{ ...{frame}, selected: -1 }});
  while (!steps.next().done);
  return Array.from(pixels, each => (each & 255) << 16 | each & 0xff00 | each >> 16 & 255);
}})()"""


@pytest.mark.parametrize(
    ("sample", "policy", "row_height", "most"),
    [
        ("five-jobs", "fifo", 3.2, 0.0),
        ("five-jobs", "johnson", 0.4, 0.0),
        ("three-pools", "dhfs-pd", 17.3, 0.002),
        ("three-pools", "dhfs-pd", 0.6, 0.002),
        ("facebook", "johnson", 0.37, 0.01),
        ("facebook", "fifo", 8.0, 0.01),
    ],
)
def test_pixels_are_the_windows(
    browser: Browser, tmp_path: Path, sample: str, policy: str, row_height: float, most: float
) -> None:
    """Bands of rows, high and low, have the same pixels; times that are rounded to ticks move few of them."""
    (chart,) = opened(browser, tmp_path, sample, policy)
    rows, colours = chart.rows, theme(False)
    inks = inks_of(tones_of(chart, colours), squeeze_of(chart, colours))
    width, height, seconds = 500, 90, rows.schedule.makespan * 0.7
    for number, (pool, columns) in enumerate(
        zip(rows.pools, painted_rows(rows, chart.classes).pools, strict=True)
    ):
        even, odd = (each.rgb() for each in row_colours(pool, colours))
        own = pool.own if rows.has_borrowed else 2
        borrowed = colours.text.rgb() & 0xFFFFFF
        gap = colours.gap.rgb()
        frame = Frame(
            37, width / seconds, -2.25, row_height, even, odd, stripe_rows(pool), gap, own, borrowed
        )
        expected = np.zeros((height, width), np.uint32)
        raster_numpy.paint(expected, columns, inks, frame)
        sent = {
            "origin": 37,
            "top": -2.25,
            "rowHeight": row_height,
            "even": even & 0xFFFFFF,
            "odd": odd & 0xFFFFFF,
            "stripe": stripe_rows(pool),
            "gap": gap & 0xFFFFFF,
            "own": own,
            "borrowed": borrowed,
        }
        tick = browser.evaluate("facts.tick")
        text = json.dumps({**sent, "scale": width / seconds * tick})
        found = browser.evaluate(PAINT.format(band=number, width=width, height=height, frame=text))
        differs = np.array(found, np.uint32).reshape(height, width) != (expected & 0xFFFFFF)
        assert differs.mean() <= most


@pytest.mark.parametrize(
    ("sample", "policy", "height"), [("facebook", "fifo", 300), ("three-pools", "dhfs-pd", 300)]
)
def test_hits_are_the_windows(
    browser: Browser, tmp_path: Path, sample: str, policy: str, height: int
) -> None:
    """What lies under ten thousand random points is what the window finds there, rows lower or higher."""
    (chart,) = opened(browser, tmp_path, sample, policy)
    rows, random = chart.rows, np.random.default_rng(11)
    layout = RowLayout.of(rows.pools, height)
    assert layout.gap == browser.evaluate(f"gapsOf(runs[0].bands, {height}).gap")
    columns, seconds = rows.columns, rows.schedule.makespan
    tick = browser.evaluate("facts.tick")
    rounded = columns._replace(  # as the page knows them
        start=np.round(columns.start / tick) * tick, end=np.round(columns.end / tick) * tick
    )
    scale = TimeScale(seconds * 0.1, seconds * 0.3, 900)
    points = np.stack([random.uniform(0, 900, MANY_POINTS), random.uniform(0, height, MANY_POINTS)], 1).round(
        3
    )
    found = browser.evaluate(
        f"(() => {{ const own = rowLayout(runs[0].bands, {height}, 1, 0), at = x => (x + {scale.origin}) / "
        f"{scale.pixels_per_second!r} / facts.tick; return {json.dumps(points.tolist())}.map(([x, y]) => {{ "
        "const it = hit(runs[0], own, x, y, at); "
        "return it ? [it.task, it.place.band.at + it.row, it.rows] : [-1, -1, 0]; }); })()"
    )
    expected = [
        [each.place, each.slot, each.slots]
        for each in (hit(rounded, layout, scale, x, y) for x, y in points.tolist())
    ]
    wrong = [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]]
    assert len(wrong) <= MANY_POINTS // 1000, wrong[:5]  # where tasks meet, the last bit of a product decides
    assert sum(each[0] >= 0 for each in found) > MANY_POINTS / 10


def test_a_veil_is_drawn_and_nothing_under_it_is_read_out(browser: Browser, tmp_path: Path) -> None:
    """FIFO to 0:10: its bar has no length, its label no end, and the last task is before the veil."""
    workload = load_sample("five-jobs")
    (chart,) = charts_of([simulate(workload, workload.cluster, PolicyChoice("fifo"))], False)
    write_page(page_of([replace(chart, veil=10.0)]), tmp_path / "page.html")
    browser.messages.clear()
    browser.look(1366, 768)
    browser.open(tmp_path / "page.html")
    assert browser.evaluate("document.querySelector('#bars strong').textContent") == "–"
    assert "FIFO: what comes after 0:10 is hidden" in browser.evaluate("canvas.getAttribute('aria-label')")
    assert browser.evaluate("Math.max(...runs[0].start) * facts.tick") < 10
    browser.evaluate("cursor = { run: runs[0], task: runs[0].code.length - 1 }; stepTask(0, 0)")
    assert (
        browser.evaluate("element('said').textContent")
        == "J2: Task reduce 30, Wave 1, Slot R30, Starts 0:09.0"
    )
    browser.evaluate("select(2)")
    assert browser.evaluate("element('said').textContent") == "J3: FIFO 0:05 to –"
    assert browser.messages == []


def test_the_reader_switches_between_clusters(browser: Browser, tmp_path: Path) -> None:
    """Charts, bars and what is read out are those of the cluster that is chosen; the time axis stays."""
    workload = load_sample("five-jobs")
    clusters = [replace(workload.cluster, map_slots=size, reduce_slots=size) for size in (15, 30)]
    runs = [simulate(workload, each, PolicyChoice(id)) for each in clusters for id in ("fifo", "johnson")]
    names = ["15 + 15 slots"] * 2 + ["30 + 30 slots"] * 2
    write_page(page_of(charts_of(runs, False), clusters=names), tmp_path / "page.html")
    browser.look(1366, 768)
    browser.open(tmp_path / "page.html")
    shown = "plan.panels.map(panel => panel.index)"
    bars = "[...document.querySelectorAll('#bars strong')].map(each => each.textContent)"
    assert browser.evaluate(shown) == [0, 1]
    assert browser.evaluate(bars) == ["2 min 28 s", "1 min 34 s"]
    span = browser.evaluate("span")
    browser.evaluate("document.querySelectorAll('#variants button')[1].click()")
    assert browser.evaluate(shown) == [2, 3]
    assert browser.evaluate(bars) == ["1 min 14 s", "47 s"]
    assert browser.evaluate("document.getElementById('said').textContent").startswith(
        "30 + 30 slots: FIFO takes"
    )
    assert browser.evaluate("span") == span
    browser.evaluate("canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '1' }))")
    assert browser.evaluate(shown) == [0, 1]
    assert browser.messages == []


def test_a_click_selects_the_job_in_all_charts_and_escape_lets_it_go(
    browser: Browser, tmp_path: Path
) -> None:
    opened(browser, tmp_path, "five-jobs", "fifo", "johnson")
    place = "(() => { const p = placeOf(plan.panels[0], 0), b = canvas.getBoundingClientRect(); "
    x, y = browser.evaluate(place + "return [b.left + p.x + 9, b.top + p.y + 1]; })()")
    browser.mouse("mouseMoved", x, y)
    card = browser.evaluate("card.hidden ? '' : card.textContent")
    assert card.startswith("J1Taskmap 1 of 30")
    assert "Runs0:00.0 – 0:04.0" in card
    browser.click(x, y)
    browser.settle()
    assert browser.evaluate("facts.jobs[selected]") == "J1"
    assert browser.evaluate("element('said').textContent") == "J1: FIFO 0:00 to 0:09; Johnson 0:03 to 0:13"
    browser.evaluate("canvas.focus()")
    browser.key("Escape")
    assert browser.evaluate("selected") == -1
    assert browser.messages == []


def test_wheel_keys_and_search(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, "five-jobs", "fifo", "johnson")
    assert browser.evaluate("[view.t0, view.t1 === span]") == [0, True]
    browser.mouse("mouseWheel", 500, 300, deltaX=0, deltaY=-100)
    browser.settle()
    assert browser.evaluate("goal.t1 - goal.t0 < span * .9")
    browser.evaluate("canvas.focus()")
    browser.key("Home")
    browser.settle()
    assert browser.evaluate("[view.t0, view.t1 === span]") == [0, True]
    browser.key("ArrowRight", 8)
    assert browser.evaluate("element('said').textContent").startswith("J1: Task map 1 of 30, Wave 1, Slot M1")
    browser.evaluate("element('find').focus()")
    browser.key("5")
    assert browser.evaluate("[...element('found').children].map(each => each.textContent)") == ["J5"]
    browser.key("Enter")
    assert browser.evaluate("facts.jobs[selected]") == "J5"
    assert browser.messages == []


@pytest.mark.parametrize("dark", [False, True])
def test_pages_are_light_or_dark_as_the_reader_has_it(browser: Browser, tmp_path: Path, dark: bool) -> None:
    opened(browser, tmp_path, "five-jobs", "fifo")
    browser.look(390, 844, 2, dark)
    browser.wait_for(f"isDark === {str(dark).lower()} && plan.whole < 390")
    browser.settle()
    assert browser.evaluate("colour.window") == theme(dark).window.name()
    assert browser.evaluate("document.documentElement.scrollWidth") <= 390, "nothing is cut off at the side"
    browser.evaluate("print(true)")
    assert browser.evaluate("[isExact(), colour.window, isDark]") == [True, "#ffffff", False]
    browser.evaluate("print(false)")
    assert browser.evaluate("colour.window") == theme(dark).window.name()
    assert browser.messages == []


def test_fingers_pan_pinch_and_tap(browser: Browser, tmp_path: Path) -> None:
    """A drag to the left shows later times, two fingers that part show less of them, a tap selects."""
    opened(browser, tmp_path, "five-jobs", "fifo", "johnson")
    browser.look(390, 844, 2)
    browser.wait_for("plan.whole < 390")
    browser.settle()
    y = browser.evaluate("canvas.getBoundingClientRect().top + plan.panels[0].plot + 20")
    browser.touch("touchStart", (150, y), (250, y))
    for far in (10, 20, 30, 40):
        browser.touch("touchMove", (150 - far, y), (250 + far, y))
    browser.touch("touchEnd")
    browser.settle()
    wide, begin = browser.evaluate("[goal.t1 - goal.t0, goal.t0]")
    assert wide < 0.7 * browser.evaluate("span")
    browser.touch("touchStart", (250, y))
    for x in (230, 210, 190, 170):
        browser.touch("touchMove", (x, y))
    browser.touch("touchEnd")
    browser.settle()
    assert browser.evaluate("goal.t0") > begin
    assert browser.evaluate("goal.t1 - goal.t0") == pytest.approx(wide)
    browser.evaluate("whole()")
    browser.settle()
    x = browser.evaluate("X(2 / facts.tick) + canvas.getBoundingClientRect().left")
    browser.touch("touchStart", (x, y))
    browser.touch("touchEnd")
    browser.wait_for("selected >= 0")
    assert browser.evaluate("[facts.jobs[selected], card.hidden]") == ["J1", False]
    assert browser.messages == []


def test_a_page_of_any_height_and_no_width_is_drawn(browser: Browser, tmp_path: Path) -> None:
    """The height of a window, as a picture of the whole page makes it, does not make the charts grow on."""
    opened(browser, tmp_path, "three-pools", "fifo", "fair")
    browser.picture(tmp_path / "whole.png", whole=True)
    browser.look(1366, 20_000)
    browser.wait_for("window.innerHeight === 20000")
    browser.settle()
    assert browser.evaluate("plan.height") < 2000
    browser.look(60, 300)
    browser.wait_for("window.innerWidth < 400")
    browser.settle()
    assert browser.messages == []


def test_the_table_behind_the_canvas_has_every_job(browser: Browser, tmp_path: Path) -> None:
    """By hand: of FIFO, J1 starts at 0 and ends at 9 s, of Johnson's order J2 is done at 5 s."""
    opened(browser, tmp_path, "five-jobs", "fifo", "johnson")
    browser.evaluate("element('jobs').open = true; new Promise(done => setTimeout(done, 50))")
    rows = browser.evaluate(
        "[...document.querySelectorAll('#jobs tr')].map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert len(rows) == 6
    assert rows[1] == ["J1", "30", "30", "0:00", "0:09", "0:03", "0:13"]
    assert rows[2][0] == "J2"
    assert rows[2][-1] == "0:05"


def test_a_name_that_is_markup_is_text(browser: Browser, tmp_path: Path) -> None:
    """The page that is drawn has the element it would have, and complains of nothing."""
    from dataclasses import replace

    workload = load_sample("five-jobs")
    evil = "</script><img src=x onerror=document.title='evil'>"
    jobs = (replace(workload.jobs[0], name=evil), *workload.jobs[1:])
    workload = replace(workload, name=evil, description=evil, jobs=jobs)
    charts = charts_of([simulate(workload, workload.cluster, PolicyChoice("fifo"))], False)
    write_page(page_of(charts), tmp_path / "page.html")
    browser.messages.clear()
    browser.open(tmp_path / "page.html")
    browser.evaluate("select(0)")
    assert browser.evaluate("document.title") == evil
    assert browser.evaluate("document.querySelectorAll('img').length") == 0
    assert browser.evaluate("element('find').value") == evil
    assert browser.messages == []
