"""First steps: a card over the charts with one task after the other, which notices when each is done."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QFrame, QWidget
from typing_extensions import override

from explorer.widgets.error_messages import Message, Remedy
from explorer.widgets.layouts import column, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction, QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QMenuBar

    from explorer.dialogs.command_palette import CommandPalette
    from explorer.document.document import Document
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings
    from explorer.widgets.error_messages import MessageBar
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.frame.centre import Centre
    from explorer.window.frame.top_bar import TopBar
    from explorer.window.lessons.lesson_area import LessonArea
    from explorer.window.scenarios.why_area import WhyArea

WIDTH_PX, AIR_PX, EDGE_PX, CORNER_PX = 330, 14, 3, 6
OFFER = (
    "New here? Six small things to do show what this window can; or begin with a lesson, or with one of the "
    "worked examples."
)
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
    centre: Centre
    why: WhyArea
    palette_of_commands: CommandPalette
    lessons: LessonArea
    top_bar: TopBar
    actions_by_id: dict[str, QAction]

    def menuBar(self) -> QMenuBar:
        """Return its menus."""

    def show_first_steps(self) -> None:
        """Begin them."""


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
        super().__init__(parent)
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
        buttons = row(self.count, None, self.skip_button, self.leave_button)
        margins = (AIR_PX, 10, AIR_PX, 10)
        self._lines = column(self.title, self.text, buttons, parent=self, margins=margins, spacing=6)
        self.hide()
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

    def _look(self) -> None:
        """Go on if the step is done."""
        if self.isVisible() and self.step is not None and self._is_done():
            self._go_on()

    def _go_on(self) -> None:
        self._place += 1
        self._show()

    def _show(self) -> None:
        step = self.step
        self.title.setText(step.title if step is not None else THE_END)
        self.text.setText(step.text if step is not None else FAREWELL)
        self.count.setText(f"{self._place + 1} of {len(STEPS)}" if step is not None else "")
        self.skip_button.setVisible(step is not None)
        self.leave_button.setText("&Leave" if step is not None else "&Close")
        self._is_done = step.begin(self._window) if step is not None else bool
        self.show()
        self._lie()

    def _lie(self) -> None:
        """Lie in the lower right corner of the charts, and show where the step is done."""
        height = self._lines.totalHeightForWidth(WIDTH_PX)
        room = self._window.centre.room
        corner = self._window.centre.mapTo(self._parent, room.bottomRight())
        size = QSize(WIDTH_PX, height)
        self.setGeometry(QRect(corner - QPoint(size.width() + AIR_PX, size.height() + AIR_PX), size))
        part = self.step.part(self._window) if self.step is not None else None
        self._outline.surround(part)
        self.raise_()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self.isVisible():
            self._lie()
        return super().eventFilter(watched, event)

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


def offer(window: Guided) -> None:
    """Offer the steps and the samples at the very first start; they can be dismissed."""
    if window.settings.was_greeted or window.messages.message is not None:
        return
    window.settings.was_greeted = True
    choices = (
        Remedy("First steps", window.show_first_steps),
        Remedy("Lessons…", window.lessons.ask_for_lesson),
        Remedy("Samples…", window.files.ask_for_sample),
    )
    window.messages.show_message(Message(OFFER, choices=choices))
