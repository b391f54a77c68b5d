"""Steps that edit the pools which sharing policies know: their settings and their names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.pool import Pool
from explorer.document.commands import SetPools
from explorer.document.titles import called

if TYPE_CHECKING:
    from explorer.document.document import Document
    from explorer.document.pool_fields import PoolFieldInfo


def pool_named(document: Document, name: str) -> Pool:
    """Return a pool's settings as they are set; the defaults for one without."""
    listed = {pool.name: pool for pool in document.workload.pool_settings}
    return listed.get(name) or Pool(name)


def edit_pool(document: Document, name: str, field: PoolFieldInfo, text: str, gesture: int) -> SetPools:
    """Write what was typed into one setting of a pool; InputError if it makes no sense there."""
    changed = field.write(pool_named(document, name), text)
    words = f"Set {field.title.lower()} of {called(name)} to {text.strip() or field.empty}"
    return _step(document, words, _with(document, changed), (name, field.id, gesture))


def rename_pool(document: Document, old: str, new: str) -> SetPools:
    """Give a pool another name, in its settings and in all its jobs."""
    new = new.strip()
    if not new:
        raise InputError("a pool needs a name")
    if new != old and new in document.workload.pools:
        raise InputError(f"another pool is called '{new}'; give every pool its own name")
    pools = tuple(replace(p, name=new) if p.name == old else p for p in document.workload.pool_settings)
    jobs = tuple(replace(j, pool=new) if j.pool == old else j for j in document.workload.jobs)
    before = (document.workload.pool_settings, document.workload.jobs)
    return SetPools(document, f"Rename {called(old)} to {new}", before, (pools, jobs), ("rename", old))


def add_pool(document: Document) -> SetPools:
    """Add a pool without jobs, with the default settings and a name that is free."""
    number = len(document.workload.pools) + 1
    while f"pool {number}" in document.workload.pools:
        number += 1
    pool = Pool(f"pool {number}")
    return _step(document, f"Add {called(pool.name)}", (*_listed(document), pool), ("add", pool.name))


def remove_pool(document: Document, name: str) -> SetPools:
    """Remove a pool without jobs, or forget the settings of one that has some."""
    if any(job.pool == name for job in document.workload.jobs):
        text = f"Forget the settings of {called(name)}"
        return _step(document, text, _with(document, Pool(name)), ("forget", name))
    pools = tuple(pool for pool in _listed(document) if pool.name != name)
    return _step(document, f"Remove {called(name)}", pools, ("remove", name))


def _listed(document: Document) -> tuple[Pool, ...]:
    """Return the settings of every pool: listed all, they stay in this order whatever is edited."""
    return tuple(pool_named(document, name) for name in document.workload.pools)


def _with(document: Document, changed: Pool) -> tuple[Pool, ...]:
    return tuple(changed if pool.name == changed.name else pool for pool in _listed(document))


def _step(document: Document, text: str, pools: tuple[Pool, ...], what: tuple[object, ...]) -> SetPools:
    workload = document.workload
    return SetPools(document, text, (workload.pool_settings, workload.jobs), (pools, workload.jobs), what)
