"""What users read for the points of the axes of a study."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.policies.registry import describe
from core.study.policy_names import FILE, is_file_policy
from core.study.study_fields import value_text

if TYPE_CHECKING:
    from core.study.study import Axis
    from core.study.study_fields import Value


def point_title(name: str, value: Value) -> str:
    """Return what users read for a value: policies have titles."""
    if name != "policy.id":
        return value_text(value)
    policy = str(value).removeprefix(FILE)
    try:
        return describe(policy).title
    except InputError:
        return Path(policy).name if is_file_policy(value) else policy


def name_of(axis: Axis, place: int) -> str:
    """Return what users read for a point of an axis: policies have titles."""
    point = axis.points[place]
    return point.label if axis.settings else point_title(*point.changes[0])
