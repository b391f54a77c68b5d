"""Study documents, ``*.study.json``, with every problem of a file collected.

The fields of the base stand in objects: ``cluster.slowstart`` is ``"cluster": {"slowstart": 0.05}``.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.files.atomic import packed_for, replace_file
from core.files.json_text import STUDY_FORMAT, check_header, parse_json, path_text, read_bytes
from core.files.resources import file_or_shipped, resource_path
from core.files.schema_check import schema_check
from core.files.workload_document import as_problems
from core.model.errors import DocumentError
from core.study.study import Axis, Design, Published, Relative, Setting, Span, Study, StudyFigure
from core.study.study_fields import every_name
from core.study.study_problems import study_problems
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
OF_FIGURES = ("title", "source", "kind", "x", "y", "z", "by", "band")
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
    """Build the study in a file's bytes; `name` says in messages which file it is."""
    return study_from_json(parse_json(data, name), name, folder)


def study_from_json(document: Any, name: str, folder: str = "") -> Study:
    """Build the study of a document that is a JSON value already; DocumentError with all its problems.

    Parameters
    ----------
    document : the value
    name : of the file, for messages
    folder : where files that it names are looked for
    """
    check_header(document, name, STUDY_FORMAT, VERSIONS)
    findings = schema_check("study")(document)
    broken = {_whole(finding.path) for finding in findings}
    study = _study(_without(document, broken), folder)
    unread = Unread(frozenset(path_text(_whole(f.path)) for f in findings if not _says_nothing(f)))
    problems = as_problems(document, findings) + study_problems(study, unread)
    if problems:
        raise DocumentError(name, problems)
    return study


def _says_nothing(finding: Breach) -> bool:
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
    document: dict[str, Any] = {"format": STUDY_FORMAT, "version": VERSION, "name": study.name}
    document |= {key: text for key in TEXTS[1:] if (text := getattr(study, key))}
    document["base"] = nested(study.base)
    if study.axes:
        document["axes"] = [_axis_to_json(axis) for axis in study.axes]
    plain = Study("", ())
    if study.design != plain.design:
        document["design"] = _design_to_json(study.design)
    for key in ("repetitions", "first_seed"):
        if (number := getattr(study, key)) != getattr(plain, key):
            document[key] = number
    if study.seeds:
        document["seeds"] = list(study.seeds)
    document["measures"] = list(study.measures)
    if study.figures:
        document["figures"] = [_figure_to_json(figure) for figure in study.figures]
    return document


def rows_digest(study: Study) -> str:
    """Return a hash of all that says which rows there are and what is in them: no texts, no figures.

    What is in the files that it names is not looked at.
    """
    document = study_to_json(study)
    parts = {key: document.get(key) for key in ("base", "axes", *OF_ALL_CELLS, "measures")}
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


# ---- the base: fields by name, and as objects in one another


def nested(changes: Changes) -> dict[str, Any]:
    """Return fields as objects in one another, in the order of the table of fields."""
    places = {name: place for place, name in enumerate(every_name())}
    document: dict[str, Any] = {}
    for name, value in sorted(changes, key=lambda change: places.get(change[0], len(places))):
        *way, last = name.split(".")
        inner = document
        for part in way:
            inner = inner.setdefault(part, {})
        inner[last] = _plain(value)
    return document


def _flat(document: Mapping[str, Any], before: str = "") -> Changes:
    found: list[tuple[str, Value]] = []
    for key, value in document.items():
        found += _flat(value, f"{before}{key}.") if isinstance(value, dict) else [(f"{before}{key}", value)]
    return tuple(sorted(found))


