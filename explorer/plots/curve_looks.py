"""Colours and dashes of curves that stand side by side, which differ for colour-blind eyes as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from core.charts.curve_colours import CURVES, curve_colour

if TYPE_CHECKING:
    from explorer.widgets.theme import Theme

DASHES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DotLine, Qt.PenStyle.DashDotLine, Qt.PenStyle.DashDotDotLine)
"""Of our curves; those of papers are dashed."""


def colour_of(place: int, colours: Theme) -> QColor:
    """Return the colour of a curve or a policy by its place; after the sixth they begin anew."""
    return QColor(curve_colour(place, is_dark=colours.is_dark))


def dash_of(place: int, measure: int = 0) -> Qt.PenStyle:
    """Return how a curve is dashed: it differs where colours begin anew, and by its measure."""
    return DASHES[(place // len(CURVES) + measure) % len(DASHES)]
