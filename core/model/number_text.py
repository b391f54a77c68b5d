"""How numbers are grouped, everywhere in the same way."""

from __future__ import annotations

GROUP = "\N{NARROW NO-BREAK SPACE}"
"""Between groups of three digits: no comma, which is a decimal mark elsewhere, and no line breaks there."""


def grouped(value: float, decimals: int = 0) -> str:
    """Return a number with its digits in groups of three: "23 392", with decimals "1 234.50".

    >>> grouped(23392).split(GROUP)
    ['23', '392']
    """
    return f"{value:,.{decimals}f}".replace(",", GROUP)


def grouped_digits(value: float, digits: int) -> str:
    """Return a number with so many digits at most, in groups of three: "2 500", "0.125"."""
    return f"{value:,.{digits}g}".replace(",", GROUP)
