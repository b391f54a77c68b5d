"""What Slotscope is, which versions it runs on, and its licence."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "numba", "pandas")
SENTENCE = (
    "See MapReduce schedules, change them by hand, and simulate again: Slotscope shows which task runs "
    "where and when under different policies, and what every change does to the makespan."
)
LICENCE = "Free software under the Apache License 2.0."


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
