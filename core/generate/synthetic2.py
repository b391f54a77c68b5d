"""The Synthetic2 workload: as Synthetic1 with shorter, less spread tasks and fewer long jobs."""

from __future__ import annotations

from core.generate.family import Family, common_parameters
from core.generate.normal_jobs import NormalJobs
from core.parameters import Parameter

JOBS = NormalJobs(
    maps=100,
    reduces=50,
    map_seconds=(20.0, 100.0),
    reduce_seconds=(50.0, 200.0),
    long_share=0.1,
    short_scales=(1.0, 3.0),
    long_scales=(8.0, 10.0),
)

SYNTHETIC2 = Family(
    id="synthetic2",
    title="Synthetic2",
    summary="As Synthetic1 with shorter tasks, 90 % short jobs and 10 % long ones.",
    source=(
        "Verma, Cherkasova, Campbell: Orchestrating an Ensemble of MapReduce Jobs for Minimizing Their "
        "Makespan, section 4.1"
    ),
    parameters=(
        *common_parameters(slots=100, shuffle_share=0.0),
        Parameter(
            "bimodal",
            "boolean",
            True,
            "90 % short jobs (scaled by 1 to 3) and 10 % long ones (8 to 10), instead of all by 1 to 10.",
        ),
    ),
    draw=JOBS.draw,
)
