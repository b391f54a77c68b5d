"""How long a what-if takes on the Facebook sample: from an edit to a new schedule, and one step of a drag.

    python -m benchmarks.what_if [--json]

Every what-if has an order never simulated before, so nothing comes from a cache. A drag step is the preview
of one place on the way, simulated, measured and painted in two charts of a 1600x900 window.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from core.files.samples import load_sample
from core.model.document_state import DocumentState
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP
from core.simulation.simulate import simulate
from explorer.simulation.outcome import compute
from explorer.simulation.request import SimulationRequest

if TYPE_CHECKING:
    from core.model.workload import Workload

REPEATS = 60


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not os.environ.get("DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    workload = load_sample("facebook")
    rows = [*_what_ifs(workload), _drag_steps(workload)]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{workload.name}: {workload.map_count + workload.reduce_count} tasks, ms")
    print(f"{'what':58}{'median':>9}{'p95':>9}{'worst':>9}")
    for row in rows:
        print(f"{row['what']:58}{row['median']:9.1f}{row['p95']:9.1f}{row['worst']:9.1f}")


def _what_ifs(workload: Workload) -> list[dict[str, Any]]:
    random = np.random.default_rng(5)
    names = [job.name for job in workload.jobs]
    choice = PolicyChoice("fifo")
    simulate(workload, workload.cluster, choice, engine="compiled")
    orders, outcomes, edits = [], [], []
    for _ in range(REPEATS):
        order = tuple(random.permutation(names).tolist())
        orders.append(
            _milliseconds(
                lambda: simulate(workload, workload.cluster, choice, order=order, engine="compiled")
            )
        )
        request = SimulationRequest(workload, workload.cluster, choice, order[::-1])
        outcomes.append(_milliseconds(lambda: compute(request, "compiled", no_progress, never_stop)))
        place = int(random.integers(len(names)))
        job = workload.jobs[place]
        edited = job.with_stage(MAP, Stage.of(job.maps.count + 1, float(random.uniform(1, 50))))

        def edit() -> None:
            jobs = (*workload.jobs[:place], edited, *workload.jobs[place + 1 :])
            simulate(workload.with_jobs(jobs), workload.cluster, choice, engine="compiled")

        edits.append(_milliseconds(edit))
    return [
        _row("what-if: new order to new schedule", orders),
        _row("what-if: new order to schedule, metrics and bounds", outcomes),
        _row("what-if: edited job (columns made again) to new schedule", edits),
    ]


def _drag_steps(workload: Workload) -> dict[str, Any]:
    from PySide6.QtTest import QTest

    from core.charts import raster
    from explorer.app import make_application
    from explorer.session.settings import WindowSettings
    from explorer.widgets.theme import theme
    from explorer.window.main_window import MainWindow

    application = make_application()
    raster.use_compiled()
    state = DocumentState.new(workload, (PolicyChoice("fifo"), PolicyChoice("johnson")))
    window = MainWindow(state, WindowSettings(), theme(dark=False))
    window.runner.use_compiled()
    window.resize(1600, 900)
    window.show()
    QTest.qWaitForWindowExposed(window)
    window.runner.wait_until_idle()
    application.processEvents()
    views = list(window.charts.views.values())
    order = list(window.charts.job_order(1))
    steps = []
    for place in range(REPEATS):
        names = [name for name in order if name != order[0]]
        names.insert(place + 1, order[0])

        def step() -> None:
            window.runner.preview(1, names)
            for view in views:
                view.repaint()

        steps.append(_milliseconds(step))
        application.processEvents()
    window.runner.end_preview(1)
    window.runner.shutdown()
    window.deleteLater()
    return _row("drag step: preview simulated, two charts painted", steps)


def _milliseconds(work: Any) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)


def _row(what: str, values: list[float]) -> dict[str, Any]:
    return {
        "what": what,
        "median": float(np.median(values)),
        "p95": float(np.percentile(values, 95)),
        "worst": max(values),
    }


if __name__ == "__main__":
    main()
