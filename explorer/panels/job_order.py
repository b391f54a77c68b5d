"""Orders of jobs as the table needs them: carried over to changed jobs, and changed by a drop."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


def carried_over(order: Sequence[str], before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """Return an order of the jobs `before` as one of the jobs `after`.

    If there are as many, names stand for their successors at the same place (a job was renamed). Else jobs
    that are gone leave and new ones follow at the end.
    """
    if len(before) == len(after):
        successor = dict(zip(before, after, strict=True))
        return completed([successor.get(name, name) for name in order], after)
    return completed(order, after)


def completed(order: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Return the order without unknown names and with those it lacks at the end."""
    known = set(names)
    return tuple(dict.fromkeys((*(name for name in order if name in known), *names)))


def with_block_at(order: Sequence[str], moved: Collection[str], row: int) -> tuple[str, ...]:
    """Return the order with some names, kept in their order, put before the one that is at `row` now."""
    chosen = set(moved)
    block = [name for name in order if name in chosen]
    before = [name for name in order[:row] if name not in chosen]
    after = [name for name in order[row:] if name not in chosen]
    return (*before, *block, *after)


def matching(order: Sequence[str], texts: Mapping[str, str], filter_text: str) -> list[str]:
    """Return the names whose text (in lower case) contains every word of the filter."""
    words = filter_text.lower().split()
    return [name for name in order if all(word in texts[name] for word in words)]
