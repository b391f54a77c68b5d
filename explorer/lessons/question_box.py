"""The question of a step: what is asked, the controls for an answer, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListWidget, QListWidgetItem, QWidget
from typing_extensions import override

from explorer.lessons.lesson_text import LessonText, literal
from explorer.widgets.fields import NumberField
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from core.lessons.asked import Verdict
    from core.lessons.lesson import LessonQuestion

VALUE = Qt.ItemDataRole.UserRole
SWATCH = 12
MIN_ROWS, MAX_ROWS = 3, 7
"""Of a list of answers: those that are seen in any case, and those before it scrolls."""
MAX_TEXT, MAX_REASON = 160, 320
"""Pixels of a question, and of a reason, before they scroll."""
HOW = {
    "next-job": "Click the job in the chart, or choose it here.",
    "order": "Drag the jobs in the chart, or in the jobs table, into your order. Then check it.",
    "by-hand": "Give every free slot to a job in a window of its own; your schedule is checked at the end.",
    "idle-first": "Click the slot in the chart, or choose it here.",
}
NUMBERS = ("makespan", "time")
NO_NUMBER = -1.0
"""Of a field in which nothing is typed yet: it looks empty."""
RIGHT, WRONG = "✔ Right.", "✘ Not right:"
CHECKS = {"order": "&Check my order", "by-hand": "Be the &scheduler…"}
CHECK = "&Check my answer"
DONE_ELSEWHERE = ("order", "by-hand")
"""Questions that are answered in the charts, or in a window of their own."""


class Option(NamedTuple):
    """One answer to choose: its value, what it is called, and a colour beside it, if any."""

    value: object
    text: str
    colour: QColor | None = None


class AnswerList(QListWidget):
    """Answers to choose from, as high as they need; Enter checks the marked one."""

    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIconSize(QSize(SWATCH, SWATCH))
        self.itemDoubleClicked.connect(self.taken)

    def show_options(self, options: Sequence[Option]) -> None:
        """Offer other answers; none is marked."""
        self.clear()
        for option in options:
            item = QListWidgetItem(option.text)
            item.setData(VALUE, option.value)
            if option.colour is not None:
                picture = QPixmap(SWATCH, SWATCH)
                picture.fill(option.colour)
                item.setIcon(QIcon(picture))
            self.addItem(item)
        self.setCurrentRow(-1)
        self._fit()

    def mark(self, value: object) -> None:
        """Mark an answer; one that is not offered marks none."""
        found = (place for place in range(self.count()) if self.item(place).data(VALUE) == value)
        self.setCurrentRow(next(found, -1))

    @property
    def value(self) -> object:
        """What is marked, or None."""
        item = self.currentItem()
        return None if item is None else item.data(VALUE)

    @property
    def text(self) -> str:
        """What the marked one is called."""
        item = self.currentItem()
        return "" if item is None else item.text()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, sum(self._heights()[:MAX_ROWS]) + 2 * self.frameWidth() + 2)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(80, sum(self._heights()[:MIN_ROWS]) + 2 * self.frameWidth() + 2)

    def _heights(self) -> list[int]:
        """Return how high the answers are, in as many lines as they need."""
        room = max(self.viewport().width() - 2 * SWATCH, 60)
        flags, metrics = int(Qt.TextFlag.TextWordWrap), self.fontMetrics()
        texts = (self.item(place).text() for place in range(self.count()))
        return [metrics.boundingRect(0, 0, room, 1000, flags, text).height() + 4 for text in texts]

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def _fit(self) -> None:
        for place, height in enumerate(self._heights()):
            self.item(place).setSizeHint(QSize(0, height))
        self.updateGeometry()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.taken.emit()
        else:
            super().keyPressEvent(event)


class QuestionBox(QFrame):
    """Asks one question.

    Signals
    -------
    answered : an answer is to be checked: its value (None for the order in the chart), and its text
    shown_wanted, again_wanted : the buttons below
    """

    answered = Signal(object, str)
    shown_wanted = Signal()
    again_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self._kind, self._unit = "", ""
        self.text, self.how = LessonText("Question"), PlainLabel(wraps=True, is_faint=True)
        self.list = named(AnswerList(), "Answers")
        self.number = named(NumberField(NO_NUMBER, 1e9, "s"), "Answer in seconds")
        self.number.setSpecialValueText(" ")
        self.check_button = push_button(CHECK, "Compare it with what the simulator does", self._check)
        self.hint_button = push_button("&Hint", "Say what helps", self._show_hint)
        self.verdict, self.reason = PlainLabel(wraps=True), LessonText("Why")
        self.show_button = push_button("&Show me", "Go to the time and the task that decide it")
        self.again_button = push_button("&Try again", "Veil it again and answer anew")
        self.show_button.clicked.connect(self.shown_wanted)
        self.again_button.clicked.connect(self.again_wanted)
        self.text.follow_height(MAX_TEXT)
        self.reason.follow_height(MAX_REASON)
        self._foot, self._checks = QWidget(), QWidget()
        row(self.check_button, self.hint_button, None, parent=self._checks, margins=NO_MARGINS)
        row(self.show_button, self.again_button, None, parent=self._foot, margins=NO_MARGINS)
        column(
            self.text,
            self.how,
            self.list,
            self.number,
            self._checks,
            self.verdict,
            self.reason,
            self._foot,
            parent=self,
            margins=(8, 6, 8, 8),
            spacing=5,
        )
        self.list.taken.connect(self._check)
        self.number.lineEdit().returnPressed.connect(self._check)
        self.list.currentRowChanged.connect(self._enable)
        self.number.valueChanged.connect(self._enable)

    def ask(self, question: LessonQuestion, options: Sequence[Option]) -> None:
        """Ask a question; `options` are the answers of those that are chosen from a list."""
        self._kind, self._hint = question.kind, question.hint
        self.text.show_text(question.text)
        self.list.show_options(options)
        self.number.setValue(NO_NUMBER)
        self.check_button.setText(CHECKS.get(question.kind, CHECK))
        self.hint_button.setVisible(bool(question.hint))
        self.clear_verdict()

    @property
    def kind(self) -> str:
        """What kind of question is asked."""
        return self._kind

    def pick(self, value: object) -> None:
        """Mark an answer that was picked in a chart, as long as none was checked."""
        if self.verdict.isHidden():
            self.list.mark(value)

    def show_verdict(self, verdict: Verdict, answer: str) -> None:
        """Say whether an answer is right, what the simulator does, and why."""
        is_right = verdict.is_right
        ink = theme_of(self).good if is_right else theme_of(self).bad
        palette = self.verdict.palette()
        palette.setColor(self.verdict.foregroundRole(), ink)
        self.verdict.setPalette(palette)
        said = RIGHT if is_right else f"{WRONG} {answer}."
        truth = "" if is_right and self._kind == "choice" else verdict.truth  # it was said just now
        sentence = " ".join(filter(None, (said, verdict.near, truth)))
        self.verdict.setText(sentence)
        reasons = "".join(f"- {literal(reason)}\n" for reason in verdict.reasons)
        self.reason.show_text("\n\n".join(filter(None, (reasons, verdict.after))))
        self.reason.setVisible(bool(reasons or verdict.after))
        self._show_controls(is_judged=True)

    def clear_verdict(self) -> None:
        """Ask anew."""
        how = HOW.get(self._kind, "")
        self.how.setText(how)
        self.reason.hide()
        self._show_controls(is_judged=False)
        self.how.setVisible(bool(how))

    def _show_controls(self, *, is_judged: bool) -> None:
        """Show the controls for an answer, or in their room the verdict."""
        is_number, is_picked = self._kind in NUMBERS, self._kind not in (*NUMBERS, *DONE_ELSEWHERE)
        for part in (self.verdict, self._foot):
            part.setVisible(is_judged)
        self.how.hide()
        self.list.setVisible(is_picked and not is_judged)
        self.number.setVisible(is_number and not is_judged)
        self._checks.setHidden(is_judged)
        self._enable()

    def set_busy(self, is_busy: bool) -> None:
        """Take no answer while one is being checked."""
        self.check_button.setEnabled(not is_busy and self._has_answer())

    def _has_answer(self) -> bool:
        if not self.verdict.isHidden():
            return False
        if self._kind in DONE_ELSEWHERE:
            return True
        if self._kind in NUMBERS:
            return self.number.value() >= 0
        return self.list.value is not None

    def _enable(self) -> None:
        self.check_button.setEnabled(self._has_answer())

    def _check(self) -> None:
        if not self._has_answer():
            return
        if self._kind in DONE_ELSEWHERE:
            self.answered.emit(None, "")
        elif self._kind in NUMBERS:
            self.number.interpretText()
            self.answered.emit(self.number.value(), self.number.text().strip())
        else:
            self.answered.emit(self.list.value, self.list.text)

    def _show_hint(self) -> None:
        self.how.setText(self._hint)
        self.how.show()
