"""What a page in a real Chromium draws upon and around rows has the pixels of the window's layers."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter

from core.charts import raster_numpy
from core.charts.charts_page import page_of
from core.charts.inks import EVEN, inks_of
from core.charts.painted_rows import classes_of, painted_rows
from core.charts.raster_kernel import Frame
from core.charts.stage_boxes import stage_bands
from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.files.schedule_page import write_page
from core.logs.open_log import open_trace
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.simulation.simulate import simulate
from explorer.cli.render import charts_of
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.stage_bands import BandLayout
from explorer.gantt.geometry.time_scale import TimeScale
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.deadlines import DeadlinesLayer, LatePartsLayer
from explorer.gantt.layers.execution_history import _paint_attempts
from explorer.gantt.layers.layer import Layer
from explorer.gantt.layers.remote_reads import RemoteReadsLayer
from explorer.gantt.layers.row_bands import pool_use
from explorer.gantt.layers.stage_bands import StageBandsLayer
from explorer.gantt.layers.stage_facts import stage_facts as facts_of_stage
from explorer.gantt.layers.use_picture import UseShown, most_in_use, pixels_of
from explorer.gantt.raster.row_picture import row_colours
from explorer.widgets.theme import theme
from tests.browser import MISSING, Browser, chromium
from tests.core.engine.test_speculation import FOUR, POLICIES
from tests.paths import DATA
from tests.unpacked_page import columns_of, facts_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.charts.schedule_rows import ScheduleRows
    from core.model.schedule import Schedule
    from explorer.gantt.geometry.chart_frame import ChartFrame

pytestmark = pytest.mark.skipif(chromium() is None, reason=MISSING)
WIDTH = 700
NEAR = 3
"""Of 255: both blend what shines through in whole numbers, each in its own way."""
SMOOTHED = 60
"""Of 255: what two ways to smooth a thin stripe differ by at most; dashes begin elsewhere along a frame."""
DRAW = """(() => {{
  ratio = 1; selected = {selected};
  plan = {{ ...plan, left: 0, width: {width}, whole: {width} }};
  Object.assign(view, {{ t0: {begin} / facts.tick, t1: {end} / facts.tick }});
  canvas.width = {width}; canvas.height = {height} + 20;
  const panel = {{ run: runs[0], index: 0, top: 0, plot: 0, height: {rows_height}, bottom: {height},
    rows: rowLayout(runs[0].bands, {rows_height}, 1, 0) }};
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = {ground}; pen.fillRect(0, 0, {width}, {height});
  {what}(panel);
  return Array.from(pen.getImageData(0, 0, {width}, {height}).data);
}})()"""
GROUND = "#3c6e9f"
LEGEND = "[...document.querySelectorAll('#legend .key')].map(each => each.textContent)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as one:
        yield one


def opened(browser: Browser, folder: Path, schedule: Schedule, *, dark: bool = False) -> None:
    write_page(page_of(charts_of([schedule], by_pool=False)), folder / "page.html")
    browser.messages.clear()
    browser.look(1366, 768, dark=dark)
    browser.open(folder / "page.html")


def in_page(
    browser: Browser, what: str, begin: float, end: float, height: int, rows: int, selected: int = -1
) -> np.ndarray:
    """Return what a function of the page draws upon a plain ground, (height, width, 3)."""
    text = DRAW.format(
        what=what,
        begin=begin,
        end=end,
        width=WIDTH,
        height=height,
        rows_height=rows,
        selected=selected,
        ground=f"'{GROUND}'",
    )
    return np.array(browser.evaluate(text), np.int64).reshape(height, WIDTH, 4)[:, :, :3]


def in_window(
    qtbot, schedule: Schedule, layer: Layer, begin: float, end: float, height: int, rows: int, **more
) -> np.ndarray:
    """Return what a layer of the window draws upon the same ground, where rows are as low or as high."""
    dark, folded = more.pop("dark", False), more.pop("folded", frozenset())
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.set_schedule(schedule)
    frame, shown = view.frame(), view.frame().content.rows
    assert shown is not None
    plot = QRect(0, 0, WIDTH, rows)
    frame = replace(
        frame,
        content=replace(frame.content, **more),
        places=replace(frame.places, plot=plot, whole=QRect(0, 0, WIDTH, height)),
        scale=TimeScale(begin, end - begin, WIDTH),
        layout=RowLayout.of(shown.pools, rows, folded=folded),
    )
    image = QImage(WIDTH, height, QImage.Format.Format_RGB32)
    image.fill(QColor(GROUND))
    with QPainter(image) as painter:
        layer.paint(painter, frame, shown)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(height, WIDTH, 4)
    return pixels[:, :, 2::-1].astype(np.int64)


def differing(one: np.ndarray, other: np.ndarray, near: int = NEAR) -> float:
    """Return which part of the pixels that either draws differs by more than blending explains."""
    drawn = (one != one[-1, -1]).any(axis=2) | (other != one[-1, -1]).any(axis=2)
    assert drawn.any(), "nothing is drawn"
    return float((np.abs(one - other).max(axis=2) > near).sum() / drawn.sum())


def with_deadlines() -> Schedule:
    """FIFO's five jobs: J1 is late from 5 to 9 s, J4 from 60 to 71, J5 from 62 to 74; J2 is early."""
    workload = load_sample("five-jobs")
    due = (5.0, 30.0, None, 60.0, 62.0)
    jobs = tuple(replace(job, deadline=each) for job, each in zip(workload.jobs, due, strict=True))
    return simulate(replace(workload, jobs=jobs), workload.cluster, PolicyChoice("fifo"))


