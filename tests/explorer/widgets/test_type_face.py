from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QRawFont, QTextDocument
from PySide6.QtWidgets import QLabel

from core.files.resources import resource_path
from explorer.widgets.tables import bold_font
from explorer.widgets.type_face import FAMILY, use_type_face

WEIGHTS = (QFont.Weight.Normal, QFont.Weight.Medium, QFont.Weight.DemiBold, QFont.Weight.Bold)


@pytest.mark.parametrize("weight", WEIGHTS)
def test_every_weight_comes_with_the_program(weight):
    font = QFont()
    font.setWeight(weight)
    assert QFontInfo(font).family().startswith(FAMILY)
    assert QFontInfo(font).weight() == weight.value


@pytest.mark.parametrize("weight", WEIGHTS)
def test_figures_are_equally_wide(weight):
    font = QFont()
    font.setWeight(weight)
    metrics = QFontMetricsF(font)
    assert len({metrics.horizontalAdvance(figure * 10) for figure in "0123456789"}) == 1
    font.setFeature(QFont.Tag("tnum"), 0)
    assert QFontMetricsF(font).horizontalAdvance("1" * 10) < metrics.horizontalAdvance("1" * 10)


def test_widgets_and_texts_write_in_it(qtbot):
    label = QLabel("17 min 52 s")
    qtbot.addWidget(label)
    text = QTextDocument()
    for font in (label.font(), text.defaultFont(), bold_font(), bold_font(label.font())):
        assert QFontInfo(font).family().startswith(FAMILY)
    assert QFontInfo(bold_font()).weight() == QFont.Weight.DemiBold.value


def test_it_is_narrower_than_what_systems_bring():
    facts = "6.3 % above bound, 2 h 09 min 17 s, 3029 map and 2984 reduce slots seen"
    wide = QFont()
    wide.setFamilies(["DejaVu Sans"])
    if not QFontInfo(wide).exactMatch():
        pytest.skip("the system has another type face")
    assert QFontMetricsF(QFont()).horizontalAdvance(facts) < QFontMetricsF(wide).horizontalAdvance(facts)


def test_it_has_the_signs_that_the_window_writes():
    for path in resource_path("fonts").glob("*.ttf"):
        face = QRawFont(str(path), 12)
        assert 0 not in face.glyphIndexesForString("–—…·×≥≤→←↑↓■●°µ")


def test_to_use_it_twice_changes_nothing(qapp):
    before = qapp.font()
    use_type_face(qapp)
    assert qapp.font() == before
    assert before.families()[0] == FAMILY
