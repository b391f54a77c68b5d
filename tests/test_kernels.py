"""Nothing that is compiled reads or writes outside of its arrays, nor at a place below 0: their end."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from tests import kernel_runs, random_tests
from tests.paths import ROOT

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 3600
"""Seconds: all is compiled anew."""


def test_plain_functions_ask_for_no_place_below_0() -> None:
    with kernel_runs.refused_below_0():
        for number in range(3):
            for run in kernel_runs.RUNS:
                run(number, np.random.default_rng((kernel_runs.SEED, number)), compiled=False)


@pytest.mark.parametrize("place", [-1, (0, -1), np.int64(-2)])
def test_such_a_place_is_refused(place: object) -> None:
    rows = kernel_runs.refusing(np.zeros((2, 2)))
    with pytest.raises(IndexError):
        rows[place]
    with pytest.raises(IndexError):
        rows[place] = 1.0
    with pytest.raises(IndexError):
        kernel_runs.refusing([[1, 2], [3]])[0][-1]


if random_tests.is_thorough:  # all is compiled anew, with checks: minutes

    def test_compiled_functions_stay_in_their_arrays(tmp_path: Path) -> None:
        """All of them: what is compiled and never called fails as well."""
        checked = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
        environment = {**os.environ, **checked, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "tests.kernel_runs"]
        run = subprocess.run(
            command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE
        )
        assert run.returncode == 0, run.stdout + run.stderr
