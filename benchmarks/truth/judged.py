"""Predictions held against real runs: how far each is off, and whether range, bound and slots hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.markdown import percent, print_table
from core.fidelity.open_application import open_application
from core.fidelity.prediction import predict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NEAR, FAR = 0.05, 0.12
"""Errors that nine of ten predictions, and that all of them, are to be below."""
AIMS = "aims: mean at most 3 %, 90 % within 5 %, none above 12 %, 90 % in the range, all slots, no bound"


@dataclass(frozen=True, slots=True)
class RealRun:
    """A run of an application.

    Attributes
    ----------
    application : its name
    slots : how many tasks could run at once
    log : its event log
    """

    application: str
    slots: int
    log: Path

    @property
    def seconds(self) -> float:
        """From the first submission to the end of the last job, as its log has them."""
        submitted, ended = [], []
        for line in self.log.read_text(encoding="utf-8").splitlines():
            if line.startswith('{"Event":"SparkListenerJobStart"'):
                submitted.append(json.loads(line)["Submission Time"])
            elif line.startswith('{"Event":"SparkListenerJobEnd"'):
                ended.append(json.loads(line)["Completion Time"])
        return float(max(ended) - min(submitted)) / 1000


@dataclass(frozen=True, slots=True)
class Judged:
    """A prediction beside the run that it is of.

    Attributes
    ----------
    application : its name
    of, on : slots of the log, and of the run that is predicted
    real : how long that took, s
    error : predicted / real - 1
    in_range, bound_holds, slots_right : whether they are
    """

    application: str
    of: int
    on: int
    real: float
    error: float
    in_range: bool
    bound_holds: bool
    slots_right: bool


def judged(runs: Sequence[RealRun]) -> list[Judged]:
    """Return each run of one application predicted from the logs of its runs on other numbers of slots."""
    found = []
    for run in runs:
        application = open_application([run.log])
        for other in runs:
            if other.slots == run.slots:
                continue
            prediction, real = predict(application, other.slots), other.seconds
            found.append(
                Judged(
                    run.application,
                    run.slots,
                    other.slots,
                    real,
                    prediction.predicted_seconds / real - 1,
                    prediction.low_seconds <= real <= prediction.high_seconds,
                    prediction.bound_seconds <= real,
                    application.recorded_slots == run.slots,
                )
            )
    return found


def print_judged(found: Sequence[Judged]) -> None:
    """Print a row for each application, and what is true of all predictions."""
    names = list(dict.fromkeys(each.application for each in found))
    columns = ("application", "real, s", "upward", "downward", "in range", "bounds hold", "slots right")
    rows = [_row(name, [each for each in found if each.application == name]) for name in names]
    print_table("Predicted from runs on other numbers of slots: errors of the time", columns, rows)
    print_table("All predictions", ("", "upward", "all"), _summary(found))
    print(f"\n{AIMS}")


def _row(name: str, mine: Sequence[Judged]) -> tuple[str, ...]:
    real = {each.on: each.real for each in mine}
    up = [f"{each.of} to {each.on}: {_signed(each.error)}" for each in mine if each.of < each.on]
    down = [f"{each.of} to {each.on}: {_signed(each.error)}" for each in mine if each.of > each.on]
    return (
        name,
        ", ".join(f"{slots}: {real[slots]:.1f}" for slots in sorted(real)),
        ", ".join(up),
        ", ".join(down),
        *(
            f"{sum(getattr(each, what) for each in mine)} of {len(mine)}"
            for what in ("in_range", "bound_holds", "slots_right")
        ),
    )


def _signed(error: float) -> str:
    return f"{100 * error:+.1f} %"


def _summary(found: Sequence[Judged]) -> list[tuple[str, ...]]:
    upward = [each for each in found if each.of < each.on]
    parts = [(each, np.abs([one.error for one in each])) for each in (upward, found)]
    return [
        ("predictions", *(str(len(each)) for each, _ in parts)),
        ("mean error without signs", *(percent(errors.mean()) for _, errors in parts)),
        ("largest", *(percent(errors.max()) for _, errors in parts)),
        ("within 5 %", *(percent((errors <= NEAR).mean()) for _, errors in parts)),
        ("above 12 %", *(str((errors > FAR).sum()) for _, errors in parts)),
        ("in the range", *(percent(float(np.mean([one.in_range for one in each]))) for each, _ in parts)),
        ("bounds above a real run", *(str(sum(not one.bound_holds for one in each)) for each, _ in parts)),
        ("slots read wrong", *(str(sum(not one.slots_right for one in each)) for each, _ in parts)),
    ]


def print_repeats(runs: Sequence[RealRun]) -> None:
    """Print how far runs of one application on the same slots are apart."""
    seconds = np.array([run.seconds for run in runs])
    spread = percent((seconds.max() - seconds.min()) / seconds.mean())
    times = ", ".join(f"{each:.2f}" for each in seconds)
    name = f"{runs[0].application} on {runs[0].slots} slots"
    print(f"\n{name}, run {len(runs)} times: {times} s; {spread} apart")
