"""The type face of windows and pictures: Inter, which comes with the program, its figures equally wide."""

from __future__ import annotations

import os
from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from core.files.resources import resource_path

FAMILY = "Inter"
EQUAL_FIGURES = "tnum"
"""The feature of OpenType that gives every figure the same width, so that times do not jump."""


def use_type_face(application: QGuiApplication) -> None:
    """Let an application write in the type face; what it has no sign for is taken from the system's."""
    _load()
    font = QFont(application.font())
    if FAMILY not in font.families():
        font.setFamilies([FAMILY, *font.families()])
        font.setFeature(QFont.Tag(EQUAL_FIGURES), 1)
        application.setFont(font)


def headless_application(*, has_widgets: bool = False) -> QGuiApplication:
    """Return the running application, or start one that needs no display, if need be one for widgets."""
    kind: type[QGuiApplication] = QGuiApplication
    if has_widgets:
        from PySide6.QtWidgets import QApplication  # pictures need none of it

        kind = QApplication
    running = QGuiApplication.instance()
    if isinstance(running, kind):
        return running
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = kind([])
    use_type_face(application)
    return application


@cache
def _load() -> None:
    """Make the files known to Qt, which keeps them as long as the program runs."""
    for path in sorted(resource_path("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))
