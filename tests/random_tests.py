"""How many examples the slower random tests try: few, and ten times as many with `pytest --thorough`."""

from __future__ import annotations

from hypothesis import settings

is_thorough = False
"""Set by `conftest.py`."""


def examples(few: int) -> settings:
    """Return the settings of a test that tries so many examples when somebody waits for it."""
    return settings(deadline=None, max_examples=10 * few if is_thorough else few)
