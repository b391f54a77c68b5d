"""How true simulations of real logs are: each log judged with the overheads of all others.

    python -m benchmarks.fidelity

Needs the logs in ../shared/traces, all of which GridMix made. Prints tables in Markdown: what is judged
honestly, and apart from it what is read from the log that is judged.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.fidelity.fidelity import OTHERS_STALLS, OWN, OWN_STALLS, judge
from core.fidelity.fidelity_report import in_range_text, makespan_range
from core.files.open_workload import open_workload
from core.model.time_text import percent, signed_percent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.fidelity.fidelity import Fidelity, JudgedLogs, ModelReplay

TRACES = Path(__file__).resolve().parents[2] / "shared" / "traces"
LOGS = (
    *(f"hadoop-mapreduce/trace_{size}" for size in ("1m", "3m", "5m", "10m")),
    *(f"hadoop-mapreduce/{size}_stream_trace" for size in ("2m", "3m")),
    *(
        f"hadoop-mapreduce/{name}_trace"
        for name in ("compression_case4", "distcache_case2", "distcache_case9")
    ),
    *(f"hadoop-common/{name}" for name in ("cpu_emul_case2", "highram_mr_jobs_case3")),
)


def main() -> None:
    """Measure and print tables in Markdown."""
    if not TRACES.is_dir():
        print(f"There are no real logs: {TRACES} is not there.")
        return
    judged = judge([open_workload(TRACES / f"{name}.json.gz").workload for name in LOGS])
    _print(
        ("log", "jobs", "plain `simmr`", "**jobs, mean**", "in range", "makespan", "20 draws", "plain"),
        [*map(_headline, judged.logs), *_means(judged)],
    )
    print()
    columns = ("log", OTHERS_STALLS, OWN, OWN_STALLS)
    _print(columns, map(_apart, judged.logs))


def _headline(checked: Fidelity) -> tuple[str, ...]:
    headline, few = checked.headline, " *" if checked.few_jobs else ""
    return (
        checked.log,
        f"{len(headline.jobs)}{few}",
        percent(checked.plain.mean_error),
        f"**{percent(headline.mean_error)}**",
        in_range_text(headline),
        signed_percent(headline.makespan_error),
        makespan_range(headline),
        signed_percent(checked.plain.makespan_error),
    )


def _means(judged: JudgedLogs) -> list[tuple[str, ...]]:
    held, asked = judged.in_range
    rows: list[tuple[str, ...]] = []
    for title, mean in (("logs", judged.mean), ("jobs", judged.mean_by_jobs)):
        plain, headline = (
            mean(lambda each: each.plain.mean_error),
            mean(lambda each: each.headline.mean_error),
        )
        ends = mean(lambda each: abs(each.headline.makespan_error))
        plain_ends = mean(lambda each: abs(each.plain.makespan_error))
        means = (
            percent(plain),
            f"**{percent(headline)}**",
            f"{held} of {asked}",
            percent(ends),
            "",
            percent(plain_ends),
        )
        rows.append((f"mean of the {title}, without signs", "", *means))
    return rows


def _apart(checked: Fidelity) -> tuple[str, ...]:
    replays = map(checked.replay, (OTHERS_STALLS, OWN, OWN_STALLS))
    return (checked.log, *("" if each is None else _and_in_range(each) for each in replays))


def _and_in_range(replay: ModelReplay) -> str:
    held = in_range_text(replay)
    return percent(replay.mean_error) + (f" ({held})" if held else "")


def _print(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    for row in (columns, ("---",) * len(columns), *rows):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
