"""The Yahoo! M45 workload: jobs of very different sizes, with a scale of durations for each job."""

from __future__ import annotations

from core.generate.family import Family, common_parameters
from core.generate.normal_jobs import NormalJobs
from core.parameters import Parameter

JOBS = NormalJobs(
    maps=(154.0, 558.0),
    reduces=(19.0, 145.0),
    map_seconds=(50.0, 200.0),
    reduce_seconds=(100.0, 300.0),
    long_share=0.2,
    short_scales=(1.0, 2.0),
    long_scales=(8.0, 10.0),
)

YAHOO = Family(
    id="yahoo",
    title="Yahoo! M45",
    summary="Jobs of normally distributed numbers of maps and reduces, of one kind or two.",
    source=(
        "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
        "Makespan, section 4.1"
    ),
    parameters=(
        *common_parameters(slots=200, shuffle_share=0.0),
        Parameter(
            "bimodal",
            "boolean",
            False,
            "80 % short jobs (scaled by 1 to 2) and 20 % long ones (8 to 10), instead of all by 1 to 10.",
        ),
    ),
    draw=JOBS.draw,
)
