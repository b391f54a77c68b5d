"""A layout comes back as it was; whatever else stands in its place, the window stays whole and in sight."""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QDockWidget

from explorer.window.frame.layout import arrange, layout_of
from tests.explorer.window_fixtures import open_window

if TYPE_CHECKING:
    from explorer.window.main_window import MainWindow

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
    for _ in range(4):  # details take their length in the next rounds
        QApplication.processEvents()


def lay_by_hand(window: MainWindow) -> None:
    """Do what a user can: move panels, stack them, open one, drag an edge, close the bar."""
    window.resize(780, 760)
    for name in ("comparison", "findings", "pools"):
        window.actions_by_id[name].trigger()
    window.inspector_page.bring()
    window.details.choose_side("right")
    as_shown(window)
    window.resizeDocks([window.details], [310], Qt.Orientation.Horizontal)
    window.comparison_page.bring()
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
    layout["panels"]["policy editor"] |= {
        "is_open": True,
        "floats": True,
        "place": -1,
        "box": [90_000, -90_000, 300, 99_000],
    }
    arrange(window, layout)
    editor = window.lab.editor_dock
    assert editor.isFloating()
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert screen.contains(editor.frameGeometry())


def test_the_side_bar_stays_at_its_side(window):
    layout = layout_of(window)
    layout["panels"]["side bar"] |= {"floats": True, "area": "bottom", "place": -1, "is_open": True}
    arrange(window, layout)
    as_shown(window)
    assert not window.side_dock.isFloating()
    assert window.side_dock.isVisible()
    assert window.side_dock.geometry().left() == window.rail.width()


def test_the_details_come_back_with_their_pages_and_lengths(window, qtbot, tmp_path):
    lay_by_hand(window)
    as_shown(window)
    layout = json.loads(json.dumps(layout_of(window)))
    assert layout["details"] == {
        "pages": ["findings", "inspector", "comparison"],
        "width": 310,
        "height": 188,
    }
    other = open_window(qtbot, tmp_path / "other")
    other.resize(1300, 760)
    arrange(other, {"details": layout["details"]})
    as_shown(other)
    assert other.comparison_page.is_in_front
    assert other.why.findings_page.is_open
    assert other.details.width() == pytest.approx(310, abs=CLOSE)
    arrange(other, {"details": {"pages": []}})
    assert other.details.isHidden()
    assert not other.why.findings_page.is_open


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
    for path in drawn.choices(places(layout)[1:], k=60):
        damaged = copy.deepcopy(layout)
        owner = damaged
        for part in path[:-1]:
            owner = owner[part]
        owner[path[-1]] = drawn.choice(ODD)
        arrange(window, damaged)
        assert window.size().isValid()
    arrange(window, layout)
    open_docks = {dock.objectName() for dock in window.findChildren(QDockWidget) if not dock.isHidden()}
    assert open_docks - {"details"} == {name for name, panel in layout["panels"].items() if panel["is_open"]}