@pytest.mark.parametrize(("rows", "dark"), [(200, False), (200, True), (760, False)])
@pytest.mark.parametrize("selected", [-1, 3])
def test_late_parts_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, rows: int, dark: bool, selected: int
) -> None:
    """Low rows have bars, high ones stripes; of a selected job alone."""
    schedule = with_deadlines()
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawLateParts", 2.0, 70.0, rows, rows, selected)
    expected = in_window(
        qtbot, schedule, LatePartsLayer(), 2.0, 70.0, rows, rows, dark=dark, selected_job=selected
    )
    assert differing(found, expected) == 0
    assert browser.messages == []


@pytest.mark.parametrize("selected", [-1, 0])
def test_pennants_stand_where_the_windows_do(qtbot, browser: Browser, tmp_path: Path, selected: int) -> None:
    """Smoothed edges of a pennant differ, poles, cloth and the lines of late jobs do not."""
    schedule = with_deadlines()
    opened(browser, tmp_path, schedule)
    found = in_page(browser, "drawDeadlines", 0.0, 81.0, 230, 200, selected)
    expected = in_window(qtbot, schedule, DeadlinesLayer(), 0.0, 81.0, 230, 200, selected_job=selected)
    assert differing(found, expected) < 0.1


def test_deadlines_are_in_legend_card_and_words(browser: Browser, tmp_path: Path) -> None:
    """By hand: of FIFO J1 ends at 9, 4 s after its deadline; J2 at 13 before 30; J3 has none."""
    schedule = with_deadlines()
    opened(browser, tmp_path, schedule)
    signs = [sign.text for sign in legend_signs([charts_of([schedule], by_pool=False)[0].rows])]
    for text in ("deadline", "late"):
        assert text in signs
        assert text in browser.evaluate(LEGEND)
    words = "facts.jobs.map((_, job) => deadlineWords(runs[0], job))"
    assert browser.evaluate(words) == ["late by 4 s", "met", "", "late by 11 s", "late by 12 s"]
    assert "1 min 14 s, 3 jobs late." in browser.evaluate("canvas.getAttribute('aria-label')")
    browser.evaluate("cursor = { run: runs[0], task: 1 }; stepTask(-1, 0)")
    assert browser.evaluate("element('said').textContent").endswith("Job ends 0:09, Deadline late by 4 s")


