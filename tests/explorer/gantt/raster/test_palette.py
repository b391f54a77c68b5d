from __future__ import annotations

import numpy as np
import pytest

from core.charts.palette import (
    contrast,
    faded,
    ink_on,
    lane_colour,
    linear,
    mixed,
    tones_of_colours,
    unpacked,
)
from core.charts.raster_kernel import MAP_TONE, REDUCE_TONE, SHUFFLE_TONE, WAIT_TONE
from explorer.widgets.cause_style import LOOKS
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import job_tones
from tests.oklab import oklab


def test_maps_and_reduces_share_a_colour_unless_they_share_a_lane():
    alone = tones_of_colours(np.array([0x2F6FC4]), theme(False))[0]
    assert alone[MAP_TONE] == alone[REDUCE_TONE] == 0x2F6FC4
    beside = tones_of_colours(np.array([0x2F6FC4]), theme(False), deepens_reduces=True)[0]
    assert beside[MAP_TONE] == 0x2F6FC4 != beside[REDUCE_TONE]


@pytest.mark.parametrize("dark", [False, True])
def test_a_shuffle_lies_between_its_job_and_the_lane(dark):
    colours, lane = theme(dark), lane_colour(theme(dark))
    tones = tones_of_colours(np.array([0x2F6FC4]), colours, 0.66)[0]
    assert tones[SHUFFLE_TONE] == mixed(0x2F6FC4, lane, 0.66)
    assert tones[WAIT_TONE] == mixed(0x2F6FC4, lane, 0.83)


def test_one_job_stands_out_when_the_others_fade():
    tones, background = job_tones(5), 0xFFFFFF
    for kept in (slice(2, 3), np.array([2])):
        shown = faded(tones, kept, background)
        assert np.array_equal(shown[2], tones[2])
        before, after = (np.abs(unpacked(c[[0, 1, 3, 4]]) - 1).sum() for c in (tones, shown))
        assert after < 0.25 * before


def test_text_reads_well_on_any_colour():
    step = range(0, 256, 15)
    for colour in (red << 16 | green << 8 | blue for red in step for green in step for blue in step):
        assert contrast(ink_on(colour), colour) >= 4.5
    assert [ink_on(colour) for colour in (0x2F6FC4, 0xBC8512)] == [0xFFFFFF, 0x14181F]


def test_mixing_and_contrast():
    assert mixed(0x000000, 0xFFFFFF, 0.5).item() in (0x7F7F7F, 0x808080)
    assert contrast(0xFFFFFF, 0x000000) == pytest.approx(21.0)
    assert contrast(0x777777, 0x777777) == 1.0


def test_no_cause_looks_like_another_cause():
    causes = oklab(linear(unpacked([look.colour for look in LOOKS.values()])))
    among = np.linalg.norm(causes[:, None] - causes[None], axis=2)[np.triu_indices(len(causes), 1)]
    assert among.min() > 0.12


def test_figures_are_readable_on_every_cause():
    assert all(contrast(look.ink, look.colour) >= 4.5 for look in LOOKS.values())
