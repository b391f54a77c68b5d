"""`slotscope fidelity`: how far simulations of a log are from what really happened."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from core.model.time_text import clock_text, duration_text
from explorer.cli.requests import add_command, add_json, open_named_workload
from explorer.cli.screen import percent, picked, print_json, print_line, print_table, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.fidelity.fidelity import Fidelity, ModelReplay
    from core.model.cluster import Overheads
    from explorer.cli.requests import Commands

VERSION = 2
"""Of the JSON; grows when a field changes its meaning. 2: the last model may know host stalls."""
MOST_NAMED = 8


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "simulate a log on the cluster that wrote it, and say how far off each job is"
    parser = add_command(commands, "fidelity", text, run)
    parser.add_argument("workload", metavar="LOG", help="a log, or a workload document made from one")
    parser.add_argument("--policy", metavar="ID", default="fifo", help="the policy of that cluster (fifo)")
    parser.add_argument(
        "--overheads-of",
        metavar="LOG",
        help="check the overheads that fit another log of that cluster, not those that fit this one",
    )
    add_json(parser)


def run(options: Namespace) -> int:
    """Check one log."""
    from core.fidelity.fidelity import check_fidelity
    from core.fidelity.overheads_estimate import launch_pace

    workload = open_named_workload(options.workload)
    overheads = _overheads_of(options)
    with progress("Simulating the log by every model") as show:
        checked = check_fidelity(workload, options.policy, overheads, progress=show)
    pace = launch_pace(workload)
    if options.json:
        print_json(_json(checked, pace))
    else:
        _print(checked, pace)
    return 0


def _overheads_of(options: Namespace) -> Overheads | None:
    """Return the overheads that fit another log, if one is named."""
    from core.fidelity.fidelity import check_fidelity

    if options.overheads_of is None:
        return None
    other = open_named_workload(options.overheads_of)
    with progress(f"Estimating the overheads of {other.name}") as show:
        return check_fidelity(other, options.policy, progress=show).overheads


def _print(checked: Fidelity, pace: tuple[float, float]) -> None:
    from core.fidelity.fidelity import model_rows

    _print_overheads(checked, pace)
    columns = ["model", "makespan", "recorded", "error", "jobs: mean", "median", "largest"]
    rows = [
        (title, makespan, recorded, *(percent(float(error)) for error in errors))
        for title, makespan, recorded, *errors in model_rows(checked)
    ]
    print_table(f"{len(checked.replays[0].jobs)} jobs against their log", columns, rows)
    for stall in checked.stalls:
        print_line(
            f"{stall.host} stalled from {clock_text(stall.begin)} to {clock_text(stall.end)} after the "
            f"first submission and held {len(stall.held)} tasks it had been given; the last model knows that"
        )
    _print_far_off(checked.replays[-1])


def _print_overheads(checked: Fidelity, pace: tuple[float, float]) -> None:
    o = checked.overheads
    if checked.replays[-1].cluster.overheads is None:
        print_line("The log's cluster has containers: overheads are modelled for map and reduce slots only")
        return
    print_line(
        f"Overheads: setup {duration_text(o.setup)}, cleanup {duration_text(o.cleanup)}, "
        f"first task of a job on a host {duration_text(o.fetch)} later, "
        f"heartbeat {duration_text(o.heartbeat)}, {o.hosts} hosts; "
        f"launch {duration_text(pace[0])} after submission, {duration_text(pace[1])} apart while several "
        "jobs wait for theirs (here jobs arrive at their launch)"
    )


def _print_far_off(replay: ModelReplay) -> None:
    from core.fidelity.fidelity import FAR_OFF

    if not replay.far_off:
        return
    place = {name: i for i, name in enumerate(replay.jobs)}
    shown = [
        f"{name} {duration_text(replay.simulated[i])} instead of {duration_text(replay.recorded[i])}"
        for name in replay.far_off[:MOST_NAMED]
        for i in [place[name]]
    ]
    more = len(replay.far_off) - len(shown)
    print_line(
        f"More than {100 * FAR_OFF:.0f} % off with {replay.title}: {'; '.join(shown)}"
        + (f"; and {more} more" if more else "")
    )


def _json(checked: Fidelity, pace: tuple[float, float]) -> dict[str, Any]:
    return {
        "version": VERSION,
        "overheads": asdict(checked.overheads),
        "launch_delay": pace[0],
        "launch_interval": pace[1],
        "standstills": [
            picked(stall, "host begin end") | {"held": len(stall.held)} for stall in checked.stalls
        ],
        "models": [
            {
                "model": replay.title,
                **picked(replay, "makespan recorded_makespan makespan_error"),
                **picked(replay, "mean_error median_error largest_error"),
                "jobs": [
                    {"name": name, "recorded": float(recorded), "simulated": float(simulated)}
                    for name, recorded, simulated in zip(
                        replay.jobs, replay.recorded, replay.simulated, strict=True
                    )
                ],
            }
            for replay in checked.replays
        ],
    }
