"""Text from outside as it is shown: what would be unseen, or seen in another place, is written out.

Names, sentences, paths and printed lines may hold characters that tell a terminal to do something else than
to show a letter, that have letters stand in another order ("evil" would read "live"), or that are not seen.
Whatever shows such text, on a terminal, in a window or in a report, passes it through `visible`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing; Python takes them for printable."""
JOINERS = frozenset("\u200c\u200d")
"""Unseen, and part of how Persian, Hindi and emoji are written."""


def escape(character: str) -> str:
    r"""Return a character as Python writes it in a text: ESC is `\x1b`."""
    return character.encode("unicode_escape").decode()


APPLICATION = re.compile(r"\d{5}")
"""What brackets with the number of an application have: "(local-1623281203390)", "(app-20260101-0001)"."""
MAX_SHORT = 6
"""Names of so many letters are shown whole."""
SEPARATORS = "_-./: "
"""Between these lie the words of a name."""
NO_BREAK = "\N{NO-BREAK SPACE}"
UNIT = r"(?:d|h|min|s|MB)\b|%"
TOGETHER = re.compile(rf"(?<=\d) (?={UNIT}|→)|(?<=→) (?=\d)|(?<=\b[dh]) (?=\d)|(?<=\bmin) (?=\d)| (?=\w+=\S)")


def visible(text: str, kept: str = "", write: Callable[[str], str] = escape) -> str:
    """Return a text of which every character is seen, in its place.

    Parameters
    ----------
    text : from wherever
    kept : characters that stay as they are: line ends where several lines are shown
    write : how a character is written that would not be seen
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        write(character) if character not in kept and _is_hidden(text, place) else character
        for place, character in enumerate(text)
    )


def kept_together(text: str) -> str:
    """Return a text in which no line ends inside "18 → 30 %", "1 h 11 min" or "-p seed=2".

    Between two times, or a number and a word, there may be a break.
    """
    return TOGETHER.sub(NO_BREAK, text)


def visible_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names of which every character is seen; those of a usual log cost one look together."""
    together = "".join(names)
    return names if together.isascii() and together.isprintable() else tuple(map(visible, names))


def _is_hidden(text: str, place: int) -> bool:
    character = text[place]
    if character in JOINERS:  # between letters of such scripts they do what they are for
        beside = text[max(place - 1, 0) : place] + text[place + 1 : place + 2]
        return len(beside) < len("ab") or any(each.isascii() for each in beside)
    is_seen = character.isprintable() or category(character) == "Zs"  # blanks of any width
    return not is_seen or character in BLANK


def common_ending(names: Collection[str]) -> str:
    """Return the brackets that all of several names end with, and that say nothing where they stand together.

    Of a single name, brackets with the number of an application.

    Examples
    --------
    >>> common_ending(("job 0: count (app-17)", "job 1 (app-17)"))
    ' (app-17)'
    >>> common_ending(("job 0: count (local-1623281203390)",))
    ' (local-1623281203390)'
    """
    first = next(iter(names), "")
    if " (" not in first or not first.endswith(")"):
        return ""
    ending = first[first.rfind(" (") :]
    if len(names) == 1:
        return ending if APPLICATION.search(ending) and ending != first else ""
    return ending if all(name.endswith(ending) and name != ending for name in names) else ""


def shared_application(names: Collection[str]) -> str:
    """Return the number of the application that all names have in brackets at their ends, or nothing.

    Examples
    --------
    >>> shared_application(("job 0: count (local-1623281203390)", "job 1 (local-1623281203390)"))
    'local-1623281203390'
    """
    ending = common_ending(names)
    return ending[len(" (") : -len(")")] if APPLICATION.search(ending) else ""


def shared_letters(names: Collection[str]) -> tuple[int, int]:
    """Return how many letters at their beginning and at their end names have in common, and need not show.

    The beginning ends behind a separator, and the end begins with one; short names show all they have. A
    mere number keeps the word before it where the one behind it is cut, or else that: "job 3", "12 maps".

    Examples
    --------
    >>> shared_letters(("job_2010_0001", "job_2010_0002"))
    (9, 0)
    >>> shared_letters(("job 0: count at Log.scala:25", "job 1: count at Log.scala:25"))
    (0, 23)
    """
    brackets = len(common_ending(names))
    if len(names) < 2 or max(map(len, names)) - brackets <= MAX_SHORT:
        return 0, brackets
    first, last = min(names), max(names)
    length = min(map(len, names)) - brackets
    shared = next((i for i in range(length) if first[i] != last[i]), length)
    begins = [0, *(i + 1 for i in range(shared) if first[i] in SEPARATORS)]
    ending = _shared_ending(names, brackets, length - begins[-1])
    if ending == brackets or not all(name[begins[-1] : len(name) - ending].isdigit() for name in names):
        return begins[-1], ending
    return (begins[-2], ending) if len(begins) > 1 else (0, brackets)


def _shared_ending(names: Collection[str], brackets: int, most: int) -> int:
    """Return how many letters the ending has that all share: brackets, and at most so many more."""
    turned = [name[len(name) - brackets - 1 :: -1] if brackets < len(name) else "" for name in names]
    first, last = min(turned), max(turned)
    shared = next((i for i in range(most) if first[i] != last[i]), most)
    ends = (i + 1 for i in range(shared) if first[i] in SEPARATORS and i + 1 < most)
    return brackets + max(ends, default=0)


def spoken_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return what names of jobs are in a sentence: short, and with what they are where a digit comes first.

    "job_2010_0001" beside "job_2010_0002" is "job 0001".
    """
    return tuple(f"job {name}" if name[:1].isdigit() else name for name in short_names(names))


def short_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Cut what all names start with and what all end with, at separators; every character is seen.

    "job_2010_0001" beside "job_2010_0002" is "0001", "job 3: count (app)" beside "job 4 (app)" "3: count".
    """
    names = visible_names(names)
    begin, ending = shared_letters(names)
    if not begin and not ending:
        return names
    return tuple(name[begin : len(name) - ending] or name for name in names)
