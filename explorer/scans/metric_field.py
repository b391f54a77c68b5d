"""The menu of sixteen metrics; those that cannot be optimised are there, but refused with a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox

from core.model.errors import InputError
from core.shared_scans.metric import METRICS, check_metric
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

BY_SMITH = "Optimised by the generalized Smith's rule"
BY_PROGRAM = "Optimised by the backwards dynamic program"
FOR_SETS = "max-stretch"


class MetricField(QComboBox):
    """Chooses what the schedules make as small as they can."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._semi_shared = False
        self._items = QStandardItemModel(self)
        for metric in METRICS:
            item = QStandardItem(metric.title)
            item.setData(metric.id, Qt.ItemDataRole.UserRole)
            self._items.appendRow(item)
        self.setModel(self._items)
        self._mark()
        self.setToolTip(
            "What the schedules make as small as they can: 11 of the 16 metrics, or 8 where jobs scan\n"
            "some of a dataset's blocks. Point at one of the others in the list to read why. The tooltip of\n"
            "a policy's figures has its value of all 16."
        )

    @property
    def metric_id(self) -> str:
        """The id of the metric that is chosen."""
        return str(self.currentData())

    def set_semi_shared(self, semi_shared: bool) -> None:
        """Offer what can be optimised over sets of blocks, or over whole datasets."""
        if semi_shared == self._semi_shared:
            return
        self._semi_shared = semi_shared
        self._mark()
        if not self._items.item(self.currentIndex()).isEnabled():
            self.setCurrentIndex(self.findData(FOR_SETS))

    def _mark(self) -> None:
        for i, metric in enumerate(METRICS):
            item = self._items.item(i)
            try:
                check_metric(metric.id, semi_shared=self._semi_shared)
            except InputError as refusal:
                item.setEnabled(False)
                item.setToolTip(tooltip(str(refusal)))
            else:
                item.setEnabled(True)
                item.setToolTip(BY_SMITH if metric.uses_smith else BY_PROGRAM)
