"""Random values for the parameters of a policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from core.model.parameters import Parameter


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    """Both or all choices; of a number its ends, its default and something between."""
    if parameter.type == "boolean":
        return st.booleans()
    if parameter.type == "choice":
        return st.sampled_from(parameter.choices)
    low = parameter.default if parameter.min is None else parameter.min
    high = parameter.default if parameter.max is None else parameter.max
    between = (float(low) + float(high)) / 3
    if parameter.type == "integer" or not float(low) <= between <= float(high):
        between = low  # type: ignore[assignment]
    return st.sampled_from((low, between, parameter.default, high))
