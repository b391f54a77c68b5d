"""The order in which subjobs should get slots: one rule for sums, one for maxima.

Both are optimal for an interim problem: one machine with the power of all slots, one subjob at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def smith_order(
    chains: Sequence[Sequence[tuple[float, float]]],
) -> list[tuple[int, int]]:
    """Order the links of chains by the generalized Smith's rule (003 B.1).

    From every chain take the prefix with the smallest ratio of summed work to summed weight; schedule the
    best prefix of all, and repeat.

    Parameters
    ----------
    chains : for each chain the (work, weight) of its subjobs, first to last

    Returns
    -------
    (chain, place in the chain), first to last; minimises the sum of weight times completion time
    """
    begin = [0] * len(chains)
    order: list[tuple[int, int]] = []
    while any(begin[d] < len(chain) for d, chain in enumerate(chains)):
        prefixes = [
            (_ratio(chain[begin[d] : k + 1]), d, k)
            for d, chain in enumerate(chains)
            for k in range(begin[d], len(chain))
        ]
        _, best, last = min(prefixes)
        order += [(best, k) for k in range(begin[best], last + 1)]
        begin[best] = last + 1
    return order


def _ratio(links: Sequence[tuple[float, float]]) -> float:
    return sum(work for work, _ in links) / sum(weight for _, weight in links)


def backwards_order(
    work: Mapping[int, float],
    successors: Mapping[int, set[int]],
    penalty: Callable[[int, float, Sequence[int]], float],
) -> list[int]:
    """Order subjobs so that the largest penalty is as small as possible (003 B.2).

    From the end backwards: last comes the one that costs least there, among those without a successor left.
    (Line 2 of the paper's listing says predecessor, which would build the order forwards.)

    Parameters
    ----------
    work : time of each subjob on the whole cluster, by its number
    successors : the subjobs that must come after each one
    penalty : what it costs to end a subjob at a time, given the subjobs that come later; never falls with
        time

    Returns
    -------
    The subjobs, first to last; of two that cost the same the one with the larger number comes later.
    """
    left = set(work)
    later: list[int] = []
    end = sum(work.values())
    while left:
        free = [j for j in left if not successors[j] & left]
        best = min(free, key=lambda j: (penalty(j, end, later), -j))
        later.append(best)
        left.remove(best)
        end -= work[best]
    return later[::-1]
