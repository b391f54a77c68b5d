"""`slotscope render`, and what `slotscope` does where there is no display: draw what a window would show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.time_text import duration_text
from explorer.cli import compare
from explorer.cli.parser import Parser
from explorer.cli.requests import WORKLOAD, add_choices, add_command, add_run_options, several_runs
from explorer.cli.screen import percent, print_line, progress

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from core.measures.metrics import Metrics
    from core.model.schedule import Schedule
    from explorer.cli.requests import Commands
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.pace import Pace
    from explorer.gantt.stage import Style

PICTURES, ANIMATIONS = ("png", "svg", "pdf"), ("gif", "webp", "mp4")
MAX_CHARTS = 6
ANIMATION_SIZE = (960, 540)
FIRST_PICTURE = Path("build") / "first-picture.png"


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "draw the schedules of one or more policies as a picture or an animation; needs no display"
    parser = add_command(commands, "render", text, run, workload=WORKLOAD)
    add_choices(parser)
    parser.add_argument(
        "--out",
        metavar="F.png|svg|pdf|gif|webp|mp4",
        required=True,
        help="the picture or, as .gif, .webp or .mp4, an animation of the play; - for standard output",
    )
    text = "without it the file's ending decides; mp4 needs 'slotscope[video]'"
    parser.add_argument("--format", choices=(*PICTURES, *ANIMATIONS), help=text)
    presets = "slide: 1920x1080 with large text; paper: a column of 88 mm, for PDF or SVG"
    parser.add_argument("--preset", choices=("usual", "slide", "paper"), default="usual", help=presets)
    parser.add_argument(
        "--size", metavar="WxH", help="pixels (default 1600x900, or the preset's; of an animation 960x540)"
    )
    text = "size of letters, lines and margins in percent, 50 to 300 (default 100, or the preset's)"
    parser.add_argument("--text-size", metavar="PERCENT", type=float, help=text)
    parser.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    rows = "what a row is: a slot (the default), or a place in the band of a pool that shares slots"
    parser.add_argument("--rows", choices=("slot", "pool"), default="slot", help=rows)
    _add_pace_options(parser)
    add_run_options(parser)


def _add_pace_options(parser: Parser) -> None:
    group = parser.add_argument_group("animations")
    text = "how long the play takes, 1 to 600 s (default 12)"
    group.add_argument("--seconds", metavar="S", type=float, default=12.0, help=text)
    text = "frames a second, 1 to 50 (default 10)"
    group.add_argument("--rate", metavar="N", type=int, default=10, help=text)
    text = "leave out the strip that says what has just happened in the first chart"
    group.add_argument("--no-captions", action="store_true", help=text)
    for name, text in (("--begin", "the start"), ("--end", "the end")):
        text = (
            f"time of the schedules to play {'from' if name == '--begin' else 'to'}, as 90 or 1:30 ({text})"
        )
        group.add_argument(name, metavar="T", help=text)


def run(options: Namespace) -> int:
    """Draw the schedules of one or more policies."""
    from core.files.atomic import replace_file

    path = Path(options.out)
    form = options.format or path.suffix.lower().removeprefix(".")
    if form not in (*PICTURES, *ANIMATIONS):
        endings = ".png, .svg or .pdf, an animation in .gif, .webp or .mp4"
        raise InputError(f"--out {options.out}: a picture ends in {endings}, or name the --format")
    runs = several_runs(options)
    if len(runs) > MAX_CHARTS:
        raise InputError(f"--policies names {len(runs)} policies; a picture holds at most {MAX_CHARTS}")
    style, pace = _style(options, len(runs), form in ANIMATIONS), _pace(options)
    schedules = [run.simulate() for run in runs]
    by_pool = options.rows == "pool"
    if form in ANIMATIONS:
        replace_file(path, _animation(schedules, style, pace, form, by_pool))
    else:
        replace_file(path, picture(schedules, style, form, by_pool))
    print_line(f"{'Animation' if form in ANIMATIONS else 'Picture'} written to {path}")
    return 0


def _animation(schedules: Sequence[Schedule], style: Style, pace: Pace, form: str, by_pool: bool) -> bytes:
    from core.files.atomic import Watch
    from explorer.gantt.animation import Play, encoded_play
    from explorer.gantt.export import headless_application

    headless_application()
    style = replace(style, heading=schedules[0].workload.name)
    play = Play(_charts(schedules, by_pool), style, pace)
    with progress("Drawing the animation") as show:
        return encoded_play(play, f".{form}", Watch(progress=show))


def _pace(options: Namespace) -> Pace:
    from core.model.time_text import seconds_from_text
    from explorer.gantt.pace import Pace

    begin, end = (None if text is None else seconds_from_text(text) for text in (options.begin, options.end))
    pace = Pace(options.seconds, options.rate, not options.no_captions, begin or 0.0, end)
    pace.check()
    return pace


def _style(options: Namespace, charts: int, is_animation: bool) -> Style:
    from explorer.gantt.export import PRESETS
    from explorer.widgets.theme import theme

    style = PRESETS[options.preset].style(charts, theme(options.theme == "dark"))
    if is_animation and options.preset == "usual":
        style = replace(style, size=ANIMATION_SIZE)
    if options.size is not None:
        style = replace(style, size=picture_size(options.size))
    if options.text_size is not None:
        style = replace(style, text=options.text_size / 100)
    style.check()
    return style


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
    from explorer.gantt.export import encoded

    style = replace(style, heading=schedules[0].workload.name)
    return encoded(_charts(schedules, by_pool), f".{form}", style)


def _charts(schedules: Sequence[Schedule], by_pool: bool) -> list[ChartContent]:
    from core.engine.jit import compiled_is_ready
    from core.measures.metrics import measure
    from explorer.gantt.raster import raster

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
    from core.model.time_text import change_text
    from explorer.document.titles import choice_title
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.schedule_rows import schedule_rows

    change = change_text(figures.makespan, metrics.makespan)
    against = "" if schedule is baseline else f"{change} vs {choice_title(baseline.choice)}"
    return ChartContent(
        schedule_rows(schedule, by_pool),
        title=choice_title(schedule.choice),
        comparison=against,
        lower_bound=metrics.lower_bound,
        premise=metrics.premise.words,
        positions=baseline.rank.astype("int64"),
    )


def first_picture(words: Sequence[str]) -> int:
    """Do the window's main job without one: compare two policies, draw them and say where the picture is."""
    from core.files.atomic import replace_file
    from explorer.gantt.stage import Style
    from explorer.widgets.theme import theme

    parser = Parser()
    compare.add_options(parser)
    options = parser.parse_args([words[0] if words else "five-jobs", "--policies", "fifo,johnson"])
    print_line("There is no display to open a window on, so the schedules are drawn into a picture instead.")
    compare.run(options)
    schedules = [run.simulate() for run in several_runs(options)]
    FIRST_PICTURE.parent.mkdir(parents=True, exist_ok=True)
    replace_file(FIRST_PICTURE, picture(schedules, Style(theme(False)), "png", by_pool=False))
    fifo, johnson = (schedule.makespan for schedule in schedules)
    change = percent(johnson / fifo - 1, signed=True) if fifo else "–"
    print_line(f"FIFO takes {duration_text(fifo)}, Johnson's order {duration_text(johnson)} ({change}).")
    print_line(f"The picture is {FIRST_PICTURE.resolve()}")
    return 0
