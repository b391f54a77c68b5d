"""The results of a study as one table, read as far as they are there: while a run still writes them, too."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from core.model.errors import InputError
from core.study.batches import schema_of
from core.study.result_folder import DAMAGE, part_paths, read_results_study, read_state, state_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from core.study.study import Study
    from core.study.study_fields import Value

WHERE = ("cell", "repetition")
MAX_TRIES = 5
"""A run that begins moves parts, so that one may be gone before it is read."""


@dataclass(frozen=True)
class StudyResults:
    """The rows of a study in a folder.

    Attributes
    ----------
    folder : where they lie
    study : what was asked
    state : names what the rows belong to; parts of another state are not looked at
    """

    folder: Path
    study: Study
    state: str

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> StudyResults:
        """Open the results in a folder; InputError if it has none. Rows are read at their first use."""
        path = Path(folder)
        study = read_results_study(path)
        return cls(path, study, read_state(path).get("state", ""))

    def table(self, columns: Sequence[str] | None = None) -> pa.Table:
        """Return the rows that are there, in the order of cells and repetitions, each once.

        Parameters
        ----------
        columns : names; None for all. `cell` and `repetition` are always there
        """
        names = schema_of(self.study).names if columns is None else list(dict.fromkeys([*WHERE, *columns]))
        for name in names:
            if name not in schema_of(self.study).names:
                raise KeyError(name)
        for _ in range(MAX_TRIES):
            try:
                return _in_order(self._parts(names), self.study.repetitions)
            except FileNotFoundError:
                continue
        raise InputError(f"the results in '{self.folder}' change all the time; wait until the run has ended")

    def _parts(self, names: list[str]) -> pa.Table:
        schema = schema_of(self.study)
        tables = [pa.Table.from_batches([], pa.schema([schema.field(name) for name in names]))]
        for path in part_paths(self.folder):
            if state_of(path) == self.state:
                tables.append(_rows_of(path, tables[0].schema))
        return pa.concat_tables(tables)

    def frame(
        self,
        columns: Iterable[str] | None = None,
        where: Mapping[str, Value | Sequence[Value]] | None = None,
    ) -> pd.DataFrame:
        """Return rows as a table of pandas.

        Parameters
        ----------
        columns : names of axes and measures, `seed`, `error`; None for all of these. `cell` and `repetition`
            are always there
        where : for some axes the value or label that is wanted, or several

        An axis without numbers is a categorical column with its labels in their order; `error` is None where
        all went well, and measures are nan where not.

        Raises
        ------
        KeyError
            no such column or axis
        """
        held = dict(where or {})
        names = [name for name in schema_of(self.study).names if name != "key"]
        wanted = names if columns is None else list(dict.fromkeys([*WHERE, *columns]))
        table = self.table(list(dict.fromkeys([*wanted, *held])))
        return frame_of(self.study, table, held)[wanted]

    @property
    def row_count(self) -> int:
        """How many rows are there."""
        return int(self.table(()).num_rows)

    def failed(self) -> pd.DataFrame:
        """Return the rows that are a sentence, with their axes and seed."""
        frame = self.frame(["seed", *(axis.name for axis in self.study.axes), "error"])
        return frame[frame["error"].notna()].reset_index(drop=True)

    @property
    def cut(self) -> str:
        """What is missing of the logs that were run, as sentences; empty where nothing is known to be."""
        return read_state(self.folder).get("cut", "")

    def program(self) -> str:
        """Return which program wrote it, with its version."""
        return read_state(self.folder).get("program", "")


def _rows_of(path: Path, schema: pa.Schema) -> pa.Table:
    """Return the columns of a part that a schema names; InputError if it is damaged."""
    try:
        table = pq.read_table(path, columns=schema.names).replace_schema_metadata().select(schema.names)
        table.validate(full=True)
        return table.cast(schema)
    except FileNotFoundError:
        raise
    except (*DAMAGE, KeyError) as error:
        raise InputError(f"'{path}' is damaged ({error}); delete it, and run the study again") from error


def _in_order(table: pa.Table, repetitions: int) -> pa.Table:
    """Return rows by cell and repetition; of those that are there twice the last."""
    place = table["cell"].to_numpy() * repetitions + table["repetition"].to_numpy()
    backwards = place[::-1]
    _, first = np.unique(backwards, return_index=True)
    return table.take(pa.array(len(place) - 1 - first))


def frame_of(
    study: Study, table: pa.Table | pa.RecordBatch, where: Mapping[str, Value | Sequence[Value]] | None = None
) -> pd.DataFrame:
    """Return rows of a study as a table of pandas, as `StudyResults.frame` does.

    Parameters
    ----------
    study : whose rows they are
    table : rows with any of its columns, as `run_study` passes them to `on_rows`
    where : see there
    """
    if isinstance(table, pa.RecordBatch):
        table = pa.Table.from_batches([table])
    for name, wanted in (where or {}).items():
        axis, values = study.axis(name), wanted if isinstance(wanted, list | tuple) else (wanted,)
        places = [axis.position(value) for value in values]
        shown = [axis.column[place] for place in places if place is not None]
        table = table.filter(pc.is_in(table[name], pa.array(shown, table.schema.field(name).type)))
    frame: pd.DataFrame = table.to_pandas()
    for axis in study.axes:
        if axis.numbers is None and axis.name in frame:
            frame[axis.name] = pd.Categorical(frame[axis.name], axis.column, ordered=True)
    if "error" in frame:
        frame["error"] = frame["error"].astype(object).where(frame["error"].notna(), None)
    return frame
