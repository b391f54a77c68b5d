"""What a command is: a class whose fields are its options, each declared once, in the order of the help.

The type of a field says what is read: text, a number, yes or no, one of some words, several. An option has
to be given if it has no default and its type has no None. Options that several commands have are a record of
their own; a field of its type adds all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from explorer.cli.parser import Parser

if TYPE_CHECKING:
    from argparse import Namespace, _ActionsContainer, _SubParsersAction
    from collections.abc import Callable

    Commands = _SubParsersAction[Parser]

DECLARED = "declared"
"""The key of a field's metadata."""


@dataclass(frozen=True)
class Declared:
    """The words of argparse, what stands before a value (None: nothing), and how it is read."""

    words: dict[str, Any]  # Any: as argparse has it
    name: str | None = ""
    read: Callable[[Any], Any] | None = None

    def add_to(self, parser: _ActionsContainer, field_name: str, kind: Any) -> None:  # Any: a type
        """Add the option of a field; `kind` is the field's type."""
        is_list = get_origin(kind) is list and self.read is None
        kinds = get_args(kind) if is_list or get_origin(kind) in (Union, UnionType) else (kind,)
        words = dict(self.words)
        if get_origin(kinds[0]) is Literal:
            words["choices"] = get_args(kinds[0])
        if kinds[0] in (int, float) and self.read is None:
            words["type"] = kinds[0]
        if self.name is None:
            parser.add_argument(field_name, **words | ({"nargs": "+"} if is_list else {}))
            return
        if is_list:
            words = {"default": []} | ({} if "nargs" in words else {"action": "append"}) | words
        if "action" not in words:
            words["required"] = NoneType not in kinds and words.get("default") is None
        parser.add_argument(self.name or f"--{field_name.replace('_', '-')}", dest=field_name, **words)


def option(
    metavar: str | None,
    text: str,
    *,
    name: str = "",
    read: Callable[[Any], Any] | None = None,
    **words: Any,
) -> Any:  # Any: the field's type is its annotation
    """Declare an option by what stands for its value and what it is; it is called as its field unless named.

    `read` makes the field's value of what was typed. All other words are those of argparse.
    """
    return field(metadata={DECLARED: Declared({"metavar": metavar, "help": text} | words, name, read)})


def flag(text: str, name: str = "") -> Any:  # Any: a bool
    """Declare an option without a value: it is given, or not."""
    return field(metadata={DECLARED: Declared({"help": text, "action": "store_true"}, name)})


def argument(metavar: str, text: str, **words: Any) -> Any:  # Any: the field's type is its annotation
    """Declare a value that is known by its place; all other words are those of argparse."""
    return field(metadata={DECLARED: Declared({"metavar": metavar, "help": text} | words, None)})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option, flag, argument))
class Options:
    """Options that belong together, as a frozen record; with a title they stand apart in the help."""

    title: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True, repr=False, eq=False)(cls)  # each costs start-up time

    @classmethod
    def add_to(cls, parser: _ActionsContainer) -> None:
        """Add every option to a parser."""
        group = parser.add_argument_group(cls.title) if cls.title else parser
        for name, kind, declared in cls._fields():
            if declared is None:
                kind.add_to(group)
            else:
                declared.add_to(group, name, kind)

    @classmethod
    def of(cls, parsed: Namespace) -> Self:
        """Return the record of what was typed; what `read` refuses is an InputError."""
        return cls(**{name: _value(parsed, name, kind, declared) for name, kind, declared in cls._fields()})

    @classmethod
    @cache
    def _fields(cls) -> list[tuple[str, Any, Declared | None]]:  # Any: a type
        """Return each field with its type; one that declares no option is a record of options itself."""
        record: Any = cls  # Any: a dataclass, which no type can say of the base
        kinds = get_type_hints(cls)
        return [(each.name, kinds[each.name], each.metadata.get(DECLARED)) for each in fields(record)]


def _value(parsed: Namespace, name: str, kind: Any, declared: Declared | None) -> Any:  # Any: a type, a value
    if declared is None:
        return kind.of(parsed)
    value = getattr(parsed, name)
    return value if declared.read is None or value is None else declared.read(value)


class Command(Options):
    """Something to run: its fields are its options, its first line is what the help says of it.

    `run` does it and returns the exit code, None for 0.
    """

    name: ClassVar[str] = ""

    def __init_subclass__(cls, name: str = "") -> None:
        cls.name = name or cls.name
        super().__init_subclass__()

    @classmethod
    def add_command(cls, commands: Commands) -> None:
        """Add the command to those of a parser."""
        line = (cls.__doc__ or "").partition("\n")[0].removesuffix(".")
        text = line[:1].lower() + line[1:]
        parser = commands.add_parser(cls.name.rpartition(" ")[2], help=text, description=text)
        parser.set_defaults(made_by=cls.of)
        cls.add_to(parser)

    @classmethod
    def typed(cls, words: list[str]) -> Self:
        """Return the command with options as they are typed."""
        parser = Parser()
        cls.add_to(parser)
        return cls.of(parser.parse_args(words))

    def run(self) -> int | None:
        """Do it."""
        raise NotImplementedError
