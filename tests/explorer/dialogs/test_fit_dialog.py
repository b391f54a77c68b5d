"""The dialog of fits: ranks, draws, remembers what is chosen, exports, and hands parameters over."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.generate.distributions import Distribution
from core.generate.fitted import fit_job, parameters_from
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from explorer.dialogs.fit_dialog import FitDialog, curves_of
from explorer.widgets.theme import application_palette, theme
from tests.builders import make_job


def template() -> Job:
    random = np.random.Generator(np.random.PCG64(8))
    maps = Distribution("lognormal", (3, 0.9)).draw(random, 200)
    reduces = Distribution("normal", (20, 3)).draw(random, 60)
    return Job("<b>sort</b>", Stage.of(200, maps), Stage.of(60, reduces, 0.0, [1.0, 2.0, 4.0, 5.0, 5.5]))


@pytest.fixture
def dialog(shown, qtbot):
    dialog = FitDialog(template(), Cluster(30, 20))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(dialog)
    qtbot.waitUntil(dialog.generate_button.isEnabled)
    return dialog


def rows(dialog) -> list[list[str]]:
    items = [dialog.table.topLevelItem(i) for i in range(dialog.table.topLevelItemCount())]
    return [[item.text(column) for column in range(3)] for item in items]


def test_the_fits_are_ranked_and_the_best_is_chosen(dialog):
    best = fit_job(template())[0].fits
    assert [row[0] for row in rows(dialog)] == [fit.distribution.described.title for fit in best]
    assert [row[1] for row in rows(dialog)] == [f"{fit.distance:.4f}" for fit in best]
    assert rows(dialog)[0][0] == "LogNormal"
    assert dialog.table.currentItem().text(0) == "LogNormal"
    legend = dialog.picture.legend_texts()
    assert legend[0] == "recorded (200 samples)"
    assert legend[1] == f"LogNormal, distance {best[0].distance:.3f}"
    assert len(legend) == 4
    assert dialog.picture.accessibleDescription().startswith("recorded (200 samples); LogNormal")


def test_a_click_on_another_distribution_draws_and_chooses_it(dialog):
    before = dialog.picture.grab().toImage()
    worst = dialog.table.topLevelItem(dialog.table.topLevelItemCount() - 1)
    place = dialog.table.visualItemRect(worst).center()
    QTest.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(40, place.y()))
    assert dialog.picture.legend_texts()[-1].startswith(worst.text(0))
    assert dialog.chosen_kinds()["map_durations"] == "uniform"
    assert dialog.picture.grab().toImage() != before


def test_what_cannot_be_fitted_is_listed_with_the_reason_and_not_chosen(dialog):
    dialog.part_field.setCurrentIndex(1)
    assert rows(dialog) == [["Constant", "0.0000", "seconds 0"]]
    assert not dialog.log_box.isEnabled()
    dialog.part_field.setCurrentIndex(2)
    assert dialog.summary.text() == "5 samples, from 1 s to 5.5 s."
    assert len(rows(dialog)) == 7


def test_reasons_stand_below_the_fits(shown, qtbot):
    dialog = FitDialog(make_job("J", (4, [0.0, 0.0, 2.0, 5.0])), Cluster())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    shown(dialog)
    qtbot.waitUntil(dialog.generate_button.isEnabled)
    assert rows(dialog)[-1][2] == "needs different durations above 0 s; 2 of 4 are 0"
    last = dialog.table.topLevelItem(dialog.table.topLevelItemCount() - 1)
    assert not last.flags() & Qt.ItemFlag.ItemIsSelectable


def test_choices_are_remembered_and_handed_over(dialog, qtbot):
    QTest.keyClick(dialog.table, Qt.Key.Key_Down)
    chosen = dialog.chosen_kinds()["map_durations"]
    assert chosen == fit_job(template())[0].fits[1].distribution.kind
    dialog.part_field.setCurrentIndex(3)
    dialog.part_field.setCurrentIndex(0)
    assert dialog.chosen_kinds()["map_durations"] == chosen
    with qtbot.waitSignal(dialog.generation_wanted) as heard:
        QTest.mouseClick(dialog.generate_button, Qt.MouseButton.LeftButton)
    assert heard.args[0] == parameters_from(template(), Cluster(30, 20), {"map_durations": chosen})
    assert not dialog.isVisible()


def test_axes_are_even_or_logarithmic(dialog):
    assert dialog.log_box.isChecked() is curves_of(template())[0].prefers_log
    before = dialog.picture.grab().toImage()
    QTest.keyClick(dialog.log_box, Qt.Key.Key_Space)
    assert dialog.picture.grab().toImage() != before


def test_the_plot_is_exported_and_copied(dialog, tmp_path):
    for name in ("plot.png", "plot.svg", "plot.csv"):
        dialog.export_button.save(str(tmp_path / name))
        assert dialog.status.text() == f"Saved to {tmp_path / name}"
    lines = (tmp_path / "plot.csv").read_text().splitlines()
    assert lines[0].startswith('seconds,recorded,"lognormal(')
    assert len(lines) == 201
    assert b"<svg" in (tmp_path / "plot.svg").read_bytes()[:500]
    dialog.export_button.copy_picture()
    assert QGuiApplication.clipboard().image().width() == 2 * dialog.picture.width()
    dialog.export_button.save(str(tmp_path / "no" / "plot.png"))
    assert "cannot write" in dialog.status.text()


def test_it_follows_the_theme(dialog):
    for dark in (False, True):
        dialog.setPalette(application_palette(theme(dark)))
        dialog.picture.setPalette(application_palette(theme(dark)))
        assert dialog.picture.grab().toImage().pixelColor(3, 60) == theme(dark).plot


def test_the_recorded_line_passes_through_the_samples(dialog):
    """Half of the samples are at most the median, so the line crosses 50 % there."""
    table = dialog.picture.table()
    seconds = np.array([row[0] for row in table.rows])
    recorded = np.array([row[1] for row in table.rows])
    assert recorded[np.searchsorted(seconds, np.median(seconds)) - 1] == pytest.approx(0.5, abs=0.01)
    assert (np.diff(recorded) >= 0).all()
    assert recorded[-1] == 1


def test_closing_while_it_fits_is_safe(qtbot):
    dialog = FitDialog(template(), Cluster())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.reject()
    assert not dialog._fitting.is_busy
