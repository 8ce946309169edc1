"""One operation of PyTensor for every array function.

Its pullback and pushforward are operations of the same kind, of the array functions that the derivatives
are, so derivatives of any order are as for PyTensor's own operations. The pullback of a node gives the
cotangents of all its inputs; what a program does not use of them is taken out of the operation when the
graph is rewritten, and so not computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytensor.tensor as pt
from pytensor.compile.mode import optdb
from pytensor.gradient import DisconnectedType, disconnected_type
from pytensor.graph.basic import Apply
from pytensor.graph.op import Op
from pytensor.graph.rewriting.basic import in2out, node_rewriter
from pytensor.tensor.exceptions import ShapeError
from pytensor.tensor.extra_ops import broadcast_shape

from ...core.callables import name_of
from ...core.errors import NotDifferentiableError, ShapeMismatch
from ..adapters.array_functions import ArrayFunction
from ..leaves import Layout


def as_given(inputs: Sequence[Any]) -> list[Any]:
    """Inputs of an operation as a function takes them: a number where there are no axes."""
    return [a if type(a) is np.ndarray and a.ndim else np.asarray(a)[()] for a in inputs]


def fill(f: Any, outputs: Sequence[list[Any]], ys: Sequence[Any], types: Sequence[Any]) -> None:
    """Give arrays as the outputs of an operation, if they are what they were found to be when it was made."""
    if len(ys) != len(types):
        raise ShapeMismatch(
            f"{name_of(f)} gave {len(ys)} arrays, but was found to give {len(types)} when the graph was made",
            next="return the same structure for all values of the arguments",
        )
    for i, y in enumerate(ys):
        a, expected = y if type(y) is np.ndarray else np.asarray(y), types[i]
        if not is_of(a, expected):
            raise ShapeMismatch(
                f"{name_of(f)} gave {a.dtype}{list(a.shape)}, but was found to give {expected} when the "
                "graph was made",
                next="give an example of the value: to_pytensor(f, value=…)",
            )
        outputs[i][0] = a


def is_of(a: Any, expected: Any) -> bool:
    """Whether an array is of a type of PyTensor's."""
    if a.dtype is expected.numpy_dtype and a.shape == expected.shape:
        return True
    shape: tuple[int | None, ...] = expected.shape
    alike = a.dtype == expected.numpy_dtype and a.ndim == len(shape)
    return alike and all(m is None or n == m for n, m in zip(a.shape, shape, strict=True))


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
        fill(self.function.f, outputs, self.function.arrays(as_given(inputs), self.out), self.types)

    def infer_shape(self, *given: Any) -> list[Any]:
        """The shapes of the outputs: of elementwise functions that to which the inputs broadcast."""
        node, shapes = given[-2:]  # an older PyTensor gives the graph before them
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
        return [[moves(x) and moves(y) for y in node.outputs] for x in node.inputs]

    def pullback(self, inputs: Any, outputs: Any, cotangents: Any) -> list[Any]:
        """The cotangents of the inputs."""
        self._refuse_complex((*inputs, *outputs))
        seeded = [not isinstance(t.type, DisconnectedType) for t in cotangents]
        needs = [moves(x) for x in inputs]
        if not any(seeded) or not any(needs):
            return [disconnected_type() for _ in inputs]
        seeds = [_like(t, y) for t, y in zip(cotangents, outputs, strict=True) if _seeded(t)]
        found = iter(Pull(self.function, self.out, seeded, needs, inputs).make_node(*seeds, *inputs).outputs)
        return [next(found) if n else disconnected_type() for n in needs]

    def pushforward(self, inputs: Any, outputs: Any, tangents: Any) -> list[Any]:
        """The tangents of the outputs."""
        self._refuse_complex((*inputs, *outputs))
        moving = [_seeded(t) and moves(x) for t, x in zip(tangents, inputs, strict=True)]
        differentiable = [moves(y) for y in outputs]
        if not any(moving) or not any(differentiable):
            return [disconnected_type() for _ in outputs]
        pushed = self.function.pushed(self.out, differentiable, moving)
        assert pushed.out is not None, "derivatives know what they give"
        dx = [_like(t, x) for t, x, m in zip(tangents, inputs, moving, strict=True) if m]
        types = [t for t, m in zip(self.types, differentiable, strict=True) if m]
        found = iter(Call(pushed, pushed.out, types).make_node(*dx, *inputs).outputs)
        return [next(found) if m else disconnected_type() for m in differentiable]

    def L_op(self, inputs: Any, outputs: Any, output_grads: Any) -> list[Any]:  # noqa: N802  PyTensor's name
        """The pullback, by the name that PyTensor 2, which PyMC is built on, knows it by."""
        return self.pullback(inputs, outputs, output_grads)

    def R_op(self, inputs: Any, eval_points: Any) -> list[Any]:  # noqa: N802  PyTensor's name
        """The pushforward, by PyTensor 2's name and with its None for what does not move."""
        tangents = [disconnected_type() if t is None else t for t in eval_points]
        moved = self.pushforward(inputs, self.make_node(*inputs).outputs, tangents)
        return [t if _seeded(t) else None for t in moved]

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

    def infer_shape(self, *given: Any) -> list[Any]:
        """Those of the inputs that the cotangents are of."""
        *_, shapes = given  # after the node, and in an older PyTensor the graph
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


def moves(variable: Any) -> bool:
    """Whether a variable, or one of this type, has derivatives."""
    return str(variable.dtype).startswith(("float", "complex"))


def _seeded(t: Any) -> bool:
    return not isinstance(t.type, DisconnectedType)


def _like(t: Any, x: Any) -> Any:
    """A tangent in the dtype of what it is a tangent of."""
    return t if t.dtype == x.dtype else pt.cast(t, x.dtype)
