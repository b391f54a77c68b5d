"""Study documents, ``*.study.json``, with every problem of a file collected.

The fields of the base stand in objects: ``cluster.slowstart`` is ``"cluster": {"slowstart": 0.05}``.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.files.forms import BY_NAME, Form, InJson, each, shortest
from core.files.json_text import STUDY_FORMAT, check_header, parse_json, path_text, read_bytes
from core.files.resources import file_or_shipped, resource_path
from core.files.schema_check import schema_check
from core.files.workload_document import as_problems
from core.model.errors import DocumentError
from core.study.study import Axis, Design, Published, Relative, Setting, Span, Study, StudyFigure
from core.study.study_fields import every_name
from core.study.unread import Unread

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from core.files.json_text import Path as Way
    from core.files.schema_check import Breach
    from core.study.study import Changes
    from core.study.study_fields import Value

VERSION = 1
VERSIONS = (1,)
"""All that are read; old versions stay."""
ENDING = ".study.json"
TEXTS = ("name", "description", "source")
OF_FIGURES = ("title", "source", "kind", "x", "y", "z", "by", "band", "interval", "interval_seed")
OF_ALL_CELLS = ("design", "repetitions", "first_seed", "seeds")
"""Keys that say which rows there are, beside base, axes and measures."""
WHOLE = {("design",), ("axes", "range"), ("figures", "as"), ("figures", "published")}
"""Values of which nothing can be said where a part is broken, by their keys without places in lists."""
PLACEHOLDERS: dict[str, Any] = {"settings": {"label": "", "set": {}}, "values": 0}
"""What stands for a broken item of a list, so that those behind it keep their places; else an empty text."""


def read_study(path: str | os.PathLike[str]) -> Study:
    """Read a study, gzipped or not; files that it names are not opened.

    Raises
    ------
    InputError
        the file cannot be read
    DocumentError
        the document breaks rules; all of them are listed
    """
    folder = str(Path(path).resolve().parent)
    return study_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)), folder)


def preset_paths() -> dict[str, Path]:
    """Return the studies that come with Slotscope, by name."""
    paths = sorted(resource_path("studies").glob(f"*{ENDING}"))
    return {path.name.removesuffix(ENDING): path for path in paths}


def find_study(source: str) -> Study:
    """Read a study from a file, or one that comes with Slotscope by its name.

    Raises
    ------
    UnknownName
        neither a file nor a preset has this name
    InputError
        the file is not there, cannot be read, or breaks rules
    """
    return read_study(file_or_shipped(source, preset_paths(), "study", "study file or preset"))


def study_from_bytes(data: bytes, name: str, folder: str = "") -> Study:
    """Build the study in a file's bytes; `name` stands for the file in messages."""
    return study_from_json(parse_json(data, name), name, folder)


def study_from_json(document: Any, name: str, folder: str = "") -> Study:
    """Build the study of a document that is a JSON value already; DocumentError with all its problems.

    Parameters
    ----------
    document : the value
    name : of the file, for messages
    folder : where files that it names are looked for
    """
    from core.study.study_problems import study_problems  # a study that is written needs no checks

    check_header(document, name, STUDY_FORMAT, VERSIONS)
    findings = schema_check("study")(document)
    broken = {_whole(finding.path) for finding in findings}
    study = replace(STUDY.read(_without(document, broken)), folder=folder)
    unread = Unread(frozenset(path_text(_whole(f.path)) for f in findings if not _is_unknown_key(f)))
    problems = as_problems(document, findings) + study_problems(study, unread)
    if problems:
        raise DocumentError(name, problems)
    return study


def _is_unknown_key(finding: Breach) -> bool:
    """Return whether an axis or a figure is known without what is broken: an unknown key."""
    return finding.path[0] in ("axes", "figures") and finding.rule.startswith("unknown key")


def _whole(path: Way) -> Way:
    """Return the way to what is left out for a broken value: itself, or what makes no sense without it."""
    for end in range(1, len(path)):
        if tuple(part for part in path[:end] if isinstance(part, str)) in WHOLE:
            return path[:end]
    return path


def _without(value: Any, broken: Collection[Way]) -> Any:
    """Return a copy of a JSON value without what is broken; items of lists keep their places."""
    if isinstance(value, dict):
        return {key: _part(value[key], key, broken) for key in value if (key,) not in broken}
    return value


def _part(value: Any, key: str | int, broken: Collection[Way]) -> Any:
    inside = {path[1:] for path in broken if path[0] == key and len(path) > 1}
    if not inside:
        return value
    if isinstance(value, list):
        return [
            _stand_in(item, str(key)) if (place,) in inside else _part(item, place, inside)
            for place, item in enumerate(value)
        ]
    return _without(value, inside)


