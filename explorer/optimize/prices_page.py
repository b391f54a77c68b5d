"""The page of prices: when slots are worth most, in a sentence and a picture."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QWidget
from typing_extensions import override

from core.model.errors import Cancelled
from core.optimize.slot_worths import MEANING
from explorer.optimize.price_picture import PricePicture
from explorer.widgets.export import ExportButton
from explorer.widgets.layouts import NO_MARGINS, column, push_button, row, scrolled
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.progress import BusyBar
from explorer.widgets.worker import Worker, gently

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from core.optimize.slot_worths import SlotWorths
    from explorer.document.time_axis import TimeAxis
    from explorer.widgets.worker import Work

MIN_FOR_HALVES = 440
"""Pixels from which the picture and the words stand side by side."""
EMPTY = (
    "What one more slot is worth when: it is shown here after a search for responses or tardiness, "
    "or at once for the schedule as it is."
)
PRICING = "Looking for prices of slots …"
STOPPED = "Stopped before prices were found."


class PricesPage(QWidget):
    """Shows what slots are worth when, and has that found out.

    Attributes
    ----------
    sentence, picture : what is known
    price_button : has it found out for the goal that is chosen

    Signals
    -------
    wanted : the user wants to know it; answered with `start` or `clear`
    reported : a sentence on what was copied, saved or went wrong
    """

    wanted = Signal()
    reported = Signal(str)

    def __init__(self, axis: TimeAxis) -> None:
        super().__init__()
        self.sentence = PlainLabel(wraps=True)
        self.sentence.setToolTip(tooltip(MEANING))
        self.note = PlainLabel(MEANING, wraps=True, is_faint=True)
        self.picture = PricePicture(axis, EMPTY)
        self.price_button = push_button(
            "Price the sl&ots",
            "Find out when slots are worth most for the goal that is chosen, without a search",
            self.wanted.emit,
        )
        self.export_button = ExportButton(self.reported)
        self._worker = Worker(self, threads=1, finished=self._show, failed=self._on_failed)
        self.busy = BusyBar("Looking for prices of slots", self._worker)
        words, parts = QWidget(), (self.sentence, self.busy, self.note, None)
        column(*parts, parent=words, margins=NO_MARGINS, spacing=4)
        buttons = row((self.price_button, 1), self.export_button)
        beside = column((scrolled(words), 1), buttons, spacing=4)
        self._halves = column((self.picture, 3), (beside, 2), spacing=6)
        column(self._halves, parent=self, margins=(0, 4, 0, 4))
        self._show(None)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the picture beside the words where there is room for both."""
        super().resizeEvent(event)
        is_wide = event.size().width() >= MIN_FOR_HALVES
        way = QBoxLayout.Direction.LeftToRight if is_wide else QBoxLayout.Direction.TopToBottom
        self._halves.setDirection(way)
        self._halves.setStretch(1, 3 if is_wide else 2)
        self._show_note()

    @property
    def worths(self) -> SlotWorths | None:
        """What is shown; None before anything is known."""
        return self.picture.worths

    def start(self, work: Work) -> None:
        """Find it out in a thread: `work` takes (progress, should_stop) and returns the `SlotWorths`."""
        self._show(None, PRICING)
        self._worker.follow(partial(gently, work))

    def clear(self, sentence: str = EMPTY) -> None:
        """Forget what was found, and show why."""
        self._worker.cancel()
        self._show(None, sentence)

    def stop(self) -> None:
        """End it soon."""
        self._worker.stop()

    def _on_failed(self, error: Exception) -> None:
        self._show(None, STOPPED if isinstance(error, Cancelled) else str(error))

    def _show(self, worths: SlotWorths | None, sentence: str = EMPTY) -> None:
        self.picture.show_worths(worths, sentence)
        self.sentence.setText("" if worths is None else worths.sentence)
        self.export_button.set_chart(None if worths is None else self.picture)
        self.sentence.setVisible(worths is not None)
        self._show_note()

    def _show_note(self) -> None:
        """Write below the sentence what a price is, where there is room; its tooltip says so anyway."""
        is_column = self._halves.direction() == QBoxLayout.Direction.TopToBottom
        self.note.setVisible(self.worths is not None and is_column)
