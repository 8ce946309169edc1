"""Grey morphology: the greatest and the least of windows, and what is made of the two.

Dilation takes the greatest of x + s, over the reversed structure; erosion the least of x − s. Derivatives
go to the entries that were selected, by the image and by the structure.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import ndimage

from ....core import non_differentiable
from ...written import written_out
from .arguments import along, delivered, dtype_of, each, everywhere, spread_shape
from .correlation import opposite
from .ranks import footprint_of, maximum_filter, minimum_filter, places_of, selected, value


def cells_of(size: Any, footprint: Any, structure: Any, axes: Any, ndim: int) -> Any:
    """Which places of a window count."""
    if footprint is None and structure is not None:
        footprint = np.ones(np.shape(structure), dtype=bool)
    return footprint_of(size, footprint, axes, ndim)


def flipped(cells: Any) -> Any:
    """The places of a window, reversed."""
    return np.flip(cells)


def apart(size: Any, mode: Any, axes: Any) -> list[tuple[Any, Any, int]]:
    """Size, mode and axis, one after another."""
    return list(zip(each(size, len(axes)), each(mode, len(axes)), axes, strict=True))


non_differentiable(cells_of, flipped, apart, why="the selection is frozen")


def _in_order(s: Any, cells: Any) -> list[Any]:
    """The entries of a structure at the places that count."""
    return [s[place] for place in places_of(cells)]


@written_out(ndimage.grey_erosion)
def grey_erosion(
    input: np.ndarray | list,
    *,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """min over k of x_{i+k} − s_k"""
    x = np.asarray(input)
    if structure is None:
        return minimum_filter(
            x, size=size, footprint=footprint, output=output, mode=mode, cval=cval, origin=origin, axes=axes
        )
    dtype, axes = dtype_of("scipy.ndimage.grey_erosion", output, x), along(axes, np.ndim(x))
    cells, origins = (
        cells_of(size, footprint, structure, axes, np.ndim(x)),
        everywhere(origin, axes, np.ndim(x), 0),
    )
    s = np.reshape(np.asarray(structure, dtype=float), spread_shape(np.shape(structure), axes, np.ndim(x)))
    y = value(ndimage.grey_erosion, x, footprint=cells, structure=s, mode=mode, cval=cval, origin=origins)
    return delivered(selected(x, y, cells, origins, mode, cval, _in_order(-s, cells)), dtype)


@written_out(ndimage.grey_dilation)
def grey_dilation(
    input: np.ndarray | list,
    *,
    size=None,
    footprint=None,
    structure=None,
    output=None,
    mode="reflect",
    cval=0.0,
    origin=0,
    axes=None,
):
    """max over k of x_{i−k} + s_k"""
    x = np.asarray(input)
    dtype, axes = dtype_of("scipy.ndimage.grey_dilation", output, x), along(axes, np.ndim(x))
    if structure is None and footprint is None and not isinstance(mode, str):
        starts = everywhere(origin, axes, np.ndim(x), 0)
        for count, way, axis in apart(size, mode, axes):
            x = grey_dilation(x, size=count, mode=way, cval=cval, origin=starts[axis], axes=(axis,))
        return delivered(x, dtype)
    cells = cells_of(size, footprint, structure, axes, np.ndim(x))
    origins = opposite(np.shape(cells), everywhere(origin, axes, np.ndim(x), 0))
    cells = flipped(cells)
    if structure is None:
        return maximum_filter(x, footprint=cells, output=output, mode=mode, cval=cval, origin=origins)
    s = np.reshape(np.asarray(structure, dtype=float), spread_shape(np.shape(structure), axes, np.ndim(x)))
    y = value(
        ndimage.grey_dilation,
        x,
        footprint=flipped(cells),
        structure=s,
        mode=mode,
        cval=cval,
        origin=everywhere(origin, axes, np.ndim(x), 0),
    )
    return delivered(selected(x, y, cells, origins, mode, cval, _in_order(np.flip(s), cells)), dtype)


def _pair(first: Any, second: Any, x: Any, options: Any) -> Any:
    return second(first(x, **options), **options)


def _made_of(name: str, doc: str, made: Any) -> None:
    """The rules of a function that is made of dilation and erosion with the same options."""

    def program(
        input: np.ndarray | list,
        *,
        size=None,
        footprint=None,
        structure=None,
        output=None,
        mode="reflect",
        cval=0.0,
        origin=0,
        axes=None,
    ):
        x = np.asarray(input)
        dtype = dtype_of(f"scipy.ndimage.{name}", output, x)
        options = {
            "size": size,
            "footprint": footprint,
            "structure": structure,
            "mode": mode,
            "cval": cval,
            "origin": origin,
            "axes": axes,
        }
        return delivered(made(x, options), dtype)

    program.__name__, program.__doc__ = name, doc
    written_out(getattr(ndimage, name))(program)


_made_of("grey_opening", "Dilation of the erosion", lambda x, o: _pair(grey_erosion, grey_dilation, x, o))
_made_of("grey_closing", "Erosion of the dilation", lambda x, o: _pair(grey_dilation, grey_erosion, x, o))
_made_of(
    "morphological_gradient", "Dilation − erosion", lambda x, o: grey_dilation(x, **o) - grey_erosion(x, **o)
)
_made_of(
    "morphological_laplace",
    "Dilation + erosion − 2 x",
    lambda x, o: grey_dilation(x, **o) + grey_erosion(x, **o) - 2.0 * x,
)
_made_of("white_tophat", "x − its opening", lambda x, o: x - _pair(grey_erosion, grey_dilation, x, o))
_made_of("black_tophat", "Closing of x, − x", lambda x, o: _pair(grey_dilation, grey_erosion, x, o) - x)
