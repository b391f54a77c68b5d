"""Dialogs of the menu Help: all keys and gestures, what words mean, what Slotscope is and its versions."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)
from typing_extensions import override

from core.files.glossary import Term, glossary
from explorer.widgets.fuzzy_match import ranked
from explorer.widgets.layouts import Dialog, closing, column, named, push_button
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.search_field import SearchField
from explorer.widgets.tables import Column, ReadTable, RowsModel, bold_font

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Row = tuple[str, str, str]
PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pandas")
SENTENCE = (
    "See MapReduce schedules, change them by hand, and simulate again: Slotscope shows which task runs "
    "where and when under different policies, and what every change does to the makespan."
)
WORDS: tuple[Column[Term], ...] = (
    Column("Word", lambda term: term.name, typical="execution history", tip=lambda term: term.sentence),
    Column("What it means", lambda term: term.meaning, tip=lambda term: term.sentence),
)
LICENCE = "Free software under the Apache License 2.0."


class ShortcutsDialog(Dialog):
    """Shows (group, keys, text) rows by group; typing narrows them down."""

    def __init__(self, rows: Sequence[Row], parent: QWidget | None = None) -> None:
        super().__init__("Keys and gestures", parent, (620, 640))
        self._rows = list(rows)
        self.filter_field = SearchField("Search keys and gestures", hint="Search")
        self.filter_field.installEventFilter(self)
        self.tree = self._make_tree()
        self.copy_button = push_button("&Copy", "Copy the list as text", self.copy)
        column(self.filter_field, self.tree, closing(self, self.copy_button), parent=self)
        self.filter_field.textChanged.connect(lambda: self._fill(self.shown()))
        self._fill(self._rows)

    def _make_tree(self) -> QTreeWidget:
        tree = named(QTreeWidget(), "Keys and gestures")
        tree.setColumnCount(2)
        tree.setHeaderLabels(["What it does", "Keys"])
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
            heading.setFont(0, bold_font(self.font()))
            for _, keys, text in members:
                item = QTreeWidgetItem(heading, [text, keys])
                item.setToolTip(0, "")
            heading.setExpanded(True)

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


class GlossaryDialog(Dialog):
    """Explains each term, a given one first; typing narrows the list."""

    def __init__(self, term: str = "", parent: QWidget | None = None) -> None:
        super().__init__("Glossary", parent, (760, 560))
        self.filter_field = SearchField("Search the glossary", hint="Search")
        self._model = RowsModel(WORDS, self)
        self.table = ReadTable(self._model, "Glossary", widest=1, lines=2)
        self.table.empty_text = "No word is called so"
        self.filter_field.textChanged.connect(self._show)
        column(self.filter_field, self.table, closing(self), parent=self)
        self._show()
        self._mark(term)

    def _show(self) -> None:
        found = ranked(self.filter_field.text(), glossary(), lambda term: (term.name, term.meaning))
        self._model.show_rows(found)

    def _mark(self, term: str) -> None:
        names = [each.name for each in self._model.rows]
        if term in names:
            self.table.selectRow(names.index(term))
            self.table.scrollTo(self._model.index(names.index(term), 0))


class AboutDialog(Dialog):
    """Shows what this program is; the versions can be copied into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("About Slotscope", parent)
        self.title = PlainLabel(f"Slotscope {installed('slotscope')}")
        font = bold_font(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.6)
        self.title.setFont(font)
        self.versions = PlainLabel(version_text(PACKAGES), is_faint=True)
        self.versions.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.copy_button = push_button("&Copy versions", "Copy the versions, for a bug report", self.copy)
        about = (PlainLabel(SENTENCE, wraps=True), PlainLabel(LICENCE))
        column(self.title, *about, self.versions, closing(self, self.copy_button), parent=self, spacing=10)
        self.setMinimumWidth(440)

    def copy(self) -> None:
        """Put the versions on the clipboard."""
        QGuiApplication.clipboard().setText(f"{self.title.text()}\n{self.versions.text()}")


def version_text(packages: Sequence[str]) -> str:
    """List the versions of Python, the system and packages."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.release()}"]
    return "\n".join([*lines, *(f"{name} {installed(name)}" for name in packages)])


def installed(package: str) -> str:
    """Return the version of a package, or that it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"
