"""The commented file from which a policy of one's own begins, and the examples that come with Slotscope."""

from __future__ import annotations

import keyword
import re
from typing import TYPE_CHECKING

from core.files.resources import resource_path
from core.model.errors import InputError, shorten

if TYPE_CHECKING:
    from pathlib import Path

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
        raise InputError(f"a policy cannot be called {shorten(name)}; use letters and digits, a letter first")
    return joined


def file_name(name: str) -> str:
    """Return the name of the file of a policy: SmallestFirst is smallest_first.py."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name(name)).lower() + ".py"
