"""The Synthetic2 workload: as Synthetic1 with shorter, less spread tasks and fewer long jobs."""

from __future__ import annotations

from core.generate.normal_jobs import NormalJobs

JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(20.0, 100.0),
    reduce_seconds=(50.0, 200.0),
    long_share=0.1,
    short_scales=(1.0, 3.0),
    long_scales=(8.0, 10.0),
)

SYNTHETIC2 = JOBS.family(
    "synthetic2",
    "Synthetic2",
    "As Synthetic1 with shorter tasks, 90 % short jobs and 10 % long ones.",
    slots=100,
    bimodal=True,
)
