"""What can be found and done by typing a few letters, and which of it is meant most likely."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.widgets.fuzzy_match import SearchedWords, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

HANDICAP = 45
KIND_COSTS = {"Lesson": 30, "Sample": 30, "Word": 75}
"""What one may read about a thing comes after the thing."""
VALUE = 100
"""What a value is worth that a setting takes: as much as a word that begins a name."""
MIN_WORD_WORTH = 70
"""Before a value only words count that begin words of the setting's name."""
MAX_VALUE_WORDS = 3
_BETWEEN = re.compile(r"[\s=:]+")
_FILLERS = frozenset({"set", "to", "change", "make", "use", "with", "the", "of"})
"""SearchedWords around a value that say nothing: "set the map slots to 200"."""


@dataclass(frozen=True)
class Choice:
    """One thing that can be found.

    Attributes
    ----------
    kind : what it is, such as "Action"
    name : what it is called
    does : a sentence: what Enter does
    run : does it
    about : what is said beside its name, and searched as well
    key : its shortcut, as people read it
    also : what else it is called: searched, not shown
    also_does, also_run : what Ctrl+Enter does, and does it; empty and None for nothing
    because : why it cannot be chosen now; empty if it can
    is_rare : whether other things of this name are likelier to be meant
    fills : of a setting: the value that Enter writes behind its name to be typed over; None for other things
    with_value : of a setting: returns what sets it to what was typed, None where that is no value of it
    """

    kind: str
    name: str
    does: str
    run: Callable[[], object]
    about: str = ""
    key: str = ""
    also: tuple[str, ...] = ()
    also_does: str = ""
    also_run: Callable[[], object] | None = None
    because: str = ""
    is_rare: bool = False
    fills: str | None = None
    with_value: Callable[[str], Choice | None] | None = None

    @property
    def handicap(self) -> float:
        """Return what its rank loses where it cannot be chosen now, or is rarely meant."""
        return HANDICAP * (bool(self.because) + self.is_rare) + KIND_COSTS.get(self.kind, 0)

    @property
    def words(self) -> SearchedWords:
        """Return what is searched: the name, the text beside it, and what else it is called."""
        return SearchedWords(self.name, f"{self.kind} {self.about}", self.also)

    @property
    def foot(self) -> str:
        """Return what Enter and Ctrl+Enter do, or why not."""
        also = f"Ctrl+Enter: {self.also_does}" if self.also_does else ""
        first = f"Not now: {self.because}" if self.because else f"Enter: {self.does}"
        return "  ·  ".join(filter(None, (first, also)))


Ranked = tuple[float, Choice]
"""How well a choice fits, in points, and the choice."""


def found_choices(
    typed: str, choices: Sequence[Choice], more: Callable[[str], Iterable[Ranked]]
) -> list[Choice]:
    """Return the choices that fit what is typed, the likeliest first; all of them where nothing is.

    A number or another value behind a setting's name, or before it, makes a choice that sets it.

    Parameters
    ----------
    more : returns further choices that fit, of things that are too many to be listed at each letter
    """
    if not typed.strip():
        return [*choices, *(choice for _, choice in more(""))]
    found = [(points, choice) for choice in choices if (points := score(typed, *choice.words)) is not None]
    found += _with_values(typed, choices)
    found += more(typed)
    places = sorted(range(len(found)), key=lambda place: (found[place][1].handicap - found[place][0], place))
    return [found[place][1] for place in places]


def _with_values(typed: str, choices: Iterable[Choice]) -> Iterator[Ranked]:
    splits = list(_names_and_values(typed))
    for choice in choices if splits else ():
        if choice.with_value is None:
            continue
        for name, value in splits:
            points = score(name, *choice.words)
            if points is None or points < MIN_WORD_WORTH * len(name.split()):
                continue
            if (valued := choice.with_value(value)) is not None:
                yield points + VALUE, valued
                break


def _names_and_values(typed: str) -> Iterator[tuple[str, str]]:
    """Yield how what is typed may be a name and a value: "map slots", "200" of "set map slots to 200"."""
    words = [word for word in _BETWEEN.split(typed.strip()) if word and word.lower() not in _FILLERS]
    for count in range(min(MAX_VALUE_WORDS, len(words) - 1), 0, -1):
        yield " ".join(words[:-count]), " ".join(words[-count:])
    if len(words) > 1 and words[0][0].isdigit():
        yield " ".join(words[1:]), words[0]
