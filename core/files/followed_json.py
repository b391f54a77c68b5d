"""What decides the starts of a scenario - policy, order and pools made by hand, forks - as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.model.partition import Partition, SlotPool
from core.model.schedule import Fork, PolicyChoice, forks_of

if TYPE_CHECKING:
    from core.model.schedule import Forkable


def followed_to_json(followed: Forkable) -> dict[str, Any]:
    """Return policy, order and pools; forks stand beside them, in a list: see `forks_to_json`."""
    return {
        "policy": followed.choice.id,
        "parameters": dict(followed.choice.parameters),
        "order": None if followed.order is None else list(followed.order),
        "pools": followed.partition and [_pool_to_json(pool) for pool in followed.partition.pools],
    }


def forks_to_json(followed: Forkable) -> list[dict[str, Any]]:
    """Return who decided before, the earliest first, and until when."""
    return [
        {"time": fork.time, "decisions": fork.decisions, **followed_to_json(fork)}
        for fork in forks_of(followed)
    ]


def _pool_to_json(pool: SlotPool) -> dict[str, Any]:
    return {
        "name": pool.name,
        "map_slots": pool.map_slots,
        "reduce_slots": pool.reduce_slots,
        "jobs": list(pool.jobs),
    }


def choice_from_json(document: dict[str, Any]) -> PolicyChoice:
    """Read the policy with its parameters."""
    return PolicyChoice(document["policy"], document.get("parameters", {}))


def order_from_json(document: dict[str, Any]) -> tuple[str, ...] | None:
    """Read the order made by hand."""
    order = document.get("order")
    return None if order is None else tuple(order)


def partition_from_json(document: dict[str, Any]) -> Partition | None:
    """Read the pools made by hand."""
    pools = document.get("pools")
    if pools is None:
        return None
    return Partition(
        tuple(
            SlotPool(
                pool["name"],
                int(pool.get("map_slots", 0)),
                int(pool.get("reduce_slots", 0)),
                tuple(pool.get("jobs", ())),
            )
            for pool in pools
        )
    )


def fork_from_json(document: dict[str, Any]) -> Fork | None:
    """Read the forks; the last one is the scenario's own."""
    fork: Fork | None = None
    for part in document.get("forks") or []:
        now = Fork(
            float(part["time"]),
            int(part.get("decisions", 0)),
            choice_from_json(part),
            order_from_json(part),
            partition_from_json(part),
        )
        fork = replace(now, fork=fork)
    return fork


def followed_outline(document: Any) -> Any:
    """Leave out lists of nothing but names, which need not be shown to the schema."""
    if not isinstance(document, dict):
        return document
    outline = _without_names(document, "order")
    for key, of_one in (("pools", _pool_outline), ("forks", followed_outline)):
        if isinstance(outline.get(key), list):
            outline = outline | {key: [of_one(item) for item in outline[key]]}
    return outline


def _pool_outline(pool: Any) -> Any:
    return _without_names(pool, "jobs") if isinstance(pool, dict) else pool


def _without_names(owner: dict[str, Any], key: str) -> dict[str, Any]:
    names = owner.get(key)
    return owner | {key: []} if isinstance(names, list) and set(map(type, names)) <= {str} else owner
