"""The bracket over an end in which next to nothing runs: where it is, and where it is not."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import EMPTY, Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers import run_end as layer
from explorer.gantt.layers.run_end import free_lane, run_end
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

LONE = Job("J2", Stage.of(1, [100.0]), EMPTY)


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    """Of 300 maps one takes 100 s, the others 30 s; the slots are squeezed into the chart."""
    jobs = (LONE, Job("many", Stage.of(299, 30.0), EMPTY))
    axis = TimeAxis()
    axis.set_extent(0.0, 100.0)
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(make_schedule(Workload("test", jobs, Cluster(300, 10, 1.0))))
    view.look.fit_rows(True)
    return view


@pytest.fixture
def painted(monkeypatch):
    """What the layer paints: the bracket, the plate of the words, and the words."""
    found = []
    paint = layer._paint

    def noted(painter, frame, bracket, plate, words, background):
        found.append((bracket, plate, words))
        paint(painter, frame, bracket, plate, words, background)

    monkeypatch.setattr(layer, "_paint", noted)
    return found


def test_it_goes_from_the_end_of_the_many_to_the_end_of_the_run(view, painted):
    view.grab()
    ((bracket, plate, words),) = painted
    frame = view.frame()
    assert words == "1 min 10 s: 1 map (J2)"
    assert bracket.left() == round(frame.x(30.0))
    assert bracket.right() + 1 == round(frame.x(100.0)) - layer.SIDE // 2
    assert bracket.left() < plate.left() < plate.right() < bracket.right()


def test_it_lies_where_no_row_is_in_use_then(view, painted):
    view.grab()
    ((bracket, plate, _),) = painted
    frame = view.frame()
    top, bottom = frame.row(int(run_end(view.content.rows).rows[0]))
    lane = frame.pool_rects[0]
    assert not (plate.top() < bottom and top < bracket.bottom())
    assert lane.top() <= plate.top()
    assert bracket.bottom() <= lane.bottom()
    image = view.grab().toImage()
    ink = view.scene.theme.second_text.rgb()
    assert all(image.pixel(x, bracket.center().y()) == ink for x in range(bracket.left(), bracket.right()))


def test_words_stand_beside_the_line_of_the_bound(view, painted):
    view.change(lower_bound=62.0)
    view.grab()
    ((_, plate, _),) = painted
    assert plate.left() > view.frame().x(62.0) or plate.right() < view.frame().x(62.0)


def test_without_room_it_is_left_out(view, painted):
    view.axis.show_span(0.0, 31.0)
    view.grab()
    assert painted == []
    view.axis.fit()
    view.resize(900, 30)
    view.grab()
    assert painted == []


def test_what_is_veiled_or_not_over_has_none(view, painted):
    view.change(veil=50.0)
    view.grab()
    assert painted == []


def test_an_end_like_any_other_has_none(qtbot, painted):
    view = GanttView(TimeAxis(), theme(False))
    qtbot.addWidget(view)
    view.set_schedule(make_schedule())
    assert view.content.rows is not None
    assert run_end(view.content.rows) is None
    view.grab()
    assert painted == []


def test_a_lane_in_which_something_runs_then_is_taken_before_others(view):
    """The map lasts longest; of the lanes, that of the maps has room, until more is asked for."""
    frame = view.frame()
    found = run_end(view.content.rows)
    assert found is not None
    index, part = free_lane(frame, found, 20)
    assert index == 0
    assert part.top() >= frame.row(int(found.rows[0]))[1]
    assert part.bottom() <= frame.pool_rects[0].bottom()
    in_reduces = found._replace(rows=found.rows + 300)
    assert free_lane(frame, in_reduces, 1)[0] == 1
    assert free_lane(frame, in_reduces, frame.pool_rects[1].height() + 1)[0] == 0
    assert free_lane(frame, found, 1000)[0] == -1
