"""The Yahoo! M45 workload: jobs of very different sizes, with a scale of durations for each job."""

from __future__ import annotations

from core.generate.normal_jobs import NormalJobs

JOBS = NormalJobs(
    maps=(154.0, 558.0),
    reduces=(19.0, 145.0),
    map_seconds=(50.0, 200.0),
    reduce_seconds=(100.0, 300.0),
    long_share=0.2,
    short_scales=(1.0, 2.0),
    long_scales=(8.0, 10.0),
)

YAHOO = JOBS.family(
    "yahoo",
    "Yahoo! M45",
    "Jobs of normally distributed numbers of maps and reduces, of one kind or two.",
    slots=200,
    bimodal=False,
)
