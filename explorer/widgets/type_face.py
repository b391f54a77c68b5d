"""The type face of windows and pictures: Inter, which comes with the program, its figures equally wide."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QFontDatabase

from core.files.resources import resource_path

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication

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


@cache
def _load() -> None:
    """Make the files known to Qt, which keeps them as long as the program runs."""
    for path in sorted(resource_path("fonts").glob("*.ttf")):
        QFontDatabase.addApplicationFont(str(path))
