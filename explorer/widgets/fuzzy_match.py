"""How well what is typed fits a name: whole words first, then beginnings, parts, letters in order."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

WHOLE, BEGINNING, WHOLE_WORD, WORD, PART, LETTERS, BESIDE = 120, 100, 95, 80, 50, 25, 12
"""What a word is worth that is the whole name, its beginning, a word in it, the beginning of one, a part,
letters of it; or a part of what is said beside the name."""
PHRASE = 60
"""What it is worth besides that all that is typed is all of the name."""
MIN_LETTERS, MAX_SPREAD = 2, 3
"""Letters in their order count from two on, and within three times their number."""
MIN_PLURAL = 4
"""From so many letters on a word may be the plural of one in the name."""
LENGTH_COSTS = 0.1
OTHER_NAME_COSTS, PART_OF_OTHER_COSTS = 4, 10
"""Of a word that is all, or a part, of what a thing is also called: its own name goes first."""
MAX_KEPT = 20_000

Item = TypeVar("Item")


class SearchedWords(NamedTuple):
    """What is searched of an item: its name, what is said beside it, and what else it is called."""

    name: str
    beside: str = ""
    also: Sequence[str] = ()


def score(typed: str, name: str, beside: str = "", also: Sequence[str] = ()) -> float | None:
    """Return how well every typed word fits; None if one of them fits nowhere. Capital letters are ignored.

    `also` are other names of the same thing, in small letters; a word of them counts a little less.

    >>> score("zj", "Zoom to job"), score("xyz", "Zoom to job")
    (23.9, None)
    >>> score("reset zoom", "Fit", also=["reset zoom"])
    199.0
    """
    names, words = [name.lower(), *also], typed.lower().split()
    total, named = 0.0, set[int]()
    for word in words:
        worths = [_worth(word, names[0]), *(_worth_of_other(word, each) for each in also)]
        worth = max(worths)
        if worth > 0:
            named.add(worths.index(worth))
        elif word in beside.lower():
            worth = BESIDE
        else:
            return None
        total += worth
    total += PHRASE * (len(words) > 1 and " ".join(words) in names)
    return round(total - LENGTH_COSTS * max((len(names[place]) for place in named), default=0), 3)


def _worth_of_other(word: str, other: str) -> int:
    worth = _worth(word, other)
    return worth - OTHER_NAME_COSTS if worth == WHOLE else min(worth, WORD) - PART_OF_OTHER_COSTS


def _worth(word: str, name: str) -> int:
    worth = _worth_as_is(word, name)
    if worth < WORD and len(word) >= MIN_PLURAL and word.endswith("s"):
        worth = max(worth, _worth_as_is(word[:-1], name) - 1)
    return worth if worth >= PART or not letters_of(word, name) else LETTERS


def _worth_as_is(word: str, name: str) -> int:
    if word == name:
        return WHOLE
    if name.startswith(word):
        return BEGINNING
    if word in words_of(name):
        return WHOLE_WORD
    if any(_begins_word(name, place) for place in _places(word, name)):
        return WORD
    return PART if word in name else 0


@lru_cache(MAX_KEPT)
def words_of(name: str) -> frozenset[str]:
    """Return the words in a name, and its numbers without zeros before them: of "job_0012" also "12"."""
    numbers = {digits.lstrip("0") or "0" for digits in re.findall(r"\d+", name)}
    return frozenset(re.findall(r"[^\W_]+", name)) | numbers


def _places(word: str, name: str) -> Iterable[int]:
    place = name.find(word)
    while place >= 0:
        yield place
        place = name.find(word, place + 1)


def _begins_word(name: str, place: int) -> bool:
    return place == 0 or not name[place - 1].isalnum()


def letters_of(word: str, name: str) -> tuple[int, ...]:
    """Return where the letters of a word stand in a name, in their order and near one another; else ().

    Each is looked for at the beginning of a word first: of "Zoom to job" "zj" are the first and the ninth.
    """
    if len(word) < MIN_LETTERS:
        return ()
    found: list[int] = []
    after = 0
    for letter in word:
        places = [place for place in range(after, len(name)) if name[place] == letter]
        if not places:
            return ()
        follows = places[0] == after and bool(found)
        begin = next((place for place in places if _begins_word(name, place)), places[0])
        found.append(places[0] if follows else begin)
        after = found[-1] + 1
    starts = sum(_begins_word(name, place) for place in found)
    is_near = found[-1] - found[0] < MAX_SPREAD * len(word)
    return tuple(found) if is_near or starts == len(found) else ()


def marks(typed: str, name: str) -> set[int]:
    """Return which letters of a name are those that were typed, to make them stand out."""
    lower, found = name.lower(), set[int]()
    for word in typed.lower().split():
        places = list(_places(word, lower))
        if places:
            begin = next((place for place in places if _begins_word(lower, place)), places[0])
            found.update(range(begin, begin + len(word)))
        else:
            found.update(letters_of(word, lower))
    return found


def ranked(
    typed: str,
    items: Iterable[Item],
    words: Callable[[Item], tuple[str, str] | SearchedWords],
) -> list[Item]:
    """Return the items that fit, the best first; those that fit alike, and all of them, in their own order.

    `words` returns an item's name and what is said beside it.
    """
    if not typed.strip():
        return list(items)
    found = [(score(typed, *words(item)), place, item) for place, item in enumerate(items)]
    fitting = [(-points, place, item) for points, place, item in found if points is not None]
    return [item for _, _, item in sorted(fitting, key=lambda each: each[:2])]
