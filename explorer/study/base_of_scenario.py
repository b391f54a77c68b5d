"""What a study holds still: a scenario of the open document, as the fields of a study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from core.generate.families import generate
from core.model.cluster import TEXT_FORMS, own_fields
from core.model.errors import InputError
from core.model.overheads import OVERHEAD_PARAMETERS
from core.model.schedule import forks_of
from core.model.time_text import duration_text
from core.policies.registry import POLICIES, describe
from core.policies.user_files.source import is_policy_file
from core.study.policy_names import FILE

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.schedule import Forkable
    from core.model.workload import Workload
    from core.study.study import Changes
    from core.study.study_fields import Value

MAX_CHECKED = 2000
"""Jobs of a workload that is drawn again to see whether its seed gives it; larger ones go into a file."""
RECORD = "what really ran is as it is; choose a simulated scenario to vary"
OWN_CLASS = "a study runs policies of Slotscope and policy files; {title} is a class of a program"
OWN_TIMES = (
    "a study has the slots that come and go of its workload, and this scenario has others; "
    "let its cluster be that of the workload"
)
LEFT_OUT = "A study runs {policy} from beginning to end; left out is {what}."


@dataclass(frozen=True)
class BaseScenario:
    """A scenario as a study has it.

    Attributes
    ----------
    changes : its fields, without where the workload comes from if it is no generator
    workload : to be written into a file beside the study; None where a generator and its seed give it
    words : a few that say what it is
    left_out : a sentence on what the scenario has and a study cannot have, or nothing
    """

    changes: Changes
    workload: Workload | None
    words: str
    left_out: str = ""

    def value(self, name: str) -> Value | None:
        """Return what the scenario has in a field, None if nothing."""
        return dict(self.changes).get(name)


class HasBase(Protocol):
    """Gives the scenario of the open document that a study begins with; InputError where there is none."""

    def __call__(self) -> BaseScenario:
        """Return it."""


def base_of(workload: Workload, cluster: Cluster, followed: Forkable) -> BaseScenario:
    """Return a scenario as a study has it.

    Raises
    ------
    InputError
        a record of what ran, or a policy that lies in no file
    """
    choice = followed.choice
    if choice.is_record:
        raise InputError(RECORD)
    is_file = is_policy_file(choice.id)
    if not is_file and choice.id not in {policy.id for policy in POLICIES}:
        raise InputError(OWN_CLASS.format(title=choice.id))
    changes: dict[str, Value] = {}
    is_drawn = _is_drawn(workload)
    if is_drawn and workload.origin is not None:
        origin = workload.origin
        changes |= {"workload.family": origin.family, "workload.seed": origin.seed}
        changes |= {f"workload.parameters.{name}": value for name, value in origin.parameters}
    if cluster.slot_times != (() if is_drawn else workload.cluster.slot_times):
        raise InputError(OWN_TIMES)
    changes |= cluster_fields(cluster)
    changes["policy.id"] = f"{FILE}{choice.id}" if is_file else choice.id
    changes |= {f"policy.parameters.{name}": value for name, value in choice.parameters.items()}
    if (estimates := choice.estimates) is not None:
        if estimates.profile is not None:
            raise InputError("a study does not plan on an earlier run; let the scenario plan on an error")
        changes |= {
            "estimates.error": estimates.error,
            "estimates.per": estimates.per,
            "estimates.seed": estimates.seed,
        }
    title, left_out = _title(choice.id), ", and ".join(_left_out(followed))
    return BaseScenario(
        tuple(changes.items()),
        None if is_drawn else workload,
        f"{title} · {workload.name}",
        LEFT_OUT.format(policy=title, what=left_out) if left_out else "",
    )


def _title(policy: str) -> str:
    try:
        return describe(policy).title
    except InputError:  # a file that has not been run
        return Path(policy).name


def _left_out(followed: Forkable) -> list[str]:
    """Return what of a scenario no policy and no field has, in words."""
    made = (
        (followed.plan, "the plan that it follows"),
        (followed.order, "the order made by hand"),
        (followed.partition, "the pools made by hand"),
    )
    earlier = (
        (fork, f"what {_title(fork.choice.id)} decides until {duration_text(fork.time)}")
        for fork in forks_of(followed)
    )
    return [what for given, what in (*made, *earlier) if given is not None]


def _is_drawn(workload: Workload) -> bool:
    """Whether a generator gives these jobs and no others."""
    origin = workload.origin
    if origin is None or len(workload.jobs) > MAX_CHECKED:
        return False
    try:
        again = generate(origin.family, seed=origin.seed, parameters=dict(origin.parameters))
    except InputError:
        return False
    return again.digest == workload.digest


def cluster_fields(cluster: Cluster) -> dict[str, Value]:
    """Return a cluster as a study has it; slots that come and go, and executors, are the workload's."""
    left = {
        "slot_times",
        "slots_per_executor",
        "killed_copies",
        *(() if cluster.containers else ("containers",)),
    }
    names = (name for name in own_fields(cluster) if name not in left)
    found: dict[str, Any] = {f"cluster.{name}": getattr(cluster, name) for name in names}
    texts = {f"cluster.{name}": write for name, (_, write) in TEXT_FORMS.items()}
    found |= {name: write(found[name]) for name, write in texts.items() if name in found}
    spent = found.pop("cluster.overheads", None)
    changed = (p for p in OVERHEAD_PARAMETERS if spent and getattr(spent, p.name) != p.default)
    return found | {f"cluster.overheads.{p.name}": getattr(spent, p.name) for p in changed}
