"""The window's layout as values of our own, each checked: where it is, where its panels are, what is open.

Qt's own bytes for this crash it when one of them is wrong, and a file may hold anything.
"""

from __future__ import annotations

from collections import defaultdict
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow

from core.model.limits import is_whole
from explorer.widgets.details import DetailsDock
from explorer.widgets.layouts import FRAME
from explorer.window.frame.side_bar import SideDock

if TYPE_CHECKING:
    from collections.abc import Mapping

AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
    "top": Qt.DockWidgetArea.TopDockWidgetArea,
    "bottom": Qt.DockWidgetArea.BottomDockWidgetArea,
}
NAMES = {area: name for name, area in AREAS.items()}
FARTHEST = 100_000
"""Pixels from the first screen's corner; no size is larger."""
CLOSED = -1
"""Place of a panel that is not open, or floats."""

OF_THEIR_OWN = ("lesson", "details")
"""Docks that come and go with a document, or know themselves where they stand: no layout moves them."""

Groups = dict[str, list[list[QDockWidget]]]
"""The groups of tabs on each side, in their order; the tab that is seen comes first."""


class Panel(NamedTuple):
    """Where a panel is.

    Attributes
    ----------
    area : side of the window
    place : of its group of tabs among those of the area, from 0, or `CLOSED`
    is_in_front, is_open, floats : whether it is the tab that is seen; open; in a window of its own
    box : x, y, width and height; the position matters only where it floats
    """

    area: str
    place: int
    is_in_front: bool
    is_open: bool
    floats: bool
    box: list[int]


def layout_of(window: QMainWindow) -> dict[str, Any]:
    """Return a window's layout: window (x, y, width, height), is_maximized, panels, sections, details."""
    side, details = window.findChild(SideDock), window.findChild(DetailsDock)
    whole = window.normalGeometry() if window.isMaximized() else QRect(window.pos(), window.size())
    return {
        "window": _box(whole),
        "is_maximized": window.isMaximized(),
        "panels": {dock.objectName(): panel._asdict() for dock, panel in _panels(window).items()},
        "sections": {} if side is None else side.bar.state(),
        "details": {} if details is None else details.state(),
    }


def arrange(window: QMainWindow, layout: Mapping[str, Any]) -> None:
    """Lay a window out; what is missing or damaged stays, what is beyond the screens is brought inside."""
    box, panels = layout.get("window"), layout.get("panels")
    if _is_box(box):
        place_on_screen(window, QRect(*box))
    if layout.get("is_maximized") is True:
        window.setWindowState(window.windowState() | Qt.WindowState.WindowMaximized)
    if (side := window.findChild(SideDock)) is not None:
        side.bar.restore(layout.get("sections"))
        if isinstance(panels, dict) and side.objectName() in panels:
            side.keep()
    if isinstance(panels, dict):
        known = {dock: _checked(panels.get(dock.objectName())) for dock in _parts(window, QDockWidget)}
        _arrange_panels(window, {dock: panel for dock, panel in known.items() if panel is not None})
    if (details := window.findChild(DetailsDock)) is not None:
        details.restore(layout.get("details"))


def screen_of(window: QMainWindow) -> str:
    """Return the size of the screen that a window is on, as settings name it: "1366x768"."""
    size = window.screen().size()
    return f"{size.width()}x{size.height()}"


def place_on_screen(widget: QMainWindow | QDockWidget, box: QRect) -> None:
    """Move a window to where it is to be, or as near to that as the screen allows."""
    screen = QGuiApplication.screenAt(box.center()) or QGuiApplication.primaryScreen()
    free, frame = screen.availableGeometry(), widget.frameGeometry().size() - widget.size()
    free.setSize(free.size() - (frame if widget.isVisible() else FRAME))
    size = box.size().boundedTo(free.size()).expandedTo(widget.minimumSizeHint())
    left = max(free.left(), min(box.left(), free.right() + 1 - size.width()))
    top = max(free.top(), min(box.top(), free.bottom() + 1 - size.height()))
    widget.move(left, top)
    widget.resize(size)


def _parts(window: QMainWindow, kind: type[Any]) -> list[Any]:
    found: list[Any] = window.findChildren(kind, options=Qt.FindChildOption.FindDirectChildrenOnly)
    named = ((str(part.objectName()), part) for part in found)
    return [part for name, part in sorted(named, key=itemgetter(0)) if name not in OF_THEIR_OWN]


def _box(rect: QRect) -> list[int]:
    return [rect.x(), rect.y(), rect.width(), rect.height()]


