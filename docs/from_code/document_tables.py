"""Kinds of files, logs, samples and generators."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.files.resources import resource_path
from core.files.samples import samples
from core.generate.families import FAMILIES
from core.logs.readers import READERS
from core.model.time_text import duration_text
from docs.from_code.markdown import code, table

if TYPE_CHECKING:
    from core.files.samples import Sample


def file_kinds() -> str:
    """Return a table of Slotscope's own kinds of files, as their schemas describe them."""
    rows = []
    for path in sorted(resource_path("schemas").glob("*.schema.json")):
        words = json.loads(path.read_text("utf-8"))["description"]
        what, _, rest = words.partition("; ")
        ending = rest.partition(",")[0].lstrip("*")
        rows.append((code(ending), what, f"`resources/schemas/{path.name}`"))
    return table(["ending", "what is in it", "schema"], rows)


def log_parameters() -> str:
    """Return a table of what can be said about a log that does not say it itself."""
    rows = [
        (reader.title, code(each.name), code(str(each.default)), each.unit, each.help)
        for reader in READERS
        for each in reader.parameters
    ]
    return table(["log", "parameter", "default", "unit", "what it means"], rows)


def sample_list() -> str:
    """Return a table of the worked examples: what to look for, and the scenarios that they open with."""
    rows = [(code(each.name), each.jobs, each.look, _scenarios(each)) for each in samples()]
    return table(["sample", "jobs", "what to look for", "opens with"], rows)


def _scenarios(sample: Sample) -> str:
    """Return the scenarios of a sample with the makespans that its file says, which tests simulate."""
    names = [(raw.get("title") or raw["policy"], duration_text(raw["makespan"])) for raw in sample.scenarios]
    return "; ".join(f"{name}: {time}" for name, time in names)


def families() -> str:
    """Return a table of the generators of workloads."""
    return table(
        ["family", "what it draws", "where its figures come from"],
        [(code(each.id), each.summary, each.source) for each in FAMILIES],
    )
