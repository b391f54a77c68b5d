"""`slotscope bench`: events per second of this machine, compiled against interpreted, in one run."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any

from explorer.cli.command import Command
from explorer.cli.requests import json_option
from explorer.cli.screen import print_json, print_table

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

POLICIES = ("fifo", "order", "sjf", "johnson", "edf-max", "fair")
REPEATS: dict[Engine, int] = {"compiled": 9, "interpreted": 1}


class BenchCommand(Command, name="bench"):
    """Measure events per second on this machine."""

    json: bool = json_option()

    def run(self) -> None:
        """Measure every policy on the Facebook sample (medians)."""
        from core.files.samples import load_sample

        workload = load_sample("facebook")
        rows = [_measure(workload, policy, engine) for engine in REPEATS for policy in POLICIES]
        if self.json:
            print_json({"workload": workload.name, "events": rows[0]["events"], "rows": rows})
            return
        cells = [
            (
                row["engine"],
                row["policy"],
                f"{1000 * row['seconds']:.2f}",
                f"{row['events_per_second'] / 1e6:.2f}",
            )
            for row in rows
        ]
        title = f"{workload.name}: {rows[0]['events']} events, medians"
        print_table(title, ("engine", "policy", ">ms", ">M events/s"), cells)


def _measure(workload: Workload, policy: str, engine: Engine) -> dict[str, Any]:
    from core.model.schedule import PolicyChoice
    from core.simulation.simulate import simulate

    schedules = [
        simulate(workload, workload.cluster, PolicyChoice(policy), engine=engine)
        for _ in range(REPEATS[engine] + 1)
    ]
    took = statistics.median(each.simulate_seconds for each in schedules[1:])  # the first one warms up
    measured = {
        "seconds": took,
        "events": schedules[0].events,
        "events_per_second": schedules[0].events / took,
    }
    return {"policy": policy, "engine": engine} | measured