def _stand_in(item: Any, of: str) -> Any:
    """Return what stands for a broken item of a list."""
    if of in ("axes", "figures"):
        known = item if isinstance(item, dict) else {}
        return {key: known[key] for key in ("name", "fields", "unit") if key in known}
    return PLACEHOLDERS.get(of, "")


def write_study(study: Study, path: str | os.PathLike[str]) -> None:
    """Write a study in one step, gzipped when the name ends in .gz."""
    replace_file(path, packed_for(path, study_to_bytes(study)))


def study_to_bytes(study: Study) -> bytes:
    """Return the study as it is written to a file: a line for each key, axis and figure."""
    lines = []
    for key, value in study_to_json(study).items():
        if key in ("axes", "figures"):
            items = ",\n    ".join(map(_line, value))
            lines.append(f"  {_line(key)}: [\n    {items}\n  ]")
        else:
            lines.append(f"  {_line(key)}: {_line(value)}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def study_to_json(study: Study) -> dict[str, Any]:
    """Return the study as a JSON value, always in one form; reading it gives the same study."""
    return {"format": STUDY_FORMAT, "version": VERSION} | STUDY.write(study)


def rows_digest(study: Study) -> str:
    """Return a hash of all that determines the rows and their contents: no texts, no figures.

    What is in the files that it names is not looked at.
    """
    document = study_to_json(study)
    parts = {key: document.get(key) for key in ("base", "axes", *OF_ALL_CELLS, "measures")}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


# ---- how its parts stand in documents


def nested(changes: Changes) -> dict[str, Any]:
    """Return fields as objects in one another, in the order of the table of fields."""
    places = {name: place for place, name in enumerate(every_name())}
    document: dict[str, Any] = {}
    for name, value in sorted(changes, key=lambda change: places.get(change[0], len(places))):
        *way, last = name.split(".")
        inner = document
        for part in way:
            inner = inner.setdefault(part, {})
        inner[last] = shortest(value)
    return document


def _flat(document: Mapping[str, Any], before: str = "") -> Changes:
    found: list[tuple[str, Value]] = []
    for key, value in document.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", value)]
    return tuple(sorted(found))


def _design(document: Mapping[str, Any]) -> Design:
    kind, cells, seed = document.get("kind", "grid"), document.get("cells", ()), int(document.get("seed", 1))
    if isinstance(cells, list | tuple):
        return Design(kind, tuple(tuple(map(int, cell)) for cell in cells), 0, seed)
    return Design(kind, (), int(cells), seed)


def _design_to_json(design: Design) -> dict[str, Any]:
    if design.kind == "list":
        return {"kind": design.kind, "cells": shortest(design.cells)}
    return {"kind": design.kind, "cells": design.count, "seed": design.seed}


def _held(document: Mapping[str, Any]) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """Return the values that are shown of axes; one stands in documents without a list."""
    return tuple((axis, tuple(v) if isinstance(v, list) else (v,)) for axis, v in document.items())


def _held_to_json(held: tuple[tuple[str, tuple[Value, ...]], ...]) -> dict[str, Any]:
    return {axis: shortest(values[0] if len(values) == 1 else values) for axis, values in held}


SPAN = Form(Span, Span(0, 0, 0), keys={"start": "from", "end": "to"}, always=("start", "end", "count"))
SETTING = Form(
    Setting, Setting("", ()), {"changes": BY_NAME}, {"changes": "set"}, always=("label", "changes")
)
AXIS = Form(Axis, Axis(""), {"span": SPAN, "settings": each(SETTING)}, {"span": "range"}, always=("name",))
RELATIVE = Form(Relative, Relative("ratio", ()), {"at": BY_NAME}, always=("kind", "at"))
PUBLISHED = Form(
    Published,
    Published(""),
    keys={"least": "from", "most": "to"},
    always=("name",),
    order=("name", "points", "least", "most", "note"),
)
FIGURE = Form(
    StudyFigure,
    StudyFigure(""),
    {"where": InJson(_held, _held_to_json), "relative": RELATIVE, "published": each(PUBLISHED)},
    {"relative": "as"},
    always=("kind",),
    order=(*OF_FIGURES, "also", "where", "relative", "best_over", "published"),
)
STUDY = Form(
    Study,
    Study("", (), measures=()),
    {
        "base": InJson(_flat, nested),
        "axes": each(AXIS),
        "design": InJson(_design, _design_to_json),
        "figures": each(FIGURE),
    },
    always=("name", "base", "measures"),
    order=(*TEXTS, "base", "axes", *OF_ALL_CELLS, "measures", "figures"),
)
