"""Animations: read again by other programs, frame by frame; the same play gives the same file."""

from __future__ import annotations

import io
import sys

import av
import numpy as np
import pytest
from PIL import Image, ImageSequence

from core.charts.schedule_rows import schedule_rows
from core.files.atomic import Watch
from core.files.samples import load_sample
from core.model.errors import Cancelled, InputError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from explorer.gantt.animation import HOLD_MS, Play, encoded_play
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.pace import Pace
from explorer.gantt.stage import Style
from explorer.widgets.painted_text import caption_height
from explorer.widgets.theme import theme

SIZE = (321, 200)
PACE = Pace(1.0, 6)


@pytest.fixture(scope="module")
def chart(qapp):
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    return ChartContent(schedule_rows(schedule), title="FIFO")


@pytest.fixture(scope="module")
def play(chart):
    return Play([chart], Style(theme(False), SIZE), PACE)


def total_ms(picture: Image.Image) -> int:
    """Return how long a picture plays; each frame knows that once it is decoded."""
    frames = ImageSequence.all_frames(picture)
    return sum(frame.info["duration"] for frame in frames)


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_pillow_reads_it_again(play, suffix):
    data = encoded_play(play, suffix, Watch())
    with Image.open(io.BytesIO(data)) as read:
        assert (read.size, getattr(read, "n_frames", 1), read.info["loop"]) == (SIZE, 7, 0)
        assert total_ms(read) == pytest.approx(1000 + HOLD_MS, abs=1)
        for number in (0, 3, 6):
            read.seek(number)
            found = np.asarray(read.convert("RGB"), int)
            away = np.abs(found - np.asarray(play.frame(number), int))
            assert away.max() <= (0 if suffix == ".webp" else 40)
            assert away.mean() < 1
    assert encoded_play(play, suffix, Watch()) == data
    assert len(data) < 60_000


def test_a_film_is_read_again(play):
    data = encoded_play(play, ".mp4", Watch())
    with av.open(io.BytesIO(data)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(stream))
    assert (stream.width, stream.height) == (320, 200)
    assert stream.average_rate == 6
    assert len(frames) == 7 + HOLD_MS * 6 // 1000
    first = np.asarray(play.frame(0), int)[:, :320]
    assert np.abs(frames[0].to_ndarray(format="rgb24").astype(int) - first).mean() < 6


def test_a_film_without_its_package_says_what_to_install(play, monkeypatch):
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(InputError, match=r"pip install 'slotscope\[video\]'. GIF and WebP need nothing more"):
        encoded_play(play, ".mp4", Watch())


def test_time_runs_and_captions_follow(chart):
    low = caption_height(1.0)
    with_captions, without = (
        Play([chart], Style(theme(False), SIZE), Pace(1.0, 6, shown)) for shown in (True, False)
    )
    strips = [np.asarray(with_captions.frame(number))[-low:] for number in (0, 1, 6)]
    assert (strips[0] != strips[1]).any()
    assert (strips[1] != strips[2]).any()
    last = np.asarray(without.frame(6))
    assert (np.asarray(without.frame(0)) != last).any()


def test_a_part_of_the_time_fills_the_picture(chart):
    whole, part = (
        Play([chart], Style(theme(False), SIZE), Pace(1.0, 2, False, *times))
        for times in ((0.0, None), (10.0, 40.0))
    )
    assert (np.asarray(whole.frame(2)) != np.asarray(part.frame(2))).any()


def test_whoever_waits_may_give_up(play):
    told = []
    watch = Watch(told.append, lambda: len(told) >= 3)
    with pytest.raises(Cancelled):
        encoded_play(play, ".gif", watch)
    assert told == sorted(told)


@pytest.mark.parametrize(
    ("pace", "sentence"),
    [
        (Pace(0.5), "a play of 0.5 s: give 1 to 600 s"),
        (Pace(5, 99), "99 frames a second: give 1 to 50"),
        (Pace(600, 50), "at most 6000 are written; play faster"),
        (Pace(begin=50, end=20), "the play is to begin at 50 s, but to end at 20 s"),
    ],
)
def test_what_cannot_be_played_is_refused(pace, sentence):
    with pytest.raises(InputError, match=sentence):
        pace.check()


def test_another_ending_is_refused(play):
    with pytest.raises(InputError, match=r"written as \.gif, \.webp or \.mp4, not '\.avi'"):
        encoded_play(play, ".avi", Watch())


def test_a_veiled_play_shows_nothing_of_what_comes_until_its_last_frame(qapp):
    """Two schedules that are alike up to 4 s look alike up to then, and differ in the last frame."""
    workload = load_sample("five-jobs")
    plays = []
    for order in (("J1", "J2", "J3", "J4", "J5"), ("J1", "J2", "J4", "J3", "J5")):
        schedule = simulate(workload, workload.cluster, PolicyChoice("order"), order=order)
        content = ChartContent(schedule_rows(schedule), title="?")
        pace = Pace(1.0, 20, has_captions=True, end=40.0, is_veiled=True)
        plays.append(Play([content], Style(theme(False), (640, 360)), pace))
    one, other = plays
    assert one.pace.frames == 21
    for number in (0, 1, 2):  # up to 0:04; J3 or J4 follows J2 at 0:05
        assert (np.asarray(one.frame(number)) == np.asarray(other.frame(number))).all()
    assert (np.asarray(one.frame(10)) != np.asarray(other.frame(10))).any()
    unveiled = Play([content], Style(theme(False), (640, 360)), Pace(1.0, 20, end=40.0))
    open_frame = np.asarray(unveiled.frame(1), int)
    assert (np.asarray(other.frame(1), int) != open_frame).any()
    low = caption_height(1.0)
    strips = [np.asarray(one.frame(number))[-low:] for number in (0, 19, 20)]
    assert (strips[0] == strips[1]).all()
    assert (strips[1] != strips[2]).any()
