"""`vmap`: a function of one sample as a function of many.

It is a program like any other: a loop over the samples, whose values are stacked. A ufunc of NumPy works on
all entries at once, so it is called once, with the mapped axes in front. Every other function is called for
each sample; what it can do for whole arrays by broadcasting is quicker written so. Containers are mapped in
every part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec

import numpy as np

from ..core.callables import describe, name_of
from ..core.decorators import non_differentiable
from ..core.errors import ShapeMismatch, UnsupportedArgument
from ..core.recording import by_rule
from ..tangents import Composite, fields_of, primal_type
from ..tangents.composite import from_fields

P = ParamSpec("P")
Axis = int | None


def vmap(f: Callable[P, Any], in_axes: Axis | tuple[Axis, ...] = 0, out_axes: int = 0) -> Callable[..., Any]:
    """f for many samples: called for each along an axis of the arguments, its values stacked.

    `in_axes` is the axis of every argument, or one for each; None for an argument that is the same for all
    samples. Keyword arguments are. In a container every array has the axis.

    Shapes:  the arguments without the mapped axis are f's; the value has it at `out_axes`.
    Raises:  UnsupportedArgument where nothing is mapped or an argument has no such axis; ShapeMismatch where
             the axes have different lengths.
    Example: >>> vmap(lambda x, y: x @ y, in_axes=(0, None))(np.eye(2), np.array([3.0, 4.0]))
             array([3., 4.])
             >>> vmap(grad(lambda w, x: (w * x) ** 2), in_axes=(None, 0))(2.0, np.array([1.0, 3.0]))
             array([ 4., 36.])
    """

    def mapped(*x: Any, **kwargs: Any) -> Any:
        axes, size = axes_of(f, in_axes, x)
        if is_elementwise(f, x, kwargs):
            return np.moveaxis(f(*in_front(x, axes)), 0, out_axes)  # type: ignore[call-arg]  # as many as x
        values: tuple[Any, ...] = ()
        for i in range(size):
            given: tuple[Any, ...] = ()
            for a, axis in zip(x, axes, strict=True):
                given = (*given, a if axis is None else sample(a, axis, i))
            values = (*values, f(*given, **kwargs))
        return stacked(values, out_axes)

    return mapped


def sample(a: Any, axis: int, i: int) -> Any:
    """The part of an argument that belongs to one sample."""
    if isinstance(a, dict):
        return {key: sample(v, axis, i) for key, v in a.items()}
    if isinstance(a, list):
        return [sample(v, axis, i) for v in a]
    if isinstance(a, tuple):
        parts = [sample(v, axis, i) for v in a]
        return type(a)(*parts) if hasattr(a, "_fields") else tuple(parts)
    return np.moveaxis(a, axis, 0)[i]


def stacked(values: tuple[Any, ...], axis: int) -> Any:
    """The values of all samples as one, in the containers of one."""
    first = values[0]
    if isinstance(first, dict):
        return {key: stacked(tuple([v[key] for v in values]), axis) for key in first}
    if isinstance(first, tuple | list):
        parts = [stacked(tuple([v[k] for v in values]), axis) for k in range(len(first))]
        if isinstance(first, list):
            return parts
        return type(first)(*parts) if hasattr(first, "_fields") else tuple(parts)
    if isinstance(first, Composite):
        return stacked_tangents(values, axis)
    return np.stack(values, axis)


@by_rule
def stacked_tangents(values: tuple[Any, ...], axis: int) -> Any:
    """The same of gradients of containers and objects."""
    entries = [dict(fields_of(v)) for v in values]
    parts = {key: stacked(tuple([e[key] for e in entries]), axis) for key in entries[0]}
    return from_fields(primal_type(values[0]), parts)


@by_rule
def axes_of(f: Any, in_axes: Any, x: tuple[Any, ...]) -> tuple[tuple[Axis, ...], int]:
    """The mapped axis of each argument, and how many samples there are."""
    axes = tuple(in_axes) if isinstance(in_axes, tuple | list) else (in_axes,) * len(x)
    if len(axes) != len(x):
        raise UnsupportedArgument(
            "vmap",
            "in_axes",
            in_axes,
            why=f"{name_of(f)} was called with {len(x)} positional arguments",
            next="give one axis for each, None where all samples share the argument",
        )
    sizes = [
        n for a, axis in zip(x, axes, strict=True) if axis is not None for n in _lengths(a, axis, in_axes)
    ]
    if not sizes:
        raise UnsupportedArgument(
            "vmap", "in_axes", in_axes, why="nothing is mapped", next="give the axis of an argument"
        )
    if len(set(sizes)) > 1:
        found = ", ".join(map(str, dict.fromkeys(sizes)))
        raise ShapeMismatch(
            f"the mapped axes of the arguments of {name_of(f)} have the lengths {found}",
            next="map axes of one length, or give in_axes=None to an argument that all samples share",
        )
    if not sizes[0]:
        raise UnsupportedArgument(
            "vmap",
            "in_axes",
            in_axes,
            why="the mapped axis is empty, so f's value is not known",
            next="map a sample",
        )
    return axes, sizes[0]


def _lengths(a: Any, axis: int, in_axes: Any) -> list[int]:
    """The lengths of the mapped axis in every part of an argument."""
    if isinstance(a, dict):
        return [n for v in a.values() for n in _lengths(v, axis, in_axes)]
    if isinstance(a, tuple | list):
        return [n for v in a for n in _lengths(v, axis, in_axes)]
    shape = np.shape(a)
    if not -len(shape) <= axis < len(shape):
        raise UnsupportedArgument(
            "vmap",
            "in_axes",
            in_axes,
            why=f"{describe(a)} has no axis {axis}",
            next="give None for an argument that all samples share",
        )
    return [shape[axis]]


@by_rule
def is_elementwise(f: Any, x: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether one call of f serves all samples: a ufunc of one value, of arrays alone."""
    if not isinstance(f, np.ufunc) or f.signature is not None or f.nout != 1 or kwargs or len(x) != f.nin:
        return False
    return not any(isinstance(a, dict | tuple | list) for a in x)


def in_front(x: tuple[Any, ...], axes: tuple[Axis, ...]) -> tuple[Any, ...]:
    """The arguments with the mapped axis first, and axes of length one behind it, so that they broadcast."""
    ndim = widest(x, axes)
    given: tuple[Any, ...] = ()
    for a, axis in zip(x, axes, strict=True):
        if axis is None:
            given = (*given, a)
        else:
            front = np.moveaxis(a, axis, 0)
            shape = front.shape
            given = (*given, np.reshape(front, (shape[0], *(1,) * (ndim + 1 - len(shape)), *shape[1:])))
    return given


@by_rule
def widest(x: tuple[Any, ...], axes: tuple[Axis, ...]) -> int:
    """The most axes that a sample of an argument has."""
    return max(np.ndim(a) - (axis is not None) for a, axis in zip(x, axes, strict=True))


non_differentiable(axes_of, is_elementwise, widest, why="decides by shapes")