def test_a_veil_says_of_deadlines_what_has_passed(browser: Browser, tmp_path: Path) -> None:
    """At 61 s J4 is late and J5 is not known to be."""
    (chart,) = charts_of([with_deadlines()], by_pool=False)
    write_page(page_of([replace(chart, veil=61.0)]), tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    words = browser.evaluate("facts.jobs.map((_, job) => deadlineWords(runs[0], job))")
    assert words == ["late by 4 s", "met", "", "late", ""]
    assert browser.evaluate("lateTasks(runs[0]).every(task => runs[0].start[task] < runs[0].veil)")


def test_a_page_without_deadlines_has_no_column_for_them() -> None:
    """`math.inf` of all jobs would be four bytes for each."""
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert schedule.workload.columns.deadline.min() == math.inf
    assert (
        '"deadline"' not in page_of(charts_of([schedule], by_pool=False)).split('id="facts"')[1].split("<")[0]
    )


def with_remote_reads() -> Schedule:
    """On 2 nodes of 6 slots the inputs of all maps lie on the second one: a read of it adds 20 s to 10 s."""
    ask = Request(1, 1)
    cluster = Cluster(0, 0, 1.0, nodes=(NodeGroup(2, 6, 6),), map_request=ask, reduce_request=ask)
    jobs = tuple(
        Job(f"J{number}", Stage.of(count, 10.0), input_nodes=((1,),) * count, remote_read=20.0)
        for number, count in ((1, 14), (2, 20))
    )
    return simulate(Workload("located", jobs, cluster), cluster, PolicyChoice("fifo"))


@pytest.mark.parametrize(("rows", "dark"), [(100, False), (100, True), (700, False)])
@pytest.mark.parametrize("selected", [-1, 1])
def test_remote_reads_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, rows: int, dark: bool, selected: int
) -> None:
    schedule = with_remote_reads()
    assert schedule.reads_remotely.any()
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawRemoteReads", 3.0, 47.0, rows, rows, selected)
    expected = in_window(
        qtbot, schedule, RemoteReadsLayer(), 3.0, 47.0, rows, rows, dark=dark, selected_job=selected
    )
    assert differing(found, expected) == 0
    assert browser.messages == []


def test_remote_reads_are_in_legend_and_card(browser: Browser, tmp_path: Path) -> None:
    """Every map of the page that reads from another node is one of the schedule, and takes 30 s."""
    schedule = with_remote_reads()
    opened(browser, tmp_path, schedule)
    assert "remote read" in browser.evaluate(LEGEND)
    times = browser.evaluate(
        "Array.from(remoteTasks(runs[0]), task => [runs[0].start[task] * facts.tick, rowOf(runs[0], task)])"
    )
    remote = np.flatnonzero(schedule.reads_remotely)
    assert sorted(times) == sorted([float(schedule.start[task]), int(schedule.slot[task])] for task in remote)
    browser.evaluate("cursor = { run: runs[0], task: remoteTasks(runs[0])[0] + 1 }; stepTask(-1, 0)")
    assert ", Takes 30 s, Remote read 20 s, " in browser.evaluate("element('said').textContent")


def test_a_veil_hides_which_maps_read_longer(tmp_path: Path) -> None:
    """Until 25 s none has ended that does: a bit for it would say when it ends."""
    (chart,) = charts_of([with_remote_reads()], by_pool=False)
    (columns,) = columns_of(page_of([replace(chart, veil=25.0)]))
    assert not any(columns["remote"])


def with_attempts() -> Schedule:
    """Of a log: a setup, a failed attempt, one that another outran and was killed, and a cleanup."""
    workload = open_trace([DATA / "jobtracker-0.20.log"]).workload
    assert workload.recorded is not None
    return history_schedule(workload, workload.recorded)


def with_second_copies() -> Schedule:
    """By hand: a copy of map 1 of A on M2 at 10 s ends first; what had run on M1 from 0 to 20 s is lost."""
    for policy in POLICIES:
        register_policy(policy.id, policy)
    return simulate(FOUR, Cluster(4, 0), PolicyChoice("saves-most"))


class AttemptsAlone(Layer):
    """Without the borders of hosts."""

    def paint(self, painter: QPainter, frame: ChartFrame, rows: ScheduleRows) -> None:
        painter.setClipRect(frame.places.plot)
        _paint_attempts(painter, frame, rows)


