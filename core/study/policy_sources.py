"""The policy files that a study names: ``file:mine.py`` where a policy's id may stand, seen from the study.

A study comes from anybody, and a policy file is code. Nothing here runs one: `read_policies` reads, whoever
runs the study asks whether that is wanted, and what is agreed to goes to the workers as it was read.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.files.atomic import replace_file
from core.model.errors import InputError, UnknownName
from core.policies.own_policies import OWN_POLICIES
from core.policies.registry import POLICIES, describe
from core.policies.user_files.policy_process import load_apart
from core.policies.user_files.source import ENDING, VERSION_DIGITS, policy_id_of, read_policy_file
from core.study.policy_names import FILE, is_file_policy
from core.study.study import values_of
from core.study.study_fields import POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.policies.user_files.source import PolicySource
    from core.study.study import Changes, Study, StudyFigure

ANOTHER = "the study needs a copy of {name}, but '{copy}' is another file; move it"
NOT_TRUSTED = "the study runs {files}, whose code nobody has agreed to: read it, and say that it may run"


def read_policies(study: Study) -> dict[str, PolicySource]:
    """Read the policy files that a study names, with what they import, without running any.

    Returns
    -------
    What was read, by the names that the study has for them, ``file:mine.py``

    Raises
    ------
    InputError
        one of them cannot be read
    """
    names = sorted(str(value) for value in values_of(study, "policy.id") if is_file_policy(value))
    return {name: read_policy_file(path_of(study.folder, name)) for name in names}


def path_of(folder: str, name: str) -> Path:
    """Return where the file of a name lies, seen from the folder of the study."""
    return Path(folder, name.removeprefix(FILE)).absolute()


def check_agreed(study: Study, agreed: Mapping[str, PolicySource]) -> None:
    """Raise InputError if a study names policy files that are not among those that may run."""
    left = sorted({str(v) for v in values_of(study, "policy.id") if is_file_policy(v)} - agreed.keys())
    if left:
        raise InputError(NOT_TRUSTED.format(files=", ".join(each.removeprefix(FILE) for each in left)))


def check_policies(study: Study, agreed: Mapping[str, PolicySource]) -> None:
    """Run the files that a study names once, in processes of their own, and check what it sets of them.

    Raises
    ------
    PolicyError
        a file cannot be run or holds no policy
    UnknownName
        the study sets a parameter that none of its policies has
    """
    if not agreed:
        return
    taken = {p.name for name in sorted(agreed) for p in describe(running(agreed[name])).parameters}
    used = values_of(study, "policy.id") | {"fifo"}
    taken |= {p.name for policy in POLICIES if policy.id in used for p in policy.parameters}
    for name in _parameters_set(study):
        if name not in taken:
            raise UnknownName(f"parameter of {', '.join(sorted(agreed))}", name, taken, all_known=True)


def with_policies_beside(study: Study, folder: Path) -> Study:
    """Return a study that names its policy files seen from another folder, where it is about to be written.

    Files that do not lie in that folder, or below it, are copied there with what they import.

    Raises
    ------
    InputError
        a file cannot be read or written, or another file has its name there
    """
    names = {name: _name_beside(source, folder) for name, source in read_policies(study).items()}
    if not names:
        return study

    def renamed(changes: Changes) -> Changes:
        return tuple((field, names.get(str(value), value)) for field, value in changes)

    axes = tuple(
        replace(
            axis,
            values=tuple(names.get(str(value), value) for value in axis.values),
            settings=tuple(replace(each, changes=renamed(each.changes)) for each in axis.settings),
        )
        for axis in study.axes
    )
    figures = tuple(_figure_renamed(figure, names) for figure in study.figures)
    return replace(study, base=renamed(study.base), axes=axes, figures=figures, folder=str(folder))


def _figure_renamed(figure: StudyFigure, names: Mapping[str, str]) -> StudyFigure:
    """Return a figure that names the points of axes as they are called now."""
    where = tuple((axis, tuple(names.get(str(v), v) for v in values)) for axis, values in figure.where)
    relative = figure.relative
    if relative is not None:
        relative = replace(relative, at=tuple((axis, names.get(str(v), v)) for axis, v in relative.at))
    return replace(figure, where=where, relative=relative)


def _name_beside(source: PolicySource, folder: Path) -> str:
    """Return what a file is called seen from a folder, copied there if it lies elsewhere."""
    if source.path.is_relative_to(folder):
        return f"{FILE}{source.path.relative_to(folder).as_posix()}"
    copies = {source.path.name: source.data} | {each.name: each.data for each in source.helpers}
    for name, data in copies.items():
        copy = folder / name
        if not copy.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            replace_file(copy, data)
        elif copy.read_bytes() != data:
            raise InputError(ANOTHER.format(name=name, copy=copy))
    return f"{FILE}{source.path.name}"


def _parameters_set(study: Study) -> list[str]:
    every = [name for name, _ in study.base] + [name for axis in study.axes for name in axis.sets]
    return [name.removeprefix(POLICY) for name in every if name.startswith(POLICY)]


def running(source: PolicySource) -> str:
    """Run a file if this process has not run just this content yet, and return the id of its version.

    What scenarios follow under the path of the file stays as it is.

    Raises
    ------
    PolicyError
        the file cannot be run or holds no policy
    """
    version = f"{policy_id_of(source.path)}@{source.digest[:VERSION_DIGITS]}"
    if version not in OWN_POLICIES:
        OWN_POLICIES[version] = load_apart(source)
    return version


def file_of(policy_id: str) -> str:
    """Return the id by which scenarios follow a file, of one of its versions; any other id as it is."""
    path, at, _ = policy_id.rpartition("@")
    return path if at and path.endswith(ENDING) else policy_id
