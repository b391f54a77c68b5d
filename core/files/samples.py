"""The worked examples that come with Slotscope: each a workload document with what to look for.

The key ``example`` of such a document has a sentence or two (``look``) and the scenarios that make the point,
as sessions have them, each with the makespan that it gives; perhaps also where the time cursor
stands (``cursor``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.json_text import parse_json, read_bytes
from core.files.resources import sample_folder
from core.model.document_state import DocumentState
from core.model.errors import DocumentError, UnknownName

if TYPE_CHECKING:
    from core.model.document_state import Scenario
    from core.model.errors import Problem
    from core.model.workload import Workload

SUFFIX = ".workload.json"


@dataclass(frozen=True)
class Sample:
    """One worked example.

    Attributes
    ----------
    name : what the command line calls it
    title, description : as shown
    look : what to look for, in one or two sentences
    path : its file
    jobs : number of jobs
    scenarios : as the document has them, each with its `makespan` in seconds
    cursor : where the time cursor stands when it opens, in seconds; None for no cursor
    """

    name: str
    title: str
    description: str
    look: str
    path: Path
    jobs: int
    scenarios: tuple[dict[str, Any], ...]  # Any: values of JSON
    cursor: float | None

    @cached_property
    def state(self) -> DocumentState:
        """The document that it opens as; raises DocumentError where its file breaks rules."""
        from core.files.session_document import scenario_from_json  # a workload alone needs no sessions

        workload = _load(self.path)
        problems: list[Problem] = []
        plain = [
            {key: value for key, value in raw.items() if key != "makespan"} | {"id": i + 1}
            for i, raw in enumerate(self.scenarios)
        ]
        scenarios = tuple(
            scenario_from_json(raw, f"example.scenarios[{i}]", problems) for i, raw in enumerate(plain)
        )
        if problems:
            raise DocumentError(self.path.name, problems)
        return DocumentState(workload, workload.cluster, scenarios, 1, len(scenarios) + 1)


@cache
def sample_paths() -> dict[str, Path]:
    """Return the samples' files by name."""
    paths = sample_folder().glob(f"*{SUFFIX}*")
    return {
        path.name.split(SUFFIX)[0]: path for path in paths if path.name.endswith((SUFFIX, f"{SUFFIX}.gz"))
    }


@cache
def samples() -> tuple[Sample, ...]:
    """Return the samples, those with few jobs first."""
    found = [_described(name, path) for name, path in sample_paths().items()]
    return tuple(sorted(found, key=lambda sample: (sample.jobs, sample.name)))


def _described(name: str, path: Path) -> Sample:
    # The samples are ours: what the list shows is taken without checking the whole document.
    document = parse_json(read_bytes(path), path.name)
    example = document["example"]
    texts = document["name"], document["description"], example["look"]
    scenarios = tuple(example["scenarios"])
    return Sample(name, *texts, path, len(document["jobs"]), scenarios, example.get("cursor"))


def own_scenarios(source: str | Path) -> tuple[Scenario, ...]:
    """Return the scenarios of a sample, or of a document of its form; none of any other workload.

    Raises
    ------
    DocumentError
        the document breaks rules
    """
    path = Path(source)
    if not path.exists():
        return find_sample(str(source)).state.scenarios if str(source) in sample_paths() else ()
    document = parse_json(read_bytes(path), path.name)
    has_own = isinstance(document, dict) and "scenarios" in (document.get("example") or ())
    return _described(path.name, path).state.scenarios if has_own else ()


def find_sample(name: str) -> Sample:
    """Return a sample; UnknownName with the nearest name if there is none."""
    for sample in samples():
        if sample.name == name:
            return sample
    raise UnknownName("sample", name, sample_paths())


def load_sample(name: str, kind: str = "sample") -> Workload:
    """Return the workload of a sample; UnknownName with the nearest name if there is none."""
    if name not in sample_paths():
        raise UnknownName(kind, name, sample_paths())
    return _load(sample_paths()[name])


@cache
def _load(path: Path) -> Workload:
    from core.files.workload_document import read_workload  # names of samples need no document

    return read_workload(path)
