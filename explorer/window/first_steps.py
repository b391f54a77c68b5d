"""First steps: a card among the details with one thing to do after the other, which notices what is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from explorer.widgets.layouts import column, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction, QHideEvent, QKeyEvent, QPaintEvent, QResizeEvent
    from PySide6.QtWidgets import QMenuBar

    from explorer.dialogs.command_palette import CommandPalette
    from explorer.document.document import Document
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings
    from explorer.widgets.details import DetailsDock, DetailsPage
    from explorer.widgets.error_messages import MessageBar
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.document_work import OpenedDocument
    from explorer.window.frame.top_bar import TopBar
    from explorer.window.lessons.lesson_area import LessonArea
    from explorer.window.scenarios.why_area import WhyArea

AIR_PX, EDGE_PX, CORNER_PX = 10, 3, 6
NEW = "New here?"
OFFER = "Six small things to do show what this window can; or begin with a lesson, or with a worked example."
THE_END = "That was it"
FAREWELL = "Help > First steps shows this again. F1 lists all keys; rest the pointer on a word to learn it."


class Guided(Protocol):
    """What a window has for these steps."""

    document: Document
    editor: Editor
    view_state: ViewState
    settings: WindowSettings
    files: DocumentFiles
    messages: MessageBar
    charts: ChartArea
    details: DetailsDock
    inspector_page: DetailsPage
    why: WhyArea
    palette_of_commands: CommandPalette
    lessons: LessonArea
    top_bar: TopBar
    actions_by_id: dict[str, QAction]

    def menuBar(self) -> QMenuBar:
        """Return its menus."""


@dataclass(frozen=True)
class FirstStep:
    """One thing to do.

    Attributes
    ----------
    title, text : what to do, and how
    part : the part of the window where, or None
    begin : called when the step begins; returns what says whether it is done
    """

    title: str
    text: str
    part: Callable[[Guided], QWidget | None]
    begin: Callable[[Guided], Callable[[], bool]]


def _selected(window: Guided) -> Callable[[], bool]:
    return lambda: window.view_state.selected_job is not None


def _served(window: Guided) -> Callable[[], bool]:
    before = {scenario.order for scenario in window.document.scenarios}
    return lambda: any(scenario.order not in before for scenario in window.document.scenarios)


def _undone(window: Guided) -> Callable[[], bool]:
    stack = window.editor.undo_stack
    highest = stack.index()

    def is_lower() -> bool:
        nonlocal highest
        highest = max(highest, stack.index())  # the edit of the step before may not be counted yet
        return stack.index() < highest

    return is_lower


def _added(window: Guided) -> Callable[[], bool]:
    before = {scenario.id for scenario in window.document.scenarios}
    return lambda: any(scenario.id not in before for scenario in window.document.scenarios)


def _is_why_shown(window: Guided) -> Callable[[], bool]:
    return window.actions_by_id["why_makespan"].isChecked


def _searched(window: Guided) -> Callable[[], bool]:
    return window.palette_of_commands.isVisible


def _chart(window: Guided) -> QWidget:
    return window.charts.active_view


def _button(window: Guided, action: str) -> QWidget | None:
    return window.top_bar.search if action == "search" else window.top_bar.tools[action]


STEPS = (
    FirstStep(
        "Select a job",
        "Each colour is a job, each row a slot. Click a coloured block: its job stands out everywhere.",
        _chart,
        _selected,
    ),
    FirstStep(
        "Serve it earlier or later",
        "Drag the block of the selected job to the left or right, or press Alt+Up or Alt+Down. The schedule "
        "is simulated again while you drag.",
        _chart,
        _served,
    ),
    FirstStep(
        "Take it back",
        "Every edit can be undone: press Ctrl+Z, or choose Edit > Undo.",
        lambda window: window.menuBar(),
        _undone,
    ),
    FirstStep(
        "Compare with another policy",
        "Press Ctrl+T or Scenario, type a few letters of a policy, such as fair, and press Enter. Its chart "
        "has the same time axis, and its header says how it compares with the baseline.",
        lambda window: _button(window, "add_scenario"),
        _added,
    ),
    FirstStep(
        "Ask why it takes so long",
        "Press Ctrl+M, or choose Why > Why this makespan: the tasks and waits that make the schedule as long "
        "as it is stand out.",
        lambda window: window.menuBar(),
        _is_why_shown,
    ),
    FirstStep(
        "Find anything",
        "Press Ctrl+K and type: actions, policies, samples, jobs and words are found by a few letters.",
        lambda window: _button(window, "search"),
        _searched,
    ),
)


class FirstSteps(QFrame):
    """The card; it can be left at any time, and a step that is done brings the next one."""

    def __init__(self, window: Guided, parent: QWidget) -> None:
        super().__init__()
        self._window, self._parent = window, parent
        self._place = 0
        self._is_done: Callable[[], bool] = bool
        self._outline = _PartFrame(parent)
        self.setAccessibleName("First steps")
        self.setAutoFillBackground(True)
        self.setBackgroundRole(self.palette().ColorRole.ToolTipBase)
        self.count = PlainLabel(is_faint=True)
        self.title = PlainLabel()
        self.title.setFont(bold_font(self.font()))
        self.text = PlainLabel(wraps=True)
        self.skip_button = push_button("&Skip", "Go on with the next step", self._go_on)
        self.leave_button = push_button(
            "&Leave", "Put the card away; Help > First steps shows it again", self.leave
        )
        self.begin_button = push_button("First s&teps", "Do one thing after the other", self.begin)
        lessons = push_button("Lesso&ns…", "Choose a lesson", window.lessons.ask_for_lesson)
        samples = push_button("Sam&ples…", "Choose a worked example", window.files.ask_for_sample)
        self.offers = (self.begin_button, lessons, samples)
        offers = row(*self.offers, None, spacing=4)
        buttons = row(self.count, None, self.skip_button, self.leave_button)
        margins = (AIR_PX + EDGE_PX, AIR_PX, AIR_PX, AIR_PX)
        parts = self.title, self.text, offers, buttons
        self._lines = column(*parts, parent=self, margins=margins, spacing=6)
        self.hide()
        window.details.show_above(self)
        self._listen()

    def _listen(self) -> None:
        window, actions = self._window, self._window.actions_by_id
        for signal in (
            window.view_state.selected_job_changed,
            window.document.scenario_changed,
            window.document.scenarios_changed,
            window.editor.undo_stack.indexChanged,
            actions["why_makespan"].toggled,
            actions["search"].triggered,
        ):
            signal.connect(self._look)
        window.files.opened.connect(self._make_room_for_lesson)

    def offer(self) -> None:
        """Offer steps, lessons and samples."""
        self._show_text(NEW, OFFER, "")
        self._come(offers=True)

    def begin(self) -> None:
        """Show the first step."""
        self._place = 0
        self._parent.installEventFilter(self)
        self._show()

    def leave(self) -> None:
        """Put the card away."""
        self._parent.removeEventFilter(self)
        self._outline.surround(None)
        self.hide()

    @property
    def step(self) -> FirstStep | None:
        """The step that is shown; None at the end."""
        return STEPS[self._place] if self._place < len(STEPS) else None

    def _make_room_for_lesson(self, opened: OpenedDocument) -> None:
        """Put the card away: a lesson has steps of its own."""
        if opened.lesson is not None:
            self.leave()

    def _look(self) -> None:
        """Go on if the step is done."""
        if self.isVisible() and self.step is not None and self._is_done():
            self._go_on()

    def _go_on(self) -> None:
        self._place += 1
        self._show()

    def _show(self) -> None:
        step = self.step
        if step is None:
            self._show_text(THE_END, FAREWELL, "")
        else:
            self._show_text(step.title, step.text, f"{self._place + 1} of {len(STEPS)}")
        self.leave_button.setText("&Leave" if step is not None else "&Close")
        self._is_done = step.begin(self._window) if step is not None else bool
        self._come(offers=False)
        self._point()

    def _show_text(self, title: str, text: str, count: str) -> None:
        self.title.setText(title)
        self.text.setText(text)
        self.count.setText(count)

    def _come(self, *, offers: bool) -> None:
        """Be seen, with the details around it."""
        for button in self.offers:
            button.setVisible(offers)
        self.skip_button.setVisible(not offers and self.step is not None)
        if self._window.details.isHidden():
            self._window.inspector_page.bring()
        self.show()
        self._take_height()

    def _take_height(self) -> None:
        """Take the height that the text needs: in details below the charts there is little."""
        self._lines.invalidate()
        self.setFixedHeight(max(self._lines.totalHeightForWidth(self.width()), 0))

    def _point(self) -> None:
        """Show where the step is done."""
        self._outline.surround(self.step.part(self._window) if self.step is not None else None)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self._point()
        return super().eventFilter(watched, event)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._take_height()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        """Point at nothing while the details are closed."""
        super().hideEvent(event)
        self._outline.surround(None)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setPen(theme_of(self).line)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
            painter.fillRect(0, 0, EDGE_PX, self.height(), theme_of(self).cursor)


class _PartFrame(QWidget):
    """A frame around a part of the window, through which the mouse reaches it."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def surround(self, part: QWidget | None) -> None:
        """Lie around a part; hide where there is none to be seen."""
        if part is None or not part.isVisible():
            self.hide()
            return
        self.setGeometry(QRect(part.mapTo(self._window, QPoint()), part.size()))
        self.show()
        self.raise_()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme_of(self).cursor, EDGE_PX))
            inner = self.rect().toRectF().adjusted(EDGE_PX, EDGE_PX, -EDGE_PX, -EDGE_PX)
            painter.drawRoundedRect(inner, CORNER_PX, CORNER_PX)


def offer(window: Guided, card: FirstSteps) -> None:
    """Offer the steps and the samples at the very first start; they can be dismissed."""
    if window.settings.was_greeted or window.messages.message is not None:
        return
    window.settings.was_greeted = True
    card.offer()
