"""What every place in the order would do to jobs that are submitted: a table from which one is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from core.model.time_text import clock_text
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.forecast.tried_places import TriedPlace

MAX_ROWS = 6
"""That are seen without scrolling."""
PLACE_HELP = "in the order of what waits; own is where the policy has it"
TAKE_TIP = "Click, or Enter: it is served there from now on; undo puts it back"


class PlacesTable(QWidget):
    """A row for each place, the one that is taken in bold; why there is none where a policy has no order.

    Attributes
    ----------
    table : the rows

    Signals
    -------
    taken : a place, from 1; None for where the policy puts them
    """

    taken = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._taken: int | None = None
        self._model: RowsModel[TriedPlace] = RowsModel(
            (
                self._column("Place", self._place, PLACE_HELP, "own: 12"),
                self._column("Ends", lambda row: clock_text(row.end), "at about", "0:00:00"),
                self._column("Delays", _delays, "by how much the job that is most delayed ends later"),
            )
        )
        self.table = ReadTable(self._model, "What every place in the order would do", widest=2)
        self.table.chosen.connect(self._on_chosen)
        self.why = PlainLabel("", wraps=True)
        column(self.table, self.why, parent=self, margins=NO_MARGINS)
        self.hide()

    def _column(
        self, title: str, text: Callable[[TriedPlace], str], about: str, typical: str = ""
    ) -> Column[TriedPlace]:
        return Column(title, text, about, typical=typical, tip=_tip, style=self._style)

    def show_places(self, places: Sequence[TriedPlace], taken: int | None, why: str = "") -> None:
        """Show what was tried, or why nothing can be; nothing for neither."""
        self._taken = taken
        self._model.show_rows(places)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self.table.setVisible(bool(places))
        if places:
            self.table.fit_height()
            frame = self.table.height() - len(places) * self.table.rowHeight(0)
            self.table.setFixedHeight(frame + min(len(places), MAX_ROWS) * self.table.rowHeight(0))
            self.table.selectRow(next((n for n, row in enumerate(places) if self._is_taken(row)), 0))
            self.table.scrollTo(self.table.currentIndex())
        self.setVisible(bool(places or why))

    def mark(self, taken: int | None) -> None:
        """Mark another place as the one that is taken."""
        self._taken = taken
        self._model.refresh()

    @property
    def rows(self) -> Sequence[TriedPlace]:
        """What is shown."""
        return self._model.rows

    def _is_taken(self, row: TriedPlace) -> bool:
        return row.is_own if self._taken is None else row.place == self._taken

    def _place(self, row: TriedPlace) -> str:
        return f"own: {row.place}" if row.is_own else str(row.place)

    def _style(self, row: TriedPlace, role: int) -> Any:  # Any: by role
        return bold_font(self.font()) if role == Qt.ItemDataRole.FontRole and self._is_taken(row) else None

    def _on_chosen(self, row: TriedPlace) -> None:
        self.taken.emit(None if row.is_own else row.place)


def _delays(row: TriedPlace) -> str:
    """Return "+2:08 invoices, 2 more", or a dash for nobody."""
    delayed = [job for job in row.moved if row.middle_delay[job] > 0]
    if not delayed:
        return "–"
    more = f", {len(delayed) - 1} more" if len(delayed) > 1 else ""
    return f"+{clock_text(float(row.middle_delay[delayed[0]]))} {row.jobs[delayed[0]].name}{more}"


def _tip(row: TriedPlace) -> str:
    due = "".join(f"\n{name} in time: {100 * chance:.0f} %" for name, chance in row.in_time)
    return f"{row.sentence}{due}\n{TAKE_TIP}"
