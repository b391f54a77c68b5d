"""The question of trust: shows all that will run or what of it has changed, and runs nothing but that."""

from __future__ import annotations

from dataclasses import replace
from difflib import unified_diff
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QWidget,
)
from typing_extensions import override

from core.model.visible_text import visible
from core.policies.user_files.sandbox import what_is_possible
from explorer.widgets.error_messages import details_view
from explorer.widgets.layouts import Dialog, column, named, row
from explorer.widgets.plain_labels import PlainLabel, tooltip, without_mnemonic
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from core.policies.user_files.source import PolicySource, SourceFile

WHOM = (
    "The same holds for the files that it imports. Let them run if you wrote them, or know and trust their "
    "author."
)
MEMORY = (
    "This content is remembered, and not asked about again. If one of the files changes, or another one is "
    "imported, nothing of that runs until you have seen what is different. What you save in Slotscope's own "
    "editor runs at once."
)
EDITS = "Trust what I &edit here: changes of such files in “{}” run as soon as they are saved"
EDITS_TIP = (
    "Whatever program writes them, also one that brings changes of others, as git pull does. Only files that "
    "you let run once, and what they import from there."
)
LIST_WIDTH_PX = 190
MAX_DIFF_LINES = 3000
"""Of both versions together; of longer ones all of the new one is shown."""


class TrustDialog(Dialog):
    """Shows one version of a policy file with the files that it imports; only that is agreed to.

    Parameters
    ----------
    source : that version
    before : the files of the version that ran last, by path; empty for none
    trusts_edits : whether the user trusts what they edit in its folder

    Signals
    -------
    agreed : let it run; and whether the user trusts what they edit in its folder
    """

    agreed = Signal(bool)

    def __init__(
        self,
        source: PolicySource,
        before: Mapping[Path, bytes],
        parent: QWidget | None = None,
        *,
        trusts_edits: bool = False,
    ) -> None:
        title = "Run this policy file?" if not source.helpers else "Run these files?"
        super().__init__(title, parent, (860 if source.helpers else 820, 620))
        self.source = source
        self._before = before
        self.path = PlainLabel(wraps=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = details_view("Content of the file")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)  # nothing hides far to the right
        self.list = named(QListWidget(), "Files that will run")
        self.list.setFixedWidth(LIST_WIDTH_PX)
        self.list.setVisible(bool(source.helpers))
        self._changes = _Changes(self.text)
        self.whole = QCheckBox("Show the &whole file")
        self.whole.toggled.connect(lambda: self._show(self.list.currentRow()))
        self.edits = QCheckBox(
            EDITS.format(without_mnemonic(source.path.parent.name or str(source.path.parent)))
        )
        self.edits.setToolTip(tooltip(f"{source.path.parent}: {EDITS_TIP}"))
        self.edits.setChecked(trusts_edits)
        self._fill_list()
        self.list.currentRowChanged.connect(self._show)
        self._show(self.list.currentRow())
        self._place()

    def _fill_list(self) -> None:
        """List the files; those that differ from what ran before are marked, and the first of them shown."""
        names = [self.source.path.name, *(helper.name for helper in self.source.helpers)]
        differing = []
        for place, (file, name) in enumerate(zip(self.source.files, names, strict=True)):
            mark = ""
            if self._before and self._before.get(file.path) != file.data:
                mark = " (changed)" if file.path in self._before else " (new)"
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
        parts = (meaning, self.imports, self.path, (files, 1), self.whole, memory, self.edits, self.buttons)
        column(*parts, parent=self, spacing=10)
        cancel.setFocus()

    def _show(self, place: int) -> None:
        """Show what has changed in a file, or all of one that did not run before."""
        file: SourceFile = self.source.files[max(place, 0)]
        self.path.setText(str(file.path))
        changes = changes_of(self._before.get(file.path), file)
        self.whole.setVisible(bool(changes))
        self._changes.is_on = bool(changes) and not self.whole.isChecked()
        self.text.setPlainText(visible(changes if self._changes.is_on else file.text, "\n\t"))

    def _on_agreed(self) -> None:
        self.accept()
        self.agreed.emit(self.edits.isChecked())


def changes_of(before: bytes | None, file: SourceFile) -> str:
    """Return what is different in a file as a unified diff; empty if it is new, the same, or too long."""
    if before is None or before == file.data:
        return ""
    old, new = replace(file, data=before).text.splitlines(), file.text.splitlines()
    if len(old) + len(new) > MAX_DIFF_LINES:
        return ""
    return "\n".join(unified_diff(old, new, "as it ran before", "as it is now", lineterm=""))


class _Changes(QSyntaxHighlighter):
    """Distinguishes lines of a diff that are gone from those that are new, also by colour.

    Attributes
    ----------
    is_on : whether the text is a diff
    """

    def __init__(self, view: QPlainTextEdit) -> None:
        super().__init__(view.document())
        self._view = view
        self.is_on = False

    @override
    def highlightBlock(self, line: str) -> None:
        colours = theme_of(self._view)
        colour = {"+": colours.better, "-": colours.worse, "@": colours.second_text}.get(line[:1])
        if self.is_on and colour is not None:
            form = QTextCharFormat()
            form.setForeground(colour)
            self.setFormat(0, len(line), form)
