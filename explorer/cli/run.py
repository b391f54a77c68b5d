"""Run one command: exit 0 done, 1 a failure of ours, 2 bad input; errors as sentences on stderr."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager, nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING

from core.engine.compile_cache import take_damage, why_not_kept
from core.model.errors import InputError, PolicyFault, SlotscopeError, UnknownName
from core.model.visible_text import visible
from explorer.cli import (
    bench,
    compare,
    explain,
    export,
    fidelity,
    forecast,
    generate,
    import_,
    lesson,
    lesson_handouts,
    library,
    optimize,
    page,
    plan,
    policies,
    policy_checks,
    predict,
    profile,
    questions,
    rank,
    render,
    scans,
    simulate,
    study,
    study_compare,
    study_figures,
    study_page,
    verify,
    what_if,
)
from explorer.cli.cut_logs import kept_apart
from explorer.cli.parser import Parser
from explorer.cli.screen import print_note

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from explorer.cli.command import Command, Commands

GROUPS = {
    "study": "run thousands of simulations that a document asks for, and show what came of them",
    "lesson": "lessons: list and read them, check one that you write, make slides and worksheets of it",
    "library": "keep job templates of many logs: import, search, compare runs, make workloads of them",
}
"""Commands that have actions, and what they say of themselves."""
COMMANDS: tuple[type[Command], ...] = (
    simulate.SimulateCommand,
    compare.CompareCommand,
    explain.ExplainCommand,
    optimize.OptimizeCommand,
    verify.VerifyCommand,
    questions.FewestSlotsCommand,
    questions.SplitCommand,
    questions.LatestCommand,
    questions.HalveCommand,
    plan.PlanCommand,
    plan.SwingOfEachCommand,
    what_if.WhatIfCommand,
    forecast.ForecastCommand,
    forecast.SubmitCommand,
    fidelity.FidelityOfLogsCommand,
    predict.PredictCommand,
    predict.ExecutorsCommand,
    scans.ScansCommand,
    study.RunStudyCommand,
    study.ShowStudyCommand,
    study_compare.CompareStudyCommand,
    study_figures.FigureCommand,
    study_figures.FiguresCommand,
    study_page.StudyPageCommand,
    study.StudiesCommand,
    lesson.LessonsCommand,
    lesson.ShowLessonCommand,
    lesson.CheckLessonCommand,
    lesson.PackLessonCommand,
    lesson_handouts.SlidesCommand,
    lesson_handouts.WorksheetCommand,
    lesson_handouts.LessonPageCommand,
    render.RenderCommand,
    page.PageCommand,
    export.ExportCommand,
    import_.ImportCommand,
    library.LibraryImportCommand,
    library.JobsCommand,
    library.ShowCommand,
    library.LibraryCompareCommand,
    library.WorkloadOfJobsCommand,
    library.DeleteCommand,
    library.RestoreCommand,
    library.EmptyTrashCommand,
    generate.GenerateCommand,
    generate.DeadlinesCommand,
    generate.FitCommand,
    generate.ScaleCommand,
    policies.PoliciesCommand,
    policies.SamplesCommand,
    policy_checks.CheckPolicyCommand,
    rank.RankCommand,
    profile.ProfileCommand,
    bench.BenchCommand,
)
"""In the order of `slotscope --help`; each imports what it needs when it is run."""


def build_parser() -> tuple[Parser, Commands]:
    """Return the parser of the command line, and its commands by name."""
    parser = Parser(
        prog="slotscope",
        description="See MapReduce schedules, change them by hand, and simulate again.",
        epilog="Without a command, 'slotscope [FILE...]' opens the window.",
    )
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    text = "open the window without running policy files, and with its first layout"
    parser.add_argument("--safe", action="store_true", help=text)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    groups = {"": commands}
    for command in COMMANDS:
        group = command.name.rpartition(" ")[0]
        if group not in groups:
            below = commands.add_parser(group, help=GROUPS[group], description=GROUPS[group])
            groups[group] = below.add_subparsers(
                dest="action", metavar="ACTION", required=True, parser_class=Parser
            )
        command.add_command(groups[group])
    return parser, commands


def run(arguments: Sequence[str]) -> int:
    """Run the command line with these arguments and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # no name of a file or a job is what a terminal cannot print
            stream.reconfigure(errors="backslashreplace")
    try:
        return _dispatch(list(arguments))
    except InputError as error:
        _print_error(str(error))
        return 2
    except SlotscopeError as error:
        _print_error("\n".join([str(error), *_values_of(error)]))
        return 2 if getattr(error, "place", None) else 1  # a place is in a file that the user can mend
    except KeyboardInterrupt:
        _print_error("interrupted")
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains while closing it
        return 1
    except Exception as error:
        if os.environ.get("SLOTSCOPE_DEBUG"):
            raise
        ours = f"a failure of ours: {type(error).__name__}: {error} (SLOTSCOPE_DEBUG=1 shows where)"
        _print_error(_lacking_qt(error) or ours)
        return 1
    finally:
        for sentence in filter(None, (take_damage(), why_not_kept())):
            print_note(sentence)


