"""The published JSON Schemas, and their complaints turned into our sentences."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from core.files.resources import resource_path
from core.model.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

    from core.files.json_text import Path

TYPE_WORDS = {
    "number": "a number",
    "integer": "a whole number",
    "string": "text",
    "boolean": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object in braces",
}
"""The types of JSON in the words of our sentences."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule of a document.

    Attributes
    ----------
    path : the way to the value
    rule : the rule and what to do
    has_value : whether there is a value to show; a missing or an unknown key has none
    """

    path: Path
    rule: str
    has_value: bool = True


@cache
def _validator(schema_name: str) -> Draft202012Validator:
    # Imported late: it takes as long as reading a large document.
    from jsonschema import Draft202012Validator

    text = resource_path("schemas", f"{schema_name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def schema_findings(schema_name: str, document: Any) -> Iterator[Finding]:
    """Yield what a schema has against a document, which must be shallow: see `hollow`."""
    for error in _validator(schema_name).iter_errors(document):
        yield from _findings(error)


def hollow(value: Any) -> Any:
    """Empty a list or object that stands where none may: the schema need not look inside."""
    return type(value)() if isinstance(value, list | dict) else value


def _findings(error: ValidationError) -> Iterator[Finding]:
    path = tuple(error.absolute_path)
    schema = error.schema if isinstance(error.schema, dict) else {}
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = schema.get("properties", {})
        for key in error.instance.keys() - known.keys():
            yield Finding((*path, key), f"unknown key{did_you_mean(key[:60], known)}", has_value=False)
    elif error.validator == "required" and isinstance(error.instance, dict):
        for key in set(schema["required"]) - error.instance.keys():
            meaning = schema.get("properties", {}).get(key, {}).get("description", "")
            yield Finding((*path, key), f"missing; add it: {meaning}", has_value=False)
    else:
        # An object lacks something when no branch of its rule holds: showing it would not help.
        has_value = not (error.validator == "anyOf" and isinstance(error.instance, dict))
        yield Finding(path, _rule(error, schema), has_value)


def _rule(error: ValidationError, schema: Mapping[str, Any]) -> str:
    if error.validator == "enum":
        known = [str(value) for value in schema["enum"]]
        return f"not one of the choices{did_you_mean(str(error.instance)[:60], known)}"
    if error.validator == "const":
        return f"must be {schema['const']!r}"
    if "x-rule" in schema and error.validator not in ("type", "minimum", "maximum"):
        return str(schema["x-rule"])
    return f"give {_expected(schema)}"


def _expected(schema: Mapping[str, Any]) -> str:
    """Say which values a schema takes: "a number of seconds from 0 to 1e12, or a list"."""
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    words = [TYPE_WORDS[name] + (_range(schema) if name in ("number", "integer") else "") for name in types]
    return ", or ".join(words)


def _range(schema: Mapping[str, Any]) -> str:
    unit = f" of {schema['x-unit']}" if "x-unit" in schema else ""
    if "exclusiveMinimum" in schema:
        unit += f" above {schema['exclusiveMinimum']}"
        return f"{unit} up to {_short(schema['maximum'])}" if "maximum" in schema else unit
    if "minimum" in schema and "maximum" in schema:
        return f"{unit} from {_short(schema['minimum'])} to {_short(schema['maximum'])}"
    return unit


def _short(number: float) -> str:
    """Write a limit briefly: 1e12, not 1000000000000.0."""
    return (
        str(int(number))
        if abs(number) < 1e16 and not isinstance(number, float)
        else f"{number:g}".replace("e+", "e")
    )
