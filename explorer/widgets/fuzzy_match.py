"""How well what is typed fits a name: beginnings of words first, then parts, then letters in their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WHOLE, BEGINNING, WORD, PART, LETTERS, BESIDE = 120, 100, 80, 50, 25, 12
"""What a word is worth that is the whole name, its beginning, that of a word in it, a part, letters of it;
or a part of what is said beside the name."""
MIN_LETTERS, MAX_SPREAD = 2, 3
"""Letters in their order count from two on, and within three times their number."""
LENGTH_COSTS = 0.1

Item = TypeVar("Item")


def score(typed: str, name: str, beside: str = "") -> float | None:
    """Return how well every typed word fits; None if one of them fits nowhere. Capital letters are ignored.

    >>> score("zj", "Zoom to job"), score("xyz", "Zoom to job")
    (23.9, None)
    """
    name, beside = name.lower(), beside.lower()
    total, is_named = 0.0, False
    for word in typed.lower().split():
        worth = _worth(word, name)
        is_named |= worth > 0
        worth = worth or (BESIDE if word in beside else 0)
        if not worth:
            return None
        total += worth
    return round(total - LENGTH_COSTS * len(name) * is_named, 3)


def _worth(word: str, name: str) -> int:
    place = name.find(word)
    if place == 0:
        return WHOLE if name == word else BEGINNING
    if place > 0:
        if _begins_word(name, place) or any(_begins_word(name, i) for i in _places(word, name)):
            return WORD
        return PART
    return LETTERS if letters_of(word, name) else 0


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


def no_handicap(_item: object) -> float:
    """Let all items be worth the same."""
    return 0.0


def ranked(
    typed: str,
    items: Iterable[Item],
    words: Callable[[Item], tuple[str, str]],
    handicap: Callable[[Item], float] = no_handicap,
) -> list[Item]:
    """Return the items that fit, the best first; those that fit alike, and all of them, in their own order.

    `words` returns an item's name and what is said beside it, `handicap` the points that it begins with less.
    """
    if not typed.strip():
        return list(items)
    found = [(score(typed, *words(item)), place, item) for place, item in enumerate(items)]
    fitting = [(handicap(item) - points, place, item) for points, place, item in found if points is not None]
    return [item for _, _, item in sorted(fitting, key=lambda each: each[:2])]