def _dispatch(arguments: list[str]) -> int:
    parser, commands = build_parser()
    words = [word for word in arguments if not word.startswith("-")]
    is_command = bool(words) and words[0] in commands.choices
    options = parser.parse_args([word for word in arguments if is_command or word not in words])
    if options.version:
        from importlib.metadata import version

        sys.stdout.write(f"slotscope {version('slotscope')}\n")
        return 0
    if options.command is None:
        _check_sources(words, commands)
        return _open_window(words, safe=options.safe)
    if options.safe:
        raise InputError(f"--safe is for the window, which '{options.command}' does not open; leave it out")
    with _output_apart(options), kept_apart():
        command: Command = options.made_by(options)
        return command.run() or 0


def _check_sources(words: list[str], commands: Commands) -> None:
    """Refuse what the window cannot open; a mistyped command is no file either."""
    from core.files.samples import sample_paths

    for word in words:
        if not os.path.exists(word) and word not in sample_paths():
            raise UnknownName("command or file", word, commands.choices)


@contextmanager
def _output_apart(options: Namespace) -> Iterator[None]:
    """Keep standard output for the data that are to go there: what else is printed goes to stderr."""
    from core.files.atomic import STREAMS, check_target

    outputs = {name: value for name in ("out", "csv") if (value := getattr(options, name, None)) is not None}
    streams = [name for name, value in outputs.items() if STREAMS.get(os.fspath(Path(value))) == 1]
    for value in outputs.values():
        check_target(value)  # before the work is done in vain
    if streams and getattr(options, "json", False):
        clash = f"--json and --{streams[0]} {outputs[streams[0]]} both write to standard output"
        raise InputError(f"{clash}; name a file for one of them, or leave one out")
    with redirect_stdout(sys.stderr) if streams else nullcontext():
        yield


def _open_window(words: list[str], *, safe: bool) -> int:
    if not _has_display():
        return render.first_picture(words)
    from explorer.app import open_window

    return open_window(words, safe=safe)


def _has_display() -> bool:
    """Whether Qt can open a window; without a display it would abort."""
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")) or (
        sys.platform in ("darwin", "win32")
    )


def _lacking_qt(error: Exception) -> str:
    """Return what to do where Qt, or a library that it needs, is not there; empty for another error."""
    if not isinstance(error, ImportError):
        return ""
    name, library = (error.name or "").partition(".")[0], str(error).partition(":")[0]
    if isinstance(error, ModuleNotFoundError) and name in ("PySide6", "shiboken6", "pyqtgraph"):
        what = f"{name}, which is not installed here: run 'pip install slotscope'"
    elif "PySide6" in (error.path or ""):
        what = f"{library}, which the system lacks: on Debian 'apt-get install libgl1 libegl1' brings it"
    else:
        return ""
    return (
        f"what draws needs {what}; commands that print, such as simulate and compare, page and "
        "'import slotscope' do without"
    )


def _values_of(error: SlotscopeError) -> list[str]:
    """Return what names stood for where a policy failed, as a line; none for other errors."""
    run = error.run if isinstance(error, PolicyFault) else None
    return [f"there: {run.values_text}"] if run is not None and run.values else []


def _print_error(message: str) -> None:
    for line in message.split("\n"):
        sys.stderr.write(f"slotscope: error: {visible(line)}\n")
