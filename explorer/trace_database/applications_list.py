"""The applications of what was found, with their numbers of runs; choosing one shows its runs alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

EVERY = "All applications"
UNTITLED = "Jobs without a title"
WIDTH = 215


class ApplicationsList(QListWidget):
    """Shows applications.

    Signals
    -------
    chosen : an application, or None for all
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Applications")
        self.setToolTip("Jobs with one title, but for dates and numbers, are runs of one application")
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        self.setSpacing(1)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentItemChanged.connect(self._on_current_changed)

    def sizeHint(self) -> QSize:
        """Prefer room for usual titles."""
        return QSize(WIDTH, 300)

    def show_applications(self, applications: Sequence[tuple[str, int]], chosen: str | None) -> None:
        """Show these with their numbers of runs; what was chosen stays so, even if it has no run now."""
        self.blockSignals(True)
        self.clear()
        self._add(EVERY, sum(runs for _, runs in applications), None)
        known = dict(applications)
        if chosen is not None and chosen not in known:
            known[chosen] = 0
        for name, runs in sorted(
            known.items(), key=lambda item: (item[0] == "", -item[1], item[0].casefold())
        ):
            self._add(name or UNTITLED, runs, name)
        self.setCurrentRow(self._row_of(chosen))
        self.blockSignals(False)

    def _add(self, text: str, runs: int, application: str | None) -> None:
        item = QListWidgetItem(f"{runs:,} × {text}" if application is not None else f"{text} ({runs:,} jobs)")
        item.setData(Qt.ItemDataRole.UserRole, application)
        item.setToolTip(tooltip(f"{text}: {runs:,} jobs"))
        self.addItem(item)

    def _row_of(self, application: str | None) -> int:
        rows = (i for i in range(self.count()) if self._application(self.item(i)) == application)
        return next(rows, 0)

    @staticmethod
    def _application(item: QListWidgetItem) -> str | None:
        application: str | None = item.data(Qt.ItemDataRole.UserRole)
        return application

    def _on_current_changed(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(self._application(item))
