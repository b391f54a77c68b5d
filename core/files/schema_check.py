"""Check a document against its published JSON Schema; every broken rule becomes one of our sentences.

A schema of resources/schemas is turned into functions once. They know the keywords that these schemas use,
and are fast enough for a million durations; tests hold them against the library jsonschema. Besides the
standard's keywords, `x-unit` says what is counted ("seconds"), and `x-rule` is the sentence of a rule that
types and limits do not say.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from core.files.resources import resource_path
from core.model.errors import MAX_PROBLEMS, did_you_mean
from core.model.in_parts import slices

if TYPE_CHECKING:
    from core.files.json_text import Path

Schema = dict[str, Any]

MAX_FINDINGS = 4 * MAX_PROBLEMS
"""About so many are looked for in a list or object; sorted, the first `MAX_PROBLEMS` are shown."""

TYPES = {
    "number": ("a number", (int, float)),
    "integer": ("a whole number", (int,)),
    "string": ("text", (str,)),
    "boolean": ("true or false", (bool,)),
    "null": ("null", (type(None),)),
    "array": ("a list", (list,)),
    "object": ("an object in braces", (dict,)),
}
"""The types of JSON in the words of our sentences, and as Python has them."""
NUMBERS = ("number", "integer")


@dataclass(frozen=True, slots=True)
class Breach:
    """One broken rule.

    Attributes
    ----------
    path : the way to the value from the one that was checked
    rule : the rule and what to do
    has_value : whether there is a value to show; a missing or an unknown key has none
    """

    path: Path
    rule: str
    has_value: bool = True


Check = Callable[[Any], Sequence[Breach]]
"""Returns what is wrong with a value."""


@cache
def schema_check(name: str) -> Check:
    """Return the check of whole documents by a published schema, "workload" or "session"."""
    text = resource_path("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
    schema: Schema = json.loads(text)
    return _check_of(schema, schema["$defs"])


def value_check(schema: Schema) -> Check:
    """Return the check of single values by a schema that refers to no other one."""
    return _check_of(schema, {})


def _check_of(schema: Schema, definitions: Schema) -> Check:
    """Turn a schema into a function; the keyword that stands first gives the sentence of a place."""
    makers = dict.fromkeys(KEYWORDS[keyword] for keyword in schema if keyword in KEYWORDS)
    checks = [make(schema, definitions) for make in makers]
    return checks[0] if len(checks) == 1 else _together(checks)


def _together(checks: Sequence[Check]) -> Check:
    def together(value: Any) -> Sequence[Breach]:
        found: Sequence[Breach] = ()
        for check in checks:
            if more := check(value):
                found = (*found, *more)
        return found

    return together


def _holds(test: Callable[[Any], bool], rule: str) -> Check:
    broken = (Breach((), rule),)
    return lambda value: () if test(value) else broken


def _target(schema: Schema, definitions: Schema) -> Schema:
    target: Schema = definitions[schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    return target


# ---- of single values


def _type(schema: Schema, _: Schema) -> Check:
    """Check the type, and the limits of a number."""
    types = {kind for name in _types(schema) for kind in TYPES[name][1]}
    takes_whole = "integer" in _types(schema)
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    above = schema.get("exclusiveMinimum", -math.inf)
    broken = (Breach((), _expected(schema)),)

    def check(value: Any) -> Sequence[Breach]:
        kind = type(value)
        if kind is int or kind is float:
            is_type = kind in types or (takes_whole and value.is_integer())
            return () if is_type and low <= value <= high and above < value else broken
        return () if kind in types else broken

    return check


def _rule(schema: Schema) -> str:
    return str(schema["x-rule"]) if "x-rule" in schema else _expected(schema)


def _expected(schema: Schema) -> str:
    """Return which values a schema takes: "give a number of seconds from 0 to 1e12, or a list"."""
    words = [TYPES[name][0] + (_range(schema) if name in NUMBERS else "") for name in _types(schema)]
    return f"give {', or '.join(words)}"


def _types(schema: Schema) -> list[str]:
    given = schema.get("type", [])
    return [given] if isinstance(given, str) else list(given)


def _range(schema: Schema) -> str:
    unit = f" of {schema['x-unit']}" if "x-unit" in schema else ""
    if "exclusiveMinimum" in schema:
        unit += f" above {schema['exclusiveMinimum']}"
        return f"{unit} up to {_short(schema['maximum'])}" if "maximum" in schema else unit
    if "minimum" in schema:
        unit += f" from {_short(schema['minimum'])}"
        return f"{unit} to {_short(schema['maximum'])}" if "maximum" in schema else unit
    return unit


def _short(number: float) -> str:
    """Write a limit briefly: 1e12, not 1000000000000.0."""
    return f"{number:g}".replace("e+", "e") if isinstance(number, float) else str(number)


def _choice(schema: Schema, _: Schema) -> Check:
    known = schema["enum"] if "enum" in schema else [schema["const"]]
    typed = [(isinstance(each, bool), each) for each in known]  # to Python, true is equal to 1

    def check(value: Any) -> Sequence[Breach]:
        if (isinstance(value, bool), value) in typed:
            return ()
        hint = did_you_mean(str(value)[:60], map(str, known))
        return (Breach((), f"not one of the choices{hint}"),)

    return check


def _size(schema: Schema, _: Schema) -> Check:
    """Check the length of a text, or of a list."""
    kind = str if "maxLength" in schema else list
    fewest: int = schema.get("minItems", 0)
    most: float = schema.get("maxLength") or schema.get("maxItems", math.inf)
    return _holds(lambda value: type(value) is not kind or fewest <= len(value) <= most, _rule(schema))


def _pattern(schema: Schema, _: Schema) -> Check:
    found = re.compile(schema["pattern"]).search
    return _holds(lambda value: not isinstance(value, str) or bool(found(value)), _rule(schema))


# ---- of lists and objects


def _inside(part: str | int, findings: Sequence[Breach]) -> Iterator[Breach]:
    """Yield what is wrong with a part of a value, with the way to it."""
    return (replace(finding, path=(part, *finding.path)) for finding in findings)


def _items(schema: Schema, definitions: Schema) -> Check:
    items = _target(schema["items"], definitions)
    of_one = _check_of(items, definitions)
    low, high = items.get("minimum", 0), items.get("maximum", 0)
    most: int | None = schema.get("maxItems")  # of a longer list its length is what is wrong

    def are_right(values: list[Any]) -> bool:
        """Whether a list of numbers is right as a whole, which is ten times faster to see."""
        return bool(items["type"] == "number" and values) and all(
            set(map(type, part)) <= {int, float} and low <= min(part) and max(part) <= high
            for part in slices(values)
        )

    def check(value: Any) -> Sequence[Breach]:
        found: list[Breach] = []
        if type(value) is list and not are_right(value):
            for i, item in enumerate(value[:most]):
                if findings := of_one(item):
                    found += _inside(i, findings)
                    if len(found) >= MAX_FINDINGS:
                        break
        return found

    return check


def _members(schema: Schema, definitions: Schema) -> Check:
    known = {key: _check_of(inner, definitions) for key, inner in schema.get("properties", {}).items()}
    others = schema.get("additionalProperties", {})
    of_other = None if others is False else _check_of(others, definitions)

    def unknown(key: str) -> Sequence[Breach]:
        return (Breach((), f"unknown key{did_you_mean(key[:60], known)}", has_value=False),)

    def check(value: Any) -> Sequence[Breach]:
        found: list[Breach] = []
        if type(value) is dict:
            for key, item in value.items():
                one = known.get(key, of_other)
                if findings := one(item) if one else unknown(key):
                    found += _inside(key, findings)
                    if len(found) >= MAX_FINDINGS:
                        break
        return found

    return check


def _required(schema: Schema, _: Schema) -> Check:
    properties = schema.get("properties", {})
    missing = {
        key: Breach(
            (key,), f"missing; add it: {properties.get(key, {}).get('description', '')}", has_value=False
        )
        for key in schema["required"]
    }

    def check(value: Any) -> Sequence[Breach]:
        return [missing[key] for key in missing if key not in value] if type(value) is dict else ()

    return check


# ---- of schemas together


def _checks(schema: Schema, keyword: str, definitions: Schema) -> list[Check]:
    return [_check_of(inner, definitions) for inner in schema[keyword]]


def _any_of(schema: Schema, definitions: Schema) -> Check:
    checks = _checks(schema, "anyOf", definitions)

    def check(value: Any) -> Sequence[Breach]:
        if not all(check(value) for check in checks):
            return ()
        # An object lacks something when no branch of its rule holds: showing it would not help.
        return (Breach((), _rule(schema), has_value=type(value) is not dict),)

    return check


def _one_of(schema: Schema, definitions: Schema) -> Check:
    checks = _checks(schema, "oneOf", definitions)
    return _holds(lambda value: sum(not check(value) for check in checks) == 1, _rule(schema))


def _not(schema: Schema, definitions: Schema) -> Check:
    check = _check_of(schema["not"], definitions)
    return _holds(lambda value: bool(check(value)), _rule(schema))


def _if(schema: Schema, definitions: Schema) -> Check:
    condition, then = (_check_of(schema[keyword], definitions) for keyword in ("if", "then"))
    return lambda value: () if condition(value) else then(value)


KEYWORDS: dict[str, Callable[[Schema, Schema], Check]] = {
    "$ref": lambda schema, definitions: _check_of(_target(schema, definitions), definitions),
    "type": _type,
    "const": _choice,
    "enum": _choice,
    "pattern": _pattern,
    "maxLength": _size,
    "minItems": _size,
    "maxItems": _size,
    "items": _items,
    "properties": _members,
    "additionalProperties": _members,
    "required": _required,
    "allOf": lambda schema, definitions: _together(_checks(schema, "allOf", definitions)),
    "anyOf": _any_of,
    "oneOf": _one_of,
    "not": _not,
    "if": _if,
}
"""What a keyword, in a schema among definitions, checks; limits of numbers belong to their type."""
