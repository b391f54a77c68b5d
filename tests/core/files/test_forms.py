"""How values stand in documents: what is as usual is left out, and what is read is what was written."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import pytest

from core.files.forms import BY_NAME, Form, each, numbers, shortest


@dataclass(frozen=True)
class Wheel:
    size: float = 1.0
    spokes: int | None = None


@dataclass(frozen=True)
class Cart:
    name: str
    wheels: tuple[Wheel, ...] = ()
    loads: tuple[tuple[str, float], ...] = ()
    path: tuple[tuple[int, ...], ...] = ()


WHEEL = Form(Wheel, Wheel())
CART = Form(
    Cart,
    Cart(""),
    {"wheels": each(WHEEL), "loads": BY_NAME, "path": numbers(int)},
    {"wheels": "rolls-on"},
    always=("name",),
)


@pytest.mark.parametrize(
    ("cart", "document"),
    [
        (Cart(""), {"name": ""}),
        (Cart("a", (Wheel(), Wheel(2.5, 3))), {"name": "a", "rolls-on": [{}, {"size": 2.5, "spokes": 3}]}),
        (Cart("b", path=((1, 2), (3,))), {"name": "b", "path": [[1, 2], [3]]}),
        (Cart("c", loads=(("hay", 2.0),)), {"name": "c", "loads": {"hay": 2}}),
    ],
)
def test_what_is_read_is_what_was_written(cart: Cart, document: object) -> None:
    assert CART.write(cart) == document
    assert CART.read(json.loads(json.dumps(CART.write(cart)))) == cart


def test_numbers_get_the_types_of_their_fields() -> None:
    wheel = WHEEL.read({"size": 2, "spokes": 8.0, "colour": "red"})
    assert [type(each) for each in (wheel.size, wheel.spokes)] == [float, int]
    assert WHEEL.read({"spokes": None}) == Wheel()


def test_without_a_plain_value_every_field_is_written() -> None:
    assert Form(Wheel).write(Wheel()) == {"size": 1, "spokes": None}
    assert Form(Wheel).read({}) == Wheel()


def test_whole_numbers_are_written_without_a_fraction() -> None:
    assert [repr(shortest(each)) for each in (2.0, -3.0, 0.0, 1e18, 0.5, True)] == [
        *("2", "-3", "0", "1000000000000000000", "0.5", "True")
    ]
    assert repr(shortest(-0.0)) == "-0.0"
    assert repr(shortest(1e300)) == "1e+300"
    assert math.isinf(shortest(math.inf))
