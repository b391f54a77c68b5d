"""A layout comes back as it was; whatever else stands in its place, the window stays whole and in sight."""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget

from explorer.window.frame.layout import arrange, layout_of
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

SIDE = Qt.DockWidgetArea
CLOSE = 3
"""Pixels by which a panel may differ: the splitters round."""


def laid_out(window: MainWindow) -> dict[str, Any]:
    """Return the layout without places of closed panels, which nobody sees."""
    layout = layout_of(window)
    for panel in layout["panels"].values():
        if not panel["is_open"]:
            panel |= {"box": None, "area": None}
    return layout


def as_shown(window: MainWindow) -> None:
    window.layout().activate()


def lay_by_hand(window: MainWindow) -> None:
    """Do what a user can: move panels, stack them, open one, drag an edge, close the bar."""
    window.resize(780, 760)
    for name in ("comparison", "findings", "pools"):
        window.actions_by_id[name].trigger()
    window.inspector_place.dock_it()
    window.addDockWidget(SIDE.RightDockWidgetArea, window.comparison_dock)
    window.tabifyDockWidget(window.comparison_dock, window.inspector_place.dock)
    window.addDockWidget(SIDE.LeftDockWidgetArea, window.why.findings_dock)
    window.comparison_dock.raise_()
    window.resizeDocks([window.side_dock], [300], Qt.Orientation.Horizontal)
    window.side_dock.bar.sections["jobs"].header.click()


def is_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two layouts are the same but for a few pixels."""
    one, other = copy.deepcopy(one), copy.deepcopy(other)
    for name, panel in one["panels"].items():
        boxes = [part.pop("box") or [0] * 4 for part in (panel, other["panels"][name])]
        assert boxes[1] == pytest.approx(boxes[0], abs=CLOSE), name
    assert one == other
    return True


def test_a_layout_comes_back(window, qtbot, tmp_path):
    lay_by_hand(window)
    as_shown(window)
    wanted = json.loads(json.dumps(laid_out(window)))
    other = open_window(qtbot, tmp_path / "other")
    for each in (other, window):
        arrange(each, wanted)
        as_shown(each)
        assert is_same(laid_out(each), wanted)


def test_a_panel_floats_again_and_inside_the_screen(window):
    layout = layout_of(window)
    layout["panels"]["inspector"] |= {"floats": True, "place": -1, "box": [90_000, -90_000, 300, 99_000]}
    arrange(window, layout)
    inspector = window.inspector_place.dock
    assert inspector.isFloating()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.contains(inspector.frameGeometry())


def test_the_side_bar_stays_at_its_side(window):
    layout = layout_of(window)
    layout["panels"]["side bar"] |= {"floats": True, "area": "bottom", "place": -1}
    arrange(window, layout)
    as_shown(window)
    assert not window.side_dock.isFloating()
    assert window.side_dock.isVisible()
    assert window.side_dock.geometry().left() < 5


def test_a_layout_from_before_there_was_a_side_bar_opens(window):
    """What stood open in all of them waits to be asked for; what was asked for is there."""
    at = {"place": 0, "is_in_front": True, "is_open": True, "floats": False}
    panels = {
        "jobs": at | {"area": "left", "box": [0, 80, 330, 500]},
        "cluster": at | {"area": "left", "place": 1, "box": [0, 590, 330, 300]},
        "inspector": at | {"area": "right", "box": [1140, 80, 260, 600]},
        "comparison": at | {"area": "bottom", "is_in_front": False, "box": [336, 690, 1064, 190]},
        "findings": at | {"area": "bottom", "box": [336, 690, 1064, 190]},
    }
    arrange(window, {"window": [0, 0, 700, 600], "panels": panels, "bars": {"time bar": True}})
    as_shown(window)
    assert (window.width(), window.height()) == (700, 600)
    assert window.side_dock.isVisible()
    assert window.why.findings_dock.isVisible()
    assert not window.comparison_dock.isVisible()
    assert not window.inspector_place.is_docked


@pytest.mark.parametrize("box", [[90_000, 90_000, 500, 400], [-9000, -50, 99_000, 99_000], [1, 1, 1, 1]])
def test_a_window_opens_inside_the_screen(window, box):
    arrange(window, {"window": box})
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.contains(window.frameGeometry())
    least, most = window.minimumSizeHint(), screen.size()
    assert least.width() <= window.width() <= most.width()
    assert least.height() <= window.height() <= most.height()


ODD = (
    None,
    True,
    -1,
    1 << 70,
    1e308,
    float("nan"),
    "",
    "\0",
    [],
    {},
    [1, 2, 3, 4],
    {"window": 1},
    "AAAA/wAAAAD9",
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to each value of a JSON value."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, part in parts for inner in places(part, (*path, key)))]


def test_nothing_that_stands_in_a_layout_harms_the_window(window):
    lay_by_hand(window)
    as_shown(window)
    layout = layout_of(window)
    drawn = random.Random(7)
    for path in drawn.sample(places(layout)[1:], 60):
        damaged = copy.deepcopy(layout)
        owner = damaged
        for part in path[:-1]:
            owner = owner[part]
        owner[path[-1]] = drawn.choice(ODD)
        arrange(window, damaged)
        assert window.size().isValid()
    arrange(window, layout)
    open_docks = {dock.objectName() for dock in window.findChildren(QDockWidget) if not dock.isHidden()}
    assert open_docks == {name for name, panel in layout["panels"].items() if panel["is_open"]}
