"""Sort names as people count: ``node9`` before ``node10``."""

from __future__ import annotations

import re

_NUMBER = re.compile(r"([0-9]{1,18})")


def by_number(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names with numbers in them by these numbers."""
    # what the pattern has found stands between what it has not, in every second place
    return [(int(part), "") if place % 2 else (0, part) for place, part in enumerate(_NUMBER.split(name))]
