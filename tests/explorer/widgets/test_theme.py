from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from core.charts.palette import contrast
from core.files.resources import resource_path
from explorer.widgets.popup_frame import PopupFrame
from explorer.widgets.theme import FramedStyle, application_palette, icon, system_is_dark, theme


def ratio(one, other):
    return contrast(one.rgb() & 0xFFFFFF, other.rgb() & 0xFFFFFF)


@pytest.mark.parametrize("dark", [False, True])
def test_text_is_readable_on_every_background(dark):
    colours = theme(dark)
    backgrounds = (colours.window, colours.surface, colours.field, colours.plot, colours.card, colours.gap)
    for background in (*backgrounds, *colours.map_rows, *colours.reduce_rows):
        assert ratio(colours.text, background) > 10
        inks = (colours.second_text, colours.third_text, colours.better, colours.worse)
        for ink in (*inks, colours.link, colours.ink, colours.accent, colours.cursor):
            assert ratio(ink, background) > 4.4
    # what is more important is easier to see
    assert ratio(colours.text, colours.window) > ratio(colours.second_text, colours.window) + 1
    assert ratio(colours.second_text, colours.window) > ratio(colours.third_text, colours.window) + 1
    for ink, background in (
        (colours.on_accent, colours.accent),
        (colours.on_selection, colours.selection),
        (colours.on_cursor, colours.cursor),
        (colours.on_band, colours.map_band),
        (colours.on_band, colours.reduce_band),
    ):
        assert ratio(ink, background) > 4.5


def test_there_is_one_theme_of_each_kind():
    assert theme(True) is theme(True)
    assert theme(True).is_dark
    assert not theme(False).is_dark
    assert theme(True).window.lightness() < 60 < 200 < theme(False).window.lightness()


@pytest.mark.parametrize("dark", [False, True])
def test_ordinary_widgets_take_the_theme(dark):
    colours, palette = theme(dark), application_palette(theme(dark))
    assert palette.color(QPalette.ColorRole.Window) == colours.window
    assert palette.color(QPalette.ColorRole.Text) == colours.text
    assert palette.color(QPalette.ColorRole.Highlight) == colours.selection
    roles = QPalette.ColorRole
    pairs = ((roles.WindowText, roles.Window), (roles.Text, roles.Base), (roles.Text, roles.AlternateBase))
    for ink, ground in (*pairs, (roles.ButtonText, roles.Button), (roles.ToolTipText, roles.ToolTipBase)):
        assert ratio(palette.color(ink), palette.color(ground)) > 4.5
    for ink in (roles.PlaceholderText, roles.Link, roles.BrightText):
        assert ratio(palette.color(ink), palette.color(roles.Base)) > 4.5
    disabled = palette.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text)
    assert disabled == colours.third_text != colours.text


class Hints:
    def __init__(self, scheme):
        self.scheme = scheme

    def styleHints(self):
        return self

    def colorScheme(self):
        return self.scheme


@pytest.mark.parametrize(
    ("scheme", "is_dark"),
    [(Qt.ColorScheme.Dark, True), (Qt.ColorScheme.Light, False), (Qt.ColorScheme.Unknown, False)],
)
def test_the_system_says_whether_it_is_dark(scheme, is_dark):
    assert system_is_dark(Hints(scheme)) is is_dark  # type: ignore[arg-type]


def inks(name, mode=QIcon.Mode.Normal, side=16):
    picture = icon(name).pixmap(side, side, mode).toImage()
    shown = [picture.pixelColor(x, y) for x in range(picture.width()) for y in range(picture.height())]
    return {colour.name() for colour in shown if colour.alpha() == 255}


def test_an_icon_has_the_colour_of_text_and_follows_the_theme(qapp):
    before = qapp.palette()
    for dark in (False, True):
        qapp.setPalette(application_palette(theme(dark)))
        assert inks("pause") == {theme(dark).text.name()}
        assert inks("pause", QIcon.Mode.Disabled) == {theme(dark).third_text.name()}
    qapp.setPalette(before)


@pytest.mark.parametrize("path", sorted(resource_path("icons").iterdir()), ids=lambda path: path.stem)
def test_every_icon_can_be_painted_and_is_sharp_at_any_size(qapp, path):
    assert QSvgRenderer(str(path)).isValid()
    assert inks(path.stem, side=64)
    assert icon(path.stem).pixmap(16, 16).width() == 16
    assert icon(path.stem).pixmap(QSize(16, 16), 2.0).width() == 32


@pytest.mark.parametrize("dark", [False, True])
def test_what_has_the_keyboard_has_a_ring(qtbot, qapp, dark):
    colours = theme(dark)
    box = QWidget()
    qtbot.addWidget(box)
    box.setPalette(application_palette(colours))
    row = QHBoxLayout(box)
    fields = [QLineEdit(), QPushButton("Go"), QCheckBox("Also"), QComboBox()]
    style = FramedStyle()
    style.setParent(box)
    for field in fields:
        field.setStyle(style)
        row.addWidget(field)
    box.show()
    box.activateWindow()
    ring = colours.cursor.rgb()
    for place, field in enumerate(fields):
        fields[0].setFocus() if place == 0 else qtbot.keyClick(qapp.focusWidget(), Qt.Key.Key_Tab)
        qtbot.waitUntil(field.hasFocus)
        picture = box.grab().toImage()
        found = {
            (x, y)
            for x in range(picture.width())
            for y in range(picture.height())
            if picture.pixel(x, y) == ring
        }
        assert found
        assert all(field.geometry().adjusted(-1, -1, 1, 1).contains(x, y) for x, y in found)


@pytest.mark.parametrize("dark", [False, True])
def test_what_drops_down_has_an_edge_that_is_seen(qtbot, dark):
    below = QWidget()
    qtbot.addWidget(below)
    popup = PopupFrame(below)
    popup.setPalette(application_palette(theme(dark)))
    popup.resize(80, 40)
    picture = popup.grab().toImage()
    edge, inside = (picture.pixelColor(x, 20).rgb() & 0xFFFFFF for x in (0, 20))
    assert contrast(edge, inside) > 3
