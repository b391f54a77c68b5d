"""Slips of the pen in policy files: Python's errors about names, with the name that was meant."""

from __future__ import annotations

import builtins
import difflib
import re
from typing import TYPE_CHECKING, Any

from core.engine.records import CLUSTER, JOB, POOL
from core.engine.state import Row
from core.policies.policy import OFFERED
from core.policies.user_files.source import frames_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.policies.policy import Policy

NO_FIELD = re.compile(r"no field of name (\w+)")
MEMO = re.compile(r"\b(job|pool|cluster)(\[[^]]*\])?\.memo\[")
LAYOUTS = {"job": JOB, "pool": POOL, "cluster": CLUSTER}
CLOSE = 0.55


def words_of(policy: type[Policy], error: BaseException) -> str:
    """Return an error's text, with the name that was meant where it is one of a record, or a parameter."""
    if isinstance(error, AttributeError) and error.name:
        return _no_attribute(error, error.name)
    if isinstance(error, NameError) and error.name:
        return _no_name(policy, error, error.name)
    no_field = NO_FIELD.search(str(error))
    if isinstance(error, ValueError) and no_field:
        fields = {field for layout in (JOB, POOL) for field in layout.names or ()}
        return f"{error}{_meant(no_field[1], fields)}"
    if isinstance(error, IndexError):
        return _beyond_memo(policy, error) or str(error)
    return str(error)


def _meant(name: str, known: Iterable[str], before: str = "") -> str:
    """Return ": did you mean x?" for the nearest known name; empty for none."""
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=CLOSE)
    return f": did you mean {before}{close[0]}?" if close else ""


def _no_attribute(error: AttributeError, name: str) -> str:
    thing: Any = error.obj
    if isinstance(thing, Row):
        record = next((n for n, layout in LAYOUTS.items() if set(layout.names or ()) == set(vars(thing))), "")
        known: Iterable[str] = vars(thing)
    else:
        record, known = "", [name for name in dir(thing) if not name.startswith("_")]
    if not record:
        return f"{error}{_meant(name, known)}"
    meant = _meant(name, known, f"{record}.")
    return f"there is no {record}.{name}{meant or '; it has ' + ', '.join(_fields_of(record))}"


def _fields_of(record: str) -> list[str]:
    """Return the fields of a record that policies may use."""
    ours = {"leaf", "root", "changed", "first", "region", "head", "turn", "held", "bad_pick", "pause_at"}
    ours |= {"before", "not_before", "link", "links", "cleans", "next_leaf"}
    ours |= {"linked", "unknown", "numbers", "pooled", "outlooks"}
    return [name for name in LAYOUTS[record].names or () if name not in ours]


def _no_name(policy: type[Policy], error: NameError, name: str) -> str:
    frame, _line = frames_of(error)[-1]
    parameters = [parameter.name for parameter in policy.parameters]
    hooks = {name: getattr(getattr(policy, name, None), "__code__", None) for name in OFFERED}
    hook = next((name for name, code in hooks.items() if code is frame.f_code), "")
    offered = [*OFFERED.get(hook, ()), *parameters]
    if hook and name in offered:
        return f"{error}: let {hook} ask for it, as in def {hook}({name}, …)"
    known = {*offered, *frame.f_locals, *frame.f_globals, *vars(builtins)}
    close = difflib.get_close_matches(name, sorted(known), n=1, cutoff=CLOSE)
    if not close:
        return str(error)
    hint = " It is a parameter" if close[0] in parameters and close[0] not in frame.f_locals else ""
    return f"{error}: did you mean {close[0]}?{hint}"


def _beyond_memo(policy: type[Policy], error: IndexError) -> str:
    """Return how long a memo is, if the line reads or writes one."""
    frame, line = frames_of(error)[-1]
    for file in policy.source.files if policy.source is not None else ():
        found = MEMO.search(file.place(line).text) if str(file.path) == frame.f_code.co_filename else None
        if found is not None:
            length = LAYOUTS[found[1]]["memo"].shape[0]
            return f"{error}: {found[1]}.memo has {length} numbers, 0 to {length - 1}"
    return ""
