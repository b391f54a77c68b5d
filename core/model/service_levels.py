"""What a job costs to be done later than some times, as text: "60:1, 300:5"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.model.errors import InputError

if TYPE_CHECKING:
    from core.model.job import ServiceLevels

NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?"


def read_service_levels(text: str) -> ServiceLevels:
    """Read service levels, "60:1, 300:5"; raises InputError with the form to give."""
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(rf"({NUMBER})\s*s?\s*:\s*({NUMBER})", part)
        if match is None:
            raise InputError(f"service levels: '{part}' is not 'seconds:cost'; write for example 60:1, 300:5")
        pairs.append((float(match[1]), float(match[2])))
    return tuple(pairs)


def service_levels_text(levels: ServiceLevels) -> str:
    """Write service levels as `read_service_levels` reads them."""
    return ", ".join(f"{_shortest(time)}:{_shortest(cost)}" for time, cost in levels)


def _shortest(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else repr(number)
