"""How far colours are apart to the eye: Björn Ottosson's OKLab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)
"""Linear sRGB to cone response, and its cube root to lightness and opponents."""


def oklab(light: NDArray[np.float64]) -> NDArray[Any]:
    """Return lightness and the two opponents of linear colours, (..., 3)."""
    return np.asarray(np.cbrt(light @ TO_CONES.T) @ TO_LAB.T)
