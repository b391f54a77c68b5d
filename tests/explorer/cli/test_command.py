"""Options are read as the types of a command's fields say."""

from __future__ import annotations

from typing import Literal

import pytest

from core.model.errors import InputError
from explorer.cli.command import Command, Options, argument, flag, option
from explorer.cli.parser import Parser
from explorer.cli.run import COMMANDS


def _reversed(text: str) -> str:
    return text[::-1]


class Apart(Options):
    """What stands apart."""

    title = "apart"

    rate: float = option("N", "how fast", default=1.5)


class Every(Command, name="every"):
    """Has an option of every kind."""

    words: list[str] = argument("WORD", "some words")
    count: int = option("N", "has to be given")
    least: int | None = option("N", "may be left out")
    colour: Literal["red", "blue"] | None = option(None, "one of two")
    pin: list[str] = option("J", "again and again")
    near: list[int] = option("N", "several at once", nargs="+")
    backwards: str | None = option("TEXT", "read backwards", name="--from", read=_reversed)
    is_quick: bool = flag("or not", name="--quick")
    apart: Apart


def test_what_is_left_out_is_the_default() -> None:
    read = Every.typed(["a", "b", "--count", "3"])
    assert (read.words, read.count, read.least, read.colour) == (["a", "b"], 3, None, None)
    assert (read.pin, read.near, read.is_quick, read.apart.rate) == ([], [], False, 1.5)


def test_values_have_the_types_of_the_fields() -> None:
    words = "a --count 3 --least 2 --colour red --pin x --pin y --near 1 2 --quick --rate 2 --from abc"
    read = Every.typed(words.split())
    assert (read.least, read.colour, read.pin, read.near) == (2, "red", ["x", "y"], [1, 2])
    assert (read.is_quick, read.apart.rate, read.backwards) == (True, 2.0, "cba")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a"], "the following arguments are required: --count"),
        (["--count", "3"], "the following arguments are required: WORD"),
        (["a", "--count", "x"], "invalid int value: 'x'"),
        (["a", "--count", "3", "--colour", "green"], "invalid choice: 'green'"),
        (["a", "--count", "3", "--counts", "3"], "unknown option '--counts'; did you mean --count?"),
    ],
)
def test_what_does_not_fit_is_refused(words: list[str], sentence: str) -> None:
    with pytest.raises(InputError) as refused:
        Every.typed(words)
    assert sentence in str(refused.value)


def test_the_help_has_the_options_in_their_order_and_groups_apart() -> None:
    parser = Parser()
    Every.add_command(parser.add_subparsers(parser_class=Parser))
    text = parser.format_help()
    assert "has an option of every kind\n" in text
    parser = Parser()
    Every.add_to(parser)
    places = [
        parser.format_help().index(f"  --{name}") for name in ("count", "least", "pin", "from", "quick")
    ]
    assert places == sorted(places)
    assert "apart:\n  --rate N" in parser.format_help()


def test_every_command_has_a_name_of_its_own_and_says_what_it_does() -> None:
    assert len({command.name for command in COMMANDS}) == len(COMMANDS)
    assert all(command.name and command.__doc__ for command in COMMANDS)
