"""Look at a policy class from a user's file before it is used: pieces, parameters and names."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from core.model.errors import InputError, PolicyError, shorten
from core.model.parameters import Parameter
from core.policies.composing.kernel import OFFERED, numeric_parameters, pieces_of
from core.policies.user_files.source_lines import place_of_function

if TYPE_CHECKING:
    from core.policies.policy import Policy

PIECES = ("order", "plan", *OFFERED)


def check_policy(policy: type[Policy]) -> None:
    """Raise PolicyError for the first thing that is wrong with a policy, with its place in the file."""
    _check_parameters(policy)
    _check_names(policy)
    _check_spelling(policy)
    pieces_of(policy)


def _check_parameters(policy: type[Policy]) -> None:
    given = policy.parameters
    if not isinstance(given, tuple | list) or not all(isinstance(item, Parameter) for item in given):
        raise _error(
            policy, f"parameters is {shorten(given)}; give a tuple of core.model.parameters.Parameter"
        )
    policy.parameters = tuple(given)
    names = [parameter.name for parameter in given]
    for parameter in given:
        if not parameter.name.isidentifier() or names.count(parameter.name) > 1:
            rule = "names of parameters are Python names, each used once"
            raise _error(policy, f"a parameter is called {shorten(parameter.name)}; {rule}")
        try:
            parameter.check(parameter.default, "its default")
        except InputError as error:
            raise _error(policy, str(error)) from error
    numeric_parameters(policy)


def _check_names(policy: type[Policy]) -> None:
    for name in ("id", "title"):
        value = getattr(policy, name)
        if not isinstance(value, str) or not value.isprintable():
            raise _error(policy, f"its {name} is {shorten(value)}; give a text of one line")


def _check_spelling(policy: type[Policy]) -> None:
    """Refuse a function that is nearly called like a piece: it would quietly never be called."""
    for name, value in vars(policy).items():
        function = getattr(value, "__func__", value)
        if not callable(function) or name.startswith("_") or name in PIECES:
            continue
        close = difflib.get_close_matches(name, PIECES, n=1, cutoff=0.75)
        if close:
            place = place_of_function(function, policy.source)
            sentence = f"policy {policy.id} has no piece '{name}'; did you mean '{close[0]}'?"
            raise PolicyError(sentence, place)


def _error(policy: type[Policy], sentence: str) -> PolicyError:
    source = policy.source
    place = None if source is None else source.place(source.line_of(policy))
    return PolicyError(f"policy {policy.id}: {sentence}", place)
