"""Calls: an array function as one autograd Function of PyTorch's.

Its backward and its forward mode are calls of the same Function on the array functions that the derivatives
are, so derivatives of any order are as for any of PyTorch's operators, and `torch.func` composes. Where
nothing is differentiated twice the pullback that the forward run made is used as it is. Inputs and outputs
are saved the way PyTorch saves them, so that a change in place between forward and backward is PyTorch's
own error. `vmap` calls the function for one sample after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakValueDictionary

import torch
from torch.autograd import forward_ad

from ...core.engine import Engine
from ...core.errors import UnsupportedArgument
from ..adapters.array_functions import ArrayFunction
from ..leaves import ALONE, Layout, refuse_by_name
from .tensors import as_array, as_tensor, differentiable, is_tensor

Tensors = Sequence[Any]
TRACKED = "PyTorch may track a tensor", "give it by position, or give the array .detach().numpy()"
"""Why tensors are not given by name, and what to do instead."""


class Adapted:
    """A function and the engine that differentiates it; the operator made of them keeps it."""

    def __init__(self, f: Callable[..., Any], engine: Engine | None) -> None:
        self.f, self.engine = f, engine
        self.plain: dict[int, ArrayFunction] = {}  # of calls with tensors alone, by their number

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function of tensors; compiled.py sees to it that tracers do not look inside."""
        if not kwargs and all(map(is_tensor, args)):
            function = self.plain.get(len(args))
            if function is None:
                function = ArrayFunction(self.f, Layout.flat(len(args)), {}, self.engine)
                self.plain[len(args)] = function
            x: Tensors = args
        else:
            refuse_by_name(self.f, kwargs, is_tensor, TRACKED)
            layout, x = Layout.of(args, is_tensor)
            function = ArrayFunction(self.f, layout, kwargs, self.engine)
        out, ys = apply(function, x)
        return ys[0] if out is ALONE else out.filled(ys)


adapted_functions: WeakValueDictionary[int, Adapted] = WeakValueDictionary()
"""By the numbers that graphs know them by."""


class Record:
    """What the forward run of one call leaves behind."""

    __slots__ = ("back", "first", "needs", "out")

    def __init__(self, first: ArrayFunction, needs: tuple[bool, ...] | None) -> None:
        self.first = first  # what runs once; the derivatives run it as it was before
        self.needs = needs  # which tensors want a gradient, where the pullback can be used as it is
        self.back: Callable[[Tensors], list[Any]] | None = None
        self.out: Layout | None = None


def apply(function: ArrayFunction, x: Tensors) -> tuple[Layout, tuple[torch.Tensor, ...]]:
    """The layout and the tensors of an array function's value, known to PyTorch's differentiation."""
    kept = function.kept(x)
    if _transforming():
        record = Record(function, None)
        ys = Call.apply(kept, record, *x)
    else:
        needs = None
        if function.order == 0 and torch.is_grad_enabled():
            needs = tuple([t.requires_grad for t in x])
        record = Record(function, needs if needs and True in needs else None)
        ys = EagerCall.apply(kept, record, *x)
    assert record.out is not None, "the forward run says what its value is like"
    return record.out, ys


def _transforming() -> bool:
    """Whether one of torch.func's transformations is running, so that tensors may have no memory."""
    return bool(torch._C._are_functorch_transforms_active())


def run(function: ArrayFunction, record: Record, x: Tensors) -> tuple[torch.Tensor, ...]:
    """The tensors of the value."""
    arrays = [as_array(function.f, t) for t in x]
    if record.needs is None:
        record.out, ys = function.value(arrays)
    else:
        record.out, ys, record.back = function.reverse(arrays, record.needs)
    return tuple(map(as_tensor, ys))


def keep(ctx: Any, function: ArrayFunction, record: Record, x: Tensors, y: Tensors) -> None:
    """Keep what the derivatives need."""
    ctx.function, ctx.record = function, record
    ctx.save_for_backward(*x, *y)
    if forward_ad._current_level >= 0 or _transforming():
        ctx.save_for_forward(*x, *y)
    ctx.set_materialize_grads(False)
    constant = [t for t in y if not differentiable(t)]
    if constant:
        ctx.mark_non_differentiable(*constant)


class Derivatives(torch.autograd.Function):
    """The derivatives of a call of an array function; its tensors follow the function and the record."""

    @staticmethod
    def backward(ctx: Any, *y_bars: torch.Tensor | None) -> tuple[Any, ...]:
        """The cotangents of the tensors that want one."""
        function, record, saved = ctx.function, ctx.record, ctx.saved_tensors
        if y_bars[0] is None and all(t is None for t in y_bars):
            return (None,) * len(ctx.needs_input_grad)
        if not torch.is_grad_enabled() and not _transforming():
            seeds = [None if t is None else as_array(function.f, t) for t in y_bars]
            back = record.back
            if back is None:
                needs = ctx.needs_input_grad[2:]
                back = function.reverse([as_array(function.f, t) for t in saved[: len(needs)]], needs)[2]
            return (None, None, *[None if t is None else as_tensor(t) for t in back(seeds)])
        needs = ctx.needs_input_grad[2:]
        x = saved[: len(needs)]
        pulled = function.pulled(record.out, [t is not None for t in y_bars], needs)
        found = iter(apply(pulled, [*(t for t in y_bars if t is not None), *x])[1])
        return (None, None, *(next(found) if needed else None for needed in needs))

    @staticmethod
    def jvp(ctx: Any, _function: None, _record: None, *dx: torch.Tensor | None) -> tuple[Any, ...]:
        """The tangents of the value's tensors."""
        function, record, saved = ctx.function, ctx.record, ctx.saved_tensors
        x, y = saved[: len(dx)], saved[len(dx) :]
        moving = [t is not None for t in dx]
        pushed = function.pushed(record.out, [differentiable(t) for t in y], moving)
        found = iter(apply(pushed, [*(t for t in dx if t is not None), *x])[1])
        return tuple([next(found) if differentiable(t) else None for t in y])


class EagerCall(Derivatives):
    """A call under no transformation: PyTorch binds the arguments of this kind of Function faster."""

    @staticmethod
    def forward(
        ctx: Any, function: ArrayFunction, record: Record, *x: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """The value."""
        y = run(record.first, record, x)
        keep(ctx, function, record, x, y)
        return y


class Call(Derivatives):
    """A call under transformations of torch.func."""

    @staticmethod
    def forward(function: ArrayFunction, record: Record, *x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """The value."""
        return run(record.first, record, x)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, ...]) -> None:
        """Keep what the derivatives need."""
        function, record, *x = inputs
        keep(ctx, function, record, x, output)

    @staticmethod
    def vmap(info: Any, in_dims: Any, function: ArrayFunction, record: Record, *x: torch.Tensor) -> Any:
        """One sample after another."""
        if not info.batch_size:
            raise UnsupportedArgument(
                function.f, "batch size", 0, why="what a sample gives is not known", next="give one or more"
            )
        samples = []
        for i in range(info.batch_size):
            sample = [t if d is None else t.select(d, i) for t, d in zip(x, in_dims[2:], strict=True)]
            record.out, ys = apply(record.first, sample)
            samples.append(ys)
        stacked = tuple([torch.stack(ys) for ys in zip(*samples, strict=True)])
        return stacked, (0,) * len(stacked)
