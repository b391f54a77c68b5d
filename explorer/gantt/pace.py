"""How long an animation plays, with how many frames, and which part of the schedules."""

from __future__ import annotations

from dataclasses import dataclass

from core.model.errors import InputError

MIN_SECONDS, MAX_SECONDS = 1.0, 600.0
MIN_RATE, MAX_RATE = 1, 50
MAX_FRAMES = 6000


@dataclass(frozen=True)
class Pace:
    """How schedules are played.

    Attributes
    ----------
    seconds : how long the play takes
    rate : frames a second
    has_captions : whether a strip below says what has just happened
    begin, end : seconds of the schedules between which is played; None for the end of all
    is_veiled : whether all that is still to come, and the makespan, is hidden until the last frame
    """

    seconds: float = 12.0
    rate: int = 10
    has_captions: bool = True
    begin: float = 0.0
    end: float | None = None
    is_veiled: bool = False

    def check(self) -> None:
        """Raise InputError if nothing can be played so."""
        if not MIN_SECONDS <= self.seconds <= MAX_SECONDS:
            raise InputError(f"a play of {self.seconds:g} s: give {MIN_SECONDS:g} to {MAX_SECONDS:g} s")
        if not MIN_RATE <= self.rate <= MAX_RATE:
            raise InputError(f"{self.rate} frames a second: give {MIN_RATE} to {MAX_RATE}")
        if self.frames > MAX_FRAMES:
            raise InputError(
                f"{self.seconds:g} s with {self.rate} frames a second are {self.frames} frames: "
                f"at most {MAX_FRAMES} are written; play faster, or with fewer frames a second"
            )
        if self.end is not None and not 0 <= self.begin < self.end:
            raise InputError(f"the play is to begin at {self.begin:g} s, but to end at {self.end:g} s")

    @property
    def frames(self) -> int:
        """How many frames there are, the first and the last one too."""
        return max(2, round(self.seconds * self.rate) + 1)
