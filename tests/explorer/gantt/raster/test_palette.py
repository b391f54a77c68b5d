"""Jobs must be told apart by everybody: distances of colours as normal and colour-blind eyes see them."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.document.view_state import PaletteMode
from explorer.gantt.raster import palette
from explorer.gantt.raster.palette import (
    contrast,
    faded,
    fitting_positions,
    from_oklch,
    ink_on,
    job_tones,
    linear,
    map_tones,
    mixed,
    oklab,
    oklch,
    unpacked,
)
from explorer.gantt.raster.raster_kernel import EDGE_TONE, MAP_TONE, REDUCE_TONE, SHUFFLE_TONE, WAIT_TONE
from explorer.widgets.cause_style import LOOKS

# Machado, Oliveira and Fernandes 2009, severity 1, on linear light
SIGHTS = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
HARD_TO_TELL = 0.05


def seen(colours, sight):
    return oklab(np.clip(linear(unpacked(colours)) @ SIGHTS[sight].T, 0, 1))


def neighbours(tones, sight):
    lab = seen(tones[:, MAP_TONE], sight)
    return np.linalg.norm(lab[1:] - lab[:-1], axis=1)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_of_seven_jobs_differ(sight, dark):
    lab = seen(job_tones(7, dark=dark)[:, MAP_TONE], sight)
    distances = np.linalg.norm(lab[:, None] - lab[None], axis=2)[np.triu_indices(7, 1)]
    assert distances.min() > HARD_TO_TELL


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("jobs", [8, 20, 100, 500, 5000])
def test_neighbours_in_the_queue_differ(sight, dark, jobs):
    assert neighbours(job_tones(jobs, dark=dark), sight).min() > HARD_TO_TELL


@pytest.mark.parametrize("mode", PaletteMode)
def test_thousands_of_jobs_share_the_colours_of_two_thousand(mode, monkeypatch):
    mixed_at_once = []

    def note(lightness, chroma, hue):
        mixed_at_once.append(len(lightness))
        return from_oklch(lightness, chroma, hue)

    monkeypatch.setattr(palette, "from_oklch", note)
    tones = job_tones(123_457, mode=mode)
    assert max(mixed_at_once, default=0) <= 2048
    assert tones.shape == (123_457, 6)
    few = job_tones(2048, mode=mode)
    assert set(map(tuple, tones.tolist())) == set(map(tuple, few.tolist()))
    assert tones[:2].tolist() == few[:2].tolist()
    assert map_tones(123_457, None, False, mode).tolist() == tones[:, MAP_TONE].tolist()


def test_vivid_hues_are_not_safe_which_is_why_they_are_an_option():
    worst = min(neighbours(job_tones(100, mode=PaletteMode.VIVID), sight).min() for sight in SIGHTS)
    assert worst < HARD_TO_TELL


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("jobs", [5, 100])
def test_what_a_task_does_shows_in_its_tone(dark, jobs):
    tones = job_tones(jobs, dark=dark)
    for sight in SIGHTS:
        lab = {tone: seen(tones[:, tone], sight) for tone in range(6)}
        for one, other, least in (
            (MAP_TONE, REDUCE_TONE, 0.12),
            (SHUFFLE_TONE, REDUCE_TONE, 0.06),
            (MAP_TONE, SHUFFLE_TONE, 0.05),
            (SHUFFLE_TONE, WAIT_TONE, 0.03),
            (MAP_TONE, EDGE_TONE, 0.12),
        ):
            assert np.linalg.norm(lab[one] - lab[other], axis=1).min() > least


def test_colours_follow_places_in_the_queue():
    places = np.array([3, 0, 9, 5, 1, 2, 7, 4, 8, 6])
    assert np.array_equal(job_tones(10, places), job_tones(10)[places])


def test_a_few_jobs_keep_their_colours_whatever_their_order():
    assert np.array_equal(job_tones(5, np.array([4, 3, 2, 1, 0])), job_tones(5))


def test_positions_of_another_number_of_jobs_are_left_out():
    assert fitting_positions(np.arange(3), 4) is None
    assert fitting_positions(None, 4) is None
    assert fitting_positions([2, 0, 1], 3).tolist() == [2, 0, 1]


def test_no_jobs_have_no_colours():
    assert job_tones(0).shape == (0, 6)


def test_one_job_stands_out_when_the_others_fade():
    tones, background = job_tones(5), 0xFFFFFF
    shown = faded(tones, slice(2, 3), background)
    assert np.array_equal(shown[2], tones[2])
    before, after = (np.abs(unpacked(c[[0, 1, 3, 4]]) - 1).sum() for c in (tones, shown))
    assert after < 0.25 * before


@pytest.mark.parametrize("dark", [False, True])
def test_text_upon_a_task_has_contrast(dark):
    for tone in (MAP_TONE, REDUCE_TONE):
        for colour in job_tones(7, dark=dark)[:, tone].tolist():
            assert contrast(colour, ink_on(colour)) > 4.5


def test_colours_survive_the_way_there_and_back():
    colours = np.array([0x56B4E9, 0xE69F00, 0x808080, 0x000000, 0xFFFFFF])
    assert from_oklch(*oklch(colours)).tolist() == colours.tolist()


def test_mixing_and_contrast():
    assert mixed(0x000000, 0xFFFFFF, 0.5).item() in (0x7F7F7F, 0x808080)
    assert contrast(0xFFFFFF, 0x000000) == pytest.approx(21.0)
    assert contrast(0x777777, 0x777777) == 1.0


EVERY_COUNT = (1, 2, 3, 4, 5, 6, 7, 8, 20, 100, 500)
HALO = {False: (0xFFFFFF, 215 / 255), True: (0x000000, 150 / 255)}
"""What lies between a job's name and its block, and how dense it is, in light and in dark charts."""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("mode", PaletteMode)
def test_labels_are_readable_on_every_job_and_stage(mode, dark):
    """The names of tasks take the better ink, the names of jobs lie upon their halo."""
    for jobs in EVERY_COUNT:
        for tone in np.unique(job_tones(jobs, dark=dark, mode=mode)[:, [MAP_TONE, REDUCE_TONE]]).tolist():
            assert contrast(ink_on(tone), tone) > 4.5
            halo, share = HALO[dark]
            assert contrast(0xFFFFFF if dark else 0x10141A, int(mixed(tone, halo, share))) > 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_no_cause_looks_like_a_job_or_like_another_cause(dark):
    causes = oklab(linear(unpacked([look.colour for look in LOOKS.values()])))
    among = np.linalg.norm(causes[:, None] - causes[None], axis=2)[np.triu_indices(len(causes), 1)]
    assert among.min() > 0.12
    for jobs, least in ((7, 0.09), (8, 0.045), (100, 0.045)):
        tones = job_tones(jobs, dark=dark)[:, [MAP_TONE, REDUCE_TONE]].ravel()
        distances = np.linalg.norm(causes[:, None] - oklab(linear(unpacked(tones)))[None], axis=2)
        assert distances.min() > least


def test_figures_are_readable_on_every_cause():
    assert all(contrast(look.ink, look.colour) >= 4.5 for look in LOOKS.values())
