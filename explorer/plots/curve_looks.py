"""Colours and dashes of curves that stand side by side: everybody can tell them apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

if TYPE_CHECKING:
    from explorer.widgets.theme import Theme

OKABE_ITO = (0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00)
"""Sky, orange, green, pink, yellow, blue and vermilion: everybody can tell such curves apart."""
ORDER = (5, 6, 2, 1, 3, 0)
"""Of the colours of Okabe and Ito: blue, vermilion, green, orange, pink, sky; yellow is too pale."""
LIGHTER = 135
"""Percent of lightness of the dark ones among them on a dark background."""
DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DashDotDotLine)
"""Of our curves; those of papers are dashed."""


def colour_of(place: int, colours: Theme) -> QColor:
    """Return the colour of a curve or a policy by its place; after the sixth they begin anew."""
    colour = QColor(OKABE_ITO[ORDER[place % len(ORDER)]])
    return colour.lighter(LIGHTER) if colours.is_dark and colour.lightness() < 110 else colour


def dash_of(place: int, measure: int = 0) -> Qt.PenStyle:
    """Return how a curve is dashed: it differs where colours begin anew, and by its measure."""
    return DASHES[(place // len(ORDER) + measure) % len(DASHES)]
