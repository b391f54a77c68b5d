"""The sample workloads that come with Slotscope, by short name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from core.files.json_text import parse_json, read_bytes
from core.files.resources import sample_folder
from core.files.workload_document import read_workload
from core.model.errors import UnknownName

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.workload import Workload

SUFFIX = ".workload.json"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample workload.

    Attributes
    ----------
    name : what the command line calls it
    title, description : for people
    path : its file
    jobs : number of jobs
    """

    name: str
    title: str
    description: str
    path: Path
    jobs: int


@cache
def samples() -> tuple[Sample, ...]:
    """Return the samples, those with few jobs first."""
    paths = sample_folder().glob(f"*{SUFFIX}*")
    found = [_sample(path) for path in paths if path.name.endswith((SUFFIX, f"{SUFFIX}.gz"))]
    return tuple(sorted(found, key=lambda sample: (sample.jobs, sample.name)))


def load_sample(name: str) -> Workload:
    """Return the workload of a sample; UnknownName with the nearest name if there is none."""
    by_name = {sample.name: sample for sample in samples()}
    if name not in by_name:
        raise UnknownName("sample", name, by_name)
    return _load(by_name[name].path)


@cache
def _load(path: Path) -> Workload:
    return read_workload(path)


def _sample(path: Path) -> Sample:
    # The samples are ours: what the list shows is taken without checking the whole document.
    document = parse_json(read_bytes(path), path.name)
    name = path.name.split(SUFFIX)[0]
    return Sample(name, document["name"], document["description"], path, len(document["jobs"]))