@pytest.mark.parametrize(("rows", "dark"), [(60, False), (60, True)])
def test_attempts_have_the_windows_pixels(
    qtbot, browser: Browser, tmp_path: Path, rows: int, dark: bool
) -> None:
    """But for the smoothed edges of stripes."""
    schedule = with_attempts()
    opened(browser, tmp_path, schedule, dark=dark)
    found = in_page(browser, "drawAttempts", 0.0, 26.0, rows, rows)
    expected = in_window(qtbot, schedule, AttemptsAlone(), 0.0, 26.0, rows, rows, dark=dark)
    assert differing(found, expected, SMOOTHED) < 0.05
    assert browser.messages == []


def test_the_copy_that_lost_is_hatched_and_says_so(qtbot, browser: Browser, tmp_path: Path) -> None:
    schedule = with_second_copies()
    opened(browser, tmp_path, schedule)
    found = in_page(browser, "drawAttempts", 0.0, 26.0, 50, 50)
    expected = in_window(qtbot, schedule, AttemptsAlone(), 0.0, 26.0, 50, 50)
    assert differing(found, expected, SMOOTHED) < 0.05
    assert "killed" in browser.evaluate(LEGEND)
    lost = "attemptsOf(runs[0])"
    assert browser.evaluate(f"Array.from({lost}, task => [rowOf(runs[0], task), runs[0].end[task]])") == [
        [0, 20_000]
    ]
    browser.evaluate(f"cursor = {{ run: runs[0], task: {lost}[0] + 1 }}; stepTask(-1, 0)")
    said = browser.evaluate("element('said').textContent")
    assert said.startswith("A: Attempt killed, Slot M1, Runs 0:00 – 0:20")
    assert "the first copy of its task: the second one ended first" in said
    row = browser.evaluate("rowOf(runs[0], runs[0].path.at(-1).task)")
    assert (row, browser.evaluate("isAttempt(runs[0], runs[0].path.at(-1).task)")) == (1, False)


def test_a_veil_hides_that_a_copy_loses(tmp_path: Path) -> None:
    """At 15 s both copies run: a note on the first would say how that ends."""
    (chart,) = charts_of([with_second_copies()], by_pool=False)
    text = page_of([replace(chart, veil=15.0)])
    (run,), (columns,) = facts_of(text)["runs"], columns_of(text)
    assert (run["notes"], columns["attemptNotes"]) == ([""], [0])
    assert "ended first" not in text.split('id="facts"')[1].split("</script>")[0]


@pytest.mark.parametrize("height", [60, 150, 380, 900])
@pytest.mark.parametrize(
    ("sample", "policy", "by_pool"),
    [("facebook", "fifo", False), ("five-jobs", "fifo", False), ("three-pools", "dhfs-pd", False),
     ("three-pools", "fair", True), ("five-jobs-pools", "balanced-pools", False)],
)  # fmt: skip
def test_rows_lie_where_the_windows_do(
    browser: Browser, tmp_path: Path, sample: str, policy: str, by_pool: bool, height: int
) -> None:
    """With no band folded, with each one, and with all."""
    workload = load_sample(sample)
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy))
    (chart,) = charts_of([schedule], by_pool=by_pool)
    write_page(page_of([chart]), tmp_path / "page.html")
    browser.look(1366, 768)
    browser.open(tmp_path / "page.html")
    assert chart.rows is not None
    pools = chart.rows.pools
    some = [frozenset(), *(frozenset([index]) for index in range(len(pools))), frozenset(range(len(pools)))]
    for folded in some:
        layout = RowLayout.of(pools, height, folded=folded)
        found = browser.evaluate(
            f"(() => {{ folded = new Set({sorted(folded)}.map(index => runs[0].bands[index].name)); "
            f"const own = rowLayout(runs[0].bands, {height}, 1, 0); return [own.rowHeight, own.strip, "
            "own.places.map(place => place.top), own.places.map(place => [place.first, place.last])]; })()"
        )
        assert found[0] == pytest.approx(layout.row_height)
        assert found[1] == layout.strip
        assert found[2] == pytest.approx(layout.pool_tops)
        assert [tuple(span) for span in found[3]] == list(layout.pool_spans)


