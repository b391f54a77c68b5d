"""What is submitted, when it comes and at which place in the order; each change is a step that is undone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.forecast.queue_places import ordinal
from core.model.limits import MAX_SECONDS
from core.model.time_text import clock_text, duration_text
from explorer.widgets.layouts import NO_MARGINS, column, named, row
from explorer.widgets.number_fields import NumberField
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QUndoStack

    from core.forecast.tried_places import TriedPlace
    from core.model.job import Job


LATER = "Comes &later by"
LATER_TIP = (
    "How long after the time cursor it comes; or drag it in the chart or in the picture, or press E and L in "
    "the chart"
)
MIN_FIELD = 80
"""Pixels; the panel is narrow."""


class Submitted(NamedTuple):
    """Jobs that are submitted, how many seconds after the forecast begins they come, and their place.

    The place in the order counts from 1; None is where the policy puts them.
    """

    jobs: tuple[Job, ...] = ()
    later: float = 0.0
    place: int | None = None

    @property
    def called(self) -> str:
        """How sentences call them."""
        return self.jobs[0].name if len(self.jobs) == 1 else f"{len(self.jobs)} jobs"


class SubmittedPlace(QWidget):
    """The fields of it.

    Attributes
    ----------
    value : what is submitted, and where
    places : what every place in the order would do

    Signals
    -------
    changed : it is another one
    """

    changed = Signal()

    def __init__(self, steps: QUndoStack) -> None:
        super().__init__()
        self.value = Submitted()
        self._steps = steps
        self._held: Submitted | None = None
        self.later_field = named(NumberField(0.0, MAX_SECONDS, "s"), "Comes later by", LATER_TIP)
        self.later_field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.later_field.setMinimumWidth(MIN_FIELD)
        self.places = PlacesTable()
        self.places.taken.connect(self.take)
        label = PlainLabel(LATER)
        label.setBuddy(self.later_field)
        column(
            row(label, (self.later_field, 1), spacing=4),
            parent=self,
            margins=NO_MARGINS,
            spacing=4,
        )
        self.later_field.valueChanged.connect(self._on_later)

    @property
    def is_held(self) -> bool:
        """Whether a drag is under way."""
        return self._held is not None

    def submit(self, jobs: tuple[Job, ...]) -> None:
        """Submit jobs at once, where the policy puts them; none for ()."""
        if jobs or self.value.jobs:
            verb = f"Submit {Submitted(jobs).called}" if jobs else f"Take {self.value.called} away"
            self._do(verb, Submitted(jobs))

    def hold(self) -> None:
        """Begin a drag: all that comes until `release` is one step."""
        self._held = self.value if self._held is None else self._held

    def come_by(self, seconds: float) -> None:
        """Let them come so many seconds later than where the drag began, not before the forecast begins."""
        self.hold()
        assert self._held is not None
        self.later_field.setValue(max(self._held.later + seconds, 0.0))

    def release(self, *, back: bool = False) -> None:
        """End a drag, or go back to where it began."""
        before, now, self._held = self._held, self.value, None
        if before is not None and before != now:
            self.put(before)
            if not back:
                self._do_later(now)

    def take(self, place: int | None) -> None:
        """Let them have a place in the order; None for where the policy puts them."""
        if place != self.value.place:
            where = "where the policy does" if place is None else ordinal(place)
            self._do(f"Serve {self.value.called} {where}", self.value._replace(place=place))

    def forget(self) -> None:
        """Submit nothing, and undo nothing any more."""
        self._held = None
        self._steps.clear()
        self.put(Submitted())

    def put(self, value: Submitted) -> None:
        """Show another one, done or undone."""
        if value == self.value:
            return
        self.value = value
        self.later_field.blockSignals(True)
        self.later_field.setValue(value.later)
        self.later_field.blockSignals(False)
        self.setVisible(bool(value.jobs))
        if not value.jobs:
            self.places.show_places((), None)
        self.changed.emit()

    def _on_later(self, later: float) -> None:
        now = self.value._replace(later=later)
        if self._held is None:
            self._do_later(now)
        else:
            self.put(now)

    def _do_later(self, now: Submitted) -> None:
        how = f"{duration_text(now.later)} later" if now.later else "at once"
        self._do(f"Let {now.called} come {how}", now)

    def _do(self, text: str, after: Submitted) -> None:
        self._steps.push(_Step(text, self, after))


class _Step(QUndoCommand):
    """One change of what is submitted."""

    def __init__(self, text: str, place: SubmittedPlace, after: Submitted) -> None:
        super().__init__(text)
        self._place, self._before, self._after = place, place.value, after

    @override
    def redo(self) -> None:
        self._place.put(self._after)

    @override
    def undo(self) -> None:
        self._place.put(self._before)


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
