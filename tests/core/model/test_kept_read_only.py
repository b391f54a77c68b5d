"""Every value of the model keeps its read-only columns however it is copied, and takes no cache along."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import fields, is_dataclass
from functools import cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core import model
from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

COPIES: dict[str, Callable[[Any], Any]] = {
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
    "old pickle": lambda value: pickle.loads(pickle.dumps(value, protocol=2)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "nested": lambda value: copy.deepcopy({"in": [(value,)]})["in"][0][0],
}
each_copy = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


def types_of_fields(kind: type) -> dict[str, str]:
    """Return what the fields of a dataclass or named tuple are, as text; nothing for other classes."""
    if is_dataclass(kind):
        return {field.name: str(field.type) for field in fields(kind)}
    return {name: str(kind.__annotations__[name]) for name in getattr(kind, "_fields", ())}


def values_of_the_model() -> list[type]:
    """Return every class of the package, found by walking it."""
    modules = [import_module(f"{model.__name__}.{each.name}") for each in iter_modules(model.__path__)]
    found = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    return sorted({kind for kind in found if kind.__module__.startswith(model.__name__)}, key=str)


HOLDERS = [kind for kind in values_of_the_model() if "NDArray" in "".join(types_of_fields(kind).values())]
CACHING = [
    kind
    for kind in values_of_the_model()
    if any(isinstance(member, cached_property) for member in vars(kind).values())
]


def column(annotation: str, *, read_only: bool) -> Any:
    """Return what a field of this type may hold: an array, a tuple of two, or nothing."""
    found = re.search(r"NDArray\[np\.(\w+)\]", annotation)
    if found is None:
        return None
    arrays = [np.arange(3).astype(found[1]) + place for place in range(2)]
    for array in arrays:
        array.flags.writeable = not read_only
    return tuple(arrays) if annotation.startswith("tuple") else arrays[0]


def built(kind: type, *, read_only: bool = True) -> Any:
    """Return a value of a class with an array wherever there may be one."""
    held = {name: column(text, read_only=read_only) for name, text in types_of_fields(kind).items()}
    if issubclass(kind, tuple):
        return kind(**held)
    value = object.__new__(kind)
    for name, given in held.items():
        object.__setattr__(value, name, given)
    return value


def arrays_in(value: Any) -> Iterator[NDArray[Any]]:
    """Yield all arrays that a value holds, however deep."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple | list):
        for each in value:
            yield from arrays_in(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from arrays_in(getattr(value, field.name))


def test_the_package_has_such_values() -> None:
    names = {kind.__name__ for kind in [*HOLDERS, *CACHING]}
    assert {"Stage", "TaskColumns", "RecordedRun", "ScanSharing", "Schedule", "Workload", "Plan"} <= names


@each_copy
@pytest.mark.parametrize("kind", HOLDERS)
def test_columns_stay_as_they_are(kind, copied):
    for read_only in (True, False):
        value = built(kind, read_only=read_only)
        again = copied(value)
        assert type(again) is kind
        before, after = list(arrays_in(value)), list(arrays_in(again))
        assert before
        assert [(array.dtype, array.tolist()) for array in after] == [
            (array.dtype, array.tolist()) for array in before
        ]
        assert {array.flags.writeable for array in after} == {not read_only}


@each_copy
@pytest.mark.parametrize("kind", CACHING)
def test_what_is_cached_is_computed_anew(kind, copied):
    value = built(kind)
    cached = [name for name, member in vars(kind).items() if isinstance(member, cached_property)]
    vars(value).update(dict.fromkeys(cached, "of this process"))
    assert not vars(copied(value)).keys() & set(cached)


@each_copy
def test_a_schedule_and_its_workload_keep_all_of_them(copied):
    workload = load_sample("five-jobs")
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    assert schedule.makespan
    assert workload.digest
    again = copied(schedule)
    before, after = list(arrays_in(schedule)), list(arrays_in(again))
    assert [array.flags.writeable for array in after] == [array.flags.writeable for array in before]
    assert not any(array.flags.writeable for array in arrays_in(again.workload.columns))
    assert again.workload == workload
    assert (again.workload.digest, again.makespan) == (workload.digest, schedule.makespan)
    compiled = simulate(again.workload, workload.cluster, PolicyChoice("fifo"), engine="compiled")
    assert not compiled.interpreted_because
    assert compiled.end.tolist() == schedule.end.tolist()
