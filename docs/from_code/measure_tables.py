"""Figures of schedules, and the commands and options of the command line."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from core.measures.metrics import METRICS
from core.study.measures import MEASURES
from docs.from_code.markdown import code, table
from explorer.cli.run import GROUPS, build_parser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.measures.metrics import Metric

BETTER = {"less": "less", "more": "more", "": ""}


def metrics() -> str:
    """Return a table of the figures of a schedule."""
    rows = [
        (code(each.name), each.title, each.unit, BETTER[each.better], each.help) for each in METRICS.values()
    ]
    return table(["name", "title", "unit", "better", "what it is"], rows)


def study_measures() -> str:
    """Return a table of what studies can measure besides."""
    own: list[Metric] = [each for each in MEASURES.values() if each.name not in METRICS]
    rows = [(code(each.name), each.title, each.unit, each.help) for each in own]
    return table(["name", "title", "unit", "what it is"], rows)


def command_list() -> str:
    """Return a table of all commands, in the order of the help."""
    rows = [(code(f"slotscope {name}"), parser.description or "") for name, parser in _commands()]
    return table(["command", "what it does"], rows)


def option_list() -> str:
    """Return a table of all options: what each says, and which commands have it."""
    found: dict[tuple[str, str], list[str]] = {}
    for name, parser in _commands():
        for action in parser._actions:
            if action.option_strings and action.dest != "help":
                words = (action.help or "").replace("%%", "%")  # as argparse prints them
                found.setdefault((_option(action), words), []).append(name)
    rows = [(code(option), words, _named(names)) for (option, words), names in sorted(found.items())]
    return table(["option", "what it does", "commands"], rows)


def _option(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return f"{', '.join(action.option_strings)}{value}"


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return "|".join(map(str, action.choices))
    return action.metavar if isinstance(action.metavar, str) else action.dest.upper()


def _named(commands: list[str]) -> str:
    return ", ".join(map(code, commands))


def _commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command with its parser; those of a group by both words."""
    _, commands = build_parser()
    for name, parser in commands.choices.items():
        if name not in GROUPS:
            yield name, parser
            continue
        groups = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
        for group in groups:
            yield from ((f"{name} {word}", below) for word, below in group.choices.items())
