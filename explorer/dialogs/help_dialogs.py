"""Dialogs of the menu Help: all keys and gestures in a searchable list; what Slotscope is, its versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from typing_extensions import override

from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Row = tuple[str, str, str]
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pandas")
SENTENCE = (
    "See MapReduce schedules, change them by hand, and simulate again: Slotscope shows which task runs "
    "where and when under different policies, and what every change does to the makespan."
)
LICENCE = "Free software under the Apache License 2.0."


class ShortcutsDialog(QDialog):
    """Shows (group, keys, text) rows by group; typing narrows them down."""

    def __init__(self, rows: Sequence[Row], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keys and gestures")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(620, 640)
        self._rows = list(rows)
        self.filter_field = QLineEdit()
        self.filter_field.setPlaceholderText("Search")
        self.filter_field.setAccessibleName("Search keys and gestures")
        self.filter_field.setClearButtonEnabled(True)
        self.filter_field.installEventFilter(self)
        self.tree = self._make_tree()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton("&Copy", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip("Copy the list as text")
        self.copy_button.setAutoDefault(False)
        self.copy_button.clicked.connect(self.copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.filter_field, self.tree, buttons):
            layout.addWidget(part)
        self.filter_field.textChanged.connect(self._on_filter_changed)
        self._fill(self._rows)

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setColumnCount(2)
        tree.setHeaderLabels(["What it does", "Keys"])
        tree.setAccessibleName("Keys and gestures")
        tree.setRootIsDecorated(False)
        tree.setIndentation(14)
        tree.setItemsExpandable(False)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        return tree

    def shown(self) -> list[Row]:
        """Return the rows that match what is typed."""
        words = self.filter_field.text().lower().split()
        return [row for row in self._rows if all(word in " ".join(row).lower() for word in words)]

    def copy(self) -> None:
        """Put the shown rows on the clipboard, separated by tabs."""
        QGuiApplication.clipboard().setText("\n".join("\t".join(row) for row in self.shown()))

    def _fill(self, rows: Iterable[Row]) -> None:
        self.tree.clear()
        for group, members in groupby(rows, key=itemgetter(0)):
            heading = QTreeWidgetItem(self.tree, [group])
            heading.setFlags(Qt.ItemFlag.ItemIsEnabled)
            heading.setFirstColumnSpanned(True)
            heading.setFont(0, _bold(self.font()))
            for _, keys, text in members:
                item = QTreeWidgetItem(heading, [text, keys])
                item.setToolTip(0, "")
            heading.setExpanded(True)

    def _on_filter_changed(self) -> None:
        self._fill(self.shown())

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.filter_field
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            if event.key() == Qt.Key.Key_Down:
                self.tree.setFocus()
                return True
            return event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        return super().eventFilter(watched, event)


def _bold(font: QFont) -> QFont:
    bold = QFont(font)
    bold.setBold(True)
    return bold


class AboutDialog(QDialog):
    """Says what this is; the versions can be copied into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Slotscope")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.title = PlainLabel(f"Slotscope {installed('slotscope')}")
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.6)
        font.setBold(True)
        self.title.setFont(font)
        self.versions = PlainLabel(version_text(PACKAGES))
        self.versions.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.versions.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton("&Copy versions", QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.setToolTip("Copy the versions, for a bug report")
        self.copy_button.clicked.connect(self.copy)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        for part in (
            self.title,
            PlainLabel(SENTENCE, wraps=True),
            PlainLabel(LICENCE),
            self.versions,
            buttons,
        ):
            layout.addWidget(part)
        self.setMinimumWidth(440)

    def copy(self) -> None:
        """Put the versions on the clipboard."""
        QGuiApplication.clipboard().setText(f"{self.title.text()}\n{self.versions.text()}")


def version_text(packages: Sequence[str]) -> str:
    """List the versions of Python, the system and packages."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.release()}"]
    return "\n".join([*lines, *(f"{name} {installed(name)}" for name in packages)])


def installed(package: str) -> str:
    """Return the version of a package, or say that it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
