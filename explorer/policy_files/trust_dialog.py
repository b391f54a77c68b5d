"""The question of trust: shows all that will run, and runs nothing but what was shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)

from core.model.visible_text import visible
from core.policies.user_files.sandbox import what_is_possible
from explorer.widgets.layouts import column, named, resize_on_screen, row
from explorer.widgets.messages import details_view
from explorer.widgets.plain_labels import PlainLabel, tooltip

if TYPE_CHECKING:
    from core.policies.user_files.source import PolicySource, SourceFile

WHOM = (
    "The same holds for the files that it imports. Let them run if you wrote them, or know and trust whoever "
    "did."
)
MEMORY = (
    "What is shown here is remembered, and not asked about again. Until the window closes, whatever is saved "
    "at these paths runs as soon as it is saved. After the next start, contents that never ran are asked "
    "about. A file that imports any other file is asked about at once."
)
LIST_WIDTH_PX = 190


class TrustDialog(QDialog):
    """Shows one version of a policy file with the files that it imports; only that is agreed to.

    Signals
    -------
    agreed : let it run
    """

    agreed = Signal()

    def __init__(
        self, source: PolicySource, before: PolicySource | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.source = source
        self.setWindowTitle("Run this policy file?" if not source.helpers else "Run these files?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, 860 if source.helpers else 820, 620)
        self.path = PlainLabel(wraps=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = details_view("Content of the file")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)  # nothing hides far to the right
        self.list = named(QListWidget(), "Files that will run")
        self.list.setFixedWidth(LIST_WIDTH_PX)
        self.list.setVisible(bool(source.helpers))
        self._fill_list(before)
        self.list.currentRowChanged.connect(self._show)
        self._show(self.list.currentRow())
        self._place()

    def _fill_list(self, before: PolicySource | None) -> None:
        """List the files; those that differ from what ran before say so, and the first of them is shown."""
        known = {} if before is None else {file.path: file.data for file in before.files}
        names = [self.source.path.name, *(helper.name for helper in self.source.helpers)]
        differing = []
        for place, (file, name) in enumerate(zip(self.source.files, names, strict=True)):
            mark = ""
            if known and known.get(file.path) != file.data:
                mark = " (changed)" if file.path in known else " (new)"
                differing.append(place)
            item = QListWidgetItem(visible(name) + mark, self.list)
            item.setToolTip(tooltip(str(file.path)))
        self.list.setCurrentRow(differing[0] if differing else 0)

    def _place(self) -> None:
        count, packages = len(self.source.helpers), self.source.packages
        name = visible(self.source.path.name)
        others = "another file, which runs" if count == 1 else f"{count} other files, which run"
        sentences = [f"{name} imports {others} with it: look at each."] if count else []
        if packages:
            sentences.append(f"Of installed packages, {', '.join(packages)} will be imported.")
        self.imports = PlainLabel(" ".join(sentences), wraps=True)
        self.imports.setVisible(bool(sentences))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree_button = self.buttons.addButton("&Trust and run", QDialogButtonBox.ButtonRole.AcceptRole)
        self.agree_button.setAutoDefault(False)
        cancel = self.buttons.button(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        self.buttons.rejected.connect(self.reject)
        self.buttons.accepted.connect(self._on_agreed)
        meaning = PlainLabel(f"{what_is_possible()} {WHOM}", wraps=True)
        memory = PlainLabel(MEMORY, wraps=True)
        files = row(self.list, (self.text, 1))
        column(meaning, self.imports, self.path, (files, 1), memory, self.buttons, parent=self, spacing=10)
        cancel.setFocus()

    def _show(self, place: int) -> None:
        file: SourceFile = self.source.files[max(place, 0)]
        self.path.setText(str(file.path))
        self.text.setPlainText(visible(file.text, "\n\t"))

    def _on_agreed(self) -> None:
        self.accept()
        self.agreed.emit()
