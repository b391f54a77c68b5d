"""Three to six scenarios in a small window: what ends last is in view in each of their charts."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from core.model.schedule import PolicyChoice
from tests.explorer.window_fixtures import open_window, x_of

POLICIES = ("sjf", "longest-task", "johnson-reverse", "fair", "edf-max")


@pytest.mark.parametrize("sample", ["five-jobs", "three-pools"])
def test_what_ends_last_is_in_view_in_each_chart(qtbot, tmp_path, sample):
    window = open_window(qtbot, tmp_path, sample)
    window.resize(1366, 768)
    for policy in POLICIES:
        if window.editor.can_add_scenario:
            window.editor.add_scenario(PolicyChoice(policy))
        assert window.runner.wait_until_idle(60_000)
        for _ in range(4):
            QApplication.processEvents()
        for scenario_id, view in window.charts.views.items():
            schedule = window.runner.outcome(scenario_id).schedule
            last = int(np.argmax(schedule.end))
            top, bottom = view.frame().row(int(schedule.slot[last]))
            end = QPoint(x_of(view, float(schedule.end[last])) - 1, (top + bottom) // 2)
            assert view.visibleRegion().contains(end), (len(window.charts.views), scenario_id)
    assert len(window.charts.views) == 6
