"""`to_pytensor`: a function with its rules as an operation of PyTensor.

One Op stands for every array function. Its pullback and pushforward are Ops of the same kind, of the array
functions that the derivatives are, so derivatives of any order are as for PyTensor's own operations. The
pullback of a node gives the cotangents of all its inputs; what a program does not use of them is taken out
of the Op when the graph is rewritten, and so not computed.

Types of outputs are found on made-up arrays (stand_ins.py). Complex numbers are not differentiated: most of
PyTensor's own operations refuse to, and it states no convention.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import optdb
from pytensor.gradient import DisconnectedType, disconnected_type
from pytensor.graph.basic import Apply, Variable
from pytensor.graph.op import Op
from pytensor.graph.rewriting.basic import in2out, node_rewriter
from pytensor.tensor.exceptions import ShapeError
from pytensor.tensor.extra_ops import broadcast_shape
from pytensor.tensor.type import TensorType

from ...core.callables import describe, name_of
from ...core.engine import Engine
from ...core.errors import NotDifferentiableError, ShapeMismatch, UnsupportedArgument
from ..array_functions import ArrayFunction, is_numeric, unshared
from ..leaves import Layout
from ..stand_ins import Spec, value_like

UNKNOWN = 3
"""The length of an axis of unknown length on which a function is tried first."""


def to_pytensor(
    f: Callable[..., Any], *, value: Any = None, engine: Engine | None = None
) -> Callable[..., Any]:
    """What `adapters.to_pytensor` says."""

    @functools.wraps(f, updated=())
    def operation(*args: Any, **kwargs: Any) -> Any:
        for name, given in kwargs.items():
            if Layout.of(given, _is_variable)[1]:
                why, next = "arguments given by name are constants", "give it by position"
                raise UnsupportedArgument(f, name, describe(given), why=why, next=next)
        layout, x = Layout.of(args, _is_variable)
        for variable in x:
            if not isinstance(variable.type, TensorType):
                why, next = "rules compute with NumPy's arrays", "make it a dense tensor first"
                raise UnsupportedArgument(f, "x", variable.type, why=why, next=next)
        function = ArrayFunction(f, layout, kwargs, engine)
        out, types = _types_of(function, [v.type for v in x], value)
        return out.filled(Call(function, out, types).make_node(*x).outputs)

    return operation


def _is_variable(value: Any) -> bool:
    return isinstance(value, Variable)


def _types_of(function: ArrayFunction, inputs: Sequence[Any], value: Any) -> tuple[Layout, list[Any]]:
    """The layout of a function's value, and the types of its arrays."""
    if value is not None:
        out, ys = Layout.of(value, is_numeric)
        return out, [TensorType(np.asarray(y).dtype, (None,) * np.ndim(y)) for y in ys]
    known = all(None not in t.shape for t in inputs)
    lengths = (
        [UNKNOWN] if known else [UNKNOWN, *sorted({n for t in inputs for n in t.shape if n is not None}), 1]
    )
    first: UnsupportedArgument | None = None
    for length in lengths:
        specs: list[Spec] = [
            (tuple(length if n is None else n for n in t.shape), np.dtype(t.dtype)) for t in inputs
        ]
        try:
            out, found = value_like(function, specs)
        except UnsupportedArgument as error:
            first = first or error
        else:
            shapes = [shape if known else (None,) * len(shape) for shape, _ in found]
            return out, [TensorType(dtype, s) for s, (_, dtype) in zip(shapes, found, strict=True)]
    assert first is not None, "there is a length to try"
    raise first


