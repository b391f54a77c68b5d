"""`slotscope predict` and `executors`: how long an application would take on other clusters."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import duration_text
from explorer.cli.command import Command, argument, option
from explorer.cli.requests import json_option
from explorer.cli.screen import note_cuts, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from core.fidelity.prediction import LoggedApplication, Prediction

HOUR = 3600.0


class AboutApplication(Command):
    """What both commands take."""

    log: str = argument("LOG", "the event log of a Spark application, or a folder of its parts")
    json: bool = json_option()

    def opened(self) -> LoggedApplication:
        """Return what the log has of the application."""
        from core.fidelity.open_application import open_application

        path = Path(self.log)
        if not path.exists():
            raise InputError(f"{self.log}: there is no such file; give the event log of an application")
        with progress(f"Opening {path.name}") as show:
            application = open_application([path], progress=show)
        note_cuts([application.workload.cut])
        return application


class PredictCommand(AboutApplication, name="predict"):
    """How long an application would take on another number of slots or executors, from the log of one run."""

    slots: int | None = option("N", "so many tasks run at once: cores / cores per task")
    executors: int | None = option("N", "instead: so many executors like those of the log")

    def run(self) -> None:
        """Print the prediction."""
        from core.fidelity.prediction import bound_spread, predict, slots_of_executors

        if (self.slots is None) == (self.executors is None):
            raise InputError("give --slots, how many tasks run at once, or --executors, one of both")
        application = self.opened()
        slots = self.slots or 0
        if self.executors is not None:
            slots = slots_of_executors(application, self.executors)
        found = predict(application, slots)
        if self.json:
            print_json(_as_row(found))
            return
        print_line(
            f"{application.workload.name} took {duration_text(found.recorded_seconds)} on "
            f"{found.recorded_slots} slots. On {found.slots} it takes about "
            f"{duration_text(found.predicted_seconds)} ({duration_text(found.low_seconds)} to "
            f"{duration_text(found.high_seconds)})."
        )
        least = duration_text(found.bound_seconds)
        shorter = f"{100 * bound_spread(application):g} %"
        print_line(f"{found.why} Even if all took {shorter} less it would take at least {least}.")
        print_line("Not known: " + "; ".join(found.not_known) + ".")


class ExecutorsCommand(AboutApplication, name="executors"):
    """How long an application would take, and what that costs, on few executors to many."""

    price: float | None = option("P", "price of one executor for an hour, in any currency")

    def run(self) -> None:
        """Print a row for each number of executors, and how many are enough."""
        from core.fidelity.prediction import large_enough, predictions

        if self.price is not None and not 0 <= self.price < float("inf"):
            raise InputError(f"--price {self.price:g}: a price is 0 or more")
        application = self.opened()
        unit = application.slots_per_executor or 1
        with progress("Predicting each number of executors") as show:
            found = predictions(application, unit, progress=show)
        enough = large_enough(found)
        if self.json:
            rows = [_row(each, unit, self.price) for each in found]
            print_json({"slots_per_executor": unit, "large_enough": enough.slots // unit, "sizes": rows})
            return
        what = "executors" if application.slots_per_executor else "slots"
        columns = [f">{what}", ">slots", ">time", ">from", ">to", f">{what[:-1]} hours"]
        columns += [] if self.price is None else [">cost"]
        first = 0 if application.slots_per_executor else 1  # without executors both are the same
        cells = [_cells(each, unit, self.price)[first:] for each in found]
        print_table(application.workload.name, columns[first:], cells)
        print_line(
            f"{enough.slots // unit} {what} are enough: the application takes "
            f"{duration_text(enough.predicted_seconds)}, at most 10 % longer than on any other number here. "
            f"{enough.why}"
        )


def _as_row(found: Prediction) -> dict[str, Any]:
    return {name: value for name, value in asdict(found).items() if name != "slot_seconds"}


def _row(found: Prediction, unit: int, price: float | None) -> dict[str, Any]:
    hours = found.slot_seconds / unit / HOUR
    row = {"executors": found.slots // unit, "executor_hours": hours} | _as_row(found)
    del row["not_known"]
    return row | ({} if price is None else {"cost": hours * price})


def _cells(found: Prediction, unit: int, price: float | None) -> tuple[str, ...]:
    row = _row(found, unit, price)
    times = (found.predicted_seconds, found.low_seconds, found.high_seconds)
    cost = () if price is None else (f"{row['cost']:.2f}",)
    counts = (str(row["executors"]), str(found.slots))
    return (*counts, *map(duration_text, times), f"{row['executor_hours']:.3f}", *cost)
