from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtSvg import QSvgRenderer

from core.charts.palette import faded, lane_colour
from core.charts.raster_kernel import MAP_TONE
from core.charts.schedule_rows import schedule_rows
from core.model.errors import InputError
from core.model.number_text import grouped
from explorer.gantt.chart_export import render
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.layers import task_rows
from explorer.gantt.stage import PRESETS, Style, chart_places, common_range, to_image
from explorer.widgets import export
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_tones, make_schedule, make_workload

pytestmark = pytest.mark.usefixtures("qapp")
WORKLOAD = make_workload(jobs=3, slots=4)


@pytest.fixture(scope="module")
def charts():
    schedules = [make_schedule(WORKLOAD, policy) for policy in ("fifo", "johnson")]
    return [ChartContent(schedule_rows(schedule), title=schedule.choice.id) for schedule in schedules]


def colours(image):
    return {
        image.pixel(x, y) & 0xFFFFFF for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)
    }


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("suffix", [".png", ".PNG"])
def test_a_png_has_the_size_asked_for_and_the_jobs_colours(tmp_path, charts, dark, suffix):
    path = tmp_path / f"chart{suffix}"
    render(charts, path, Style(theme(dark), (640, 480), heading="Three jobs"))
    image = QImage(str(path))
    assert (image.width(), image.height()) == (640, 480)
    assert set(job_tones(3, dark=dark)[:, MAP_TONE].tolist()) <= colours(image)


def test_an_svg_has_one_shape_per_part_of_a_task(tmp_path, charts):
    path = tmp_path / "chart.svg"
    render(charts, path, Style(theme(False), (640, 480)))
    root = ElementTree.parse(path).getroot()
    assert root.attrib["viewBox"] == "0 0 640 480"
    shapes = sum(element.tag.rsplit("}")[-1] in ("rect", "path") for element in root.iter())
    assert shapes > 2 * charts[0].rows.schedule.tasks
    assert QSvgRenderer(str(path)).isValid()


def test_a_pdf_has_one_page_of_the_size_asked_for(tmp_path, charts):
    path = tmp_path / "chart.pdf"
    render(charts, path, Style(theme(False), (800, 400)))
    data = path.read_bytes()
    assert data.startswith(b"%PDF")
    assert re.findall(rb"/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]", data) == [(b"600.000000", b"300.000000")]
    assert len(re.findall(rb"/Type /Page\b(?!s)", data)) == 1


def test_very_many_tasks_go_into_vector_files_as_a_picture(tmp_path, charts, monkeypatch):
    monkeypatch.setattr(task_rows, "MAX_VECTOR_TASKS", 3)
    path = tmp_path / "chart.svg"
    render(charts[:1], path, Style(theme(False), (640, 480)))
    assert "data:image/png;base64" in path.read_text()


def test_pictures_and_vectors_show_the_same(tmp_path, charts):
    path = tmp_path / "chart.svg"
    render(charts, path, Style(theme(False), (640, 480)))
    drawn = QImage(640, 480, QImage.Format.Format_RGB32)
    from PySide6.QtGui import QPainter

    painter = QPainter(drawn)
    QSvgRenderer(str(path)).render(painter)
    painter.end()
    picture = to_image(charts, Style(theme(False), (640, 480)))
    points = [(x, y) for x in range(0, 640, 5) for y in range(0, 480, 5)]
    far = sum(
        max(abs(a - b) for a, b in zip(_rgb(drawn, point), _rgb(picture, point), strict=True)) > 40
        for point in points
    )
    assert far < 0.08 * len(points)


def _rgb(image, point):
    return image.pixelColor(*point).toTuple()[:3]


def test_a_sharper_picture_has_more_pixels(charts):
    image = to_image(charts, Style(theme(False), (400, 300), ratio=2.0))
    assert (image.width(), image.height(), image.devicePixelRatio()) == (800, 600, 2.0)


@pytest.mark.parametrize(
    ("count", "columns", "height"),
    [(1, 1, 600), (2, 1, 300), (3, 1, 200), (4, 2, 300), (5, 1, 120), (6, 2, 200)],
)
def test_charts_are_stacked_or_in_two_columns(count, columns, height):
    places = chart_places(count, (1000, 630), 30)
    assert len({place.left() for place in places}) == columns
    assert {place.height() for place in places} == {height}
    assert all(not a.intersects(b) for a in places for b in places if a != b)
    assert sum(place.width() * place.height() for place in places) == 1000 * 600, "no place is empty"


def test_all_charts_have_one_range_of_time(charts):
    shown = common_range(charts)
    assert shown.start == 0
    assert shown.end > max(chart.rows.schedule.makespan for chart in charts)