class Call(Op):
    """A call of an array function."""

    def __init__(self, function: ArrayFunction, out: Layout, types: Sequence[Any]) -> None:
        self.function, self.out, self.types = function, out, types

    def __str__(self) -> str:
        return name_of(self.function.f).removeprefix(f"{ArrayFunction.__module__}.")

    def make_node(self, *x: Any) -> Apply:
        """The node with these inputs."""
        return Apply(self, list(map(pt.as_tensor_variable, x)), [t() for t in self.types])

    def perform(self, node: Apply, inputs: Sequence[Any], outputs: Sequence[list[Any]]) -> None:
        """The values of the outputs."""
        x = [a if np.ndim(a) else np.asarray(a)[()] for a in inputs]
        ys = unshared(self.function.value(x)[1], x)
        for cell, y, expected in zip(outputs, ys, self.types, strict=True):
            y = np.asarray(y)
            static = [n is None or n == m for n, m in zip(expected.shape, y.shape, strict=False)]
            if y.ndim != expected.ndim or y.dtype != expected.dtype or not all(static):
                raise ShapeMismatch(
                    f"{name_of(self.function.f)} gave {y.dtype}{list(y.shape)}, but was found to give "
                    f"{expected} when the graph was made",
                    next="give an example of the value: to_pytensor(f, value=…)",
                )
            cell[0] = y

    def infer_shape(self, fgraph: Any, node: Apply, shapes: Sequence[Any]) -> list[Any]:
        """The shapes of the outputs: of elementwise functions that to which the inputs broadcast."""
        f = self.function.f
        if (
            isinstance(f, np.ufunc)
            and f.signature is None
            and not self.function.kwargs
            and self.function.layout.is_plain
        ):
            shape = broadcast_shape(*shapes, arrays_are_shapes=True)
            return [shape for _ in node.outputs]
        raise ShapeError(f"the shape of {self} is that of its value")

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """What is no floating-point number is connected to nothing."""
        return [[_moves(x) and _moves(y) for y in node.outputs] for x in node.inputs]

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
        """The cotangents of the inputs."""
        self._refuse_complex((*inputs, *outputs))
        seeded = [not isinstance(t.type, DisconnectedType) for t in cotangents]
        needs = [_moves(x) for x in inputs]
        if not any(seeded) or not any(needs):
            return [disconnected_type() for _ in inputs]
        seeds = [_like(t, y) for t, y in zip(cotangents, outputs, strict=True) if _seeded(t)]
        found = iter(Pull(self.function, self.out, seeded, needs, inputs).make_node(*seeds, *inputs).outputs)
        return [next(found) if n else disconnected_type() for n in needs]

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any) -> list[Any]:
        """The tangents of the outputs."""
        self._refuse_complex((*inputs, *outputs))
        moving = [_seeded(t) and _moves(x) for t, x in zip(tangents, inputs, strict=True)]
        differentiable = [_moves(y) for y in outputs]
        if not any(moving) or not any(differentiable):
            return [disconnected_type() for _ in outputs]
        pushed = self.function.pushed(self.out, differentiable, moving)
        assert pushed.out is not None, "derivatives know what they give"
        dx = [_like(t, x) for t, x, m in zip(tangents, inputs, moving, strict=True) if m]
        types = [t for t, m in zip(self.types, differentiable, strict=True) if m]
        found = iter(Call(pushed, pushed.out, types).make_node(*dx, *inputs).outputs)
        return [next(found) if m else disconnected_type() for m in differentiable]

    def _refuse_complex(self, variables: Sequence[Any]) -> None:
        if any(v.dtype.startswith("complex") for v in variables):
            raise NotDifferentiableError(
                f"{self} has complex inputs or outputs, which are not differentiated in PyTensor",
                next="give real and imaginary part as arguments of their own",
            )


class Pull(Call):
    """The pullback of a call: from cotangents of its outputs, and its inputs, to those of some inputs."""

    def __init__(
        self, of: ArrayFunction, out: Layout, seeded: Sequence[bool], needs: Sequence[bool], x: Sequence[Any]
    ) -> None:
        pulled = of.pulled(out, seeded, needs)
        assert pulled.out is not None, "derivatives know what they give"
        super().__init__(pulled, pulled.out, [v.type for v, n in zip(x, needs, strict=True) if n])
        self.of, self.of_out, self.seeded, self.needs = of, out, seeded, needs

    def infer_shape(self, fgraph: Any, node: Apply, shapes: Sequence[Any]) -> list[Any]:
        """Those of the inputs that the cotangents are of."""
        return [s for s, n in zip(shapes[sum(self.seeded) :], self.needs, strict=True) if n]

    def using(self, used: Sequence[bool], x: Sequence[Any]) -> Pull:
        """The same with some of the outputs alone."""
        left = iter(used)
        return Pull(self.of, self.of_out, self.seeded, [n and next(left) for n in self.needs], x)


@node_rewriter([Pull])
def drop_unused(fgraph: Any, node: Apply) -> Any:
    """Do not compute cotangents that nobody uses."""
    used = [bool(fgraph.clients[y]) for y in node.outputs]
    if all(used) or not any(used):
        return False
    smaller = node.op.using(used, node.inputs[sum(node.op.seeded) :])
    return dict(
        zip(
            [y for y, u in zip(node.outputs, used, strict=True) if u],
            smaller(*node.inputs, return_list=True),
            strict=True,
        )
    )


optdb.register("chainrules_drop_unused", in2out(drop_unused), "fast_run", "fast_compile", position=1.6)


def _moves(variable: Any) -> bool:
    return str(variable.dtype).startswith(("float", "complex"))


def _seeded(t: Any) -> bool:
    return not isinstance(t.type, DisconnectedType)


def _like(t: Any, x: Any) -> Any:
    """A tangent in the dtype of what it is a tangent of."""
    return t if t.dtype == x.dtype else pt.cast(t, x.dtype)
