"""The names that expressions over a run may use."""

from __future__ import annotations

import builtins
import math
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.policies.policy import ClusterRow, JobRow, PoolRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType

TRACED_HOOKS = ("key", "admits", "pool_key", "pool_admits", "lends")
"""The hooks that an expression may ask, its local names as well: they remember nothing."""
FOLLOWED_HOOKS = {"watch": 0, "choose": 0, "outlook": 1, "outdates": 0, "preempt": 2, "speculate": 2}
"""The hooks that only the run itself may ask, and whether they are about a job, and a kind of its tasks."""
WATCHED_HOOKS = (*TRACED_HOOKS, *FOLLOWED_HOOKS)
"""The hooks whose local names an expression may have."""
_BUILT_IN = (
    "abs all any bool dict divmod enumerate filter float int len list map max min repr reversed round set "
    "sorted str sum tuple zip"
)
_MATH = "ceil exp floor isfinite isinf isnan log sqrt"
FUNCTIONS: dict[str, Any] = {
    name: getattr(module, name)
    for module, names in ((builtins, _BUILT_IN), (math, _MATH))
    for name in names.split()
}
"""The functions of Python that an expression may call, and `range`."""
NUMBERS = {"inf": math.inf, "nan": math.nan, "MAP": 0, "REDUCE": 1}
OF_JOB = ("job", "pool", "kind", "slot")
"""Names that mean something where a job is looked at."""
EVERYWHERE = ("memo", "cluster", "now", "jobs", "pools", *NUMBERS)
UNITS = {
    **dict.fromkeys(("now", "arrival", "deadline", "stage_end"), "s"),
    **dict.fromkeys(("running", "started", "done", "tasks", "pending"), "tasks"),
    **dict.fromkeys(("slots", "free", "wanted", "share", "cap"), "slots"),
    **dict.fromkeys(("active", "arrived"), "jobs"),
    "slot_time": "slot-seconds",
}
FIELDS = {
    kind: tuple(row.__annotations__)
    for kind, row in (("job", JobRow), ("pool", PoolRow), ("cluster", ClusterRow))
}
"""What job, pool and cluster have, as hooks may read it."""


@dataclass(frozen=True)
class Vocabulary:
    """The names of a run that expressions may use.

    Attributes
    ----------
    jobs, pools : their names
    functions : the hooks of the policy that can be asked, and functions of its file
    values : parameters of the policy, and constants of its file
    locals : names that are assigned in functions, by function
    codes : of the hooks whose local names can be watched
    """

    jobs: tuple[str, ...]
    pools: tuple[str, ...]
    functions: Mapping[str, Any]
    values: Mapping[str, Any]
    locals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    codes: Mapping[str, CodeType] = field(default_factory=dict)

    def plain_names(self) -> tuple[str, ...]:
        """Return every name that is no local one of a hook."""
        named = tuple(name for name in self.jobs if name.isidentifier())
        return (*OF_JOB, *EVERYWHERE, *self.functions, *self.values, *FUNCTIONS, "range", *named)

    def all_names(self) -> tuple[str, ...]:
        """Return every name, as a list of completions has them: of hooks `deficit` and `key.deficit`."""
        plain = self.plain_names()
        hooks = {hook: names for hook, names in self.locals.items() if hook in WATCHED_HOOKS}
        count = Counter(name for names in hooks.values() for name in names)
        alone = (name for name, hooks_with in count.items() if hooks_with == 1 and name not in plain)
        return (*plain, *alone, *(f"{hook}.{name}" for hook, names in hooks.items() for name in names))


def completions(words: Vocabulary) -> tuple[str, ...]:
    """Return what may be typed, the fields of records behind their names."""
    pairs = {name for name, unit in UNITS.items() if unit in ("tasks", "slots")} | {"next"}
    fields = (
        f"{what}.{field}{'[MAP]' if field in pairs else ''}"
        for what, known in FIELDS.items()
        for field in known
        if not field.startswith("_")
    )
    return (*fields, *words.all_names())