@pytest.mark.parametrize(
    ("name", "size", "said"),
    [
        ("chart.jpgg", (640, 480), "written as .png, .svg or .pdf"),
        ("chart", (640, 480), "written as .png"),
        ("chart.png", (640, 5), "size 640x5"),
        ("chart.svg", (10**6, 480), "size 1000000x480"),
        ("no/such/folder/chart.png", (640, 480), "cannot write"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(tmp_path, charts, name, size, said):
    with pytest.raises(InputError, match=said):
        render(charts, tmp_path / name, Style(theme(False), size))


def test_a_chart_of_nothing_can_be_drawn(tmp_path):
    render([ChartContent()], tmp_path / "empty.png", Style(theme(False), (400, 300)))
    assert QImage(str(tmp_path / "empty.png")).width() == 400


@pytest.mark.parametrize("name", ["chart.png", "chart.svg", "chart.pdf"])
def test_a_picture_that_cannot_be_finished_leaves_the_old_one(tmp_path, charts, monkeypatch, name):
    path = tmp_path / name
    render(charts, path, Style(theme(False), (400, 300)))
    whole = path.read_bytes()

    def fails(*_arguments):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("pathlib.Path.replace", fails)
    with pytest.raises(InputError, match="no space left"):
        render(charts, path, Style(theme(True), (640, 480)))
    assert path.read_bytes() == whole
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_picture_that_memory_has_no_room_for_is_refused_with_its_size(tmp_path, charts, monkeypatch):
    monkeypatch.setattr(export, "free_memory", lambda: 40e6)
    with pytest.raises(
        InputError, match=r"a picture of 4000x3000 pixels takes 48 MB .* 40 MB are free; .* SVG"
    ):
        render(charts, tmp_path / "large.png", Style(theme(False), (4000, 3000)))
    assert not list(tmp_path.iterdir())
    render(charts, tmp_path / "large.svg", Style(theme(False), (4000, 3000)))
    assert (tmp_path / "large.svg").stat().st_size > 0


@pytest.mark.parametrize("image", [QImage(), QImage(0, 5, QImage.Format.Format_RGB32)])
def test_a_picture_that_qt_cannot_write_is_no_empty_file(image):
    with pytest.raises(InputError, match=r"cannot be written as PNG"):
        export.png_of(image)


def test_what_qt_has_no_memory_for_is_refused(monkeypatch):
    monkeypatch.setattr(export, "free_memory", lambda: math.inf)
    with pytest.raises(
        InputError, match=f"a picture of 90000x90000 pixels takes {grouped(32_400)} MB of memory, more"
    ):
        export.blank_image(QSize(30_000, 30_000), 3.0)


def test_what_the_tasks_have_no_memory_for_is_refused(charts, monkeypatch):
    def full(*_arguments):
        raise MemoryError

    monkeypatch.setattr(ChartScene, "frame", full)
    with pytest.raises(InputError, match=r"a picture of 640x480 pixels takes 1 MB of memory, more than"):
        to_image(charts, Style(theme(False), (640, 480)))


def test_free_memory_is_told_where_the_system_says_it():
    assert export.free_memory() > 10e6


def test_larger_text_draws_the_same_layout_larger(charts):
    """A picture of twice the size with text of 200 % is the first one in twice as many dots."""
    small = to_image(charts, Style(theme(False), (640, 480), ratio=2.0))
    large = to_image(charts, Style(theme(False), (1280, 960), text=2.0))
    small.setDevicePixelRatio(1.0)
    assert large == small
    with pytest.raises(InputError, match="text size 10 %: give 50 to 300 %"):
        to_image(charts, Style(theme(False), text=0.1))


def test_a_selected_job_stands_out_and_a_selected_task_is_outlined(charts):
    """A chart drawn with a selection looks as one in which the job is selected later."""
    style, job = Style(theme(False), (640, 480)), charts[0]
    at_once = to_image([replace(job, selected_job=1)], style)
    assert at_once != to_image([job], style)
    background = lane_colour(theme(False))
    pale = faded(job_tones(3, dark=False), slice(1, 2), background)
    assert pale[0, MAP_TONE] in colours(at_once)
    assert job_tones(3, dark=False)[0, MAP_TONE] not in colours(at_once)
    assert to_image([replace(job, selected_task=0)], style) != to_image([job], style)


@pytest.mark.parametrize("key", PRESETS)
def test_presets_are_drawn_in_their_format(tmp_path, charts, key):
    style = PRESETS[key].style(len(charts), theme(False))
    path = tmp_path / f"chart{PRESETS[key].suffix}"
    render(charts, path, style)
    assert path.stat().st_size > 1000
    image = to_image(charts, style)
    assert image.width() == PRESETS[key].width * PRESETS[key].ratio
