"""How arguments are read: what is wrong with them is a sentence, also for unknown options."""

from __future__ import annotations

import argparse
import difflib
from typing import Any, NoReturn

from typing_extensions import override

from core.model.errors import InputError
from explorer.cli.screen import screen_width


class Parser(argparse.ArgumentParser):
    """Raises InputError instead of leaving the program."""

    @override
    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message} (see '{self.prog} --help')")

    @override
    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        found, unknown = super().parse_known_args(args, namespace)
        for word in unknown:
            name = word.partition("=")[0]
            known = [each for action in self._actions for each in action.option_strings]
            close = difflib.get_close_matches(name, known, n=1)
            if name.startswith("-"):
                self.error(f"unknown option '{name}'{f'; did you mean {close[0]}?' if close else ''}")
            self.error(f"'{word}' is one word too many")
        return found, unknown

    @override
    def _get_formatter(self) -> argparse.HelpFormatter:
        return argparse.HelpFormatter(self.prog, width=screen_width() - 2)
