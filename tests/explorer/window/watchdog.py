"""Watches how long the window's thread is held, and notes the stack of that moment.

What counts is the thread's own time on a processor, so that a busy machine holds nothing; a thread that only
waits is given longer. The thread says `beat` whenever it could take input, and so does its event loop.
"""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import NamedTuple

from PySide6.QtCore import QAbstractEventDispatcher

MAX_HELD = 0.5
"""Seconds of a processor."""
MAX_WAITED = 30.0
"""Seconds by the clock, in which a thread waits for another one."""
LOOK_EVERY = 0.02
MAX_CALLS = 25
"""Of a stack, the innermost ones."""
STACK_EVERY = 0.5
"""Of a long hold, as seconds of a processor, so that what is done again and again is seen."""
NO_STACK = "no stack: one call of C kept the lock\n"


class Hold(NamedTuple):
    """How long the thread was held: seconds of a processor, of the clock, and what it did meanwhile."""

    seconds: float
    waited: float
    stacks: tuple[str, ...]

    def __str__(self) -> str:
        times = f"{self.seconds:.2f} s ({self.waited:.2f} s by the clock)"
        return f"the window's thread was held for {times}\n" + "then\n".join(self.stacks or (NO_STACK,))


class Watchdog:
    """Watches the thread that made it, from `start` to `stop`.

    Attributes
    ----------
    holds : the ones that were too long, as they ended
    """

    def __init__(self) -> None:
        self.holds: list[Hold] = []
        self._watched = threading.get_ident()
        self._clock = time.pthread_getcpuclockid(self._watched)
        self._stopped = threading.Event()
        self._begun = self._times()
        self._stacks: list[str] = []
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    def start(self) -> None:
        """Begin to look, and follow the thread's event loop."""
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.connect(self.beat)
        dispatcher.aboutToBlock.connect(self.beat)
        self.beat()
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        dispatcher = QAbstractEventDispatcher.instance()
        dispatcher.awake.disconnect(self.beat)
        dispatcher.aboutToBlock.disconnect(self.beat)
        self._stopped.set()
        self._thread.join()

    @property
    def has_seen_a_hold(self) -> bool:
        """Whether it has noted a stack since the last beat."""
        return bool(self._stacks)

    def beat(self) -> None:
        """Note that the thread could take input now."""
        (held, waited), self._begun = self._since(), self._times()
        stacks, self._stacks = tuple(self._stacks), []
        if held > MAX_HELD or waited > MAX_WAITED:
            self.holds.append(Hold(held, waited, stacks))

    def _times(self) -> tuple[float, float]:
        return time.clock_gettime(self._clock), time.monotonic()

    def _since(self) -> tuple[float, float]:
        (processor, clock), (then, when) = self._times(), self._begun
        return processor - then, clock - when

    def _watch(self) -> None:
        while not self._stopped.wait(LOOK_EVERY):
            held, waited = self._since()
            wanted = held // STACK_EVERY if held > MAX_HELD else waited // MAX_WAITED
            if len(self._stacks) < wanted:
                frame = sys._current_frames().get(self._watched)
                self._stacks.append("".join(traceback.format_stack(frame)[-MAX_CALLS:]))
                if waited > MAX_WAITED:  # perhaps for ever: then nothing else tells where
                    sys.stderr.write(self._stacks[-1])
