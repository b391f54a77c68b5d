"""Fronts, ``*.json``: plans between two goals, each with its schedule and the proof of its bound.

The jobs and the cluster stand there once, so that `core.verify.check_front` needs nothing else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.files.json_text import FRONT_FORMAT, parse_json, read_bytes
from core.model.time_text import fine_percent
from core.verify.certificate import Certificate, subject
from core.verify.check import PREMISE, check
from core.verify.check_front import VERSION, check_front

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.verify.check_front import FrontInspection


@dataclass(frozen=True)
class FrontFile:
    """A front with its proofs, as the checker has seen it.

    Attributes
    ----------
    document : the JSON value that is written to a file
    verdict : what the checker says of it
    """

    document: Mapping[str, Any]
    verdict: FrontInspection

    @property
    def is_confirmed(self) -> bool:
        """Whether the checker accepts it."""
        return not self.verdict.problems

    def rows(self, write_value: Callable[[str, float], str]) -> list[tuple[str, ...]]:
        """Return of each point its place, both values and its gap, in words, of a front that is confirmed.

        Parameters
        ----------
        write_value : writes a value of a goal, by the goal's name
        """
        goals = self.document["goals"]
        rows = []
        for place, (values, found) in enumerate(
            zip(self.verdict.values, self.verdict.points, strict=True), 1
        ):
            gap = fine_percent(max(found.value / found.bound - 1, 0.0)) if found.bound > 0 else "–"
            texts = [write_value(goal, value) for goal, value in zip(goals, values, strict=True)]
            rows.append((str(place), *texts, gap))
        return rows


def front_file(
    workload: Workload,
    cluster: Cluster,
    goals: Sequence[str],
    points: Sequence[Mapping[str, Any]],
    alone: NDArray[Any] | None = None,
    why_no_proof: str = "",
    ranges: Sequence[Mapping[str, Any]] = (),
) -> FrontFile:
    """Return a front as it is written to a file, checked.

    Parameters
    ----------
    goals : two names
    points : of each `values`, `weights`, `best`, `bound`, `gap`, `proof`, `schedule` and `plan`
    alone : how long each job takes alone, s, (jobs,); for the largest stretch only
    why_no_proof : why points have no proof and no schedule; empty if they have
    ranges : what bounds mixes by when all is over, prices with `until` and `of`
    """
    head = {"format": FRONT_FORMAT, "version": VERSION, "workload": workload.name, "goals": list(goals)}
    about: dict[str, Any] = (
        {"why_no_proof": why_no_proof} if why_no_proof else subject(workload, cluster, alone)
    )
    if ranges:
        about |= {"ranges": [dict(part) for part in ranges]}
    document = {**head, "premise": PREMISE, **about, "points": [dict(point) for point in points]}
    return FrontFile(document, check_front(document))


def read_proof(path: str | os.PathLike[str]) -> Certificate | FrontFile:
    """Read a certificate or a front, gzipped or not, and check it: what is wrong with it is in its verdict.

    Raises
    ------
    InputError
        the file cannot be read, or is no JSON
    """
    document = parse_json(read_bytes(path), os.path.basename(os.fspath(path)))
    if isinstance(document, dict) and document.get("format") == FRONT_FORMAT:
        return FrontFile(document, check_front(document))
    return Certificate(document, check(document))
