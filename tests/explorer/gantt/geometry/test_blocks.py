from __future__ import annotations

import pytest

from core.charts.schedule_rows import bands_of
from core.model.cluster import Cluster
from explorer.gantt.geometry import blocks
from explorer.gantt.geometry.blocks import LINE, Block, blocks_in, middle_slots
from explorer.gantt.geometry.row_layout import RowLayout
from explorer.gantt.geometry.time_scale import TimeScale
from tests.core.charts.chart_builders import frozen_rows

SCALE = TimeScale(0.0, 20.0, 200)
"""10 pixels a second."""


def found(spans, room=30.0, height=None, scale=SCALE):
    """The blocks of a pool whose rows are 20 px tall; spans are (start, end, job) of each row."""
    tasks = [task for row in spans for task in row]
    offsets = [sum(map(len, spans[:row])) for row in range(len(spans) + 1)]
    start, end, job = zip(*tasks, strict=True)
    rows = frozen_rows(offsets, start, start, end, [each << 1 for each in job], [0.0] * (max(job) + 1))
    layout = RowLayout(bands_of(Cluster(len(spans), 0)), height or 20 * len(spans), gap=0)
    return blocks_in(rows, layout, scale, 0, lambda job: room)


def test_a_block_is_as_wide_as_all_its_rows_allow():
    (block,) = found([[(0, 12, 0)], [(1, 14, 0)], [(2, 13, 0)]])
    assert block == Block(0, 20.0, 120.0, 0.0, 60.0)


def test_it_ends_where_another_job_runs():
    blocks_found = found([[(0, 12, 0)], [(0, 12, 0)], [(0, 12, 1)], [(0, 10, 0)]])
    assert [(block.job, block.top, block.bottom) for block in blocks_found] == [
        (0, 0.0, 40.0),
        (1, 40.0, 60.0),
    ]


def test_it_ends_where_too_little_room_would_be_left():
    (block,) = found([[(0, 12, 0)], [(0, 12, 0)], [(10, 16, 0)]])
    assert (block.left, block.right, block.top, block.bottom) == (0.0, 120.0, 0.0, 40.0)


def test_a_job_without_room_for_its_name_has_none():
    assert found([[(0, 2.9, 0)]]) == []
    assert len(found([[(0, 3.1, 0)]])) == 1


def test_tasks_side_by_side_are_one_stretch():
    (block,) = found([[(0, 2, 0), (2.1, 4, 0), (4, 6, 0), (8, 10, 1)]])
    assert (block.left, block.right) == (0.0, 60.0)


def test_one_line_of_another_job_in_thin_rows_is_no_end():
    """Ten rows of two pixels, one of another job: a line of pixels in four is looked at."""
    rows = [[(0, 12, 0)] for _ in range(10)]
    rows[5] = [(0, 12, 1)]
    first = next(block for block in found(rows, height=20) if block.job == 0)
    assert (first.top, first.bottom) == (0.0, 20.0)


def test_the_widest_come_first_and_what_is_out_of_view_has_none():
    spans = [[(0, 8, 0), (8, 20, 1)]]
    assert [block.job for block in found(spans)] == [1, 0]
    assert [block.job for block in found(spans, scale=TimeScale(0.0, 8.0, 80))] == [0]


def test_of_very_many_tasks_fewer_lines_are_looked_at(monkeypatch):
    spans = [[(0, 12, 0)] for _ in range(9)]
    (whole,) = found(spans)
    monkeypatch.setattr(blocks, "MAX_LOOKED_AT", 12)
    (part,) = found(spans)
    assert whole.height == pytest.approx(180)
    assert LINE <= part.height < whole.height


@pytest.mark.parametrize("height", [40, 90, 333, 1024, 5000])
@pytest.mark.parametrize("scroll", [0, 57])
def test_the_slots_looked_at_are_those_in_the_middle_of_each_line(height, scroll):
    layout = RowLayout.of(bands_of(Cluster(256, 77)), height).zoomed(1.7, 20.0).scrolled_to(scroll)
    for index, (top, bottom) in enumerate(layout.pool_spans):
        under = [layout.slots_at(y) for y in range(top + 1, bottom, 2)]
        assert middle_slots(layout, index, 2).tolist() == [each[len(each) // 2] for each in under]


def test_on_the_row_of_a_folded_pool_no_slot_is_looked_at():
    layout = RowLayout.of(bands_of(Cluster(256, 77)), 333, folded=frozenset((0,)))
    assert set(middle_slots(layout, 0, 2).tolist()) == {-1}
