"""A play of schedules as an animation, the same each time: GIF and WebP by Pillow, MP4 by PyAV.

What stands still is drawn once, by whoever makes a `Play`; the frames may then be made in a thread.
"""

from __future__ import annotations

import io
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage, QPainter
from typing_extensions import override

from core.charts.chart import round_end
from core.explain.captions import Caption, caption_at, captions
from core.model.errors import InputError, did_you_mean
from explorer.document.time_axis import TimeRange
from explorer.gantt.stage import ChartsStage
from explorer.widgets.painted_text import caption_height, paint_caption

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.files.atomic import Watch
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.pace import Pace
    from explorer.gantt.stage import Style

SUFFIXES = (".gif", ".webp", ".mp4")
HOLD_MS = 2500
"""The last frame stays so long."""
HOLD_S = 3.0
"""Seconds that a caption stays: later on it would be of another moment."""
COLOURS, EXACT_COLOURS = 255, 96
GIF_TICK_MS = 10
"""A GIF counts hundredths of a second."""
CRF, CODEC = "20", "libx264"
"""How exact a video is: 0 is exact, 51 is coarse."""
NO_VIDEO = (
    "MP4 needs the package 'av' (FFmpeg for Python), which is not installed: "
    "pip install 'slotscope[video]'. GIF and WebP need nothing more"
)


class Play:
    """The frames of a play; making it draws what stands still, in the window's thread.

    Attributes
    ----------
    size : of a frame, pixels
    pace : how it is played
    """

    def __init__(self, charts: Sequence[ChartContent], style: Style, pace: Pace, captioned: int = 0) -> None:
        """Draw charts; captions are of the one at `captioned`, with its title where there are several.

        InputError if the style, or the pace, is not one.
        """
        style.check()
        pace.check()
        self.size, self.pace, self._style = style.size, pace, style
        end = max((chart.end for chart in charts), default=0.0)
        self._begin, self._end = min(pace.begin, end), end if pace.end is None else min(pace.end, end)
        whole = round_end(self._end) if pace.is_veiled else self._end
        span = max(whole - self._begin, 1e-9)
        is_all = (self._begin, whole) == (0.0, end) and not pace.is_veiled
        shown = None if is_all else TimeRange(self._begin, span)
        low = caption_height(style.text) if pace.has_captions else 0
        above = replace(style, size=(self.size[0], max(1, self.size[1] - low)), ratio=1.0)
        self._stage = ChartsStage(charts, above, shown)
        self._strip = QRect(0, self.size[1] - low, self.size[0], low)
        self._still = self._stage.still
        self._veiled: ChartsStage | None = None
        if pace.is_veiled:  # what stands still in it tells nothing of what comes
            hidden = [replace(chart, veil=self._begin, comparison="", pointers=()) for chart in charts]
            self._veiled = ChartsStage(hidden, above, shown)
        self._hold = HOLD_S * (self._end - self._begin) / pace.seconds
        rows = charts[captioned].rows
        self._captions: tuple[Caption, ...] = captions(rows.schedule) if pace.has_captions and rows else ()
        self._name = f"{charts[captioned].title}: " if len(charts) > 1 else ""

    def frame(self, number: int) -> Image.Image:
        """Return a frame, RGB; the first is number 0."""
        share = number / (self.pace.frames - 1)
        seconds = self._begin + share * (self._end - self._begin)
        picture = QImage(*self.size, QImage.Format.Format_RGB32)
        with QPainter(picture) as painter:
            is_veiled = self._veiled is not None and number < self.pace.frames - 1
            if is_veiled and self._veiled is not None:
                painter.drawImage(0, 0, self._veiled.still)
                for place in self._stage.past(seconds):
                    painter.drawImage(place, self._still, place)
            else:
                painter.drawImage(0, 0, self._still)
            self._stage.paint_instant(painter, seconds, covers=not is_veiled)
            if self.pace.has_captions:
                # a caption knows what comes: a film that hides it has only the last one
                found = None if is_veiled else caption_at(self._captions, seconds, self._hold)
                text = "" if found is None else self._name + found.text
                paint_caption(painter, self._strip, self._style.theme, self._style.text, text)
        data = bytes(picture.constBits())
        return Image.frombuffer("RGB", self.size, data, "raw", "BGRX", picture.bytesPerLine(), 1)

    def durations(self) -> list[int]:
        """Return how long each frame is shown, ms, in hundredths of a second; the last one is held."""
        ticks = [round(100 * number / self.pace.rate) for number in range(self.pace.frames)]
        shown = [later - earlier for earlier, later in pairwise(ticks)]
        return [*(GIF_TICK_MS * ticks for ticks in shown), HOLD_MS]


