from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from benchmarks.lane_shares import lanes_of, share_of_lanes
from tests.explorer.window_fixtures import open_window

SCREEN, TITLE_PX = QSize(1366, 768), 20
"""The screen, and what the desktop's title takes of it."""


def settle():
    """Let what is laid out in the next rounds of the event loop be laid out."""
    for _ in range(4):
        QApplication.processEvents()


@pytest.fixture
def window(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, "facebook")  # whose lanes have strips above them
    window.resize(SCREEN.width(), SCREEN.height() - TITLE_PX)
    settle()
    return window


def share(window):
    settle()
    return share_of_lanes(window.charts, window, SCREEN)


def test_two_scenarios_take_three_fifths_of_a_small_screen(window):
    assert share(window) >= 0.6
    window.actions_by_id["details"].trigger()
    assert share(window) >= 0.55
    window.actions_by_id["comparison"].trigger()
    assert share(window) >= 0.5


def test_lanes_lie_in_the_window_and_not_upon_one_another(window):
    lanes = lanes_of(window.charts, window)
    assert len(lanes) == 4
    assert all(window.rect().contains(lane) for lane in lanes)
    assert not any(a.intersects(b) for i, a in enumerate(lanes) for b in lanes[:i])
    window.charts.stack.maximise(1)
    settle()
    assert len(lanes_of(window.charts, window)) == 2
