"""What to look for in the library: words, user, size and dates as fields, applications as a list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.model.limits import MAX_TASKS
from core.model.number_text import grouped
from core.trace_database.search import RunSearch, moment
from explorer.widgets.layouts import NO_MARGINS, push_button, row
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.search_field import SearchField
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence


DAY = "2011-02-10"
DAY_HELP = f"a day such as {DAY} (UTC), or with a time such as {DAY}T09:41"
EVERY = "All applications"
UNTITLED = "Jobs without a title"
WIDTH = 215


class FilterFields(QWidget):
    """A row of fields.

    Signals
    -------
    changed : another search is wanted
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.text_field = self._line("Job or title", "Words that are all in the job's name or title", 24)
        self.user_field = self._line("User", "A part of the user's name", 12)
        self.min_field = self._count("At least")
        self.max_field = self._count("At most")
        self.since_field = self._line(DAY, f"Submitted at or after {DAY_HELP}", 11)
        self.until_field = self._line(DAY, f"Submitted on or before {DAY_HELP}", 11)
        self.since_field.setAccessibleName("Submitted since")
        self.until_field.setAccessibleName("Submitted until")
        self.clear_button = push_button("Sho&w all", "Show all jobs again", self.clear)
        self._lay_out()

    def _line(self, hint: str, help_text: str, letters: int) -> QLineEdit:
        field = SearchField(hint, help_text, hint=hint)
        field.setMinimumWidth(self.fontMetrics().horizontalAdvance("0" * letters))
        field.textChanged.connect(self._on_changed)
        return field

    def _count(self, name: str) -> QLineEdit:
        field = self._line("any", f"{name} so many maps and reduces together", 6)
        field.setAccessibleName(f"{name} so many tasks")
        field.setValidator(QIntValidator(0, MAX_TASKS, field))
        return field

    def _lay_out(self) -> None:
        layout = row(parent=self, margins=NO_MARGINS)
        self._add(layout, "&Search", self.text_field, 3)
        self._add(layout, "Us&er", self.user_field, 1)
        self._add(layout, "Tas&ks", self.min_field)
        self._add(layout, "to", self.max_field)
        self._add(layout, "Su&bmitted", self.since_field, 1)
        self._add(layout, "to", self.until_field, 1)
        layout.addWidget(self.clear_button)

    @staticmethod
    def _add(layout: QHBoxLayout, text: str, field: QWidget, stretch: int = 0) -> None:
        label = QLabel(text)
        label.setBuddy(field)
        layout.addWidget(label)
        layout.addWidget(field, stretch)

    def _on_changed(self) -> None:
        for field in (self.since_field, self.until_field):
            self._mark(field)
        self.changed.emit()

    def _mark(self, field: QLineEdit) -> None:
        """Show whether a field holds a date."""
        ink = self.palette().text().color() if not _problem(field) else theme_of(self).worse
        palette = field.palette()
        palette.setColor(palette.ColorRole.Text, ink)
        field.setPalette(palette)

    @property
    def problem(self) -> str:
        """What is wrong with a field, as a sentence; empty if nothing is."""
        return _problem(self.since_field) or _problem(self.until_field)

    def search(self) -> RunSearch:
        """Return what to look for; fields with mistakes do not count."""
        return RunSearch(
            text=self.text_field.text(),
            user=self.user_field.text(),
            min_tasks=_number(self.min_field),
            max_tasks=_number(self.max_field),
            since=_moment(self.since_field),
            until=_moment(self.until_field, end=True),
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing in particular is looked for."""
        return self.search() == RunSearch() and not self.problem

    def clear(self) -> None:
        """Look for nothing in particular."""
        self.blockSignals(True)
        for field in self.findChildren(QLineEdit):
            field.clear()
        self.blockSignals(False)
        self.changed.emit()


def _number(field: QLineEdit) -> int | None:
    return int(field.text()) if field.text().isdecimal() else None


def _problem(field: QLineEdit) -> str:
    """Return what is wrong with the date in a field; empty if nothing is."""
    try:
        if field.text().strip():
            moment(field.text())
    except InputError as error:
        return str(error)
    return ""


def _moment(field: QLineEdit, *, end: bool = False) -> float | None:
    return moment(field.text(), end=end) if field.text().strip() and not _problem(field) else None


class ApplicationsList(QListWidget):
    """Shows applications.

    Signals
    -------
    chosen : an application, or None for all
    """

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Applications")
        self.setToolTip("Jobs with one title, but for dates and numbers, are runs of one application")
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        self.setSpacing(1)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._on_current_changed)

    @override
    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 300)

    def show_applications(self, applications: Sequence[tuple[str, int]], chosen: str | None) -> None:
        """Show these with their numbers of runs; what was chosen stays so, even if it has no run now."""
        self.blockSignals(True)
        self.clear()
        self._add(EVERY, sum(runs for _, runs in applications), None)
        known = ({} if chosen is None else {chosen: 0}) | dict(applications)
        names = sorted(known, key=lambda name: (name == "", -known[name], name.casefold()))
        for name in names:
            self._add(name or UNTITLED, known[name], name)
        self.setCurrentRow(0 if chosen is None else 1 + names.index(chosen))
        self.blockSignals(False)

    def _add(self, text: str, runs: int, application: str | None) -> None:
        item = QListWidgetItem(
            f"{grouped(runs)} × {text}" if application is not None else f"{text} ({grouped(runs)} jobs)"
        )
        item.setData(Qt.ItemDataRole.UserRole, application)
        item.setToolTip(tooltip(f"{text}: {grouped(runs)} jobs"))
        self.addItem(item)

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.data(Qt.ItemDataRole.UserRole))
