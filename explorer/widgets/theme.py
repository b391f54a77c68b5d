"""Colours by role, light and dark; the palette and the style that the application takes from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPalette
from PySide6.QtWidgets import QProxyStyle, QStyle
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QStyleOption, QStyleOptionComplex, QWidget


@dataclass(frozen=True)
class Theme:
    """The colours of one appearance; ask `theme` for one.

    Attributes
    ----------
    window, panel, field : background of windows, of raised parts, of editable fields and tables
    text, muted, faint : foreground by importance; all readable on `window`
    line, grid : borders; lines of a chart's grid (translucent)
    plot : background of line and bar charts
    accent, on_accent : the makespan, the view in an overview, a drop place; text upon it
    good, bad : better and worse than the baseline (always with a sign beside it)
    selection, on_selection : selected rows of lists and tables
    card, shadow : cards that float over a chart
    cursor, on_cursor : the instant that is looked at; text upon it
    crosshair, shade : the line at the pointer; what lies outside the view in an overview
    gap : between the pools of a Gantt chart
    map_rows, reduce_rows : alternating backgrounds of idle rows
    map_band, reduce_band, on_band : the labelled bands of the pools; text upon them
    """

    is_dark: bool
    window: QColor
    panel: QColor
    field: QColor
    text: QColor
    muted: QColor
    faint: QColor
    line: QColor
    grid: QColor
    plot: QColor
    accent: QColor
    on_accent: QColor
    good: QColor
    bad: QColor
    selection: QColor
    on_selection: QColor
    card: QColor
    shadow: QColor
    cursor: QColor
    on_cursor: QColor
    crosshair: QColor
    shade: QColor
    gap: QColor
    map_rows: tuple[QColor, QColor]
    reduce_rows: tuple[QColor, QColor]
    map_band: QColor
    reduce_band: QColor
    on_band: QColor


@cache
def theme(dark: bool) -> Theme:
    """Return the dark or the light theme."""
    return _dark() if dark else _light()


def _dark() -> Theme:
    return Theme(
        is_dark=True,
        window=QColor("#14171c"),
        panel=QColor("#1b1f26"),
        field=QColor("#181c22"),
        text=QColor("#e6e9ef"),
        muted=QColor("#97a1b1"),
        faint=QColor("#79828f"),
        line=QColor("#2e3540"),
        grid=QColor(255, 255, 255, 20),
        plot=QColor("#1a1e25"),
        accent=QColor("#ffd166"),
        on_accent=QColor("#1b1b1b"),
        good=QColor("#5fd0a5"),
        bad=QColor("#ff9e6b"),
        selection=QColor("#2f5d8c"),
        on_selection=QColor("#ffffff"),
        card=QColor(26, 30, 38, 245),
        shadow=QColor(0, 0, 0, 22),
        cursor=QColor("#6fb1ff"),
        on_cursor=QColor("#10141a"),
        crosshair=QColor(230, 233, 239, 120),
        shade=QColor(12, 14, 18, 150),
        gap=QColor("#14171c"),
        map_rows=(QColor("#1b2028"), QColor("#1f252e")),
        reduce_rows=(QColor("#201d27"), QColor("#25212d")),
        map_band=QColor("#35587f"),
        reduce_band=QColor("#62467b"),
        on_band=QColor("#f2f5fa"),
    )


def _light() -> Theme:
    return Theme(
        is_dark=False,
        window=QColor("#f6f7f9"),
        panel=QColor("#ffffff"),
        field=QColor("#ffffff"),
        text=QColor("#1d2430"),
        muted=QColor("#5d6776"),
        faint=QColor("#747e8c"),
        line=QColor("#d3d8e0"),
        grid=QColor(20, 30, 50, 24),
        plot=QColor("#ffffff"),
        accent=QColor("#c2410c"),
        on_accent=QColor("#ffffff"),
        good=QColor("#0b7a55"),
        bad=QColor("#b3400b"),
        selection=QColor("#2b6cb0"),
        on_selection=QColor("#ffffff"),
        card=QColor(255, 255, 255, 250),
        shadow=QColor(20, 30, 50, 12),
        cursor=QColor("#1f5fd0"),
        on_cursor=QColor("#ffffff"),
        crosshair=QColor(29, 36, 48, 120),
        shade=QColor(246, 247, 249, 170),
        gap=QColor("#f6f7f9"),
        map_rows=(QColor("#ffffff"), QColor("#f3f6fa")),
        reduce_rows=(QColor("#fdfcff"), QColor("#f5f2fa")),
        map_band=QColor("#a9c8e8"),
        reduce_band=QColor("#cfb9e2"),
        on_band=QColor("#1d2430"),
    )


def system_is_dark(app: QGuiApplication) -> bool:
    """Return whether the desktop asks for dark windows; light where it does not say."""
    return app.styleHints().colorScheme() == Qt.ColorScheme.Dark


def application_palette(colours: Theme) -> QPalette:
    """Build the palette that gives every ordinary widget the colours of the theme."""
    role = QPalette.ColorRole
    palette = QPalette()
    for which, colour in (
        (role.Window, colours.window),
        (role.WindowText, colours.text),
        (role.Base, colours.field),
        (role.AlternateBase, colours.map_rows[1]),
        (role.Text, colours.text),
        (role.PlaceholderText, colours.faint),
        (role.Button, colours.panel),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.bad),
        (role.ToolTipBase, colours.panel),
        (role.ToolTipText, colours.text),
        (role.Highlight, colours.selection),
        (role.HighlightedText, colours.on_selection),
        (role.Link, colours.selection.lighter(150) if colours.is_dark else colours.selection),
        (role.Light, colours.panel.lighter(112)),
        (role.Midlight, colours.line),
        (role.Mid, colours.line),
        (role.Dark, colours.line.darker(130)),
        (role.Shadow, colours.window.darker(160)),
    ):
        palette.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, colours.faint)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colours.line)
    return palette


def mixed(colour: QColor, other: QColor, share: float) -> QColor:
    """Return a colour with a share of another one in it: black with 0.25 of white is a dark grey."""
    mine = (colour.red(), colour.green(), colour.blue())
    theirs = (other.red(), other.green(), other.blue())
    return QColor(*(round(a + (b - a) * share) for a, b in zip(mine, theirs, strict=True)))


FRAMED_PRIMITIVES = (QStyle.PrimitiveElement.PE_FrameLineEdit, QStyle.PrimitiveElement.PE_IndicatorCheckBox)
FRAMED_CONTROLS = (QStyle.ComplexControl.CC_SpinBox, QStyle.ComplexControl.CC_ComboBox)
DARK_BELOW = 128
"""Lightness of a window below which its frames need help."""
FRAME_ALPHA, CORNER_PX = 70, 2


class FramedStyle(QProxyStyle):
    """Draws a thin light frame around fields and check boxes of dark windows."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    @override
    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawPrimitive(element, option, painter, widget)
        if element in FRAMED_PRIMITIVES:
            _frame(option, painter)

    @override
    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawComplexControl(control, option, painter, widget)
        if control in FRAMED_CONTROLS:
            _frame(option, painter)


def _frame(option: QStyleOption, painter: QPainter) -> None:
    palette = option.palette
    has_focus = bool(option.state & QStyle.StateFlag.State_HasFocus)
    if palette.color(QPalette.ColorRole.Window).lightness() >= DARK_BELOW or has_focus:
        return
    colour = QColor(palette.color(QPalette.ColorRole.Text))
    colour.setAlpha(FRAME_ALPHA)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(colour)
    painter.drawRoundedRect(option.rect.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), CORNER_PX, CORNER_PX)
    painter.restore()


def theme_of(widget: QWidget) -> Theme:
    """Return the dark theme for a widget with a dark background, else the light one."""
    return theme(widget.palette().color(QPalette.ColorRole.Window).lightness() < 128)
