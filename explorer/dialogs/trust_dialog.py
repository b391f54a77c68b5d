"""Ask whether a policy file may run: what that means, where it lies, and what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from explorer.widgets.messages import details_view
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from core.policies.user_files.source import PolicySource

MEANING = (
    "A policy file is a program: when it runs it can do whatever you can do on this computer, also read, "
    "change and send your files. The modules that it imports run as well. Let it run if you wrote it, or "
    "know and trust whoever did."
)
MEMORY = (
    "This content is remembered, and not asked about again. Until the window closes, whatever is saved at "
    "this path runs as soon as it is saved. After the next start, a content that never ran is asked about."
)


class TrustDialog(QDialog):
    """Shows one content of a file; only that content is agreed to.

    Signals
    -------
    agreed : let it run
    """

    agreed = Signal()

    def __init__(self, source: PolicySource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source = source
        self.setWindowTitle("Run this policy file?")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(820, 620)
        self.path = PlainLabel(visible(str(source.path)), wraps=True)
        self.path.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = details_view("Content of the policy file")
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.WidgetWidth)  # nothing hides far to the right
        self.text.setPlainText(visible(source.text))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.agree_button = self.buttons.addButton("&Trust and run", QDialogButtonBox.ButtonRole.AcceptRole)
        self.agree_button.setAutoDefault(False)
        cancel = self.buttons.button(QDialogButtonBox.StandardButton.Cancel)
        cancel.setDefault(True)
        self.buttons.rejected.connect(self.reject)
        self.buttons.accepted.connect(self._on_agreed)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(PlainLabel(MEANING, wraps=True))
        layout.addWidget(self.path)
        layout.addWidget(self.text, 1)
        layout.addWidget(PlainLabel(MEMORY, wraps=True))
        layout.addWidget(self.buttons)
        cancel.setFocus()

    def _on_agreed(self) -> None:
        self.accept()
        self.agreed.emit()


def visible(text: str) -> str:
    """Show characters that turn or hide text: what is read must be what runs."""
    return "".join(
        character if character.isprintable() or character in "\n\t" else f"\\u{ord(character):04x}"
        for character in text
    )
