"""Whether things that wait for one another go round in a circle: jobs of a driver, stages of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


def circle_in(waits: Sequence[Collection[int]]) -> list[int]:
    """Return things each of which waits for the next one, and the last one for the first; [] if none do.

    Parameters
    ----------
    waits : for each thing the numbers of those that it waits for

    Examples
    --------
    >>> circle_in([(), (2, 0), (1,)])
    [1, 2]
    """
    waiting: dict[int, list[int]] = {}
    for number, others in enumerate(waits):
        for other in others:
            waiting.setdefault(other, []).append(number)
    unmet = list(map(len, waits))
    ready = [number for number, count in enumerate(unmet) if not count]
    while ready:
        for number in waiting.get(ready.pop(), ()):
            unmet[number] -= 1
            if not unmet[number]:
                ready.append(number)
    left = {number for number, count in enumerate(unmet) if count}
    if not left:
        return []
    number, places = min(left), dict[int, int]()
    while number not in places:
        places[number] = len(places)
        number = next(other for other in waits[number] if other in left)
    return list(places)[places[number] :]
