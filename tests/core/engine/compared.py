"""What tests compare of two runs, to the last bit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.model.errors import StalledError
from core.model.schedule import PolicyChoice
from core.simulation.simulate import Simulation

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine
    from tests import naive
    from tests.core.engine.strategies import Case

ENGINES: tuple[Engine, ...] = ("interpreted", "compiled")
COLUMNS = ("slot", "sequence", "start", "shuffled", "end", "stage_end", "finish", "rank")


def bits(schedule: Schedule) -> list[bytes]:
    """Return every column of a schedule."""
    return [getattr(schedule, name).tobytes() for name in COLUMNS]


def begin(case: Case, engine: Engine) -> Simulation:
    """Return the run of a case before anything has happened."""
    return Simulation(case.workload, case.cluster, PolicyChoice(case.policy), order=case.order, engine=engine)


def outcome(simulation: Simulation, instants: int | None = None) -> Any:
    """Run to the end; return every column, or the sentence of a stall."""
    try:
        while not simulation.advance(instants=instants):
            pass
    except StalledError as stall:
        return str(stall)
    return bits(simulation.schedule())


def columns(schedule: Schedule) -> dict[str, list[float]]:
    """Return what a schedule says and a naive twin knows, as lists."""
    names = ("slot", "start", "shuffled", "end", "stage_end", "finish")
    return {name: getattr(schedule, name).tolist() for name in names}


def naive_columns(twin: naive.Run) -> dict[str, list[float | None]]:
    """Return the same of a naive twin."""
    tasks = twin.tasks()
    return {
        "slot": [task.slot.number if task.slot else None for task in tasks],
        "start": [task.start for task in tasks],
        "shuffled": [task.shuffled for task in tasks],
        "end": [task.end for task in tasks],
        "stage_end": [job.stage_end for job in twin.jobs],
        "finish": [job.finish for job in twin.jobs],
    }
