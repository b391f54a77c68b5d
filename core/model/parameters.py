"""One description of a parameter, from which the window's form and the command line are made."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from core.model.errors import InputError, UnknownName, shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

ParameterType = Literal["integer", "number", "boolean", "choice", "text"]
ParameterValue = bool | int | float | str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A named value that a policy or a generator takes.

    Attributes
    ----------
    name : snake_case, as typed on the command line
    type : "integer", "number", "boolean", "choice" or "text"
    default : value used when none is given
    min, max : inclusive range of numbers, None for no limit
    unit : "s", "slots", "jobs" …; empty for none
    help : one sentence
    choices : the allowed values of a "choice"
    """

    name: str
    type: ParameterType
    default: ParameterValue
    help: str
    min: float | None = None
    max: float | None = None
    unit: str = ""
    choices: tuple[str, ...] = ()

    def check(self, value: object, owner: str) -> ParameterValue:
        """Return the value in the parameter's type; text is parsed. Raises InputError with the rule."""
        where = f"{owner}: parameter {self.name}"
        if self.type == "text":
            return str(value)
        if self.type == "choice":
            if value not in self.choices:
                raise InputError(f"{where} is {shorten(value)}; choose one of {', '.join(self.choices)}")
            return str(value)
        if self.type == "boolean":
            return self._boolean(value, where)
        return self._number(value, where)

    def _boolean(self, value: object, where: str) -> bool:
        known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        answer = known.get(str(value).lower())
        if answer is None:
            raise InputError(f"{where} is {shorten(value)}; give true or false")
        return answer

    def _number(self, value: object, where: str) -> int | float:
        kind = "a whole number" if self.type == "integer" else "a number"
        try:
            number = float(str(value))
        except ValueError:
            number = math.nan
        if isinstance(value, bool) or not math.isfinite(number) or (self.type == "integer" and number % 1):
            raise InputError(f"{where} is {shorten(value)}; give {kind}")
        low = -math.inf if self.min is None else self.min
        high = math.inf if self.max is None else self.max
        if not low <= number <= high:
            span = f"from {self.min}" if self.max is None else f"from {self.min} to {self.max}"
            raise InputError(f"{where} is {shorten(value)}; give {kind} {span} {self.unit}".rstrip())
        return int(number) if self.type == "integer" else number

    def as_number(self, value: ParameterValue) -> float:
        """Return a checked value as compiled code has it: a choice as its place among the choices."""
        return float(self.choices.index(str(value)) if self.type == "choice" else value)

    def to_json(self) -> dict[str, Any]:
        """Return the description for `slotscope policies --json`."""
        described: dict[str, Any] = {
            name: getattr(self, name) for name in ("name", "type", "default", "min", "max")
        }
        described |= {"unit": self.unit, "help": self.help}
        if self.choices:
            described["choices"] = list(self.choices)
        return described


def names_in(text: str) -> list[str]:
    """Split names at their commas; a name with a comma in it stands in double quotes.

    Raises
    ------
    InputError
        the text has several lines, or is too long to be names
    """
    try:
        names: list[str] = next(csv.reader([text], skipinitialspace=True), [])
    except csv.Error as error:
        raise InputError(f"{shorten(text)} cannot be names of jobs; write J2,J1 in one line") from error
    return [name.strip() for name in names if name.strip()]


def names_text(names: Iterable[str], separator: str = ",") -> str:
    """Return names in a line, as `names_in` reads them; one with a separator in it is quoted."""
    line = io.StringIO()
    csv.writer(line, delimiter=separator, lineterminator="").writerow(names)
    return line.getvalue()


def named_texts(text: str, kind: str, known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the names and values of "heartbeat=3, hosts=8"; UnknownName for a name that is not known."""
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in known:
            raise UnknownName(kind, name, known)
        yield name, value


def check_parameters(
    parameters: Sequence[Parameter], given: Mapping[str, object], owner: str
) -> dict[str, ParameterValue]:
    """Return a value for every parameter: the given one, checked, or the default.

    Raises
    ------
    UnknownName
        a given name is not a parameter of the owner
    InputError
        a given value breaks its parameter's type or range
    """
    known = {parameter.name: parameter for parameter in parameters}
    for name in given:
        if name not in known:
            raise UnknownName(f"parameter of {owner}", name, known, all_known=True)
    return {name: p.check(given[name], owner) if name in given else p.default for name, p in known.items()}