FOLDED = """(() => {{
  const run = runs[0], band = run.bands[{band}], pixels = new Uint32Array({width} * 14);
  for (const _ of paintFolded(pixels, {width}, 14, run, band, {frame}));
  return Array.from(pixels, each => (each & 255) << 16 | each & 0xff00 | each >> 16 & 255);
}})()"""


@pytest.mark.parametrize(("sample", "dark"), [("five-jobs", False), ("facebook", True)])
def test_folded_rows_have_the_windows_pixels(
    browser: Browser, tmp_path: Path, sample: str, dark: bool
) -> None:
    """One line for all rows, the darker the more of them run something."""
    workload, colours = load_sample(sample), theme(dark)
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    opened(browser, tmp_path, schedule, dark=dark)
    (chart,) = charts_of([schedule], by_pool=False)
    assert chart.rows is not None
    tick, seconds = browser.evaluate("facts.tick"), schedule.makespan * 0.7
    painted, scale = painted_rows(chart.rows, chart.classes), WIDTH / seconds
    for number, (pool, columns) in enumerate(zip(chart.rows.pools, painted.pools, strict=True)):
        even = row_colours(pool, colours)[0].rgb()
        ink = inks_of(np.full((painted.groups, 6), colours.second_text.rgb() & 0xFFFFFF), EVEN)
        frame = Frame(37, scale, 0.0, 1 / pool.slots, even, even, 8, colours.gap.rgb(), 2, 0)
        expected = np.zeros((1, WIDTH), np.uint32)
        raster_numpy.paint(expected, columns, ink, frame)
        sent = {"origin": 37, "scale": scale * tick, "even": even & 0xFFFFFF, "odd": 0, "stripe": 8,
                "gap": colours.gap.rgb() & 0xFFFFFF, "borrowed": 0, "selected": -1}  # fmt: skip
        text = FOLDED.format(band=number, width=WIDTH, frame=json.dumps(sent))
        found = np.array(browser.evaluate(text), np.uint32).reshape(14, WIDTH)
        assert (found == found[0]).all()
        assert (found[0] != expected[0] & 0xFFFFFF).mean() <= 0.01
        assert len(set(found[0].tolist())) > 1


def test_a_click_on_a_label_folds_the_rows_of_all_charts(browser: Browser, tmp_path: Path) -> None:
    """By hand: at 3 s of FIFO all 30 maps of J1 run; the folded row says so, as the window does."""
    workload = load_sample("five-jobs")
    schedules = [simulate(workload, workload.cluster, PolicyChoice(each)) for each in ("fifo", "johnson")]
    charts = charts_of(schedules, by_pool=False)
    write_page(page_of(charts), tmp_path / "page.html")
    browser.messages.clear()
    browser.look(1366, 768)
    browser.open(tmp_path / "page.html")
    left, top = browser.evaluate("(box => [box.left, box.top])(canvas.getBoundingClientRect())")
    y = top + browser.evaluate("plan.panels[0].plot") + 20
    browser.click(left + 8, y)
    browser.settle()
    shown = "plan.panels.map(({ rows }) => rows.places.map(place => place.last - place.first))"
    found = browser.evaluate(shown)
    assert [heights[0] for heights in found] == [14, 14]
    assert min(heights[1] for heights in found) > 150
    x = left + browser.evaluate("X(3 / facts.tick)")
    browser.mouse("mouseMoved", x, top + browser.evaluate("plan.panels[0].plot") + 7)
    assert charts[0].rows is not None
    use = pool_use(charts[0].rows, 0, 3.0)
    lines = [word for pair in use.lines() for word in pair]
    card = browser.evaluate("[...card.querySelectorAll('h2, dt, dd, p')].map(each => each.textContent)")
    assert card[:1] + card[-1:] == [use.title, use.note()]
    assert (card[1:3], card[5:7]) == (lines[:2], lines[4:6])
    browser.evaluate("canvas.focus()")
    for heights in ([14, 14], [96, 96]):
        browser.key("c")
        browser.settle()
        if heights == [14, 14]:
            assert browser.evaluate(shown) == [heights, heights]
    assert min(min(each) for each in browser.evaluate(shown)) > 60
    assert browser.messages == []


