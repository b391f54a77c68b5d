"""What hooks of the simulator may answer, and the words for other answers.

Each hook is called through a small function with the arguments of the template; it looks at the answer, too,
interpreted and compiled. Compiled code only raises; the decision is made again, interpreted, to say why.
"""

from __future__ import annotations

import math
from typing import Any

from core.model.errors import shorten_repr

KEYS = ("key", "pool_key")
NUMBERS = "a number, or a tuple of numbers"
YES_NO = "True or False"
PICK = "2 * the index of a job + the kind of its task, or -1 to leave the slot free for now"
WORTH = "a number: above 0 the task may be given up, the one with the greatest first"
WORTH_OF_COPY = "a number: above 0 a second copy of the task may run, that with the greatest first"
MUST_GIVE = {
    "key": NUMBERS,
    "pool_key": NUMBERS,
    "admits": YES_NO,
    "reserves": YES_NO,
    "pool_admits": YES_NO,
    "lends": YES_NO,
    "choose": PICK,
    "preempt": WORTH,
    "speculate": WORTH_OF_COPY,
}
"""By the hooks whose answers are looked at."""
KINDS = {
    str: "a text",
    bytes: "bytes",
    list: "a list",
    tuple: "a tuple",
    dict: "a dict",
    set: "a set",
    int: "a whole number",
    complex: "a complex number",
}


class WrongAnswer(Exception):
    """The answer of a hook cannot be used.

    Attributes
    ----------
    hook, answer : which hook, and what it answered; unknown where compiled code raised it
    """

    def __init__(self, hook: str = "", answer: Any = None) -> None:
        super().__init__(hook)
        self.hook, self.answer = hook, answer

    def __str__(self) -> str:
        return wrong_answer(self.hook, self.answer) if self.hook else "a hook returned what it must not"


def wrong_answer(hook: str, answer: Any) -> str:
    """Return what is wrong with an answer, as "key returned 'banana', a text; it must give a number …"."""
    must = f"it must give {MUST_GIVE[hook]}"
    if answer is None:
        return f"{hook} returned nothing: is a return missing? {must[:1].upper()}{must[1:]}"
    if hook in KEYS and isinstance(answer, tuple):
        bad = next((i for i, part in enumerate(answer) if not _is_number(part)), None)
        if bad is None:
            rule = "write the tuple behind return, as in: return a, b; its length must be seen there"
            return f"{hook} returned {shorten_repr(answer)}, a tuple of {len(answer)}; {rule}"
        return (
            f"{hook} returned {shorten_repr(answer)}: number {bad + 1} of it is {_what(answer[bad])}; {must}"
        )
    return f"{hook} returned {_what(answer)}; {must}"


def _is_number(value: Any) -> bool:
    try:
        return bool(1.0 * value <= math.inf)
    except Exception:  # a user's own class may raise anything
        return False


def _what(value: Any) -> str:
    """Return a value and what kind of thing it is."""
    if isinstance(value, float) and math.isnan(value):
        return "nan, which is no number (0 / 0, or infinity less infinity)"
    if value is None:
        return "nothing (None)"
    if isinstance(value, float):
        return f"{value:g}, not a whole number" if math.isfinite(value) else f"{value:g}"
    kind = KINDS.get(type(value)) or f"of the type {type(value).__name__}"
    return f"{shorten_repr(value)}, {kind}"


# ---- the functions through which hooks are called

NUMBER = """    number = 1.0 * answer
    if number <= number:
        return (number,)
"""
TUPLE = """    numbers = ({numbers},)
    if {each}{whole}:
        return numbers
"""
ANSWER = """    number = 1.0 * answer
    if number <= number:
        return number != 0.0
"""
AMOUNT = """    number = 1.0 * answer
    if number <= number:
        return number
"""
CHOICE = """    number = int(answer)
    if number == answer:
        return number
"""
WRONG = "    raise WrongAnswer({arguments})\n"


def calling(
    hook: str, arguments: tuple[str, ...], call: str, width: int, *, compiled: bool
) -> tuple[str, dict[str, Any]]:
    """Return the source of the function through which a hook is called, and the names that it needs.

    Parameters
    ----------
    hook : its name
    arguments : of that function, as the template calls it
    call : the expression that calls the hook
    width : how many numbers its keys have
    compiled : for compiled code, which has no use for details
    """
    head = f"def {hook}({', '.join(arguments)}):\n"
    if hook not in MUST_GIVE:
        return f"{head}    return {call}\n", {}
    look = _look(hook, width, compiled=compiled)
    head += f"    answer = {call}\n"
    if compiled:
        return head + look + WRONG.format(arguments=""), {"WrongAnswer": WrongAnswer}
    if look is ANSWER:
        head += "    if answer is True or answer is False:\n        return answer\n"
    inner = "".join(f"    {line}\n" for line in look.splitlines())
    wrong = WRONG.format(arguments=f"{hook!r}, answer")
    return f"{head}    try:\n{inner}    except Exception:\n        pass\n{wrong}", {
        "WrongAnswer": WrongAnswer
    }


def _look(hook: str, width: int, *, compiled: bool) -> str:
    if hook == "choose":
        return CHOICE
    if hook in ("preempt", "speculate"):
        return AMOUNT
    if hook not in KEYS:
        return ANSWER
    if width == 1:
        return NUMBER
    numbers = ", ".join(f"1.0 * answer[{i}]" for i in range(width))
    each = " and ".join(f"numbers[{i}] <= numbers[{i}]" for i in range(width))
    return TUPLE.format(numbers=numbers, each=each, whole="" if compiled else f" and len(answer) == {width}")
