"""Paints rows of tasks into an image: with the compiled kernel once it is there, with numpy until then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.charts import pixel_covers, raster_kernel, raster_numpy
from core.charts.inks import inks_of
from core.charts.pixel_covers import Inks, Scratch
from core.charts.raster_kernel import Frame
from core.charts.row_columns import RowColumns
from core.engine.jit import Kept, compiled, named_by_sources, numba

if TYPE_CHECKING:
    from numpy.typing import NDArray


def paint_rows(image: NDArray[np.uint32], rows: RowColumns, inks: Inks, frame: Frame) -> None:
    """Fill an image (height, width), which may be a slice of a larger one, with rows of tasks."""
    if image.size == 0:
        return
    if kernel_is_ready():
        _kernel()(image, rows, inks, frame, scratch(image.shape[1], len(inks.colours)))
    else:
        raster_numpy.paint(image, rows, inks, frame)


def kernel_is_ready() -> bool:
    """Whether pictures are drawn by the compiled kernel."""
    return _kernel.is_loaded()


def use_compiled() -> None:
    """Draw with the compiled kernel from now on (0.3 s from the cache, else seconds to compile it)."""
    _kernel()


def warm_up() -> None:
    """Compile the kernel into the cache and try it; meant for a process that may be busy for seconds."""
    _kernel()(np.zeros((1, 1), np.uint32), _no_rows(), _no_inks(), _FRAME, scratch(1, 1))


_FRAME = Frame(0, 1.0, 0.0, 1.0, 0, 0, 1, 0)


def _no_rows() -> RowColumns:
    none = np.zeros(0)
    rows = RowColumns(
        np.zeros(2, np.int64), np.zeros(1), none, none, none, np.zeros(0, np.int32), np.zeros(1)
    )
    for column in rows:
        column.flags.writeable = False
    return rows


def _no_inks() -> Inks:
    return inks_of(np.zeros((1, 6), np.int64))


@Kept
def _kernel() -> Any:
    """Return the compiled kernel; images may have any strides, so that a slice needs no other one."""
    types = numba().types
    image = types.Array(types.uint32, 2, "A")
    examples = (_no_rows(), _no_inks(), _FRAME, scratch(1, 1))
    kernel = named_by_sources(raster_kernel.paint, raster_kernel, pixel_covers)
    return compiled(kernel, types.void(image, *(numba().typeof(example) for example in examples)))


def scratch(width: int, inks: int) -> Scratch:
    """Make the kernel's work arrays for one width and so many colours."""
    return Scratch(
        cover=np.zeros((inks, width + 2), np.int64),
        first=np.full(inks, width, np.int64),
        last=np.full(inks, -1, np.int64),
        few_inks=np.zeros(inks, np.int64),
        few_covers=np.zeros(inks, np.int64),
        turn=np.zeros(4, np.int64),
        sums=np.zeros((4, width)),
        total=np.zeros(width, np.int64),
        line=np.zeros(width, np.int64),
        marks=np.zeros(width, np.int32),
        strips=np.zeros(width, np.int8),
        borrowed=np.zeros(width + 2, np.int64),
    )