@pytest.mark.parametrize(
    ("sample", "policy", "lines"),
    [("facebook", "fifo", 20), ("facebook", "fair", 11), ("facebook", "fifo", 6), ("three-pools", "fair", 20),
     ("five-jobs", "johnson", 3)],
)  # fmt: skip
@pytest.mark.parametrize("dark", [False, True])
def test_strips_of_slots_in_use_have_the_windows_pixels(
    browser: Browser, tmp_path: Path, sample: str, policy: str, lines: int, dark: bool
) -> None:
    """High ones are stacked by colour, low ones the darker the more is in use; times are rounded to ticks."""
    workload, colours = load_sample(sample), theme(dark)
    opened(
        browser, tmp_path, schedule := simulate(workload, workload.cluster, PolicyChoice(policy)), dark=dark
    )
    (chart,) = charts_of([schedule], by_pool=False)
    rows, classes = chart.rows, classes_of(chart)
    assert rows is not None
    assert classes is not None
    scale = TimeScale(0.0, schedule.makespan * 0.7, WIDTH)
    for lane in range(len(rows.pools)):
        shown = UseShown(rows, classes, None, colours, scale, lines, range(lane, lane + 1), is_counted=True)
        image = QImage(WIDTH, lines, QImage.Format.Format_RGB32)
        image.fill(colours.surface)
        pixels = np.ascontiguousarray(pixels_of(shown, (lines, WIDTH)))
        with QPainter(image) as painter:
            painter.drawImage(0, 0, QImage(pixels.data, WIDTH, lines, QImage.Format.Format_ARGB32))
        expected = np.frombuffer(image.constBits(), np.uint8).reshape(lines, WIDTH, 4)[:, :, 2::-1]
        found = browser.evaluate(
            f"(() => {{ const pixels = new Uint32Array({WIDTH} * {lines}); ratio = 1; "
            f"paintUse(pixels, {WIDTH}, {lines}, runs[0], [runs[0].bands[{lane}]], 0, "
            f"{scale.pixels_per_second!r} * facts.tick); "
            "return Array.from(new Uint8Array(pixels.buffer)); })()"
        )
        drawn = np.array(found, np.int64).reshape(lines, WIDTH, 4)[:, :, :3]
        away = np.abs(drawn - expected.astype(np.int64)).max(axis=2)
        assert (away > NEAR).mean() <= 0.01
        most = browser.evaluate(f"useOf(runs[0], [runs[0].bands[{lane}]]).most")
        assert most == most_in_use(rows)[range(lane, lane + 1)]
    assert "slots in use" in browser.evaluate(LEGEND)
    assert browser.messages == []


STAGES = """(() => {{
  ratio = 1; selected = -1;
  plan = {{ ...plan, left: 80, width: {width}, whole: {width} + 80 }};
  Object.assign(view, {{ t0: {begin} / facts.tick, t1: {end} / facts.tick }});
  canvas.width = {width} + 80; canvas.height = {height};
  const panel = {{ run: runs[0], stages: bandLayout(runs[0], {chart}), bandsTop: 0 }};
  plan.panels = [panel];
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.fillStyle = {ground}; pen.fillRect(0, 0, {width} + 80, {height});
  drawStages(panel, Infinity);
  const image = pen.getImageData(80, 0, {width}, {height}).data;
  const hits = {points}.map(([x, y]) => boxAt(x + 80, y)?.at ?? -1);
  return [panel.stages.height, panel.stages.box, Array.from(image), hits];
}})()"""


