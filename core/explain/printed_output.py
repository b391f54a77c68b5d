"""What a policy prints while it is recorded, and where `breakpoint()` stands in it."""

from __future__ import annotations

import sys
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

from core.explain.trace import Printed, Stop
from core.model.task_types import KIND_WORDS
from core.policies.user_files.failed_call import KIND_NAMES
from core.policies.user_files.source import RUN_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from core.explain.bench import Bench
    from core.explain.recorder import Recorder

MAX_LINES = 20_000
LONGEST_LINE = 2_000
MAX_NAMES = 40
MAX_FRAMES = 50


class PrintedOutput:
    """Takes what is written instead of a stream.

    Attributes
    ----------
    lines : what was said, `MAX_LINES` at most
    left_out : how many lines more
    """

    encoding = "utf-8"

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self.lines: list[Printed] = []
        self.left_out = 0
        self._begun: tuple[Printed, list[str]] | None = None

    def write(self, text: str) -> int:
        """Take a part of a line, or several lines."""
        if not self._recorder.is_recording:
            return len(text)
        *ended, rest = str(text).split("\n")
        for part in ended:
            self._add(part)
            self._end_line()
        if rest:
            self._add(rest)
        return len(text)

    def flush(self) -> None:
        """Do nothing: lines are recorded when they end."""

    def isatty(self) -> bool:
        """Return False: it is no terminal."""
        return False

    def close(self) -> None:
        """End a line that has no end."""
        if self._begun is not None:
            self._end_line()

    def _add(self, part: str) -> None:
        if len(self.lines) >= MAX_LINES:
            return
        if self._begun is None:
            self._begun = self._here(), []
        if sum(map(len, self._begun[1])) < LONGEST_LINE:
            self._begun[1].append(part[: LONGEST_LINE + 1])

    def _end_line(self) -> None:
        if self._begun is None:  # there is no room
            self.left_out += 1
            return
        line, parts = self._begun
        text = "".join(parts)
        text = text if len(text) <= LONGEST_LINE else text[: LONGEST_LINE - 1] + "…"
        self.lines.append(line._replace(text=text))
        self._begun = None

    def _here(self) -> Printed:
        where = place_in_file(sys._getframe(3), self._recorder)
        return Printed(self._recorder.decision, *where, "")

    def stop_here(self, *_given: object, **_named: object) -> None:
        """Note where `breakpoint()` stands with what the names there are, and let the run go on."""
        if not self._recorder.is_recording:
            return
        frame = sys._getframe(1)
        job, _kind, function, line = place_in_file(frame, self._recorder)
        bench = self._recorder.bench
        values = tuple(
            (name, _in_words(name, value, bench))
            for name, value in list(frame.f_locals.items())[:MAX_NAMES]
            if not name.startswith("_slotscope")
        )
        self._recorder.stop(Stop(self._recorder.decision, -1, job, line, function, values))


def _in_words(name: str, value: object, bench: Bench | None) -> str:
    """Return a value as text; of a kind of tasks "map" or "reduce"."""
    if name in KIND_NAMES and isinstance(value, int) and value in (0, 1):
        return KIND_WORDS[value]
    return bench.shown(value) if bench is not None else f"a {type(value).__name__}"


def place_in_file(frame: FrameType | None, recorder: Recorder) -> tuple[int, int, str, int]:
    """Return job, kind, function and line of a file of a user's that a frame belongs to.

    The job is the record that the innermost function has under this name, the function the outermost one:
    that is what the simulator called.
    """
    job, kind, function, line = -1, -1, "", 0
    places = {} if recorder.bench is None else recorder.bench.places
    for _ in range(MAX_FRAMES):
        if frame is None:
            break
        if RUN_TEXT in frame.f_globals:
            names = frame.f_locals
            line = line or frame.f_lineno
            function = frame.f_code.co_name
            job = places.get(id(names.get("job")), -1) if job < 0 else job
            given = names.get("kind")
            kind = given if kind < 0 and isinstance(given, int) and given in (0, 1) else kind
        elif function:
            break
        frame = frame.f_back
    return job, kind, function, line


@contextmanager
def recorded_output(recorder: Recorder, *, is_file: bool) -> Iterator[PrintedOutput]:
    """Record what a user's file prints and where `breakpoint()` stands, as long as this lasts.

    What comes with Slotscope prints nothing, but other parts of its process do.
    """
    output = PrintedOutput(recorder)
    if not is_file:
        yield output
        return
    before = sys.breakpointhook
    sys.breakpointhook = output.stop_here
    try:
        with redirect_stdout(output), redirect_stderr(output):
            yield output
    finally:
        sys.breakpointhook = before
        output.close()
