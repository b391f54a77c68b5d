"""What a window shows instead of its first example while it reads the file that it was started with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.window.files.document_files import DocumentFiles


class OpeningCover(QLabel):
    """Says what is read, over all of a widget, until that has ended."""

    def __init__(self, text: str, files: DocumentFiles, covered: QWidget) -> None:
        super().__init__(text, covered, textFormat=Qt.TextFormat.PlainText)
        self._covered = covered
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAutoFillBackground(True)
        self.setGeometry(covered.rect())
        covered.installEventFilter(self)
        files.ended.connect(self._end)
        self.show()
        self.raise_()

    def _end(self) -> None:
        self.hide()
        self.deleteLater()

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.ChildAdded, QEvent.Type.LayoutRequest):
            self.setGeometry(self._covered.rect())
            self.raise_()
        return False
