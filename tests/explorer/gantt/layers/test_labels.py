"""What is written upon a chart: nothing over anything else, and no names of what recedes."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from core.explain.critical_path import critical_path
from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers import labels, layer, marks
from explorer.widgets.theme import theme

SAMPLES = (("five-jobs", "fifo"), ("facebook", "fair"), ("three-pools", "fair"), ("wikitrends", "edf-max"))
SIZES = ((300, 150), (640, 220), (960, 480), (1300, 700))


@pytest.fixture
def written(monkeypatch):
    """What is written where: rectangles with their texts, of the frame painted last."""
    found: list[tuple[QRectF, str]] = []
    flag, halo, tag = marks._paint_flag, labels.HaloText.draw, layer.draw_tag

    def noted_flag(painter, frame, place, text, mark):
        found.append((QRectF(place.left, frame.places.flags.top(), place.width, marks.FLAG_HEIGHT), text))
        flag(painter, frame, place, text, mark)

    def noted_name(self, painter, frame, at, text, font):
        metrics = QFontMetricsF(font)
        area = QRectF(at.x(), at.y() - metrics.ascent(), metrics.horizontalAdvance(text), metrics.height())
        found.append((area & QRectF(frame.places.plot), text))
        halo(self, painter, frame, at, text, font)

    def noted_tag(painter, frame, rect, text, *colours):
        found.append((rect, text))
        tag(painter, frame, rect, text, *colours)

    monkeypatch.setattr(marks, "_paint_flag", noted_flag)
    monkeypatch.setattr(labels.HaloText, "draw", noted_name)
    monkeypatch.setattr(labels, "draw_tag", noted_tag)
    return found


@pytest.mark.parametrize(("sample", "policy"), SAMPLES)
def test_nothing_is_written_over_anything_else(qtbot, written, sample, policy):
    workload = load_sample(sample)
    assert workload.cluster is not None
    schedule = simulate(workload, workload.cluster, PolicyChoice(policy))
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.axis.set_extent(0.0, schedule.makespan)
    bound = 0.9 * schedule.makespan
    view.set_schedule(schedule, lower_bound=bound, estimates=(("estimated", 0.95 * schedule.makespan),))
    for width, height in SIZES:
        view.resize(width, height)
        for selected in (-1, 0, len(workload.jobs) - 1):
            view.change(selected_job=selected)
            for start, end in ((0.0, 1.0), (0.3, 0.5)):
                view.axis.show_span(start * schedule.makespan, end * schedule.makespan)
                written.clear()
                view.grab()
                flags = [area for area, _ in written if area.height() == marks.FLAG_HEIGHT]
                assert flags or not view.frame().places.flags.height()
                for (one, text), (other, beside) in combinations(written, 2):
                    assert not one.intersects(other), (text, beside, width, height, selected)


@pytest.mark.parametrize("room", range(10, 90, 4))
@pytest.mark.parametrize("name", ["J005", "nightly load"])
def test_a_name_that_is_cut_keeps_enough_letters_to_know_the_job(qapp, name, room):
    text = labels._legible(name, QFontMetricsF(qapp.font()), room)
    assert text in ("", name) or len(text.replace("…", "")) >= labels.MIN_LETTERS


@pytest.mark.parametrize("height", [300, 1300])
def test_only_what_stands_out_is_named(qtbot, monkeypatch, height):
    """Names of what recedes would be as loud as those of what is looked at."""
    workload = load_sample("five-jobs")
    assert workload.cluster is not None
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    named: list[str] = []
    monkeypatch.setattr(labels.HaloText, "draw", lambda *given: named.append(given[4]))
    monkeypatch.setattr(
        labels,
        "_paint_task_label",
        lambda *given: named.append(f"J{(given[2].columns.code[given[3]] >> 1) + 1}"),
    )
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.resize(1200, height)
    view.axis.set_extent(0.0, schedule.makespan)
    view.set_schedule(schedule)
    view.grab()
    assert set(named) == {"J1", "J2", "J3", "J4", "J5"}
    named.clear()
    view.change(selected_job=2)
    view.grab()
    assert set(named) == {"J3"}
    view.change(selected_job=-1)
    view.grab()
    everything = len(named)
    path = critical_path(schedule)
    view.set_critical_path(schedule, path)
    named.clear()
    view.grab()
    jobs = {int(workload.columns.job[link.task]) for link in path.links if link.task >= 0}
    assert set(named) <= {workload.jobs[job].name for job in jobs}
    assert height < 1000 or len(named) < everything, "the tasks of the path alone"
