"""All workload families, and the one way to generate a workload, so that it can be made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.generate.dhfs import DHFS
from core.generate.family import Drawn, Family, suggested_cluster
from core.generate.fitted import FITTED
from core.generate.omo import OMO
from core.generate.scans import CIRCUMFLEX
from core.generate.simmr import FACEBOOK, SYNTHETIC1, SYNTHETIC2, YAHOO
from core.generate.tpch import TPCH
from core.generate.workflow import WORKFLOW
from core.model.errors import InputError, UnknownName, shorten
from core.model.limits import is_whole
from core.model.parameters import check_parameters
from core.model.workload import Origin, Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_SEED = 2**53 - 1
"""Every program that reads JSON keeps whole numbers up to this one."""

FAMILIES = (FACEBOOK, YAHOO, SYNTHETIC1, SYNTHETIC2, DHFS, CIRCUMFLEX, OMO, TPCH, WORKFLOW, FITTED)
"""In the order in which they are offered."""


def describe_family(family_id: str) -> Family:
    """Return a family by id; UnknownName with the nearest id if there is none."""
    known = {family.id: family for family in FAMILIES}
    if family_id not in known:
        raise UnknownName("workload family", family_id, known)
    return known[family_id]


def generate(family_id: str, *, seed: int = 1, parameters: Mapping[str, Any] | None = None) -> Workload:
    """Draw a workload; equal arguments give equal bits.

    Parameters
    ----------
    family_id : of one of `FAMILIES`
    seed : a whole number from 0
    parameters : values by name (text is parsed); the rest take their defaults

    Raises
    ------
    UnknownName
        no such family or parameter
    InputError
        a value or the seed breaks its rule
    """
    family = describe_family(family_id)
    chosen = check_parameters(family.parameters, parameters or {}, family.id)
    if not is_whole(seed, 0, LARGEST_SEED):
        raise InputError(
            f"{family.id}: the seed is {shorten(seed)}; give a whole number from 0 to {LARGEST_SEED}"
        )
    random = np.random.Generator(np.random.PCG64(seed))
    drawn = family.draw(random, chosen)
    if not isinstance(drawn, Drawn):
        drawn = Drawn(drawn)
    jobs = drawn.jobs
    return Workload(
        name=f"{family.title}, {len(jobs)} {'job' if len(jobs) == 1 else 'jobs'}",
        jobs=tuple(jobs),
        datasets=drawn.datasets,
        cluster=drawn.cluster or suggested_cluster(chosen),
        description=family.summary,
        source=f"Generated with seed {seed} after {family.source}.",
        origin=Origin(family.id, seed, tuple(chosen.items())),
    )
