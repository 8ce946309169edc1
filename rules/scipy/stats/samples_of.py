"""Functions of samples: descriptive statistics and tests, each from a program along the last axis.

`statistic` registers a program: it brings the axis that is asked for to the end, several of them or all as
one, and gives SciPy's own value the program's derivative. NaN that are left out are left out row by row.
Where the program computes another value, the derivative is refused.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from ....core import non_differentiable
from ....core.types import Array
from ...taking import taking
from ...written import own, written_out
from .agreement import agreed, as_result

_NAMED, _OPTION = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
_MANY = inspect.Parameter.VAR_POSITIONAL
Samples = Array | list | tuple


def statistic(
    f: Any,
    *data: str,
    fields: tuple[str, ...] = (),
    numbers: tuple[str, ...] = (),
    paired: bool = False,
    whole: bool = False,
) -> Callable[[Any], Any]:
    """Register a program of these samples, and of the options that it names, for a function of SciPy.

    Shapes:  the program works along the last axis, but for data that are `numbers`; with `whole`, on what is
             given as it is. Where NaN are left out, it has one row after another, `paired` or not.
    """
    asked = inspect.signature(f).parameters
    title = f"{f.__module__.partition('._')[0]}.{f.__name__}"
    moved = tuple(name not in numbers for name in data)
    many = asked[data[0]].kind is _MANY

    def declare(program: Any) -> Any:
        used = _used(program)

        def statistic_written_out(*given, **options):
            y = (
                own(f, *given, **options)
                if many
                else own(f, **dict(zip(data, given, strict=False)), **options)
            )
            chosen = {name: options[name] for name in used if name in options}
            if whole:
                found = program(*given, **chosen)
            else:
                samples = lengthwise(given, options.get("axis", _axis(asked)), moved)
                if leaves_out(options, samples):
                    found = row_by_row(program, samples, chosen, paired, len(fields))
                else:
                    found = program(*samples, **chosen)
            if not fields:
                return agreed(y, found, title)
            parts = [agreed_all(field(y, n), part, title) for n, part in zip(fields, found, strict=True)]
            return as_result(y, fields, *parts)

        options = [p for p in asked.values() if p.name not in data and p.kind is not _MANY]
        kind = _MANY if many else _NAMED
        parameters = [inspect.Parameter(n, kind, default=_default(asked[n], kind)) for n in data]
        parameters += [p.replace(kind=_OPTION) for p in options]
        statistic_written_out.__annotations__ = {data[0]: Samples}
        statistic_written_out.__doc__ = program.__doc__
        written_out(f)(taking(statistic_written_out, parameters, name=f"{f.__name__}_written_out"))
        return program

    return declare


def _default(parameter: inspect.Parameter, kind: Any) -> Any:
    return inspect.Parameter.empty if kind is _MANY else parameter.default


def _axis(asked: Any) -> Any:
    return asked["axis"].default if "axis" in asked else 0


def _used(program: Any) -> tuple[str, ...]:
    every = inspect.signature(program).parameters.values()
    return tuple(p.name for p in every if p.kind is _OPTION)


non_differentiable(_axis, why="reads a default")


def agreed_all(value: Any, program: Any, title: str) -> Any:
    """A field with the derivative of a program's, or several of them."""
    if type(program) is tuple:
        return tuple([agreed(v, p, title) for v, p in zip(value, program, strict=True)])
    return agreed(value, program, title)


def lengthwise(given: Any, axis: Any, moved: tuple[bool, ...]) -> Any:
    """Samples with the axis that is asked for at the end; other numbers as they are."""
    moved = moved if len(moved) == len(given) else (True,) * len(given)
    ndim = max([np.ndim(x) for x, m in zip(given, moved, strict=True) if m and x is not None], default=0)
    return tuple([along(x, axis, ndim) if m else x for x, m in zip(given, moved, strict=True)])


def along(x: Any, axis: Any, ndim: int = 0) -> Any:
    """An array with the axis that is asked for at the end, all axes as one where it is None."""
    if x is None:
        return None
    x = np.asarray(x)
    if axis is None:
        return np.reshape(x, -1)
    if np.ndim(x) == 0:
        return np.reshape(x, 1)
    if np.ndim(x) < ndim:
        x = np.reshape(x, (1,) * (ndim - np.ndim(x)) + np.shape(x))
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    x = np.moveaxis(x, axes, tuple(range(-len(axes), 0)))
    return np.reshape(x, (*np.shape(x)[: np.ndim(x) - len(axes)], -1))


def leaves_out(options: Any, samples: Any) -> bool:
    """Whether there are NaN that are to be left out."""
    return options.get("nan_policy") == "omit" and any(
        bool(np.any(np.isnan(s))) for s in samples if s is not None
    )


def kept(rows: Any, paired: bool) -> Any:
    """Which entries of samples are left in."""
    masks = tuple(None if r is None else ~np.isnan(r) for r in rows)
    if not paired:
        return masks
    every = np.logical_and.reduce([m for m in masks if m is not None])
    return tuple(None if m is None else every for m in masks)


def places(samples: Any) -> Any:
    """The rows of samples, and the shape that they make together."""
    shape = np.broadcast_shapes(*[np.shape(s)[:-1] for s in samples if s is not None])
    return shape, tuple(np.ndindex(shape))


non_differentiable(leaves_out, kept, places, why="says where NaN are")


def row_by_row(program: Any, samples: Any, options: Any, paired: bool, count: int) -> Any:
    """A program along the last axis, for each row without its NaN."""
    shape, rows = places(samples)
    wide = [None if s is None else np.broadcast_to(s, (*shape, np.shape(s)[-1])) for s in samples]
    found = [
        without_nan(program, [None if s is None else s[row] for s in wide], options, paired) for row in rows
    ]
    if not count:
        return gathered(found, shape)
    return tuple([gathered([one[k] for one in found], shape) for k in range(count)])


def gathered(rows: Any, shape: Any) -> Any:
    """What a program gave for each row, in the shape of the rows; of pairs, both."""
    if type(rows[0]) is tuple:
        return tuple([gathered([row[k] for row in rows], shape) for k in range(len(rows[0]))])
    return np.reshape(np.stack(rows), shape)


def without_nan(program: Any, rows: Any, options: Any, paired: bool) -> Any:
    """A program of one row of each sample, without NaN."""
    masks = kept(rows, paired)
    return program(*[None if r is None else r[m] for r, m in zip(rows, masks, strict=True)], **options)


def field(y: Any, name: str) -> Any:
    """A field of a result, by its name or its place."""
    return y[int(name)] if type(y) is tuple else getattr(y, name)


non_differentiable(field, why="reads SciPy's own result")


def central(x: Any, order: int) -> Any:
    """The mean of (x − mean)ᵒʳᵈᵉʳ"""
    return np.mean((x - np.mean(x, axis=-1, keepdims=True)) ** order, axis=-1)
