"""The gap meter: heights, words, picture and numbers."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF

from core.model.objectives import LATE_JOB
from core.model.time_text import fine_percent
from core.simulation.proof import Proof
from core.verify.certificate import Certificate
from core.verify.check import Inspection
from explorer.optimize.gap_meter import GapMeter, GapScale, Moment
from explorer.optimize.result_words import LATE_FIRST, apart_texts, standing_text, value_text
from explorer.widgets.export import write_chart
from explorer.widgets.theme import theme
from tests.explorer.shown_texts import ShownTexts

MOMENTS = (Moment(0.0, 160.0, 97.0), Moment(0.5, 110.0, 100.0), Moment(3.0, 100.07, 100.0))


@pytest.fixture
def meter(shown):
    meter = GapMeter()
    meter.resize(340, 180)
    return shown(meter)


def test_a_gap_of_seven_hundredths_of_a_percent_is_seen_beside_sixty_percent(meter):
    meter.show_moments(MOMENTS)
    room = meter.room(QRectF(meter.rect()), QFontMetricsF(meter.font()))
    best, bound = meter.points(room, "best"), meter.points(room, "bound")
    assert best[0].y() == pytest.approx(room.top())
    assert bound[0].y() == pytest.approx(room.bottom())
    assert 5 < bound[-1].y() - best[-1].y() < 40
    assert all(later.y() >= earlier.y() for earlier, later in pairwise(best))
    assert all(later.y() <= earlier.y() for earlier, later in pairwise(bound))
    assert (best[0].x(), best[-1].x()) == (room.left(), room.right())


def test_a_bound_that_is_not_known_yet_takes_no_room(meter, monkeypatch):
    """A search of the rest begins without one; what it finds then meets the bound without a proof."""
    texts = ShownTexts(monkeypatch)
    meter.show_moments((Moment(0.0, 74.0, 0.0), Moment(0.1, 50.0, 0.0), Moment(0.2, 50.0, 50.0)))
    room = meter.room(QRectF(meter.rect()), QFontMetricsF(meter.font()))
    assert meter.extent()[0] == 0.0
    assert [place.x() for place in meter.points(room, "bound")] == [room.right()]
    assert meter.points(room, "best")[-1].y() == pytest.approx(room.bottom())
    inside = meter.grab().toImage().pixelColor(round(room.left()) + 4, round(room.center().y()))
    assert inside == meter.colours.plot, "nothing is known to lie between"
    texts.look("where both meet", meter)
    assert "at the bound" in texts.found
    assert "bound" not in texts.found


def test_a_bound_of_nothing_has_an_even_scale():
    scale = GapScale(0.0, "jobs")
    assert scale.height(30.0) == 2 * scale.height(15.0)
    assert [text for _, text in scale.ticks(0.0, 40.0)] == ["0 jobs", "20 jobs", "40 jobs"]
    assert [text for _, text in GapScale(100.0).ticks(-1.0, 6.0)] == ["0 %", "+0.1 %", "+1 %", "+10 %"]


def test_late_jobs_are_counted_where_they_come_first():
    scale = GapScale(100.0, LATE_FIRST)
    heights = [scale.height(value) for value in (110.0, 900.0, LATE_JOB + 100, 9 * LATE_JOB, 54 * LATE_JOB)]
    assert heights == sorted(heights)
    texts = [text for _, text in scale.ticks(0.0, heights[-1])]
    assert texts == ["0 %", "+0.1 %", "+1 %", "+10 %", "+100 %", "1 late", "10 late"]


@pytest.mark.parametrize("dark", [False, True])
def test_lines_gap_and_proof_are_painted(meter, dark):
    colours = theme(dark)
    meter.set_theme(colours)
    meter.show_moments(MOMENTS)
    room = meter.room(QRectF(meter.rect()), QFontMetricsF(meter.font()))
    best = meter.points(room, "best")

    def has(colour, picture):
        return any(
            picture.pixelColor(x, y) == colour
            for x in range(picture.width())
            for y in range(picture.height())
        )

    picture = meter.grab().toImage()
    inside = picture.pixelColor(round(room.left()) + 4, round(best[0].y()) + 12)
    assert inside not in (colours.plot, colours.accent)
    assert has(colours.accent, picture)
    assert not has(colours.better, picture)
    meter.show_moments((*MOMENTS, Moment(3.1, 100.0, 100.0)), is_proved=True)
    assert has(colours.better, meter.grab().toImage())


def test_a_hand_edit_is_marked_where_it_lies(meter):
    meter.show_moments(MOMENTS)
    before = meter.grab().toImage()
    meter.show_now(130.0, "FIFO, edited")
    assert meter.grab().toImage() != before
    meter.show_now(900.0)  # beyond what was seen: the scale makes room
    assert meter.extent()[1] == meter.scale.height(900.0)


def test_it_is_empty_with_a_sentence_and_its_numbers_are_taken_elsewhere(meter, tmp_path):
    assert meter.table().rows == ()
    empty = meter.grab().toImage()
    meter.empty_text = ""
    assert meter.grab().toImage() != empty
    meter.show_moments(MOMENTS)
    meter.heading = "FIFO: makespan, 0.07 % above the bound"
    for ending in ("png", "svg", "csv"):
        write_chart(meter, str(tmp_path / f"gap.{ending}"))
    lines = (tmp_path / "gap.csv").read_text().splitlines()
    assert lines[0] == "since the start (s),best (s),bound (s),gap (share of the bound)"
    assert lines[2] == "0.5,110.0,100.0,0.10000000000000009"
    assert b"0.07 % above the bound" in (tmp_path / "gap.svg").read_bytes()


def test_words():
    assert standing_text(119.8, 100.0, "s") == "19.8 % above the bound"
    assert standing_text(100.07, 100.0, "s") == "0.07 % above the bound"
    assert standing_text(100.0, 100.0, "s") == "it meets its lower bound"
    unknown = standing_text(100.0, 100.0, "s", proof=Proof(why_not="none is made for nodes"))
    assert unknown == "it meets its lower bound; no certificate: none is made for nodes"
    certificate = Certificate({}, Inspection(()))
    optimal = "optimal without sharing scans or lending slots, proved"
    assert standing_text(100.0, 100.0, "s", proof=Proof(certificate)) == optimal
    assert standing_text(3.0, 0.0, "jobs") == "3 jobs; nothing above 0 is excluded yet"
    assert fine_percent(3e-5) == "less than 0.01 %"
    assert (value_text(0.0, "s"), value_text(2.5, ""), value_text(18.0, "jobs")) == ("0 s", "2.50", "18 jobs")
    assert apart_texts(100.07, 100.0, "s") == ("1 min 40.07 s", "1 min 40 s")
    assert apart_texts(160.0, 100.0, "s") == ("2 min 40 s", "1 min 40 s")
