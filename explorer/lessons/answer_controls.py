"""The controls that answers are given with: a list, a number, or none where that is done elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem
from typing_extensions import override

from core.lessons.questions.question import HandAnswer, ListAnswer, NumberAnswer, OrderAnswer
from explorer.widgets.number_fields import NumberField

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from core.lessons.questions.question import AnswerForm, Option

VALUE = Qt.ItemDataRole.UserRole
SWATCH = 12
MIN_ROWS, MAX_ROWS = 3, 7
"""Of a list of answers: those that are seen in any case, and those before it scrolls."""
NO_NUMBER = -1.0
"""Of a field in which nothing is typed yet: it looks empty."""
MAX_NUMBER = 1e9


class AnswerList(QListWidget):
    """Answers to choose from, as high as they need; Enter checks the marked one.

    Signals
    -------
    changed : another answer is given, or none
    taken : the answer that is given is to be checked
    """

    changed = Signal()
    taken = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setIconSize(QSize(SWATCH, SWATCH))
        self.itemDoubleClicked.connect(self.taken)
        self.currentRowChanged.connect(self.changed)

    def begin(self, _form: AnswerForm, options: Sequence[Option], colours: Sequence[int]) -> None:
        """Offer other answers; none is marked."""
        self.clear()
        for option in options:
            item = QListWidgetItem(option.text)
            item.setData(VALUE, option.value)
            if 0 <= option.job < len(colours):
                picture = QPixmap(SWATCH, SWATCH)
                picture.fill(QColor.fromRgb(int(colours[option.job])))
                item.setIcon(QIcon(picture))
            self.addItem(item)
        self.setCurrentRow(-1)
        self._fit()

    def mark(self, value: object) -> None:
        """Mark an answer; one that is not offered marks none."""
        found = (place for place in range(self.count()) if self.item(place).data(VALUE) == value)
        self.setCurrentRow(next(found, -1))

    @property
    def answer(self) -> tuple[object, str] | None:
        """The value and the text of what is marked, or None."""
        item = self.currentItem()
        return None if item is None else (item.data(VALUE), item.text())

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


class AnswerNumber(NumberField):
    """A number with the unit of the question; Enter checks it. Signals as `AnswerList` has them."""

    changed = Signal()
    taken = Signal()

    def __init__(self) -> None:
        super().__init__(NO_NUMBER, MAX_NUMBER)
        self.setSpecialValueText(" ")
        self.setKeyboardTracking(True)  # it can be checked from its first digit on
        self.valueChanged.connect(self.changed)
        self.lineEdit().returnPressed.connect(self.taken)

    def begin(self, form: AnswerForm, _options: Sequence[Option], _colours: Sequence[int]) -> None:
        """Take another number; none is typed yet."""
        assert isinstance(form, NumberAnswer)
        self.setSuffix(f" {form.unit}")
        self.setAccessibleName(f"Answer in {form.noun}")
        self.setValue(NO_NUMBER)

    @property
    def answer(self) -> tuple[object, str] | None:
        """The number, and its text with the unit; None as long as none is typed."""
        return None if self.value() < 0 else (self.value(), self.text().strip())


AnswerControl = AnswerList | AnswerNumber
CONTROLS: dict[type[AnswerForm], type[AnswerControl]] = {ListAnswer: AnswerList, NumberAnswer: AnswerNumber}
"""Which control takes a form of answer; all others are given in the charts, or in a window of their own."""
HOW: dict[AnswerForm, str] = {
    ListAnswer("job"): "Click the job in the chart, or choose it here.",
    ListAnswer("slot"): "Click the slot in the chart, or choose it here.",
    OrderAnswer(): (
        "Hold Shift and drag a job in the chart, or drag its row in the jobs table; then check your order."
    ),
    HandAnswer(): (
        "Give every free slot to a job in a window of its own; your schedule is checked at the end."
    ),
}
"""What to do, where that is not plain to see."""
CHECKS: dict[AnswerForm, str] = {OrderAnswer(): "&Check my order", HandAnswer(): "Be the &scheduler…"}
CHECK = "&Check my answer"
"""What the button says that has an answer checked."""