def encoded_play(play: Play, suffix: str, watch: Watch) -> bytes:
    """Return the content of an animation's file: ".gif", ".webp" or ".mp4".

    Raises
    ------
    InputError
        the suffix is unknown, or what writes MP4 is not installed
    Cancelled
        `watch` says so
    """
    if suffix not in SUFFIXES:
        hint = did_you_mean(suffix, SUFFIXES)
        raise InputError(f"animations are written as .gif, .webp or .mp4, not '{suffix}'{hint}")
    if suffix == ".mp4":
        return _video(play, watch)
    frames = _Frames(play, watch, in_palette=suffix == ".gif")
    out = io.BytesIO()
    how = {"save_all": True, "duration": play.durations(), "loop": 0}
    if suffix == ".gif":
        frames.save(out, "GIF", **how, disposal=1, optimize=False)
    else:
        frames.save(out, "WEBP", **how, lossless=True, quality=40, method=2, minimize_size=False)
    return out.getvalue()


class _Frames(Image.Image):
    """A picture of many frames for Pillow, each drawn when it is needed."""

    def __init__(self, play: Play, watch: Watch, *, in_palette: bool) -> None:
        super().__init__()
        self._play, self._watch, self.n_frames, self._at = play, watch, play.pace.frames, -1
        self._palette = _Palette(play) if in_palette else None
        self._mode, self._size = "P" if in_palette else "RGB", play.size
        self.seek(0)

    @override
    def tell(self) -> int:
        return self._at

    @override
    def seek(self, frame: int) -> None:
        if frame == self._at:
            return
        if not 0 <= frame < self.n_frames:
            raise EOFError  # as Pillow's own pictures say it
        self._watch.check(frame / self.n_frames)
        drawn = self._play.frame(frame)
        if self._palette is not None:
            drawn = self._palette.applied_to(drawn)
            self.palette = drawn.palette
        self.im, self._at = drawn.im, frame


class _Palette:
    """The colours that all frames share, found in the first, a middle and the last one.

    What most pixels have is kept as it is: backgrounds, tasks, lines; for the rest colours are merged.
    """

    def __init__(self, play: Play) -> None:
        last, (width, height) = play.pace.frames - 1, play.size
        several = Image.new("RGB", (width, 3 * height))
        for place, number in enumerate((0, last // 2, last)):
            several.paste(play.frame(number), (0, place * height))
        found, counts = np.unique(_codes(several), return_counts=True)
        most = found[np.argsort(-counts, kind="stable")[:EXACT_COLOURS]]
        exact = np.stack([most >> 16, most >> 8 & 255, most & 255], axis=1)
        merged = several.quantize(COLOURS - len(most), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        rest = np.array(merged.getpalette(), np.int64).reshape(-1, 3)
        self._colours = np.concatenate([exact, rest])
        # NOTE: of every 24-bit colour the nearest of ours, once it was asked for; Pillow's own is not exact
        self._nearest = np.full(1 << 24, -1, np.int16)

    def applied_to(self, picture: Image.Image) -> Image.Image:
        """Return an RGB picture in these colours, as mode P."""
        codes = _codes(picture)
        places = self._nearest[codes]
        for code in np.unique(codes[places < 0]).tolist():
            away = self._colours - (code >> 16, code >> 8 & 255, code & 255)
            self._nearest[code] = np.argmin((away * away).sum(axis=1))
        result = Image.fromarray(self._nearest[codes].astype(np.uint8))
        result.putpalette(self._colours.astype(np.uint8).tobytes())
        return result


def _codes(picture: Image.Image) -> NDArray[np.int64]:
    """Return the colours of an RGB picture as 0xRRGGBB, (height, width)."""
    pixels = np.asarray(picture).astype(np.int64)
    codes: NDArray[np.int64] = pixels[..., 0] << 16 | pixels[..., 1] << 8 | pixels[..., 2]
    return codes


def _video(play: Play, watch: Watch) -> bytes:
    try:
        import av
    except ImportError as error:
        raise InputError(NO_VIDEO) from error
    width, height = (length - length % 2 for length in play.size)  # the codec wants even ones
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream(CODEC, rate=Fraction(play.pace.rate), options={"crf": CRF})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.thread_count = 1  # so that the same play gives the same bytes
        for picture in _with_hold(play, watch):
            cut = picture if picture.size == (width, height) else picture.crop((0, 0, width, height))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.asarray(cut), format="rgb24")))
        container.mux(stream.encode())
    return out.getvalue()


def _with_hold(play: Play, watch: Watch) -> Iterator[Image.Image]:
    """Yield all frames, the last one as often as it is held."""
    for number in range(play.pace.frames):
        watch.check(number / play.pace.frames)
        picture = play.frame(number)
        yield picture
    for _ in range(HOLD_MS * play.pace.rate // 1000):
        yield picture
