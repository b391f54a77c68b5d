"""The Synthetic1 workload: jobs of 1 to 100 maps and 1 to 50 reduces with widely spread durations."""

from __future__ import annotations

from core.generate.normal_jobs import NormalJobs

JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(100.0, 1000.0),
    reduce_seconds=(200.0, 2000.0),
    long_share=0.2,
    short_scales=(1.0, 2.0),
    long_scales=(8.0, 10.0),
)

SYNTHETIC1 = JOBS.family(
    "synthetic1",
    "Synthetic1",
    "Jobs of up to 100 maps and 50 reduces with widely spread durations, of one kind or two.",
    slots=100,
    bimodal=False,
)
