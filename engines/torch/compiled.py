"""Array functions inside graphs: what `to_torch` gives where torch.compile or torch.export is tracing.

One operator of PyTorch's library, `chainrules::call`, stands for every array function, which a number
names. Its gradient is a call of the same operator on the pulled array function, so that graphs stay
whole to any order. What the tensors of a value look like is found on made-up arrays (stand_ins.py), that
of gradients from what they are gradients of.

A library operator knows neither forward mode nor the transformations of torch.func. Under the latter the
graph is broken and the operator runs as it does outside, and so it is where an argument is a function or
another object, which graphs do not take; the former is refused. Graphs hold numbers and no
objects: functions that were traced are kept as long as the process lives. Containers in the arguments are
those that PyTorch's tracing takes: tuples, lists, dicts.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
import torch._dynamo

from ...core.callables import name_of
from ...core.errors import ChainRulesError, ShapeMismatch, UnsupportedArgument
from ..adapters.array_functions import ArrayFunction
from ..adapters.stand_ins import Spec, value_like
from ..leaves import Layout, refuse_by_name, skeleton
from .calls import TRACKED, Adapted, adapted_functions
from .tensors import ARRAY_DTYPES, TENSOR_DTYPES, as_array, as_tensor, differentiable, is_tensor

Fakes = Callable[[list[torch.Tensor]], list[torch.Tensor]]


class Traced(NamedTuple):
    """An array function that stands in a graph."""

    function: ArrayFunction
    fakes: Fakes  # tensors without memory like those of the value
    out: Layout
    specs: list[Spec] | None = None  # shapes and dtypes that were found on made-up numbers


class Kept:
    """What graphs refer to, as attributes: a tracer reads and guards each by itself."""


_traced: list[Traced] = []


def call_in_graph(number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of an operator while a graph is traced; the tracer follows this function."""
    if torch._C._are_functorch_transforms_active() or not (_fits(args) and _fits(kwargs)):
        return _call_outside(number, args, kwargs)
    given = tuple([torch.as_tensor(a) if isinstance(a, np.ndarray) else a for a in args])
    ys, kept = _call_whole(number, given, kwargs)
    return _rebuilt(getattr(Kept, "layout" + str(kept)), ys)


@torch.compiler.disable(
    reason="operators of chainrules run outside of graphs under the transformations of torch.func, and where "
    "an argument is a function or another object that a graph does not take"
)
def _call_outside(number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return Adapted.call(adapted_functions[number], args, kwargs)


def _fits(value: Any) -> bool:
    """Whether a graph can hold a value as an argument: it cannot hold functions and other objects."""
    if isinstance(value, tuple | list):
        return all([_fits(part) for part in value])  # noqa: C419  the tracer follows a list more easily
    if isinstance(value, dict):
        return _fits(list(value.values()))
    if value is None:
        return True
    return isinstance(value, torch.Tensor | np.ndarray | bool | int | float | complex | str)


@torch._dynamo.nonstrict_trace
def _call_whole(number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], int]:
    """The tensors of the value, and the number of its structure; the tracer does not look inside.

    What is raised here the tracer hides behind an error of its own, so it is told in a warning too.
    """
    try:
        return _traced_call(number, args, kwargs)
    except ChainRulesError as error:
        warnings.warn(f"torch.compile cannot keep a call whole: {error}", stacklevel=1)
        raise


def _traced_call(number: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], int]:
    """As `call_in_graph`, for tensors without memory."""
    adapted = adapted_functions[number]
    f, engine = adapted.f, adapted.engine
    refuse_by_name(f, kwargs, is_tensor, TRACKED)
    layout, x = Layout.of(args, is_tensor)
    _refuse_forward(f)
    function = ArrayFunction(f, layout, kwargs, engine)
    out, specs = value_like(function, [(tuple(map(int, t.shape)), ARRAY_DTYPES[t.dtype]) for t in x])

    def fakes(x: list[torch.Tensor]) -> list[torch.Tensor]:
        return [torch.empty(shape, dtype=TENSOR_DTYPES[dtype]) for shape, dtype in specs]

    _traced.append(Traced(function, fakes, out, specs))
    key = len(_traced) - 1
    setattr(Kept, f"layout{key}", skeleton(out))
    return call(key, x), key


def _refuse_forward(f: Callable[..., Any]) -> None:
    """Refuse forward mode, which a library operator would answer with zeros."""
    if torch.autograd.forward_ad._current_level >= 0:
        raise UnsupportedArgument(
            f,
            "mode",
            "forward",
            supported=["reverse"],
            why="inside torch.compile PyTorch has no forward mode for operators from outside",
            next="compile the function without jvp, or use reverse mode",
        )


def _rebuilt(node: Any, ys: list[Any]) -> Any:
    """The value with its tensors; written with what a tracer can follow."""
    if node[0] == "leaf":
        return ys[node[1]]
    if node[0] == "constant":
        return node[1]
    P, names = node[1], node[2]
    values = [_rebuilt(below, ys) for below in node[3]]
    if names is not None:
        named = dict(zip(names, values))  # noqa: B905  the tracer does not follow strict=
        return named if P is dict else P(**named)
    return P(*values) if hasattr(P, "_fields") else P(values)


@torch.library.custom_op("chainrules::call", mutates_args=())
def call(number: int, x: list[torch.Tensor]) -> list[torch.Tensor]:
    """The tensors of an array function's value."""
    function, _, out, declared = _traced[number]
    ys = function.arrays([as_array(function.f, t) for t in x], out)
    if declared is not None and [(np.shape(y), np.asarray(y).dtype) for y in ys] != declared:
        raise ShapeMismatch(
            f"{name_of(function.f)} gave arrays of other shapes or dtypes than while the graph was traced",
            next=f"call {name_of(function.f)} outside of the compiled program",
        )
    return [as_tensor(np.ascontiguousarray(y) if np.ndim(y) else y) for y in ys]


@call.register_fake
def _fake(number: int, x: list[torch.Tensor]) -> list[torch.Tensor]:
    return _traced[number].fakes(x)


def _save(ctx: Any, inputs: tuple[int, list[torch.Tensor]], output: list[torch.Tensor]) -> None:
    ctx.number, x = inputs
    ctx.save_for_backward(*x)


def _backward(ctx: Any, y_bars: list[torch.Tensor | None]) -> tuple[None, list[torch.Tensor | None]]:
    x = list(ctx.saved_tensors)
    needs = [bool(n) and differentiable(t) for n, t in zip(ctx.needs_input_grad[1], x, strict=True)]
    seeds = [t for t in y_bars if t is not None]
    if not seeds or not any(needs):
        return None, [None] * len(x)
    traced = _traced[ctx.number]
    pulled = traced.function.pulled(traced.out, [t is not None for t in y_bars], needs)
    assert pulled.out is not None, "derivatives know what they give"

    def fakes(given: list[torch.Tensor]) -> list[torch.Tensor]:
        own = given[len(seeds) :]
        return [torch.empty(t.shape, dtype=t.dtype) for t, n in zip(own, needs, strict=True) if n]

    _traced.append(Traced(pulled, fakes, pulled.out))
    found = iter(call(len(_traced) - 1, [*seeds, *x]))
    return None, [next(found) if n else None for n in needs]


call.register_autograd(_backward, setup_context=_save)

# Where a graph is broken, the tracer is not to follow our code.
Adapted.call = torch.compiler.disable(  # type: ignore[method-assign]
    Adapted.call, reason="operators of chainrules run eagerly under the transformations of torch.func"
)
