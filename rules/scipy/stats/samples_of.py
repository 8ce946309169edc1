"""Functions of samples: descriptive statistics and tests, each from a program along the last axis.

`statistic` registers a program: it brings the axis that is asked for to the end, several of them or all as
one, and gives SciPy's own value the program's derivative. Where the program computes another value, as with
weights, or NaN that are left out, the derivative is refused.
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


def statistic(f: Any, *data: str, fields: tuple[str, ...] = (), whole: bool = False) -> Callable[[Any], Any]:
    """Register a program of these samples, and of the options that it names, for a function of SciPy.

    Shapes:  the program works along the last axis; with `whole`, on the samples as they are given.
    """
    asked = inspect.signature(f).parameters
    title = f"{f.__module__.partition('._')[0]}.{f.__name__}"

    def declare(program: Any) -> Any:
        used = _used(program)

        def statistic_written_out(*given, **options):
            y = own(f, *given, **options)
            chosen = {name: options[name] for name in used if name in options}
            samples = given if whole else tuple([along(x, options.get("axis", _axis(asked))) for x in given])
            found = program(*samples, **chosen)
            if not fields:
                return agreed(y, found, title)
            parts = [agreed(field(y, n), part, title) for n, part in zip(fields, found, strict=True)]
            return as_result(y, fields, *parts)

        options = [p for p in asked.values() if p.name not in data and p.kind is not _MANY]
        kind = _MANY if asked[data[0]].kind is _MANY else _NAMED
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


def along(x: Any, axis: Any) -> Any:
    """An array with the axis that is asked for at the end, all axes as one where it is None."""
    if x is None:
        return None
    x = np.asarray(x)
    if axis is None:
        return np.reshape(x, -1)
    if np.ndim(x) == 0:
        return np.reshape(x, 1)
    axes = (axis,) if np.ndim(axis) == 0 else tuple(axis)
    x = np.moveaxis(x, axes, tuple(range(-len(axes), 0)))
    return np.reshape(x, (*np.shape(x)[: np.ndim(x) - len(axes)], -1))


def field(y: Any, name: str) -> Any:
    """A field of a result, by its name or its place."""
    return y[int(name)] if type(y) is tuple else getattr(y, name)


non_differentiable(field, why="reads SciPy's own result")


def central(x: Any, order: int) -> Any:
    """The mean of (x − mean)ᵒʳᵈᵉʳ"""
    return np.mean((x - np.mean(x, axis=-1, keepdims=True)) ** order, axis=-1)