def _plain(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**53 else value


# ---- reading


def _study(document: dict[str, Any], folder: str) -> Study:
    texts = {key: document.get(key, "") for key in TEXTS}
    plain = Study("", ())
    return Study(
        **texts,
        base=_flat(document.get("base", {})),
        axes=tuple(_axis(raw) for raw in document.get("axes", ())),
        measures=tuple(document.get("measures", ())),
        design=_design(document.get("design", {})),
        repetitions=int(document.get("repetitions", plain.repetitions)),
        first_seed=int(document.get("first_seed", plain.first_seed)),
        seeds=tuple(document.get("seeds", ())),
        figures=tuple(_figure(raw) for raw in document.get("figures", ())),
        folder=folder,
    )


def _axis(document: dict[str, Any]) -> Axis:
    span = document.get("range")
    settings = (
        Setting(raw.get("label", ""), _changes(raw.get("set", {}))) for raw in document.get("settings", ())
    )
    return Axis(
        document.get("name", ""),
        tuple(document.get("fields", ())),
        tuple(document.get("values", ())),
        span and _span(span),
        tuple(settings),
        document.get("unit", ""),
    )


def _span(document: dict[str, Any]) -> Span:
    ends = float(document["from"]), float(document["to"])
    return Span(*ends, int(document["count"]), document.get("scale", "linear"))


def _changes(document: dict[str, Any]) -> Changes:
    return tuple(document.items())


def _design(document: dict[str, Any]) -> Design:
    kind, cells = document.get("kind", "grid"), document.get("cells", ())
    seed = int(document.get("seed", 1))
    if isinstance(cells, list | tuple):
        return Design(kind, tuple(tuple(map(int, cell)) for cell in cells), 0, seed)
    return Design(kind, (), int(cells), seed)


def _figure(document: dict[str, Any]) -> StudyFigure:
    texts = {key: document[key] for key in OF_FIGURES if key in document}
    where = document.get("where", {}).items()
    relative = document.get("as")
    published = document.get("published", ())
    return StudyFigure(
        **{"title": "", **texts},
        where=tuple((axis, tuple(v) if isinstance(v, list) else (v,)) for axis, v in where),
        relative=relative and _relative(relative),
        best_over=tuple(document.get("best_over", ())),
        published=tuple(map(_published, published)),
        also=tuple(document.get("also", ())),
    )


def _published(document: dict[str, Any]) -> Published:
    points = tuple(map(tuple, document.get("points", ())))
    return Published(
        document["name"], points, document.get("note", ""), document.get("from"), document.get("to")
    )


def _relative(document: dict[str, Any]) -> Relative:
    return Relative(document["kind"], tuple(document["at"].items()), document.get("of", "each"))


# ---- writing


def _axis_to_json(axis: Axis) -> dict[str, Any]:
    document: dict[str, Any] = {"name": axis.name}
    if axis.fields:
        document["fields"] = list(axis.fields)
    if axis.values:
        document["values"] = [_plain(value) for value in axis.values]
    if (span := axis.span) is not None:
        document["range"] = {"from": _plain(span.start), "to": _plain(span.end), "count": span.count}
        document["range"] |= {"scale": span.scale} if span.scale != "linear" else {}
    if axis.settings:
        document["settings"] = [
            {"label": s.label, "set": {name: _plain(value) for name, value in s.changes}}
            for s in axis.settings
        ]
    return document | ({"unit": axis.unit} if axis.unit else {})


def _design_to_json(design: Design) -> dict[str, Any]:
    if design.kind == "list":
        return {"kind": design.kind, "cells": [list(cell) for cell in design.cells]}
    return {"kind": design.kind, "cells": design.count, "seed": design.seed}


def _figure_to_json(figure: StudyFigure) -> dict[str, Any]:
    document: dict[str, Any] = {name: text for name in OF_FIGURES if (text := getattr(figure, name))}
    if figure.also:
        document["also"] = list(figure.also)
    if figure.where:
        held = {axis: [_plain(value) for value in values] for axis, values in figure.where}
        document["where"] = {axis: v[0] if len(v) == 1 else v for axis, v in held.items()}
    if (relative := figure.relative) is not None:
        document["as"] = {"kind": relative.kind, "at": {axis: _plain(v) for axis, v in relative.at}}
        document["as"] |= {"of": relative.of} if relative.of != "each" else {}
    if figure.best_over:
        document["best_over"] = list(figure.best_over)
    if figure.published:
        document["published"] = [_published_to_json(each) for each in figure.published]
    return document


def _published_to_json(published: Published) -> dict[str, Any]:
    document: dict[str, Any] = {"name": published.name}
    if published.points:
        document["points"] = [[_plain(value) for value in point] for point in published.points]
    for key, end in (("from", published.least), ("to", published.most)):
        document |= {key: _plain(end)} if end is not None else {}
    return document | ({"note": published.note} if published.note else {})
