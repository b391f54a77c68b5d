"""Ends that a log reports late: hatched at the foot of the row, named in the legend and on the card."""

from __future__ import annotations

import pytest

from core.charts.late_reports import late_reports
from core.charts.schedule_rows import schedule_rows
from core.fidelity.history_schedule import history_schedule
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.task_facts import task_facts
from explorer.widgets.theme import theme
from tests.core.fidelity.test_attempt_slots import LATE, run_of, workload_of


def record():
    """Return three tasks on two slots; the first one's end at 9.97 s is reported at 10 s."""
    run = run_of(LATE)
    return history_schedule(workload_of(run), run)


def test_the_stretch_is_from_where_the_slot_was_given_on_to_the_report():
    late = late_reports(schedule_rows(record()))
    assert late.slot.tolist() == [0]
    assert (late.begin[0], late.end[0]) == (9.97, 10.0)


def test_legend_and_card_say_it():
    rows = schedule_rows(record())
    (sign,) = [sign for sign in legend_signs([rows]) if sign.text == "reported late"]
    assert sign.amount == "1"
    first, second = (task_facts(rows, rows.place_of(task)) for task in (0, 1))
    assert ("reported", "0.03 s later") in first.lines()
    assert first.note() == "the log reports its end after its slot was given on"
    assert "reported" not in dict(second.lines())
    assert second.note() == ""


@pytest.mark.parametrize("dark", [False, True])
def test_it_is_seen_from_near_and_not_from_afar(qtbot, dark):
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.resize(800, 300)
    view.axis.set_extent(0.0, 40.0)
    view.set_schedule(record())

    def colours(begin, end):
        image, frame = view.grab().toImage(), view.frame()
        bottom = frame.row(0)[1]
        across = range(round(frame.x(begin)) + 1, round(frame.x(end)) - 1)
        return {image.pixel(x, y) for x in across for y in range(bottom - 12, bottom - 6)}

    assert len(colours(8.0, 9.8)) == 1
    view.axis.show_span(9.9, 10.1)
    assert len(colours(9.972, 9.998)) > len(colours(10.01, 10.04)) == 1
