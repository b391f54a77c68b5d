"""Labels, tips and cells show text from outside as it is, and all of it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from explorer.document.titles import policy_title
from explorer.widgets.error_messages import breakable
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, tooltip, without_mnemonic
from explorer.widgets.tables import Column, RowsModel

EVIL, SEEN = "\u202elive\x1b[1m\u2060", r"\u202elive\x1b[1m\u2060"


def test_what_nobody_would_see_is_written_out(qtbot):
    label, elided = PlainLabel(EVIL), ElidedLabel()
    elided.setText(EVIL)
    qtbot.addWidget(label)
    qtbot.addWidget(elided)
    assert label.text() == elided.text() == elided.toolTip() == SEEN
    assert without_mnemonic(f"{EVIL}&") == f"{SEEN}&&"
    assert tooltip(f"{EVIL}\n{EVIL}") == f"{SEEN}\n{SEEN}"
    assert policy_title(f"/home/{EVIL}.py") == f"{SEEN}.py"
    model = RowsModel([Column("Job", str)])
    model.show_rows([EVIL])
    assert model.index(0, 0).data() == SEEN
    assert model.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) == f"Job: {SEEN}"


def test_lines_and_places_where_a_word_may_be_broken_stay(qtbot):
    text = breakable("two\n" + "x" * 100)
    label = PlainLabel(text)
    qtbot.addWidget(label)
    assert label.text() == text
    assert "\u200b" in text


def test_no_line_of_a_label_or_a_tip_ends_before_a_unit(qtbot):
    text = "Taken as estimates, wrong by 30 %"
    label = PlainLabel(text, wraps=True)
    qtbot.addWidget(label)
    assert QLabel.text(label).endswith("30\N{NO-BREAK SPACE}%"), "what Qt breaks into lines"
    assert label.text() == text, "what is read and copied"
    assert tooltip("x" * 68 + " 30 %").splitlines()[-1] == "30 %"
