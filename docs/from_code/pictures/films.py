"""Films of the manual: what a window shows while time goes on, as animated WebP of twenty seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PIL import Image
from PySide6.QtCore import Qt

from docs.from_code.pictures.indexed_png import pixels_of
from explorer.gantt.animation import Play
from explorer.gantt.pace import Pace
from explorer.gantt.stage import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from docs.from_code.pictures.stage import Stage

SECONDS, RATE = 20.0, 5
SIZE = (960, 660)
HOLD_MS = 2500
"""The last frame stays so long."""
QUALITY = 55


def of_charts(stage: Stage) -> Iterator[Image.Image]:
    """Yield the frames of a play of the charts of a window, as *Export animation* makes it."""
    charts = stage.window.charts
    style = Style(charts.theme, size=SIZE, heading=stage.window.document.workload.name)
    play = Play(charts.contents(), style, Pace(SECONDS, RATE))
    for number in range(play.pace.frames):
        yield play.frame(number)


def of_widget(shown: QWidget, end: float, look_at: Callable[[float], object]) -> Iterator[Image.Image]:
    """Yield pictures of a part of a window while what it looks at goes from 0 to an end, in seconds."""
    frames = Pace(SECONDS, RATE).frames
    for number in range(frames):
        look_at(end * number / (frames - 1))
        picture = shown.grab().scaledToWidth(SIZE[0], Qt.TransformationMode.SmoothTransformation)
        yield Image.fromarray(pixels_of(picture))


def save_film(frames: Iterator[Image.Image], path: Path) -> None:
    """Save frames as an animation that begins anew after its last picture has stayed for a while."""
    first, *others = frames
    shown = round(1000 / RATE)
    first.save(
        path,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=[shown] * len(others) + [HOLD_MS],
        loop=0,
        quality=QUALITY,
        method=4,
        minimize_size=True,
    )
