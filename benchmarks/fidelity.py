"""How true simulations of real logs are, and whether what one log says of its cluster holds for another.

    python -m benchmarks.fidelity

Needs the logs in ../shared/traces. The overheads of each log are estimated three times: from itself; from
trace_1m, the shortest log of that cluster; and from every second of its jobs, to be judged by the others.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.fidelity.fidelity import check_fidelity
from core.fidelity.overheads_estimate import overhead_candidates
from core.files.open_workload import open_workload

if TYPE_CHECKING:
    from core.fidelity.fidelity import ModelReplay
    from core.model.cluster import Overheads
    from core.model.workload import Workload

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces" / "hadoop-mapreduce"
LOGS = ("trace_1m", "trace_3m", "trace_5m", "trace_10m", "2m_stream_trace", "3m_stream_trace")


def main() -> None:
    """Measure and print a table in Markdown."""
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there.")
        return
    logs = {name: open_workload(TRACES / f"{name}.json.gz").workload for name in LOGS}
    learned = check_fidelity(logs["trace_1m"]).overheads
    print(
        "| log | own estimate | heartbeat | estimate of trace_1m | estimated from half, judged by the rest |"
    )
    print("| --- | --- | --- | --- | --- |")
    for name, workload in logs.items():
        own = check_fidelity(workload)
        other = check_fidelity(workload, overheads=learned).replays[-1]
        cells = (name, _text(own.replays[-1]), f"{own.overheads.heartbeat:g} s", _text(other))
        print("| " + " | ".join((*cells, _halves(workload))) + " |")


def _text(replay: ModelReplay) -> str:
    return f"{100 * replay.makespan_error:+.1f} % / {100 * replay.mean_error:.1f} %"


def _halves(workload: Workload) -> str:
    """Estimate from the even jobs and judge by the odd ones, and the other way round."""
    errors = [np.abs(_last(workload, overheads).errors) for overheads in overhead_candidates(workload)]
    judged = []
    for half in (0, 1):
        best = int(np.argmin([each[half::2].mean() for each in errors]))
        judged.append(errors[best][1 - half :: 2].mean())
    return " and ".join(f"{100 * error:.1f} %" for error in judged)


def _last(workload: Workload, overheads: Overheads) -> ModelReplay:
    return check_fidelity(workload, overheads=overheads).replays[-1]


if __name__ == "__main__":
    main()
