"""Nothing that a monkey does raises anything, and undo takes all of it back exactly."""

from __future__ import annotations

import pytest

from tests import random_tests
from tests.explorer.window.monkey import let_loose

SEEDS, ACTIONS = (range(1, 11), 2000) if random_tests.is_thorough else (range(1, 3), 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_monkey_does_can_be_undone_and_redone_exactly(window, seed):
    assert let_loose(window, seed, ACTIONS) > 0
