"""Load a user's policy file: a Python file with one class that looks like a built-in policy.

Its code is run, its class is checked; `policy_template` gives the file from which a new one begins.
"""

from __future__ import annotations

import inspect
import keyword
import re
import types
from typing import TYPE_CHECKING, get_args

from core.files.resources import resource_path
from core.model.errors import InputError, PolicyError, shorten_repr
from core.model.parameters import Parameter, ParameterType
from core.policies.composing.hooks import numeric_parameters
from core.policies.explains import Explains
from core.policies.policy import HOOKS, Policy
from core.policies.user_files.class_names import check_names_in_class
from core.policies.user_files.modules import run
from core.policies.user_files.read_only import check_writes
from core.policies.user_files.source import (
    RUN_TEXT,
    NoSource,
    PolicySource,
    read_policy_file,
    source_of,
)

if TYPE_CHECKING:
    from pathlib import Path


def load_policy_file(path: Path) -> type[Policy]:
    """Read the file, run it in this process and return its policy."""
    return load_policy(read_policy_file(path))


def load_policy(source: PolicySource) -> type[Policy]:
    """Run the file's code, in this process, and return its policy.

    An id and a title are made from the class name if need be.

    Raises
    ------
    PolicyError
        the code cannot be run, or does not hold exactly one policy class, or its hooks are wrong; with the
        place in the file
    """
    module = run(source)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Policy) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise PolicyError(
            f"{_count(len(found))}; a policy file defines exactly one class that derives from "
            "core.policies.policy.Policy",
            source.place(),
        )
    policy = found[0]
    policy.source = source
    name_policy(policy)
    check_policy(policy)
    return policy


def name_policy(policy: type[Policy]) -> None:
    """Give a policy that has no id or no title of its own one that is made from the name of its class."""
    own = vars(policy)  # an id or a title that a base class has is not this policy's
    policy.title = own.get("title") or _words(policy.__name__)
    policy.id = own.get("id") or _words(policy.__name__).replace(" ", "-").lower()


def _count(policies: int) -> str:
    return "the file holds no policy" if policies == 0 else f"the file holds {policies} policies"


def _words(name: str) -> str:
    """Split a class name into words: SmallestFirst is Smallest first."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).split(" ")
    return " ".join([words[0], *(word if word.isupper() else word.lower() for word in words[1:])])


# ---- what may be wrong with a class


def check_policy(policy: type[Policy]) -> None:
    """Raise PolicyError for the first thing that is wrong with a policy, with its place in the file."""
    _check_functions(policy)
    _check_parameters(policy)
    _check_names(policy)
    check_names_in_class(policy)
    check_writes(policy)


def _check_functions(policy: type[Policy]) -> None:
    """Refuse as hooks classes, what is not written in Python, and what is not written in the file."""
    for name in HOOKS:
        hook = getattr(policy, name, None)
        if not callable(hook):
            continue
        if not isinstance(hook, types.FunctionType):
            raise _error(policy, f"{name} is {_kind_of(hook)}; give a function: def {name}(...)", name)
        try:
            source_of(hook)
        except NoSource:
            raise _error(
                policy, f"{name} is not written in the file; write it: def {name}(...)", name
            ) from None
        if RUN_TEXT in hook.__globals__ and hook.__name__ != name:
            setattr(policy, name, _called(name, hook))


def _kind_of(thing: object) -> str:
    return f"the class {thing.__name__}" if inspect.isclass(thing) else f"of the type {type(thing).__name__}"


def _called(name: str, hook: types.FunctionType) -> types.FunctionType:
    """Return a function under the name of the hook that it is; a lambda has none that messages could use."""
    named = types.FunctionType(hook.__code__, hook.__globals__, name, hook.__defaults__, hook.__closure__)
    named.__kwdefaults__ = hook.__kwdefaults__
    return named


def _check_parameters(policy: type[Policy]) -> None:
    given = policy.parameters
    if not isinstance(given, tuple | list) or not all(isinstance(item, Parameter) for item in given):
        raise _error(
            policy, f"parameters is {shorten_repr(given)}; give a tuple of core.policies.policy.Parameter"
        )
    policy.parameters = tuple(given)
    names = [parameter.name for parameter in given]
    for parameter in given:
        if not parameter.name.isidentifier() or names.count(parameter.name) > 1:
            rule = "names of parameters are Python names, each used once"
            raise _error(policy, f"a parameter is called {shorten_repr(parameter.name)}; {rule}")
        if parameter.type not in get_args(ParameterType):
            rule = f"give one of {', '.join(get_args(ParameterType))}"
            raise _error(
                policy, f"parameter {parameter.name} has the type {shorten_repr(parameter.type)}; {rule}"
            )
        try:
            parameter.check(parameter.default, "its default")
        except InputError as error:
            raise _error(policy, str(error)) from error
    numeric_parameters(policy)


def _check_names(policy: type[Policy]) -> None:
    for name in ("id", "title"):
        value = getattr(policy, name)
        if not isinstance(value, str) or not value.isprintable():
            raise _error(policy, f"its {name} is {shorten_repr(value)}; give a text of one line")
    if not isinstance(policy.explains, Explains | None):
        rule = "give a core.policies.policy.Explains"
        raise _error(policy, f"explains is {shorten_repr(policy.explains)}; {rule}")


def _error(policy: type[Policy], sentence: str, name: str = "") -> PolicyError:
    """Return an error at the line that gives a class this name, else at that on which the class begins."""
    source = policy.source
    place = None if source is None else source.place(source.line_of_class(policy.__name__, name))
    return PolicyError(f"policy {policy.id}: {sentence}", place)


# ---- new files, and examples

DEFAULT_NAME = "MyPolicy"
TEMPLATE = "template.py"


def policy_template(name: str = DEFAULT_NAME) -> str:
    """Return the text of a new policy file whose class is called so.

    Raises
    ------
    InputError
        the name has other characters than letters, digits, blanks, "-" and "_", or begins with a digit
    """
    text = resource_path("policies", TEMPLATE).read_text(encoding="utf-8")
    return text.replace(DEFAULT_NAME, class_name(name)).replace(file_name(DEFAULT_NAME), file_name(name))


def example_files() -> tuple[Path, ...]:
    """Return the policy files that come as examples, by name."""
    return tuple(sorted(path for path in resource_path("policies").glob("*.py") if path.name != TEMPLATE))


def class_name(name: str) -> str:
    """Return a name as a class has it: "smallest first" and "smallest_first" are SmallestFirst."""
    words = re.split(r"[\s_-]+", name.strip())
    joined = "".join(word[:1].upper() + word[1:] for word in words)
    if not joined.isidentifier() or keyword.iskeyword(joined):
        raise InputError(
            f"a policy cannot be called {shorten_repr(name)}; use letters and digits, a letter first"
        )
    return joined


def file_name(name: str) -> str:
    """Return the name of the file of a policy: SmallestFirst is smallest_first.py."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name(name)).lower() + ".py"
