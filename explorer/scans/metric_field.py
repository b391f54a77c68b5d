"""The field that chooses what schedules of shared scans are made for."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QComboBox

from core.model.errors import InputError
from core.shared_scans.metric import METRICS, RULES, check_metric
from explorer.widgets.plain_labels import tooltip

FOR_SETS = "max-stretch"
"""What is chosen where jobs scan sets of blocks and the metric before cannot be optimised."""


class MetricField(QComboBox):
    """Chooses what the schedules make as small as they can."""

    def __init__(self) -> None:
        super().__init__()
        self._chosen = ""
        self._items = QStandardItemModel(self)
        for metric in METRICS:
            item = QStandardItem(metric.title)
            item.setData(metric.id, Qt.ItemDataRole.UserRole)
            self._items.appendRow(item)
        self.setModel(self._items)
        self.set_semi_shared(semi_shared=False)
        self.setToolTip(
            "What the schedules make as small as they can; where jobs scan some of a dataset's blocks\n"
            "only the largest cost of a job. Point at one in the list to read how, or why not. The tooltip\n"
            "of a policy's figures has its value of every metric."
        )

    @property
    def metric_id(self) -> str:
        """The id of the metric that is chosen."""
        return str(self.currentData())

    def set_semi_shared(self, *, semi_shared: bool) -> None:
        """Offer what can be optimised over sets of blocks, or over whole datasets.

        Sets of blocks may take another metric than was chosen; that one comes back with whole datasets,
        unless something else has been chosen since.
        """
        for i, metric in enumerate(METRICS):
            item = self._items.item(i)
            try:
                check_metric(metric.id, semi_shared=semi_shared)
            except InputError as refusal:
                item.setEnabled(False)
                item.setToolTip(tooltip(str(refusal)))
            else:
                item.setEnabled(True)
                item.setToolTip(f"Optimised by: {RULES[metric.rule]}")
        if not self._items.item(self.currentIndex()).isEnabled():
            before = self.metric_id
            self.setCurrentIndex(self.findData(FOR_SETS))
            self._chosen = before
        elif self._chosen and not semi_shared:
            if self.metric_id == FOR_SETS:
                self.setCurrentIndex(self.findData(self._chosen))
            self._chosen = ""