# ---- reading it from a window


def _panels(window: QMainWindow) -> dict[QDockWidget, Panel]:
    found = {}
    for dock in _parts(window, QDockWidget):
        area, is_open, floats = (
            NAMES.get(window.dockWidgetArea(dock), "left"),
            not dock.isHidden(),
            dock.isFloating(),
        )
        found[dock] = Panel(area, CLOSED, False, is_open, floats, _box(QRect(dock.pos(), dock.size())))
    for groups in _groups(window).values():
        for place, group in enumerate(groups):
            for dock in group:
                is_in_front, box = dock is group[0], _box(group[0].geometry())
                found[dock] = found[dock]._replace(place=place, is_in_front=is_in_front, box=box)
    return found


def _groups(window: QMainWindow) -> Groups:
    groups: Groups = defaultdict(list)
    seen: set[QDockWidget] = set()
    for dock in _parts(window, QDockWidget):
        if dock in seen or dock.isHidden() or dock.isFloating():
            continue
        tabs = {dock, *(each for each in window.tabifiedDockWidgets(dock) if not each.isHidden())}
        seen |= tabs
        # a tab that is not in front lies somewhere above and left of the window
        in_order = sorted(tabs, key=lambda each: (-each.y(), each.objectName()))
        groups[NAMES.get(window.dockWidgetArea(dock), "left")].append(in_order)
    for side in groups.values():
        side.sort(key=lambda group: (group[0].y(), group[0].x()))
    return groups


# ---- laying a window out


def _checked(panel: object) -> Panel | None:
    """Return a file's settings of a panel if all of it is right."""
    if not isinstance(panel, dict) or panel.keys() != set(Panel._fields):
        return None
    read = Panel(**panel)
    flags = (read.is_in_front, read.is_open, read.floats)
    is_right = (
        isinstance(read.area, str)
        and read.area in AREAS
        and is_whole(read.place, CLOSED, FARTHEST)
        and all(isinstance(flag, bool) for flag in flags)
        and _is_box(read.box)
    )
    return read if is_right else None


def _is_box(box: object) -> TypeGuard[list[int]]:
    """Whether a value is x, y, width and height of something that can be seen."""
    return (
        isinstance(box, list)
        and len(box) == 4
        and all(is_whole(number, -FARTHEST, FARTHEST) for number in box)
        and min(box[2:]) > 0
    )


def _arrange_panels(window: QMainWindow, panels: Mapping[QDockWidget, Panel]) -> None:
    panels = {dock: _allowed(dock, panel) for dock, panel in panels.items()}
    for dock, panel in panels.items():
        dock.setFloating(panel.floats)
        if panel.floats:
            place_on_screen(dock, QRect(*panel.box))
        dock.setVisible(panel.is_open)
    docked = [dock for dock, panel in panels.items() if panel.is_open and not panel.floats]
    docked.sort(key=lambda dock: (panels[dock].place, not panels[dock].is_in_front, dock.objectName()))
    wanted: Groups = defaultdict(list)
    for dock in docked:
        panel, side = panels[dock], wanted[panels[dock].area]
        if side and panels[side[-1][0]].place == panel.place:
            side[-1].append(dock)
        else:
            side.append([dock])
    window_layout = window.layout()
    if window_layout is not None:
        window_layout.activate()
    if _as_sets(_groups(window)) != _as_sets(wanted):
        _dock_again(window, wanted)
    fronts = [group[0] for side in wanted.values() for group in side]
    for direction, place in ((Qt.Orientation.Horizontal, 2), (Qt.Orientation.Vertical, 3)):
        window.resizeDocks(fronts, [panels[dock].box[place] for dock in fronts], direction)
    for dock in fronts:
        dock.raise_()


def _allowed(dock: QDockWidget, panel: Panel) -> Panel:
    """Return where a panel may be: one that cannot be moved stays on its side of the window."""
    if dock.features() & QDockWidget.DockWidgetFeature.DockWidgetMovable:
        return panel
    return panel._replace(area="left", floats=False)


def _as_sets(groups: Groups) -> dict[str, list[set[QDockWidget]]]:
    return {area: [set(group) for group in side] for area, side in groups.items() if side}


def _dock_again(window: QMainWindow, wanted: Groups) -> None:
    """Put all open panels where they are wanted."""
    for area, side in wanted.items():
        for group in side:
            window.addDockWidget(AREAS[area], group[0])
            for dock in group[1:]:
                window.tabifyDockWidget(group[0], dock)
