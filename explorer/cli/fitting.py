"""`slotscope fit`: which distributions a job's durations follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.cli.requests import named_job, open_named_workload
from explorer.cli.screen import print_json, print_line, print_table, progress, seconds

if TYPE_CHECKING:
    from argparse import Namespace

    from core.generate.fitted import PartFits

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""


def fit(options: Namespace) -> int:
    """Fit distributions to one job and print them."""
    from core.generate.fitted import fit_job

    job = named_job(open_named_workload(options.workload), options.job)
    with progress(f"Fitting {job.name}"):
        parts = fit_job(job)
    if options.json:
        print_json({"version": VERSION, "job": job.name, "parts": [_json(part) for part in parts]})
        return 0
    for part in parts:
        _print(part)
    print_line(
        "Distance: Kolmogorov-Smirnov, 0 is best; times in seconds. "
        "'slotscope generate fitted --from W --job NAME' draws from the best."
    )
    return 0


def _print(part: PartFits) -> None:
    low, high = float(part.samples[0]), float(part.samples[-1])
    count = f"{len(part.samples)} sample{'' if len(part.samples) == 1 else 's'}"
    title = f"{part.title}: {count} from {seconds(low)} s to {seconds(high)} s"
    rows = [(fit.distribution.title, f"{fit.distance:.4f}", str(fit.distribution)) for fit in part.fits]
    rows += [(title, "–", reason) for title, reason in part.left_out]
    print_table(title, ("distribution", ">distance", "parameters"), rows)


def _json(part: PartFits) -> dict[str, Any]:
    return {
        "part": part.part,
        "samples": len(part.samples),
        "least": float(part.samples[0]),
        "most": float(part.samples[-1]),
        "fits": [
            {
                "distribution": fit.distribution.kind,
                "parameters": dict(
                    zip(fit.distribution.described.names, fit.distribution.values, strict=True)
                ),
                "zeros": fit.distribution.zeros,
                "text": str(fit.distribution),
                "distance": fit.distance,
            }
            for fit in part.fits
        ],
        "left_out": [{"distribution": title, "reason": reason} for title, reason in part.left_out],
    }