@pytest.mark.parametrize(("chart_height", "dark"), [(500, False), (500, True), (900, False)])
def test_stages_above_the_rows_have_the_windows_pixels_and_hits(
    qtbot, browser: Browser, tmp_path: Path, chart_height: int, dark: bool
) -> None:
    """But for letters and curves; ten thousand random points find the boxes that the window finds."""
    workload = load_sample("spark-application")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    opened(browser, tmp_path, schedule, dark=dark)
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.set_schedule(schedule)
    frame, rows = view.frame(), view.frame().content.rows
    assert rows is not None
    bands = stage_bands(rows)
    assert bands is not None
    layout, scale = BandLayout.of(bands, chart_height, 0, 14), TimeScale(5.0, 60.0, WIDTH)
    random, height = np.random.default_rng(4), layout.height
    points = np.stack([random.uniform(0, WIDTH, 10_000), random.uniform(0, height, 10_000)], 1).round(3)
    places = replace(frame.places, bands=QRect(0, 0, WIDTH, height), whole=QRect(0, 0, WIDTH, height))
    places = replace(places, plot=QRect(0, height, WIDTH, 100), path=QRect(0, 0, WIDTH, 8))
    frame = replace(frame, places=places, scale=scale, bands=layout)
    image = QImage(WIDTH, height, QImage.Format.Format_RGB32)
    image.fill(QColor(GROUND))
    with QPainter(image) as painter:
        StageBandsLayer().paint(painter, frame, rows)
    expected = np.frombuffer(image.constBits(), np.uint8).reshape(height, WIDTH, 4)[:, :, 2::-1]
    sent = {"width": WIDTH, "height": height, "chart": chart_height, "begin": 5.0, "end": 65.0}
    text = STAGES.format(**sent, ground=f"'{GROUND}'", points=json.dumps(points.tolist()))
    found = browser.evaluate(text)
    assert found[:2] == [height, layout.box]
    drawn = np.array(found[2], np.int64).reshape(height, WIDTH, 4)[:, :, :3]
    away = np.abs(drawn - expected.astype(np.int64)).max(axis=2)
    assert (away > NEAR).mean() < 0.12, "letters of labels and think times are some tenth"
    slack = 2.0 / scale.pixels_per_second
    hits = [layout.box_at(scale.time(x), y, slack) for x, y in points.tolist()]
    wrong = [pair for pair in zip(found[3], hits, strict=True) if pair[0] != pair[1]]
    assert len(wrong) <= 10, wrong[:5]
    assert len(set(hits)) > 5
    assert browser.messages == []


def test_a_stage_has_a_card_and_a_click_selects_its_job(browser: Browser, tmp_path: Path) -> None:
    workload = load_sample("spark-application")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    opened(browser, tmp_path, schedule)
    (chart,) = charts_of([schedule], by_pool=False)
    assert chart.rows is not None
    bands = stage_bands(chart.rows)
    assert bands is not None
    x = y = 0.0
    for box, stage in enumerate(bands.boxes.stage.tolist()):
        known = facts_of_stage(chart.rows, stage)
        assert known is not None
        x, y = browser.evaluate(
            "((place, box) => [box.left + (place.left + place.right) / 2, box.top + place.top + 5])"
            f"(boxPlace(plan.panels[0], {box}), canvas.getBoundingClientRect())"
        )
        browser.mouse("mouseMoved", x, y)
        card = browser.evaluate("[...card.querySelectorAll('h2, dt, dd, p')].map(each => each.textContent)")
        wanted = [known.lines()[0], *known.lines()[2:4]]
        assert card[0] == known.title
        assert card[1:3] + card[5:9] == [word for pair in wanted for word in pair]
        assert card[9] == known.note()
    browser.click(x, y)
    assert browser.evaluate("facts.jobs[selected]") == "Write report"
    assert "first to last stage" in browser.evaluate(LEGEND)
    assert browser.messages == []


def test_a_veil_hides_the_stages() -> None:
    """The row of a box follows from what comes later."""
    workload = load_sample("spark-application")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    (chart,) = charts_of([schedule], by_pool=False)
    assert facts_of(page_of([replace(chart, veil=20.0)]))["runs"][0]["stageBands"] == {}
    assert facts_of(page_of([chart]))["runs"][0]["stageBands"]["path"]
