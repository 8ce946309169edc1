"""Where `x[index]` reads: for each axis of x, the coordinates of the entries, in the shape of the item.

NumPy's own indexing decides how the parts of an index combine. It is asked on ranges that hold only
the coordinates which the index names, so that the cost goes with what is read and never with the
length of an axis: 128 rows of a table are 128 coordinates.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Coordinates = np.ndarray[Any, Any]


def places(shape: tuple[int, ...], index: Any) -> list[Coordinates]:
    """For each axis, the coordinates that `x[index]` reads of an x of this shape, in the item's shape.

    Raises:  IndexError where x has no such item.
    Example: >>> places((4, 9), ([0, 0, -1], slice(2, 4)))[0]
             array([[0, 0],
                    [0, 0],
                    [3, 3]])
    """
    named, short = _named(shape, index)
    ranges = np.meshgrid(*named, indexing="ij", sparse=True, copy=False)
    within = tuple(map(len, named))
    return [np.asarray(np.broadcast_to(r, within)[short]) for r in ranges]


def located(shape: tuple[int, ...], index: Any) -> tuple[Any, ...]:
    """The places of an index, of a single entry as plain numbers.

    Example: >>> located((4, 9), (-1, 2)), located((4,), slice(2, 4))
             ((3, 2), (array([2, 3]),))
    """
    items = index if type(index) is tuple else (index,)
    if len(items) == len(shape) and all(type(i) is int for i in items):
        return tuple(range(n)[i] for n, i in zip(shape, items, strict=True))
    return tuple(places(shape, index))


def _named(shape: tuple[int, ...], index: Any) -> tuple[list[Coordinates], tuple[Any, ...]]:
    """The coordinates that each axis names, and the index that reads `x[index]` of those alone."""
    items = index if type(index) is tuple else (index,)
    parts = [_as_part(item) for item in items]
    spare = len(shape) - sum(map(_axes_of, parts))
    named: list[Coordinates] = []
    short: list[Any] = []
    for part in parts if any(part is ... for part in parts) else [*parts, ...]:
        axis = len(named)
        if part is ...:
            named += [np.arange(n) for n in shape[axis : axis + spare]]
            short.append(part)
        elif not _axes_of(part):
            short.append(part)
        elif isinstance(part, slice):
            named.append(np.arange(*part.indices(shape[axis])))
            short.append(slice(None))
        elif part.dtype == bool:
            _agree(part, shape[axis : axis + part.ndim])
            named += part.nonzero()
            short += [np.arange(np.count_nonzero(part))] * part.ndim
        else:
            named.append(_counted_from_the_front(part, shape, axis).ravel())
            short.append(np.arange(part.size).reshape(part.shape) if part.ndim else 0)
    return named, tuple(short)


def _as_part(item: Any) -> Any:
    if item is None or item is ... or isinstance(item, slice):
        return item
    part = np.asarray(item)
    return part.astype(np.intp) if part.size == 0 and part.dtype != bool else part


def _axes_of(part: Any) -> int:
    """How many axes of x a part of an index uses up."""
    if part is None or part is ...:
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1


def _agree(mask: Coordinates, lengths: tuple[int, ...]) -> None:
    if mask.shape != lengths:
        raise IndexError(f"a mask of shape {mask.shape} over axes of lengths {lengths}")


def _counted_from_the_front(part: Coordinates, shape: tuple[int, ...], axis: int) -> Coordinates:
    length = shape[axis]
    if part.size and not (-length <= part.min() and part.max() < length):
        raise IndexError(f"an index out of bounds for axis {axis} of length {length}")
    return np.where(part < 0, part + length, part)


def settled_index(index: Any) -> Any:
    """The index with arrays and lists copied: the program may write into its own before the pullback runs.

    Example: >>> settled_index((0, [1, 2], ...))
             (0, array([1, 2]), Ellipsis)
    """
    if type(index) is tuple:
        return tuple(map(settled_index, index))
    if isinstance(index, list):
        return np.array(index) if index else np.empty(0, np.intp)
    return index.copy() if isinstance(index, np.ndarray) else index
