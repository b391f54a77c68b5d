"""`slotscope render`, and what `slotscope` does where there is no display: draw what a window would show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model.errors import InputError
from core.model.time_text import duration_text, signed_percent
from explorer.cli.command import Command, Options, flag, option
from explorer.cli.compare import CompareCommand
from explorer.cli.compared import ComparedSchedules
from explorer.cli.requests import RunOptions, Theme, theme_option, time_option
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.measures.metrics import Metrics
    from core.model.schedule import Schedule
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.pace import Pace
    from explorer.gantt.stage import Style

PICTURES, ANIMATIONS = ("png", "svg", "pdf"), ("gif", "webp", "mp4")
MAX_CHARTS = 6
ANIMATION_SIZE = (960, 540)
FIRST_PICTURE = Path("build") / "first-picture.png"


class PaceOptions(Options):
    """How an animation plays."""

    title = "animations"

    seconds: float = option("S", "how long the play takes, 1 to 600 s (default 12)", default=12.0)
    rate: int = option("N", "frames a second, 1 to 50 (default 10)", default=10)
    no_captions: bool = flag("leave out the strip that says what has just happened in the first chart")
    veil: bool = flag("hide what is still to come, and the makespan, until the last frame")
    begin: float | None = time_option(
        "--begin", "time of the schedules to play from, as 90 or 1:30 (the start)"
    )
    end: float | None = time_option("--end", "time of the schedules to play to, as 90 or 1:30 (the end)")

    def pace(self) -> Pace:
        """Return it; InputError for what cannot be played."""
        from explorer.gantt.pace import Pace

        pace = Pace(self.seconds, self.rate, not self.no_captions, self.begin or 0.0, self.end, self.veil)
        pace.check()
        return pace


class RenderCommand(Command, name="render"):
    """Draw the schedules of one or more policies as a picture or an animation; needs no display."""

    compared: ComparedSchedules
    out: str = option(
        "F.png|svg|pdf|gif|webp|mp4",
        "the picture or, as .gif, .webp or .mp4, an animation of the play; - for standard output",
    )
    format: str | None = option(
        None,
        "without it the file's ending decides; mp4 needs 'slotscope[video]'",
        choices=(*PICTURES, *ANIMATIONS),
    )
    preset: Literal["usual", "slide", "paper"] = option(
        None, "slide: 1920x1080 with large text; paper: a column of 88 mm, for PDF or SVG", default="usual"
    )
    size: str | None = option("WxH", "pixels (default 1600x900, or the preset's; of an animation 960x540)")
    text_size: float | None = option(
        "PERCENT", "size of letters, lines and margins in percent, 50 to 300 (default 100, or the preset's)"
    )
    theme: Theme = theme_option()
    rows: Literal["slot", "pool"] = option(
        None,
        "what a row is: a slot (the default), or a place in the band of a pool that shares slots",
        default="slot",
    )
    play: PaceOptions
    changes: RunOptions

    def run(self) -> None:
        """Draw them."""
        from core.files.atomic import replace_file

        path = Path(self.out)
        form = self.format or path.suffix.lower().removeprefix(".")
        if form not in (*PICTURES, *ANIMATIONS):
            endings = ".png, .svg or .pdf, an animation in .gif, .webp or .mp4"
            raise InputError(f"--out {self.out}: a picture ends in {endings}, or name the --format")
        runs = self.compared.runs(self.changes)
        if len(runs) > MAX_CHARTS:
            raise InputError(f"--policies names {len(runs)} policies; a picture holds at most {MAX_CHARTS}")
        is_animation = form in ANIMATIONS
        style, pace = self._style(len(runs), is_animation), self.play.pace()
        schedules = [run.simulate() for run in runs]
        by_pool = self.rows == "pool"
        drawn = (
            _animation(schedules, style, pace, form, by_pool)
            if is_animation
            else picture(schedules, style, form, by_pool)
        )
        replace_file(path, drawn)
        print_line(f"{'Animation' if is_animation else 'Picture'} written to {path}")

    def _style(self, charts: int, is_animation: bool) -> Style:
        from explorer.gantt.stage import PRESETS
        from explorer.widgets.theme import theme

        style = PRESETS[self.preset].style(charts, theme(self.theme == "dark"))
        if is_animation and self.preset == "usual":
            style = replace(style, size=ANIMATION_SIZE)
        if self.size is not None:
            style = replace(style, size=picture_size(self.size))
        if self.text_size is not None:
            style = replace(style, text=self.text_size / 100)
        style.check()
        return style


def _animation(schedules: Sequence[Schedule], style: Style, pace: Pace, form: str, by_pool: bool) -> bytes:
    from core.files.atomic import Watch
    from explorer.gantt.animation import Play, encoded_play
    from explorer.widgets.type_face import headless_application

    headless_application()
    style = replace(style, heading=schedules[0].workload.name)
    play = Play(charts_of(schedules, by_pool), style, pace)
    with progress("Drawing the animation") as show:
        return encoded_play(play, f".{form}", Watch(progress=show))


def picture_size(text: str) -> tuple[int, int]:
    """Return width and height of a picture as they are typed: "1600x900"."""
    width, times, height = text.lower().partition("x")
    if not times or not width.isdecimal() or not height.isdecimal():
        raise InputError(f"--size {text}: give width and height in pixels, as 1600x900")
    return int(width), int(height)


def picture(schedules: Sequence[Schedule], style: Style, form: str, by_pool: bool) -> bytes:
    """Return a picture file of schedules on one time axis, by slot or by pool, below the workload's name.

    The first one is the baseline.
    """
    from explorer.gantt.chart_export import encoded

    style = replace(style, heading=schedules[0].workload.name)
    return encoded(charts_of(schedules, by_pool), f".{form}", style)


def charts_of(schedules: Sequence[Schedule], by_pool: bool) -> list[ChartContent]:
    """Return what charts of schedules show, by slot or by pool; the first one is the baseline."""
    from core.charts import raster
    from core.engine.jit import compiled_is_ready
    from core.measures.metrics import measure

    if compiled_is_ready():
        raster.use_compiled()
    figures = [measure(schedule) for schedule in schedules]
    return [
        _content(schedule, metrics, schedules[0], figures[0], by_pool)
        for schedule, metrics in zip(schedules, figures, strict=True)
    ]


def _content(
    schedule: Schedule, metrics: Metrics, baseline: Schedule, figures: Metrics, by_pool: bool
) -> ChartContent:
    from core.charts.chart import baseline_classes
    from core.charts.schedule_rows import schedule_rows
    from core.model.time_text import change_text
    from explorer.document.titles import choice_title
    from explorer.gantt.geometry.chart_content import ChartContent

    change = change_text(figures.makespan, metrics.makespan)
    against = "" if schedule is baseline else f"{change} vs {choice_title(baseline.choice)}"
    return ChartContent(
        schedule_rows(schedule, by_pool),
        title=choice_title(schedule.choice),
        comparison=against,
        lower_bound=metrics.lower_bound,
        premise=metrics.premise.words,
        classes=baseline_classes(baseline),
    )


def first_picture(words: Sequence[str]) -> int:
    """Do the window's main job without one: compare two policies, draw them and say where the picture is."""
    from core.files.atomic import replace_file
    from explorer.gantt.stage import Style
    from explorer.widgets.theme import theme

    print_line("There is no display to open a window on, so the schedules are drawn into a picture instead.")
    compare = CompareCommand.typed([words[0] if words else "five-jobs", "--policies", "fifo,johnson"])
    schedules = compare.show(compare.compared.runs(compare.changes))
    FIRST_PICTURE.parent.mkdir(parents=True, exist_ok=True)
    replace_file(FIRST_PICTURE, picture(schedules, Style(theme(False)), "png", by_pool=False))
    fifo, johnson = (schedule.makespan for schedule in schedules)
    change = signed_percent(johnson / fifo - 1) if fifo else "–"
    print_line(f"FIFO takes {duration_text(fifo)}, Johnson's order {duration_text(johnson)} ({change}).")
    print_line(f"The picture is {FIRST_PICTURE.resolve()}")
    return 0
