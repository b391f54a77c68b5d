"""What commands that search schedules have in common: how long they search, Ctrl+C, a line that lives."""

from __future__ import annotations

import signal
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.model.progress import no_progress
from core.model.visible_text import visible
from explorer.cli.command import Options, option
from explorer.cli.screen import SHOW_PROGRESS_AFTER, console, print_line, print_note
from explorer.optimize.compiling import ON_COMMAND_LINE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.simulation.proof import Proof

REDRAW = 0.1
"""Seconds between two changes of the line that lives."""


def _seconds_option(usual: float) -> Any:  # Any: a float, or None
    text = f"how long to search at most (default {usual:g}); Ctrl+C ends it with the best so far"
    return option("S", text)


class Effort(Options):
    """How long is searched: by a clock, or in steps, which give the same on every machine."""

    usual = 10.0
    seconds: float | None = _seconds_option(usual)
    steps: int | None = option(
        "N", "search so many steps instead: same steps and seed, same answer on every machine"
    )
    seed: int = option("N", "of the search (default 1)", default=1)

    @property
    def by_clock(self) -> float | None:
        """How many seconds to search, None if it is measured in steps; InputError for what cannot be."""
        from core.optimize.short_searches import clock_seconds

        return clock_seconds(self.seconds, self.steps, self.usual, "--")


class ShortEffort(Effort):
    """As long as one search takes that does not begin anew for every question."""

    usual = 3.0
    seconds: float | None = _seconds_option(usual)


def keep_certificate(path: str | None, proof: Proof) -> None:
    """Write the certificate where one is asked for and there is one."""
    if path and proof.certificate is not None:
        from core.verify.certificate import write_certificate

        write_certificate(proof.certificate, path)


def print_certificate(path: str | None, proof: Proof) -> None:
    """Print where the requested certificate is, or why there is none."""
    if path and proof:
        print_line(f"Certificate written to {path}; 'slotscope verify {path}' checks it")
    elif path:
        print_line(
            f"No certificate is written to {path}: {proof.why_not or 'nothing is proved that it could say'}"
        )


def load_search() -> None:
    """Load the compiled code of searches before the clock begins; say so where it has to be compiled."""
    from core.optimize.chains import is_compiled, load_compiled

    if is_compiled():
        load_compiled()
        return
    print_note(ON_COMMAND_LINE)
    with living_line() as show:
        load_compiled(show)


@contextmanager
def until_interrupted() -> Iterator[Callable[[], bool]]:
    """Yield what says whether Ctrl+C was pressed: the search then ends, and what it found is printed.

    Pressed again, it ends the command.
    """
    pressed = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal pressed
        if pressed:
            raise KeyboardInterrupt
        pressed = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def living_line() -> Iterator[Callable[[str], None]]:
    """Yield what shows a line on stderr, where that is a terminal, in the place of the one before."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    from rich.status import Status
    from rich.text import Text

    status = Status("", console=console(stderr=True))
    began = drawn = time.monotonic()

    def show(text: str) -> None:
        nonlocal drawn
        now = time.monotonic()
        if now - began > SHOW_PROGRESS_AFTER and now - drawn > REDRAW:
            drawn = now
            status.update(Text(visible(text)))
            status.start()

    try:
        yield show
    finally:
        status.stop()
