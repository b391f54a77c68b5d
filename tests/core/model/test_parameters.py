"""Parameters: values of every type, given as values or as typed on the command line."""

from __future__ import annotations

from typing import Any

import pytest

from core.model.errors import InputError, UnknownName
from core.model.parameters import Parameter, check_parameters

COUNT = Parameter("count", "integer", 3, "How many.", min=1, max=9, unit="jobs")
SHARE = Parameter("share", "number", 0.5, "How much.", min=0)
ANY = Parameter("any", "number", 0.0, "Any number.")
SWITCH = Parameter("switch", "boolean", False, "Whether.")
SHAPE = Parameter("shape", "choice", "uniform", "Which.", choices=("uniform", "bimodal"))
LABEL = Parameter("label", "text", "", "What.")


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        (COUNT, 4, 4),
        (COUNT, "4", 4),
        (COUNT, 9.0, 9),
        (SHARE, "0.25", 0.25),
        (SHARE, 1, 1.0),
        (ANY, -1e300, -1e300),
        (SWITCH, "Yes", True),
        (SWITCH, 0, False),
        (SWITCH, True, True),
        (SHAPE, "bimodal", "bimodal"),
        (LABEL, 5, "5"),
    ],
)
def test_what_is_accepted(parameter: Parameter, given: object, value: object) -> None:
    checked = parameter.check(given, "policy x")
    assert checked == value
    assert type(checked) is type(value)


@pytest.mark.parametrize(
    ("parameter", "given", "sentence"),
    [
        (COUNT, 0, "policy x: parameter count is 0; give a whole number from 1 to 9 jobs"),
        (COUNT, "2.5", "parameter count is '2.5'; give a whole number"),
        (COUNT, True, "parameter count is true; give a whole number"),
        (SHARE, -0.1, "parameter share is -0.1; give a number from 0"),
        (SHARE, "nan", "parameter share is 'nan'; give a number"),
        (ANY, "inf", "parameter any is 'inf'; give a number"),
        (ANY, "much", "parameter any is 'much'; give a number"),
        (ANY, None, "parameter any is null; give a number"),
        (SWITCH, "maybe", "parameter switch is 'maybe'; give true or false"),
        (SHAPE, "normal", "parameter shape is 'normal'; choose one of uniform, bimodal"),
    ],
)
def test_what_is_refused(parameter: Parameter, given: object, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        parameter.check(given, "policy x")
    assert sentence in str(caught.value)


def test_defaults_fill_in() -> None:
    assert check_parameters((COUNT, SWITCH), {"switch": "1"}, "policy x") == {"count": 3, "switch": True}


def test_an_unknown_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown parameter of policy x 'coutn'; did you mean 'count'\?"):
        check_parameters((COUNT,), {"coutn": 1}, "policy x")


@pytest.mark.parametrize(
    ("parameter", "choices"), [(COUNT, None), (SHAPE, ["uniform", "bimodal"])], ids=["plain", "choice"]
)
def test_as_json(parameter: Parameter, choices: Any) -> None:
    described = parameter.to_json()
    assert list(described)[:7] == ["name", "type", "default", "min", "max", "unit", "help"]
    assert described.get("choices") == choices


def test_compiled_code_has_numbers() -> None:
    """A choice is its place among the choices, true is 1."""
    choice = Parameter("inside", "choice", "fair", "How.", choices=("fair", "fifo"))
    assert [choice.as_number(value) for value in choice.choices] == [0.0, 1.0]
    assert Parameter("on", "boolean", False, "Whether.").as_number(True) == 1.0
    assert Parameter("part", "number", 0.5, "How much.").as_number(0.25) == 0.25
