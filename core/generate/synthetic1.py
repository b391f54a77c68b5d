"""The Synthetic1 workload: jobs of 1 to 100 maps and 1 to 50 reduces with widely spread durations."""

from __future__ import annotations

from core.generate.family import Family, common_parameters
from core.generate.normal_jobs import NormalJobs
from core.parameters import Parameter

JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(100.0, 1000.0),
    reduce_seconds=(200.0, 2000.0),
    long_share=0.2,
    short_scales=(1.0, 2.0),
    long_scales=(8.0, 10.0),
)

SYNTHETIC1 = Family(
    id="synthetic1",
    title="Synthetic1",
    summary="Jobs of up to 100 maps and 50 reduces with widely spread durations, of one kind or two.",
    source=(
        "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
        "Makespan, section 4.1"
    ),
    parameters=(
        *common_parameters(slots=100, shuffle_share=0.0),
        Parameter(
            "bimodal",
            "boolean",
            False,
            "80 % short jobs (scaled by 1 to 2) and 20 % long ones (8 to 10), instead of all by 1 to 10.",
        ),
    ),
    draw=JOBS.draw,
)
