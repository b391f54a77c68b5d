"""What is still to be scanned, as subjobs with their precedence (003 Figure 3: chains; Figure 4: sets).

A subjob is what just the same jobs still need. It comes before every other one that serves some of its jobs
and no more: with whole datasets that makes chains, with sets of blocks a graph from most to least shared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from core.shared_scans.scan_jobs import shared_work

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from core.shared_scans.scan_jobs import ScanJobs
    from core.shared_scans.scan_track import ScanTrack

SHORTEST = 1e-9
"""Turns below which nothing is left."""


class Need(NamedTuple):
    """What a job of a group still needs of a track, in turns; `turns` is how far the scan of that is."""

    job: int
    group: int
    track: ScanTrack
    left: float
    turns: float
    has_boarded: bool


@dataclass(frozen=True, slots=True)
class SubjobLeft:
    """Blocks that just the same jobs still need.

    Attributes
    ----------
    jobs : whom it serves, the oldest first
    place : k of the subjob (dataset, k) at the last plan, from 1
    turns : how much of the dataset it is
    seconds : slot-seconds that it takes
    where : the stretches of the circle, each its begin and its length in turns
    after : which subjobs come right before it, by their place in the list
    depth : how many come before it, one after the other
    has_boarded : whether its jobs have boarded; else they wait for their window
    """

    jobs: tuple[int, ...]
    place: int
    turns: float
    seconds: float
    where: tuple[tuple[float, float], ...]
    after: tuple[int, ...]
    depth: int
    has_boarded: bool


def subjobs_left(
    needs: Sequence[Need],
    jobs: ScanJobs,
    work: NDArray[np.float64],
    place_of: Callable[[int, tuple[int, ...]], int],
) -> tuple[SubjobLeft, ...]:
    """Return the subjobs of some jobs, group by group, those that come first before those that wait for them.

    Parameters
    ----------
    needs : what each job needs of each track; the jobs of a group by boarding
    jobs : whose scan fractions count
    work : slot-seconds of a whole turn of each job's dataset, (jobs,)
    place_of : the number of a subjob, by its group and jobs; 0 for the next one
    """
    links = _links(needs)
    place = {key: place_of(*key) for key in links}
    keys = sorted(links, key=lambda key: (key[0], -len(key[1]), place[key], key[1]))
    found: list[SubjobLeft] = []
    for index, (group, served) in enumerate(keys):
        before = [i for i in range(index) if keys[i][0] == group and set(keys[i][1]) > set(served)]
        nearest = [i for i in before if not any(set(keys[i][1]) > set(keys[j][1]) for j in before)]
        turns = sum(length for _, length in links[group, served])
        first = served[0]
        seconds = shared_work(turns * float(work[first]), float(jobs.scan_fraction[first]), len(served))
        peers = sum(key[0] == group for key in keys[:index])
        found.append(
            SubjobLeft(
                jobs=served,
                place=place[group, served] or peers + 1,
                turns=turns,
                seconds=seconds,
                where=tuple(links[group, served]),
                after=tuple(nearest),
                depth=max((found[i].depth + 1 for i in before), default=0),
                has_boarded=all(need.has_boarded for need in needs if need.job in served),
            )
        )
    return tuple(found)


def _links(needs: Sequence[Need]) -> dict[tuple[int, tuple[int, ...]], list[tuple[float, float]]]:
    """Return where each subjob is, by its group and the jobs that it serves."""
    tracks: dict[int, list[Need]] = {}
    for need in needs:
        tracks.setdefault(id(need.track), []).append(need)
    links: dict[tuple[int, tuple[int, ...]], list[tuple[float, float]]] = {}
    for own in tracks.values():
        done = 0.0
        for need in sorted(own, key=lambda each: each.left):
            length = need.left - done
            if length <= SHORTEST:
                continue
            served = tuple(sorted(other.job for other in own if other.left > done + SHORTEST))
            begin = need.turns + done
            links.setdefault((need.group, served), []).extend(need.track.wrapped(begin, begin + length))
            done = need.left
    return links
