"""Colours by role, light and dark; the palette, the style and the icons made of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QPainter, QPalette, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QProxyStyle, QStyle
from typing_extensions import override

from core.charts.appearance import Appearance
from core.files.resources import resource_path

if TYPE_CHECKING:
    from PySide6.QtGui import QBrush, QFont
    from PySide6.QtWidgets import QStyleOption, QStyleOptionComplex, QWidget


@dataclass(frozen=True)
class Theme(Appearance):
    """The colours of one appearance by role, as Qt has them; `theme` returns one.

    Attributes
    ----------
    window, surface, field : background of windows, of raised parts, of editable fields and tables
    lane : background of a chart's rows
    text, second_text, third_text : foreground by importance; all readable on `window`
    line, faint_line : borders; lines within a part and in a chart's grid
    plot : background of line and bar charts
    link : what a click follows, and the edge of what is active or has the keyboard
    ink : where a run ends, in every chart
    failed, killed : attempts that came to nothing, and only those
    accent, on_accent : the best that was found, a drop place; text upon it
    better, worse : than the baseline (always with a sign beside it)
    selection, on_selection : selected rows of lists and tables
    card, shadow : cards that float over a chart
    cursor, on_cursor : the instant that is looked at; text upon it
    crosshair, shade : the line at the pointer; what lies outside the view in an overview
    gap : between the pools of a Gantt chart
    map_rows, reduce_rows : alternating backgrounds of idle rows
    map_band, reduce_band, on_band : the labelled bands of the pools; text upon them
    """

    window: QColor
    surface: QColor
    field: QColor
    lane: QColor
    text: QColor
    second_text: QColor
    third_text: QColor
    line: QColor
    faint_line: QColor
    plot: QColor
    link: QColor
    ink: QColor
    failed: QColor
    killed: QColor
    accent: QColor
    on_accent: QColor
    better: QColor
    worse: QColor
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
    colours: dict[str, Any] = {  # Any: one colour, or two that alternate
        role: QColor(shade) if isinstance(shade, str) else tuple(map(QColor, shade))
        for role, shade in Appearance(dark).shades.items()
    }
    return Theme(dark, **colours)


def system_is_dark(app: QGuiApplication) -> bool:
    """Return whether the desktop is set to dark windows; light where that is not known."""
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
        (role.PlaceholderText, colours.third_text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.worse),
        (role.ToolTipBase, colours.surface),
        (role.ToolTipText, colours.text),
        (role.Highlight, colours.selection),
        (role.Accent, colours.cursor),
        (role.HighlightedText, colours.on_selection),
        (role.Link, colours.link),
        (role.Light, colours.surface.lighter(112)),
        (role.Midlight, colours.line),
        (role.Mid, colours.line),
        (role.Dark, colours.line.darker(130)),
        (role.Shadow, colours.window.darker(160)),
    ):
        palette.setColor(which, colour)
    for which in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, colours.third_text)
    palette.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colours.line)
    return palette


def write_with(painter: QPainter, font: QFont, ink: QColor) -> None:
    """Write with a font in a colour from now on."""
    painter.setFont(font)
    painter.setPen(ink)


def fill_with(painter: QPainter, ink: QColor | QBrush) -> None:
    """Fill shapes with a colour, and draw no outline, from now on."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)


def translucent(base: QColor, alpha: int) -> QColor:
    """Return a colour with another opacity, 0 to 255."""
    result = QColor(base)
    result.setAlpha(alpha)
    return result


def mixed(colour: QColor, other: QColor, share: float) -> QColor:
    """Return a colour with a share of another one in it: black with 0.25 of white is a dark grey."""
    mine = (colour.red(), colour.green(), colour.blue())
    theirs = (other.red(), other.green(), other.blue())
    return QColor(*(round(a + (b - a) * share) for a, b in zip(mine, theirs, strict=True)))


FRAMED_PRIMITIVES = (QStyle.PrimitiveElement.PE_FrameLineEdit, QStyle.PrimitiveElement.PE_IndicatorCheckBox)
FRAMED_CONTROLS = (QStyle.ComplexControl.CC_SpinBox, QStyle.ComplexControl.CC_ComboBox)
DARK_BELOW = 128
"""Lightness of a window below which its frames need help."""
FRAME_ALPHA, CORNER_PX, RING_PX = 70, 2, 1.6


class FramedStyle(QProxyStyle):
    """Draws a ring around what has the keyboard, and a thin frame around fields and boxes of dark windows."""

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
        if element is QStyle.PrimitiveElement.PE_FrameFocusRect:
            _ring(option, painter)
            return
        super().drawPrimitive(element, option, painter, widget)
        if element in FRAMED_PRIMITIVES:
            _frame(option, painter)
        elif element is QStyle.PrimitiveElement.PE_PanelButtonCommand and _has_keyboard(option):
            _ring(option, painter)

    @override
    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element is not QStyle.ControlElement.CE_MenuBarEmptyArea:  # a line below menus alone, beside tools
            super().drawControl(element, option, painter, widget)

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
    if _has_keyboard(option):
        _ring(option, painter)
    elif palette.color(QPalette.ColorRole.Window).lightness() < DARK_BELOW:
        colour = QColor(palette.color(QPalette.ColorRole.Text))
        colour.setAlpha(FRAME_ALPHA)
        _outline(option, painter, QPen(colour))


def _has_keyboard(option: QStyleOption) -> bool:
    return bool(option.state & QStyle.StateFlag.State_HasFocus)


def _ring(option: QStyleOption, painter: QPainter) -> None:
    """Draw around what has the keyboard."""
    _outline(option, painter, QPen(option.palette.color(QPalette.ColorRole.Accent), RING_PX))


def _outline(option: QStyleOption, painter: QPainter, pen: QPen) -> None:
    inset = pen.widthF() / 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    place = option.rect.toRectF().adjusted(inset, inset, -inset, -inset)
    painter.drawRoundedRect(place, CORNER_PX, CORNER_PX)
    painter.restore()


def theme_of(widget: QWidget) -> Theme:
    """Return the dark theme for a widget with a dark background, else the light one."""
    return theme(widget.palette().color(QPalette.ColorRole.Window).lightness() < 128)


def icon(name: str) -> QIcon:
    """Return the icon of a tool, sharp at any size and always in the text colour of the application.

    `name` is a file of resources/icons without its ending: "play", "maximise", "close".
    """
    return QIcon(_ThemedIcon(_drawing(name)))


@cache
def _drawing(name: str) -> str:
    return resource_path("icons", f"{name}.svg").read_text("utf-8")


class _ThemedIcon(QIconEngine):
    """Paints a drawing in the colour of buttons' text; where the theme changes, the next painting follows."""

    def __init__(self, drawing: str) -> None:
        super().__init__()
        self._drawing = drawing

    @override
    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        groups, roles = QPalette.ColorGroup, QPalette.ColorRole
        group = groups.Disabled if mode is QIcon.Mode.Disabled else groups.Active
        role = roles.HighlightedText if mode is QIcon.Mode.Selected else roles.ButtonText
        ink = QGuiApplication.palette().color(group, role).name()
        drawing = QSvgRenderer(self._drawing.replace("currentColor", ink).encode())
        drawing.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        drawing.render(painter, QRectF(rect))

    @override
    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            self.paint(painter, QRect(QPoint(), size), mode, state)
        return picture

    @override
    def clone(self) -> QIconEngine:
        return _ThemedIcon(self._drawing)
