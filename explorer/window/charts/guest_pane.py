"""The chart of another workload among those of the scenarios, to be looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from core.model.time_text import duration_text
from explorer.widgets.layouts import HEADING_AIR, HEADING_HEIGHT, HEADING_SIDE, NO_MARGINS, column, row
from explorer.widgets.plain_labels import UNKNOWN, VEILED, ElidedLabel, PlainLabel
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from explorer.gantt.gantt_view import GanttView


class GuestPane(QWidget):
    """The chart of another workload, to be looked at only: title and makespan, and the chart below."""

    is_active = False

    def __init__(self, title: str, view: GanttView, parent: QWidget) -> None:
        super().__init__(parent)
        self.view, self._title = view, title
        self.title, self.makespan = ElidedLabel(title), PlainLabel(UNKNOWN)
        for label in (self.title, self.makespan):
            label.setFont(bold_font(self.font()))
        heading = QWidget()
        heading.setFixedHeight(max(HEADING_HEIGHT, self.fontMetrics().height() + HEADING_AIR))
        to_look_at = PlainLabel("to look at", is_faint=True)
        row(
            (self.title, 1),
            to_look_at,
            self.makespan,
            parent=heading,
            margins=(HEADING_SIDE, 0, HEADING_SIDE, 0),
        )
        column(heading, (view, 1), parent=self, margins=NO_MARGINS, spacing=0)

    @property
    def stops(self) -> tuple[QWidget, ...]:
        """Where Tab stops."""
        return (self.view,)

    def show_maximised(self, *, is_maximised: bool) -> None:
        """Be left out while another chart is shown alone; does nothing here."""

    def show_end(self) -> None:
        """Show how long the schedule takes, unless that is to be guessed."""
        content = self.view.content
        if content.rows is not None:
            seconds = content.rows.schedule.makespan
            self.makespan.setText(VEILED if content.is_veiled else duration_text(seconds))
        self.setAccessibleName(f"{self._title}, to look at, makespan {self.makespan.text()}")
