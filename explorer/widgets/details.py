"""The one place for details: a dock at the right or below, whose pages are one click from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QMenu,
    QStackedWidget,
    QToolButton,
    QWidget,
)
from typing_extensions import override

from explorer.widgets.details_tabs import DetailsTabs
from explorer.widgets.flat_button import FlatButton, raised
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.theme import icon, theme_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QPaintEvent

RIGHT, BELOW = Qt.DockWidgetArea.RightDockWidgetArea, Qt.DockWidgetArea.BottomDockWidgetArea
DEFAULT_WIDTH, DEFAULT_HEIGHT = 260, 188
"""Pixels of the dock at the right, and of the dock below."""
MIN_FOR_RIGHT = 1200
"""Pixels of a window from which details open at the right, unless another side was chosen."""
MIN = QSize(180, 60)
"""Pixels to which every page may be made smaller; what has no room in it scrolls or is cut."""


class DetailsPage(QWidget):
    """A page of the details: open once it was asked for, in front while it is the one that is seen.

    Asking for a page that is open behind another one brings it to the front; asking once more closes it.

    Attributes
    ----------
    title : what its tab says
    is_fixed : whether its tab is there while it is closed
    is_telling : whether it tells how a schedule goes on, so that a veil covers it

    Signals
    -------
    changed : it was opened or closed, came to the front or went behind another page
    """

    changed = Signal()

    def __init__(self, name: str, title: str, part: QWidget, *, is_fixed: bool = False) -> None:
        super().__init__()
        self.setObjectName(name)
        self.title, self.is_fixed = title, is_fixed
        self.part = part
        self._dock: DetailsDock | None = None
        self._action: QAction | None = None
        self.is_telling = True
        part.setMinimumSize(MIN)
        self._inside = column(part, parent=self, margins=NO_MARGINS)

    def place(self, dock: DetailsDock, action: QAction | None = None) -> None:
        """Become a page of a dock; a checkable action shows whether it is open."""
        self._dock, self._action = dock, action
        dock.add(self)
        self.changed.connect(self._follow)

    def put(self, part: QWidget) -> None:
        """Show something in the place of what is shown; that is hidden and kept."""
        self._inside.removeWidget(self.part)
        self.part.hide()
        self.part = part
        self._inside.addWidget(part)
        part.show()

    def rename(self, title: str) -> None:
        """Let the tab say something else."""
        self.title = title
        if self._dock is not None:
            self._dock.show_tabs()

    @property
    def is_open(self) -> bool:
        """Whether it was asked for, and neither it nor the dock was closed since."""
        return self._dock is not None and self._dock.has_open(self)

    @property
    def is_in_front(self) -> bool:
        """Whether it is seen."""
        return self._dock is not None and self.is_open and self._dock.front is self

    def bring(self) -> None:
        """Open it in front of the others."""
        if self._dock is not None:
            self._dock.bring(self)

    def shut(self) -> None:
        """Close it; with the last page the dock closes."""
        if self._dock is not None:
            self._dock.shut(self)

    def toggle(self) -> None:
        """Bring it to the front, or close it if it is there."""
        if self.is_in_front:
            self.shut()
        else:
            self.bring()
        self._follow()

    def _follow(self) -> None:
        if self._action is not None:
            self._action.setChecked(self.is_open)


class DetailsDock(QDockWidget):
    """Holds the pages; it stands at the right of a wide window and below in a narrow one, as the user likes.

    Attributes
    ----------
    front : the page that is seen, or would be

    Signals
    -------
    side_chosen : the user put it "right" or "below"
    toggled : it was opened or closed, or put to another side
    """

    side_chosen = Signal(str)
    toggled = Signal()

    def __init__(self, window: QMainWindow, side: str = "") -> None:
        super().__init__("Details", window, features=QDockWidget.DockWidgetFeature.DockWidgetClosable)
        self.setObjectName("details")
        self._window, self._side, self._makes_way = window, side, False
        self._pages: list[DetailsPage] = []
        self._open: list[DetailsPage] = []  # the one that was in front last comes last
        self._timer = QTimer(self, singleShot=True, interval=0)
        self._timer.timeout.connect(self._set_length)
        self._lengths = {RIGHT: DEFAULT_WIDTH, BELOW: DEFAULT_HEIGHT}
        self.setAllowedAreas(RIGHT | BELOW)
        self.setTitleBarWidget(QWidget())
        self._make_parts()
        window.addDockWidget(self._wanted_area(), self)
        self.setVisible(False)
        self.visibilityChanged.connect(self._on_visibility_changed)

    def _make_parts(self) -> None:
        self.tabs = DetailsTabs()
        self.tabs.chosen.connect(self._on_tab_chosen)
        self.tabs.closed.connect(self._on_tab_closed)
        self.more_button = named(FlatButton("", "menu"), "More details", "Other pages, and their place")
        self.more_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.more_button.setMenu(self.menu)
        self.close_button = named(FlatButton("", "close"), "Close details", "Close them (Shift+F8)")
        self.close_button.sign_px = 10
        self.close_button.clicked.connect(self.hide)
        self.close_button.hide()
        self.stack = QStackedWidget()
        self._above, self._below = column(margins=(8, 8, 8, 0)), column(margins=NO_MARGINS)
        head = row((self.tabs, 1), self.more_button, self.close_button, margins=(4, 0, 4, 0), spacing=0)
        inside = _Inside(self._lengths)
        column(
            head, self._above, (self.stack, 1), self._below, parent=inside, margins=(1, 0, 0, 0), spacing=0
        )
        self.setWidget(inside)

    def show_above(self, part: QWidget) -> None:
        """Let a part stand between the tabs and their pages."""
        self._above.addWidget(part)

    def show_below(self, part: QWidget) -> None:
        """Let a part stand below the pages."""
        self._below.addWidget(part)

    # ---- pages

    def add(self, page: DetailsPage) -> None:
        """Take a page in; fixed ones stand in the order in which they come."""
        self._pages.append(page)
        self.stack.addWidget(page)
        self.show_tabs()

    @property
    def pages(self) -> dict[str, DetailsPage]:
        """All pages by name."""
        return {page.objectName(): page for page in self._pages}

    @property
    def front(self) -> DetailsPage | None:
        """The page that is seen, or would be."""
        page = self.stack.currentWidget()
        return page if isinstance(page, DetailsPage) else None

    def has_open(self, page: DetailsPage) -> bool:
        """Whether a page is open."""
        return page in self._open

    def bring(self, page: DetailsPage) -> None:
        """Show a page, and with it the dock."""
        if page in self._open:
            self._open.remove(page)
        self._open.append(page)
        self.stack.setCurrentWidget(page)
        if self.isHidden():
            self._come()
        self._tell()

    def shut(self, page: DetailsPage) -> None:
        """Close a page: the one before comes to the front, and with the last one the dock closes."""
        if page not in self._open:
            return
        self._open.remove(page)
        if self._open:
            self.stack.setCurrentWidget(self._open[-1])
        else:
            self.hide()
        self._tell()

    def toggle(self) -> None:
        """Open the dock at the page that was seen last, or close it."""
        if not self.isHidden():
            self.hide()
        elif self.front is not None:
            self.bring(self.front if self.front.is_fixed else self._pages[0])

    def show_tabs(self) -> None:
        """Show a tab for each page that is fixed or open."""
        shown = [page for page in self._pages if page.is_fixed or page in self._open]
        tabs = [(page.objectName(), page.title, not page.is_fixed) for page in shown]
        self.tabs.show_tabs(tabs, self.front.objectName() if self.front is not None else "")

    def _tell(self) -> None:
        self.show_tabs()
        for page in self._pages:
            page.changed.emit()
        self.toggled.emit()

    def _on_tab_chosen(self, name: str) -> None:
        self.bring(self.pages[name])

    def _on_tab_closed(self, name: str) -> None:
        self.shut(self.pages[name])

    def _fill_menu(self) -> None:
        self.menu.clear()
        for page in self._pages:
            action = self.menu.addAction(page.title)
            action.setCheckable(True)
            action.setChecked(page.is_in_front)
            action.triggered.connect(page.bring)
        self.menu.addSeparator()
        to_right = self.is_below
        text, sign = ("Put them at the right", "details") if to_right else ("Put them below", "details_below")
        side = self.menu.addAction(icon(sign), text)
        side.triggered.connect(lambda: self.choose_side("right" if to_right else "below"))

    def follow(self, action: QAction) -> None:
        """Let a checkable action show whether it is open."""
        self.toggled.connect(lambda: action.setChecked(not self.isHidden()))

    # ---- where it stands

    @property
    def is_below(self) -> bool:
        """Whether it stands below the charts."""
        return self._window.dockWidgetArea(self) == BELOW

    def choose_side(self, side: str) -> None:
        """Put it "right" or "below" from now on."""
        self._side = side
        self._keep_length()
        self._go_to_side()
        self.side_chosen.emit(side)

    def make_way(self, for_another: bool) -> None:
        """Stand below while another dock stands at the right, unless the user has said where."""
        if for_another != self._makes_way:
            self._makes_way = for_another
            self.follow_width()

    def follow_width(self) -> None:
        """Stand where the width of the window says, unless the user has said where."""
        if self._window.dockWidgetArea(self) != self._wanted_area():
            self._keep_length()
            self._go_to_side()

    def _wanted_area(self) -> Qt.DockWidgetArea:
        if self._side:
            return BELOW if self._side == "below" else RIGHT
        return RIGHT if self._window.width() >= MIN_FOR_RIGHT and not self._makes_way else BELOW

    def _go_to_side(self) -> None:
        was_open = not self.isHidden()
        self._window.addDockWidget(self._wanted_area(), self)
        self.setVisible(was_open)
        if was_open:
            self._resize()
        self.toggled.emit()

    def _come(self) -> None:
        if self._window.dockWidgetArea(self) != self._wanted_area():
            self._window.addDockWidget(self._wanted_area(), self)
        self.show()
        self._resize()

    def _resize(self) -> None:
        """Take the length that is remembered, at once and when the window has laid itself out."""
        self._set_length()
        self._timer.start()

    def _set_length(self) -> None:
        if self.isHidden():
            return
        self.close_button.setVisible(self.is_below)
        length = self._lengths[self._window.dockWidgetArea(self)]
        way = Qt.Orientation.Vertical if self.is_below else Qt.Orientation.Horizontal
        layout = self._window.layout()
        if layout is not None:
            layout.activate()
        self._window.resizeDocks([self], [length], way)

    def _keep_length(self) -> None:
        if not self.isHidden() and not self._timer.isActive():
            area = self._window.dockWidgetArea(self)
            self._lengths[area] = self.height() if area == BELOW else self.width()

    def _on_visibility_changed(self, _is_visible: bool) -> None:
        if self.isHidden():
            self._open.clear()
            self._tell()

    @override
    def hide(self) -> None:
        """Close it, and every page with it."""
        self._keep_length()
        super().hide()

    # ---- what is remembered

    def state(self) -> dict[str, Any]:
        """Return as a JSON value which pages are open, the one in front last, and how long it is."""
        self._keep_length()
        return {
            "pages": [page.objectName() for page in self._open],
            "width": self._lengths[RIGHT],
            "height": self._lengths[BELOW],
        }

    def restore(self, state: object) -> None:
        """Open the pages of a state; what is missing or damaged in it is left."""
        if not isinstance(state, dict):
            return
        for area, name in ((RIGHT, "width"), (BELOW, "height")):
            length = state.get(name)
            if isinstance(length, int) and not isinstance(length, bool) and 0 < length < 1 << 14:
                self._lengths[area] = length
        names = state.get("pages")
        names = names if isinstance(names, list) else []
        wanted = [name for name in names if isinstance(name, str) and name in self.pages]
        if not wanted:
            self.hide()
        for name in wanted:
            self.bring(self.pages[name])


class _Inside(QWidget):
    """The dock's content, with a line towards the charts."""

    def __init__(self, lengths: Mapping[Qt.DockWidgetArea, int]) -> None:
        super().__init__()
        self._lengths = lengths
        raised(self)

    @override
    def sizeHint(self) -> QSize:
        return QSize(self._lengths[RIGHT], self._lengths[BELOW])

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            line = theme_of(self).line
            painter.fillRect(0, 0, 1, self.height(), line)
            painter.fillRect(0, 0, self.width(), 1, line)
