"""Values of a document as JSON beside raw columns, as what differs from an earlier value.

A journal writes one of these at every edit, so it must be quick for a million tasks: what an edit left alone
is named and not written, samples are copied as they lie in memory, and many jobs are written field by field.
Nothing of it is code: what is read can only become the frozen values listed in `CLASSES`.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from inspect import signature
from itertools import accumulate, pairwise
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.cluster import Cluster
from core.model.document_state import DocumentState, Scenario
from core.model.estimates import DurationEstimates
from core.model.executors_on_demand import ExecutorsOnDemand
from core.model.in_parts import joined
from core.model.job import Dataset, Job, Link
from core.model.killed_copies import KilledCopy
from core.model.levers import JobPlan, StagePlan
from core.model.many_jobs import JobColumns
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.pool import Pool
from core.model.recorded_run import RecordedGraphs, RecordedRun, Unfinished
from core.model.schedule import Fork, PolicyChoice
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Origin, Workload

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

CLASSES: Mapping[str, Any] = {  # Any: constructors of all kinds
    each.__name__: each
    for each in (
        DocumentState,
        Scenario,
        PolicyChoice,
        DurationEstimates,
        Partition,
        SlotPool,
        Fork,
        Plan,
        JobPlan,
        StagePlan,
        Workload,
        Job,
        Stage,
        StageGraph,
        Edge,
        Link,
        Dataset,
        Pool,
        Origin,
        ExecutorsOnDemand,
        RecordedGraphs,
        RecordedRun,
        Unfinished,
        Cluster,
        Overheads,
        NodeGroup,
        Request,
        SlotTime,
        KilledCopy,
        NodeEvents,
        NodeEvent,
        SpotNodes,
    )
}
MAX_PAIRS = 20
"""So many changed values of a tuple are written as what differs from those in their places."""
SCALARS = frozenset((type(None), bool, int, float, str))
LARGEST_INT = 2**63 - 1
NOTHING = object()
"""In the place of an earlier value where there is none."""


class Packer:
    """Packs values; the arrays they consist of are collected in `arrays`."""

    def __init__(self) -> None:
        self.arrays: list[NDArray[Any]] = []

    def pack(self, value: Any, old: Any = NOTHING) -> Any:
        """Return a value as JSON from which `Unpacker`, with the arrays and the old value, makes it again."""
        if value is old:
            return ["="]
        value, old = (tuple(each) if isinstance(each, JobColumns) else each for each in (value, old))
        if type(value) in SCALARS:
            return value
        if isinstance(value, tuple):
            return self._difference(value, old if isinstance(old, tuple) else ())
        if isinstance(value, np.ndarray):
            return ["array", self._array(value)]
        if isinstance(value, np.generic):
            return value.item()
        if not is_dataclass(value):  # the parameters of a policy
            return {name: self.pack(each) for name, each in value.items()}
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        if type(old) is not type(value):
            return ["new", type(value).__name__, {name: self.pack(each) for name, each in pairs}]
        changed = [(name, each, getattr(old, name)) for name, each in pairs]
        return ["like", {name: self.pack(*pair) for name, *pair in changed if pair[0] is not pair[1]}]

    def _difference(self, value: tuple[Any, ...], old: tuple[Any, ...]) -> Any:
        """Return what stands between the equal beginnings and ends of two tuples, and how long those are."""
        before = _equal(zip(value, old, strict=False))
        rest = min(len(value), len(old)) - before
        behind = min(rest, _equal(zip(reversed(value), reversed(old), strict=False))) if rest else 0
        middle, others = value[before : len(value) - behind], old[before : len(old) - behind]
        if 0 < len(middle) == len(others) and is_dataclass(middle[0]):
            if len(middle) <= MAX_PAIRS:
                return ["pairs", before, [self.pack(*pair) for pair in zip(middle, others, strict=True)]]
            if set(map(type, middle)) == set(map(type, others)) == {type(middle[0])}:
                return ["changed", before, len(middle), self._changed_columns(middle, others)]
        return ["tuple", before, behind, self._many(middle)]

    def _changed_columns(self, values: Sequence[Any], old: Sequence[Any]) -> dict[str, Any]:
        """Return what values have in each field, where it is not all the same as in the old ones."""
        changed = {}
        for field in fields(values[0]):
            column, old_column = (list(map(attrgetter(field.name), each)) for each in (values, old))
            if not all(map(is_, column, old_column)):
                changed[field.name] = self._many(column)
        return changed

    def _many(self, values: Sequence[Any]) -> Any:
        """Return several values; those of one class as a column for each of its fields."""
        kinds = set(map(type, values))
        kind = kinds.pop() if len(kinds) == 1 else None
        if kind is float or (kind is int and -LARGEST_INT <= min(values) <= max(values) <= LARGEST_INT):
            return [kind.__name__, self._array(np.array(values, np.float64 if kind is float else np.int64))]
        if kind is None and kinds and not kinds <= SCALARS:
            return ["each", [self.pack(value) for value in values]]
        if kind is np.ndarray or is_dataclass(kind):
            return self._shared(kind, values)
        if kind is tuple and all(value and is_dataclass(value[0]) for value in values):
            lengths = self._array(np.array(list(map(len, values)), np.int64))
            return ["tuples", lengths, self._many([each for value in values for each in value])]
        if len(values) > 1 and (kind in SCALARS or kind is tuple) and values.count(values[0]) == len(values):
            return ["all", len(values), self.pack(values[0])]
        if kind is None or kind in SCALARS:
            return ["json", list(values)]
        return ["each", [self.pack(value) for value in values]]

    def _shared(self, kind: type[Any], values: Sequence[Any]) -> Any:
        """Return values that are written once although they may stand at many places, as equal stages do."""
        places = list(map(id, values))
        distinct = dict(zip(places, values, strict=True))
        which = None
        if len(distinct) < len(values):
            number = dict(zip(distinct, range(len(distinct)), strict=True))
            which = self._array(np.array([number[place] for place in places], np.int32))
        parts = list(distinct.values())
        if kind is not np.ndarray:
            names = [field.name for field in fields(kind)]
            columns = {name: self._many(list(map(attrgetter(name), parts))) for name in names}
            return ["class", which, kind.__name__, columns]
        dtypes = set(map(attrgetter("dtype"), parts))
        if len(dtypes) > 1:
            return ["each", [self.pack(value) for value in values]]
        lengths = self._array(np.array(list(map(len, parts)), np.int64))
        return ["arrays", which, lengths, self._array(joined(parts, dtypes.pop()))]

    def _array(self, array: NDArray[Any]) -> int:
        self.arrays.append(array)
        return len(self.arrays) - 1


def _equal(pairs: Iterable[tuple[Any, Any]]) -> int:
    """Return how many pairs at the beginning are equal."""
    count = 0
    for one, other in pairs:
        if one is not other and one != other:
            break
        count += 1
    return count


class Unpacker:
    """Makes values again from what `Packer` returned; bad ones raise the usual exceptions of Python."""

    def __init__(self, arrays: Sequence[NDArray[Any]]) -> None:
        self._arrays = arrays
        self._kinds: Mapping[str, Callable[..., Any]] = {
            "array": lambda _old, place: self._arrays[place],
            "new": lambda _old, name, parts: CLASSES[name](**self._fields(parts)),
            "like": self._like,
            "tuple": self._tuple,
            "pairs": self._pairs,
            "changed": self._changed,
        }

    def unpack(self, packed: Any, old: Any = NOTHING) -> Any:
        """Return the value; `old` is what it was packed as a difference to."""
        if isinstance(packed, dict):
            return self._fields(packed)
        if not isinstance(packed, list):
            return packed
        if packed == ["="]:
            if old is NOTHING:
                raise ValueError("nothing stands before it")
            return old
        return self._kinds[packed[0]](old, *packed[1:])

    def _fields(self, parts: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.unpack(part) for name, part in parts.items()}

    def _like(self, old: Any, parts: Mapping[str, Any]) -> Any:
        changed = {name: self.unpack(part, getattr(old, name)) for name, part in parts.items()}
        if isinstance(old, Workload):
            changed["checked_jobs"] = old.jobs  # an edit of one job checks one job
        return replace(old, **changed)

    def _tuple(self, old: Any, before: int, behind: int, middle: Any) -> tuple[Any, ...]:
        old = old if isinstance(old, tuple) else ()
        if before + behind > len(old):
            raise ValueError("more is kept than there was")
        return (*old[:before], *self._many(middle), *old[len(old) - behind :])

    def _pairs(self, old: Any, before: int, middle: Sequence[Any]) -> tuple[Any, ...]:
        end = before + len(middle)
        changed = (self.unpack(*pair) for pair in zip(middle, old[before:end], strict=True))
        return (*old[:before], *changed, *old[end:])

    def _changed(self, old: Any, before: int, count: int, columns: Mapping[str, Any]) -> Any:
        end = before + count
        rows = zip(*map(self._many, columns.values()), strict=True) if columns else [()] * count
        changed = (
            replace(value, **dict(zip(columns, row, strict=True)))
            for value, row in zip(old[before:end], rows, strict=True)
        )
        return (*old[:before], *changed, *old[end:])

    def _many(self, packed: Any) -> Sequence[Any]:
        kind, *parts = packed
        if kind in ("float", "int"):
            numbers: list[Any] = self._arrays[parts[0]].tolist()
            return numbers
        if kind == "all":
            return [self.unpack(parts[1])] * parts[0]
        if kind == "json":
            return list(parts[0])
        if kind == "each":
            return [self.unpack(part) for part in parts[0]]
        if kind == "tuples":
            ends = accumulate(self._arrays[parts[0]].tolist(), initial=0)
            flat = self._many(parts[1])
            return [tuple(flat[begin:end]) for begin, end in pairwise(ends)]
        which, *rest = parts
        values = self._objects(*rest) if kind == "class" else self._slices(*rest)
        return values if which is None else [values[place] for place in self._arrays[which].tolist()]

    def _objects(self, name: str, columns: Mapping[str, Any]) -> list[Any]:
        kind, values = CLASSES[name], [self._many(column) for column in columns.values()]
        if not columns.keys() <= signature(kind).parameters.keys():  # of jobs once maps and reduces
            raise ValueError(f"the fields of a {name} are others")
        return [kind(**dict(zip(columns, row, strict=True))) for row in zip(*values, strict=True)]

    def _slices(self, lengths: int, whole: int) -> list[NDArray[Any]]:
        ends = accumulate(self._arrays[lengths].tolist(), initial=0)
        return [self._arrays[whole][begin:end] for begin, end in pairwise(ends)]
